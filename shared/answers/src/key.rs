//! Keys of kept answers: the same question about the same documents has the same key.

use serde::Serialize;
use sha2::{Digest, Sha256};
use wire::answer::AnswerRequest;
use wire::common::AnswerMode;

use super::knowledge::KnowledgeBase;
use model::document::hexadecimal;

/// The edition of the program's treatment of documents. It changes with that treatment, so that
/// answers of another release are not given again.
const EDITION: &str = "4";

/// The inputs of an answer besides the documents.
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

/// Returns the key of an answer. It does not contain the scope, because each scope has its own
/// cache.
pub(super) fn answer(
    base: &KnowledgeBase,
    request: &AnswerRequest,
    turns: &[wire::answer::Turn],
    top_k: usize,
    mode: AnswerMode,
    models: [&str; 2],
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
    // A JSON text keeps all parts apart, whatever they contain.
    hash(&serde_json::to_vec(&parts).unwrap_or_default())
}

/// Returns the key of an embedding.
pub(super) fn embedding(model: &str, text: &str) -> String {
    hash(format!("{model}\n{text}").as_bytes())
}

fn hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}
