//! `invoke`: embeddings in Cohere's and in Titan's form, by one and the same local model.

use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Bedrock;
use super::refusal::Refusal;
use crate::embedder::Purpose;

const COHERE: &str = "cohere.embed";
const TITAN: &str = "amazon.titan-embed-text-v2:0";
/// The `input_type` of texts that somebody waits for.
const QUESTION: &str = "search_query";
/// As many texts as Cohere takes in one call.
const TEXTS_MAX: usize = 96;
const INPUT_TYPES: [&str; 4] = ["search_document", QUESTION, "classification", "clustering"];
const TRUNCATIONS: [&str; 5] = ["NONE", "START", "END", "LEFT", "RIGHT"];

/// Answers a call of a model by its id, as Bedrock would.
pub(super) async fn invoke(
    State(shared): State<Bedrock>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    if let Some(response) = shared.scripted(|script| &mut script.invoke).await {
        return response;
    }
    let started = Instant::now();
    let answered = if id.starts_with(COHERE) {
        cohere(&shared, &body).await
    } else if id == TITAN {
        titan(&shared, &body).await
    } else {
        Err(Refusal::invalid("The provided model identifier is invalid."))
    };
    match answered {
        Ok((answer, tokens)) => {
            let headers = [
                ("x-amzn-bedrock-input-token-count", tokens.to_string()),
                ("x-amzn-bedrock-invocation-latency", started.elapsed().as_millis().to_string()),
            ];
            (headers, Json(answer)).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// What Cohere's embedding models are asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CohereRequest {
    texts: Vec<String>,
    input_type: String,
    embedding_types: Option<Vec<String>>,
    output_dimension: Option<usize>,
    truncate: Option<String>,
}

async fn cohere(shared: &Bedrock, body: &[u8]) -> Result<(Value, u32), Refusal> {
    let request: CohereRequest = parse(body)?;
    if request.texts.is_empty() || request.texts.len() > TEXTS_MAX {
        let found = request.texts.len();
        return Err(Refusal::invalid(format!(
            "texts must hold 1 to {TEXTS_MAX} texts, {found} given"
        )));
    }
    if let Some(at) = request.texts.iter().position(|text| text.trim().is_empty()) {
        return Err(Refusal::invalid(format!("texts[{at}] is empty")));
    }
    one_of("input_type", &request.input_type, &INPUT_TYPES)?;
    if let Some(truncate) = &request.truncate {
        one_of("truncate", truncate, &TRUNCATIONS)?;
    }
    only_floats("embedding_types", request.embedding_types.as_deref().unwrap_or_default())?;
    let purpose =
        if request.input_type == QUESTION { Purpose::Question } else { Purpose::Document };
    let (vectors, tokens) =
        embed(shared, &request.texts, purpose, request.output_dimension).await?;
    let answer = if request.embedding_types.is_some() {
        json!({
            "id": "local",
            "response_type": "embeddings_by_type",
            "embeddings": {"float": vectors},
            "texts": request.texts,
        })
    } else {
        json!({
            "id": "local",
            "response_type": "embeddings_floats",
            "embeddings": vectors,
            "texts": request.texts,
        })
    };
    Ok((answer, tokens))
}

/// What Titan is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct TitanRequest {
    input_text: String,
    dimensions: Option<usize>,
    normalize: Option<bool>,
    embedding_types: Option<Vec<String>>,
}

async fn titan(shared: &Bedrock, body: &[u8]) -> Result<(Value, u32), Refusal> {
    let request: TitanRequest = parse(body)?;
    if request.input_text.trim().is_empty() {
        return Err(Refusal::invalid("inputText is empty"));
    }
    if request.normalize == Some(false) {
        return Err(Refusal::invalid("normalize: the local model gives normalized vectors only"));
    }
    only_floats("embeddingTypes", request.embedding_types.as_deref().unwrap_or_default())?;
    // Titan is not told what for: a text that comes alone is taken for a question.
    let (mut vectors, tokens) =
        embed(shared, &[request.input_text], Purpose::Question, request.dimensions).await?;
    let vector = vectors.pop().unwrap_or_default();
    let answer = json!({
        "embedding": vector,
        "embeddingsByType": {"float": vector},
        "inputTextTokenCount": tokens,
    });
    Ok((answer, tokens))
}

/// Embeds texts; gives their vectors, and the number of tokens of all together.
async fn embed(
    shared: &Bedrock,
    texts: &[String],
    purpose: Purpose,
    dimensions: Option<usize>,
) -> Result<(Vec<Vec<f32>>, u32), Refusal> {
    let model = shared.model.as_ref().ok_or_else(Refusal::no_model)?;
    if let Some(wanted) = dimensions.filter(|wanted| *wanted != model.dimensions) {
        return Err(Refusal::invalid(format!(
            "the dimension {wanted} is not supported: the local model gives {}",
            model.dimensions
        )));
    }
    let embeddings = model.embed(texts.to_vec(), purpose).await.map_err(Refusal::internal)?;
    let tokens = embeddings.iter().map(|embedding| embedding.tokens).sum();
    Ok((embeddings.into_iter().map(|embedding| embedding.vector).collect(), tokens))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|err| {
        Refusal::invalid(format!(
            "Malformed input request: {err}, please reformat your input and try again."
        ))
    })
}

fn one_of(field: &str, value: &str, allowed: &[&str]) -> Result<(), Refusal> {
    if allowed.contains(&value) {
        return Ok(());
    }
    Err(Refusal::invalid(format!("{field}: `{value}` is not one of {}", allowed.join(", "))))
}

fn only_floats(field: &str, types: &[String]) -> Result<(), Refusal> {
    match types.iter().find(|kind| *kind != "float") {
        Some(other) => Err(Refusal::invalid(format!(
            "{field}: `{other}` is not supported, the local model gives float"
        ))),
        None => Ok(()),
    }
}
