//! `invoke`: embeddings in the forms of Bedrock's models, all from one local model.

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
use super::rerank::rerank;
use embedding::Purpose;

const COHERE_3: [&str; 2] = ["cohere.embed-english-v3", "cohere.embed-multilingual-v3"];
const COHERE_4: &str = "cohere.embed-v4:0";
const TITAN: &str = "amazon.titan-embed-text-v2:0";
const NOVA: &str = "amazon.nova-2-multimodal-embeddings-v1:0";
const COHERE_RERANK: &str = "cohere.rerank-v3-5:0";
const AMAZON_RERANK: &str = "amazon.rerank-v1:0";
/// The prefixes of a model's id in the id of an inference profile.
const REGIONS: [&str; 4] = ["us.", "eu.", "apac.", "global."];
/// Upper bound for the characters of one text for Cohere's third models.
const CHARACTERS_MAX: usize = 2_048;
/// The `input_type` of texts whose caller is waiting.
const QUESTION: &str = "search_query";
/// Upper bound for the texts in one call to Cohere.
const TEXTS_MAX: usize = 96;
const INPUT_TYPES: [&str; 4] = ["search_document", QUESTION, "classification", "clustering"];
const TRUNCATIONS: [&str; 5] = ["NONE", "START", "END", "LEFT", "RIGHT"];

/// Answers a call to a model by its id, as Bedrock would.
pub(super) async fn invoke(
    State(shared): State<Bedrock>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    if let Some(response) = shared.scripted(|script| &mut script.invoke).await {
        return response;
    }
    let started = Instant::now();
    let answered = match REGIONS.iter().find_map(|region| id.strip_prefix(region)).unwrap_or(&id) {
        COHERE_4 => cohere(&shared, &body, false).await,
        id if COHERE_3.contains(&id) => cohere(&shared, &body, true).await,
        TITAN => titan(&shared, &body).await,
        NOVA => nova(&shared, &body).await,
        COHERE_RERANK => rerank(&body, true),
        AMAZON_RERANK => rerank(&body, false),
        _ => Err(Refusal::invalid("The provided model identifier is invalid.")),
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

/// A request to Cohere's embedding models.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CohereRequest {
    texts: Vec<String>,
    input_type: String,
    embedding_types: Option<Vec<String>>,
    output_dimension: Option<usize>,
    truncate: Option<String>,
}

async fn cohere(shared: &Bedrock, body: &[u8], is_third: bool) -> Result<(Value, u32), Refusal> {
    let request: CohereRequest = parse(body)?;
    if is_third {
        third(&request)?;
    }
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

/// Refuses fields that Cohere's fourth model accepts and its third models do not.
fn third(request: &CohereRequest) -> Result<(), Refusal> {
    if request.output_dimension.is_some() {
        return Err(Refusal::invalid("extraneous key [output_dimension] is not permitted"));
    }
    if request.texts.iter().any(|text| text.chars().count() > CHARACTERS_MAX) {
        return Err(Refusal::invalid(format!("a text has more than {CHARACTERS_MAX} characters")));
    }
    let truncate = request.truncate.as_deref().unwrap_or("NONE");
    one_of("truncate", truncate, &["NONE", "START", "END"])
}

/// A request to Nova.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NovaRequest {
    schema_version: String,
    task_type: String,
    single_embedding_params: NovaParams,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NovaParams {
    embedding_purpose: String,
    embedding_dimension: Option<usize>,
    text: NovaText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct NovaText {
    truncation_mode: String,
    value: String,
}

async fn nova(shared: &Bedrock, body: &[u8]) -> Result<(Value, u32), Refusal> {
    let request: NovaRequest = parse(body)?;
    one_of("schemaVersion", &request.schema_version, &["nova-multimodal-embed-v1"])?;
    one_of("taskType", &request.task_type, &["SINGLE_EMBEDDING"])?;
    let NovaParams { embedding_purpose, embedding_dimension, text } =
        request.single_embedding_params;
    let purposes = ["GENERIC_INDEX", "GENERIC_RETRIEVAL", "TEXT_RETRIEVAL"];
    one_of("embeddingPurpose", &embedding_purpose, &purposes)?;
    one_of("truncationMode", &text.truncation_mode, &["START", "END", "NONE"])?;
    let is_document = embedding_purpose == "GENERIC_INDEX";
    let purpose = if is_document { Purpose::Document } else { Purpose::Question };
    let (vectors, tokens) = embed(shared, &[text.value], purpose, embedding_dimension).await?;
    let embeddings: Vec<Value> = vectors
        .into_iter()
        .map(|vector| json!({"embeddingType": "TEXT", "embedding": vector}))
        .collect();
    Ok((json!({"embeddings": embeddings}), tokens))
}

/// A request to Titan.
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
    // A request to Titan has no purpose. A single text is treated as a question.
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

/// Embeds texts; returns their vectors, and the total number of tokens.
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

pub(super) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
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
