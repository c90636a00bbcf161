//! Caches answers while no document of any granted knowledge base changes, and for the same grant
//! alone.

use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use wire::common::Answer;
use wire::search::{SearchReport, SearchRequest};

use super::Services;
use ask::question::Asked;
use ask::written::narrowest;
use model::document::hexadecimal;
use model::{Error, Result};
use ports::KeptSearch;
use ports::scope::Scope;

/// The edition of the answers' form. It changes with that form, so that answers of another release
/// are not given again.
const EDITION: &str = "3";

/// A cached answer, and the state of the documents.
pub(super) struct Kept {
    pub(super) answer: Option<Answer<SearchReport>>,
    /// The number of changes to the documents of each granted scope, in the grant's order; `None`
    /// if it is unknown.
    pub(super) corpus: Option<Vec<u64>>,
}

/// Returns the key of a question. It covers all that the answer depends on, including each granted
/// scope, except for the documents.
pub(super) fn key(services: &Services<'_>, asked: &Asked, wanted: &SearchRequest) -> String {
    let scopes: Vec<String> = asked.grant.scopes().iter().map(ToString::to_string).collect();
    // The whole answer is cached, even if the caller wants only a part of it.
    let wanted = SearchRequest { max_bytes: None, ..wanted.clone() };
    let wanted = serde_json::to_string(&wanted).unwrap_or_default();
    let space = services.ask.embedder.space();
    let rerank = if services.ask.rerank.is_some() { "rerank" } else { "" };
    let model = services.ask.chat(asked).map_or_else(String::new, |chat| chat.key());
    let scopes = scopes.join("\n");
    let parts = [EDITION, &space, rerank, &model, &scopes, &wanted, &services.sources.text];
    hexadecimal(&Sha256::digest(parts.join("\0")))
}

/// Looks for a cached answer that is as new as the documents. An unreadable answer counts as
/// missing.
pub(super) async fn read(services: &Services<'_>, asked: &Asked, key: &str) -> Kept {
    let scopes = asked.grant.scopes();
    // An answer that quotes several cases would have to be erased with each of them, so it is not
    // cached.
    let cases = scopes.iter().filter(|scope| matches!(scope, Scope::Case(_))).count();
    if asked.project.is_some() || cases > 1 {
        return Kept { answer: None, corpus: None };
    }
    let looked = services.cache.search(scopes, narrowest(&asked.grant), key).await;
    let Ok((corpus, kept)) = looked else { return Kept { answer: None, corpus: None } };
    let now = services.ask.context.stamp.time;
    let kept = kept.filter(|kept| kept.corpus == corpus && kept.expires_at > now);
    let answer = kept.and_then(|kept| serde_json::from_str(&kept.body).ok());
    Kept { answer, corpus: Some(corpus) }
}

/// Caches an answer for the given time, with a scope and under a key.
///
/// # Errors
/// [`Error::Unavailable`] if it cannot be kept.
pub(super) async fn keep(
    services: &Services<'_>,
    scope: &Scope,
    key: &str,
    corpus: Option<Vec<u64>>,
    lasts: SignedDuration,
    answer: &Answer<SearchReport>,
) -> Result<()> {
    // An abstention is not cached, because the next document may answer the question and a new
    // search costs little.
    let Some(corpus) = corpus.filter(|_| answer.abstained.is_none()) else { return Ok(()) };
    let body =
        serde_json::to_string(answer).map_err(|error| Error::unavailable("the answer", error))?;
    let kept = KeptSearch { body, corpus, expires_at: services.ask.context.stamp.time + lasts };
    services.cache.keep_search(scope, key, &kept).await
}
