//! Rerankers in the forms of Bedrock's models. The relevance is only the cosine of the embeddings,
//! so this shows only that a call is made and read correctly.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Bedrock;
use super::embed::{embed, parse};
use super::refusal::Refusal;
use crate::embedder::Purpose;

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

pub(super) async fn rerank(
    shared: &Bedrock,
    body: &[u8],
    is_cohere: bool,
) -> Result<(Value, u32), Refusal> {
    let request: Request = parse(body)?;
    if is_cohere != (request.api_version == Some(2)) || request.api_version.is_some() != is_cohere {
        return Err(Refusal::invalid("api_version must be 2 for Cohere, and absent for Amazon"));
    }
    let count = request.documents.len();
    let top = request.top_n.unwrap_or(count);
    if count == 0 || count > DOCUMENTS_MAX || top == 0 || top > count {
        return Err(Refusal::invalid(format!("{count} documents and top_n {top} do not fit")));
    }
    let texts: Vec<String> = std::iter::once(request.query).chain(request.documents).collect();
    let (vectors, tokens) = embed(shared, &texts, Purpose::Question, None).await?;
    let (question, documents) = vectors.split_first().ok_or_else(Refusal::no_model)?;
    let cosine = |vector: &Vec<f32>| vector.iter().zip(question).map(|(a, b)| a * b).sum::<f32>();
    let mut results: Vec<(usize, f32)> =
        documents.iter().map(cosine).map(|relevance| relevance.max(0.0)).enumerate().collect();
    results.sort_by(|a, b| b.1.total_cmp(&a.1));
    let results = results.into_iter().take(top);
    let results: Vec<Value> = results
        .map(|(index, relevance)| json!({"index": index, "relevance_score": relevance}))
        .collect();
    Ok((json!({ "results": results }), tokens))
}
