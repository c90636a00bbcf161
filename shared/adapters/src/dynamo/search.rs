//! Answers of searches that may be given again, and conflicts that were found.

use async_trait::async_trait;
use aws_sdk_dynamodb::primitives::Blob;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{ConflictStore, FoundConflicts, KeptSearch, SearchCache};

use super::answer::{cached, packed, read_with_body, with_body};
use super::project::text_of;
use super::{Item, SERVICE, Table, corpus};

/// The key of the conflicts in a scope's cache.
const CONFLICTS: &str = "conflicts";

/// The most bytes of a body, so that the other fields of an item have room.
const BODY: usize = 380_000;

#[async_trait]
impl SearchCache for Table {
    async fn search(
        &self,
        scopes: &[Scope],
        owner: &Scope,
        key: &str,
    ) -> Result<(Vec<u64>, Option<KeptSearch>)> {
        let sort_key = format!("search#{key}");
        let mut keys: Vec<Item> = scopes.iter().flat_map(corpus::keys).collect();
        keys.push(cached(owner, &sort_key));
        let items = self.batch(keys).await?;
        let versions = scopes.iter().map(|scope| corpus::version(scope, &items)).collect();
        let kept = items.into_iter().find(|item| text_of(item, "sk") == Some(sort_key.as_str()));
        Ok((versions, kept.and_then(|item| read_with_body(item).ok())))
    }

    async fn keep_search(&self, owner: &Scope, key: &str, kept: &KeptSearch) -> Result<()> {
        let key = cached(owner, &format!("search#{key}"));
        self.put_in_cache(owner, with_body(key, kept, body(&kept.body)?)?).await
    }
}

fn body(text: &str) -> Result<Blob> {
    let packed = packed(text)?;
    if packed.as_ref().len() > BODY {
        return Err(Error::unavailable(SERVICE, "an answer that is too large to be kept"));
    }
    Ok(packed)
}

#[async_trait]
impl ConflictStore for Table {
    async fn corpus_of(&self, scope: &Scope) -> Result<u64> {
        Ok(corpus::version(scope, &self.batch(corpus::keys(scope)).await?))
    }

    async fn conflicts(&self, scope: &Scope) -> Result<(u64, Option<FoundConflicts>)> {
        let mut keys = corpus::keys(scope);
        keys.push(cached(scope, CONFLICTS));
        let items = self.batch(keys).await?;
        let version = corpus::version(scope, &items);
        let found = items.into_iter().find(|item| text_of(item, "sk") == Some(CONFLICTS));
        Ok((version, found.map(read_with_body).transpose()?))
    }

    async fn keep_conflicts(&self, scope: &Scope, found: &FoundConflicts) -> Result<()> {
        let item = with_body(cached(scope, CONFLICTS), found, body(&found.body)?)?;
        self.put_in_cache(scope, item).await
    }
}
