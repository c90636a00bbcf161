//! `converse`: what the script says, else sentences taken from the prompt.

use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Bedrock;
use super::refusal::Refusal;

/// As many sentences as an answer has.
const SENTENCES: usize = 3;
/// English text has about four bytes to a token.
const BYTES_PER_TOKEN: usize = 4;

/// The parts of a request that an answer is made from; the others change nothing here.
#[derive(Deserialize)]
struct Request {
    messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Vec<Value>,
}

/// Answers the last message of the user, whatever the model.
pub(super) async fn converse(
    State(shared): State<Bedrock>,
    Path(_id): Path<String>,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    if let Some(response) = shared.scripted(|script| &mut script.converse).await {
        return response;
    }
    match answer(&body) {
        Ok(text) => Json(shaped(&text, body.len(), started)).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

fn answer(body: &[u8]) -> Result<String, Refusal> {
    let request: Request = serde_json::from_slice(body)
        .map_err(|err| Refusal::invalid(format!("Malformed input request: {err}")))?;
    let last = request.messages.iter().rev().find(|message| message.role == "user");
    let last = last.ok_or_else(|| Refusal::invalid("messages: a user message is required"))?;
    let texts: Vec<_> = last.content.iter().filter_map(|block| block["text"].as_str()).collect();
    let prompt = texts.join("\n");
    if prompt.trim().is_empty() {
        return Err(Refusal::invalid("messages: the text of the user message is empty"));
    }
    Ok(extract(&prompt))
}

/// Takes the first sentence of the first passages marked `[1]`, with their marks, or without passages the first
/// sentences of all.
fn extract(prompt: &str) -> String {
    let cited: Vec<_> = prompt.lines().filter_map(passage).take(SENTENCES).collect();
    if cited.is_empty() {
        sentences(prompt).take(SENTENCES).collect::<Vec<_>>().join(" ")
    } else {
        cited.join(" ")
    }
}

fn passage(line: &str) -> Option<String> {
    let (mark, text) = line.trim_start().strip_prefix('[')?.split_once(']')?;
    let is_number = !mark.is_empty() && mark.bytes().all(|byte| byte.is_ascii_digit());
    let first = sentences(text).next().filter(|_| is_number)?;
    Some(format!("{first} [{mark}]"))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['.', '?', '!', '\n'])
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
}

fn shaped(text: &str, request_bytes: usize, started: Instant) -> Value {
    let (input, output) =
        (request_bytes.div_ceil(BYTES_PER_TOKEN), text.len().div_ceil(BYTES_PER_TOKEN));
    json!({
        "output": {"message": {"role": "assistant", "content": [{"text": text}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": input, "outputTokens": output, "totalTokens": input + output},
        "metrics": {"latencyMs": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)},
    })
}
