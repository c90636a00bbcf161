//! Answers of searches that may be given again, and conflicts that were found.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::AttributeValue;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{ConflictStore, FoundConflicts, KeptSearch, SearchCache};

use super::answer::{cached, odd, packed, seconds, time, unpacked, whole};
use super::project::of;
use super::{Item, SERVICE, Table, corpus, failed, number, partition};

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
        let mut keys: Vec<Item> = scopes.iter().map(corpus).collect();
        keys.push(cached(owner, &sort_key));
        let items = self.batch(keys).await?;
        let version = |scope: &Scope| {
            let partition = partition(scope);
            let is_of = |item: &&Item| {
                of(item, "sk") == Some("CORPUS")
                    && item.get("pk").and_then(|i| i.as_s().ok()) == partition.as_s().ok()
            };
            items.iter().find(is_of).and_then(|item| whole(item, "version")).unwrap_or_default()
        };
        let kept = items.iter().find(|item| of(item, "sk") == Some(sort_key.as_str()));
        let kept = kept.and_then(|item| read(item).ok());
        Ok((scopes.iter().map(version).collect(), kept))
    }

    async fn keep_search(&self, owner: &Scope, key: &str, kept: &KeptSearch) -> Result<()> {
        let mut item = cached(owner, &format!("search#{key}"));
        let versions = kept.corpus.iter().map(|k| number(*k)).collect();
        item.insert("body".into(), body(&kept.body)?);
        item.insert("corpus".into(), AttributeValue::L(versions));
        item.insert("expires_at".into(), seconds(kept.expires_at));
        if let Scope::Case(id) = owner {
            return self.keep_in_case(id, vec![item]).await;
        }
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        put.send().await.map(drop).map_err(failed)
    }
}

fn read(item: &Item) -> Result<KeptSearch> {
    let listed = item.get("corpus").and_then(|i| i.as_l().ok()).ok_or_else(|| odd("corpus"))?;
    let version = |value: &AttributeValue| value.as_n().ok()?.parse().ok();
    Ok(KeptSearch {
        body: unpacked(item)?,
        corpus: listed.iter().filter_map(version).collect(),
        expires_at: time(item, "expires_at")?,
    })
}

fn body(text: &str) -> Result<AttributeValue> {
    let packed = packed(text)?;
    if packed.as_ref().len() > BODY {
        return Err(Error::unavailable(SERVICE, "an answer that is too large to be kept"));
    }
    Ok(AttributeValue::B(packed))
}

#[async_trait]
impl ConflictStore for Table {
    async fn corpus_of(&self, scope: &Scope) -> Result<u64> {
        let item = self.item(corpus(scope)).await?;
        Ok(item.and_then(|item| whole(&item, "version")).unwrap_or_default())
    }

    async fn conflicts(&self, scope: &Scope) -> Result<(u64, Option<FoundConflicts>)> {
        let items = self.batch(vec![corpus(scope), cached(scope, CONFLICTS)]).await?;
        let item = |key: &str| items.iter().find(|item| of(item, "sk") == Some(key));
        let version = item("CORPUS").and_then(|item| whole(item, "version")).unwrap_or_default();
        let found = item(CONFLICTS).map(|item| {
            Ok::<_, Error>(FoundConflicts {
                body: unpacked(item)?,
                found_at: time(item, "found_at")?,
                corpus: whole(item, "corpus").ok_or_else(|| odd("corpus"))?,
                passages: whole(item, "passages").ok_or_else(|| odd("passages"))?,
                is_complete: item.get("complete").and_then(|i| i.as_bool().ok()) == Some(&true),
                confirmed_by: of(item, "confirmed_by").map(str::to_owned),
            })
        });
        Ok((version, found.transpose()?))
    }

    async fn keep_conflicts(&self, scope: &Scope, found: &FoundConflicts) -> Result<()> {
        let mut item = cached(scope, CONFLICTS);
        item.insert("body".into(), body(&found.body)?);
        item.insert("found_at".into(), seconds(found.found_at));
        item.insert("corpus".into(), number(found.corpus));
        item.insert("passages".into(), number(found.passages));
        item.insert("complete".into(), AttributeValue::Bool(found.is_complete));
        if let Some(model) = &found.confirmed_by {
            item.insert("confirmed_by".into(), AttributeValue::S(model.clone()));
        }
        if let Scope::Case(id) = scope {
            return self.keep_in_case(id, vec![item]).await;
        }
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        put.send().await.map(drop).map_err(failed)
    }
}
