//! Keys of what is kept: the same question of the same documents has the same one.

use serde::Serialize;
use sha2::{Digest, Sha256};
use wire::answer::AnswerRequest;
use wire::common::AnswerMode;

use super::knowledge::KnowledgeBase;
use model::document::hexadecimal;

/// Changes with what is said of a document: what was kept by another release is not given again.
const EDITION: &str = "2";

/// What an answer depends on besides the documents.
#[derive(Serialize)]
struct Parts<'a> {
    code: &'a str,
    base: &'a str,
    question: &'a str,
    queries: &'a [String],
    examples: [&'a [uuid::Uuid]; 2],
    conversation: &'a [wire::answer::Turn],
    filters: &'a serde_json::Map<String, serde_json::Value>,
    top_k: usize,
    mode: AnswerMode,
    models: [&'a str; 2],
}

/// The key of an answer. Scopes have caches of their own, and so no part in it.
pub(super) fn answer(
    base: &KnowledgeBase,
    request: &AnswerRequest,
    turns: &[wire::answer::Turn],
    (top_k, mode, models): (usize, AnswerMode, [&str; 2]),
) -> String {
    let parts = Parts {
        code: EDITION,
        base: &base.text,
        question: request.question.trim(),
        queries: &request.queries,
        examples: [&request.like, &request.unlike],
        conversation: turns,
        filters: &request.filters,
        top_k,
        mode,
        models,
    };
    // A JSON text tells all parts apart, whatever is in them.
    hash(&serde_json::to_vec(&parts).unwrap_or_default())
}

/// The key of an embedding.
pub(super) fn embedding(model: &str, text: &str) -> String {
    hash(format!("{model}\n{text}").as_bytes())
}

fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}
