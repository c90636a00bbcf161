//! Answers that may be given again: while no document of any granted knowledge base has changed, and to the same grant alone.

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

/// Changes with what an answer looks like: one that was kept by another release is not given again.
const EDITION: &str = "3";

/// A kept answer, and the state of the documents.
pub(super) struct Kept {
    pub(super) answer: Option<Answer<SearchReport>>,
    /// The number of changes of each granted scope's documents, in the grant's order; `None` where it is not known.
    pub(super) corpus: Option<Vec<u64>>,
}

/// The key of a question: all that its answer depends on but the documents, each granted scope among it.
pub(super) fn key(services: &Services<'_>, asked: &Asked, wanted: &SearchRequest) -> String {
    let scopes: Vec<String> = asked.grant.scopes().iter().map(ToString::to_string).collect();
    // The whole answer is kept, however much of it was wanted.
    let wanted = SearchRequest { max_bytes: None, ..wanted.clone() };
    let wanted = serde_json::to_string(&wanted).unwrap_or_default();
    let space = services.ask.embedder.space();
    let rerank = if services.ask.rerank.is_some() { "rerank" } else { "" };
    let model = services.ask.chat(asked).map_or_else(String::new, |chat| chat.key());
    let scopes = scopes.join("\n");
    let parts = [EDITION, &space, rerank, &model, &scopes, &wanted, &services.sources.text];
    hexadecimal(&Sha256::digest(parts.join("\0")))
}

/// Looks for a kept answer that is as new as the documents. What cannot be read counts as not kept.
pub(super) async fn look(services: &Services<'_>, asked: &Asked, key: &str) -> Kept {
    let scopes = asked.grant.scopes();
    // What is kept of one case must go with each case that it quotes.
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

/// Keeps an answer for so long, with a scope and by a key.
///
/// # Errors
/// [`Error::Unavailable`] where it cannot be kept.
pub(super) async fn keep(
    services: &Services<'_>,
    (scope, key): (&Scope, &str),
    (corpus, lasts): (Option<Vec<u64>>, SignedDuration),
    answer: &Answer<SearchReport>,
) -> Result<()> {
    // What abstains may be answered by the next document, and is cheap.
    let Some(corpus) = corpus.filter(|_| answer.abstained.is_none()) else { return Ok(()) };
    let body =
        serde_json::to_string(answer).map_err(|error| Error::unavailable("the answer", error))?;
    let kept = KeptSearch { body, corpus, expires_at: services.ask.context.stamp.time + lasts };
    services.cache.keep_search(scope, key, &kept).await
}
