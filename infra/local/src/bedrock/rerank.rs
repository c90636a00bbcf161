//! Rerankers in the forms of Bedrock's models. The relevance is only the share of the question's
//! words that a document has, so this shows only that a call is made and read correctly. No model
//! is asked, because that takes longer than a reranker may on a busy machine.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::embed::parse;
use super::refusal::Refusal;

/// Upper bound for the documents in one call.
const DOCUMENTS_MAX: usize = 1_000;

/// A request to a reranker. Cohere's reranker needs `api_version`; Amazon's refuses it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    query: String,
    documents: Vec<String>,
    top_n: Option<usize>,
    api_version: Option<u32>,
}

/// Judges documents; returns the reply, and the number of words read in place of tokens.
pub(super) fn rerank(body: &[u8], is_cohere: bool) -> Result<(Value, u32), Refusal> {
    let request: Request = parse(body)?;
    if is_cohere != (request.api_version == Some(2)) || request.api_version.is_some() != is_cohere {
        return Err(Refusal::invalid("api_version must be 2 for Cohere, and absent for Amazon"));
    }
    let count = request.documents.len();
    let top = request.top_n.unwrap_or(count);
    if count == 0 || count > DOCUMENTS_MAX || top == 0 || top > count {
        return Err(Refusal::invalid(format!("{count} documents and top_n {top} do not fit")));
    }
    let asked = words(&request.query);
    let documents: Vec<HashSet<String>> =
        request.documents.iter().map(|text| words(text)).collect();
    let read: usize = asked.len() + documents.iter().map(HashSet::len).sum::<usize>();
    let number = |count: usize| u32::try_from(count).map_or(f64::INFINITY, f64::from);
    let shared = |document: &HashSet<String>| number(document.intersection(&asked).count());
    let mut results: Vec<(usize, f64)> = documents
        .iter()
        .map(|document| shared(document) / number(asked.len().max(1)))
        .enumerate()
        .collect();
    results.sort_by(|a, b| b.1.total_cmp(&a.1));
    let results: Vec<Value> = results
        .into_iter()
        .take(top)
        .map(|(index, relevance)| json!({"index": index, "relevance_score": relevance}))
        .collect();
    Ok((json!({ "results": results }), u32::try_from(read).unwrap_or(u32::MAX)))
}

/// Returns the distinct words of a text, in lower case.
fn words(text: &str) -> HashSet<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
