//! `converse`: returns the scripted answer, or sentences from the prompt.

use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Bedrock;
use super::refusal::Refusal;

/// Upper bound for the sentences of an answer.
const SENTENCES: usize = 3;
/// Upper bound for the bytes of a short word.
const LONG: usize = 5;
/// The usual number of bytes in a token of English text.
const BYTES_PER_TOKEN: usize = 4;

/// The parts of a request that an answer depends on; all others are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    messages: Vec<Message>,
    tool_config: Option<ToolConfig>,
}

#[derive(Deserialize)]
struct Message {
    role: String,
    content: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig {
    tools: Vec<Value>,
    tool_choice: Option<Value>,
}

/// An answer to a request.
enum Answer {
    /// Free text.
    Text(String),
    /// A tool's input.
    Form { tool: String, input: Value },
}

/// Answers the last message of the user, for any model.
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
        Ok(answer) => Json(shaped(answer, body.len(), started)).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

fn answer(body: &[u8]) -> Result<Answer, Refusal> {
    let request: Request = serde_json::from_slice(body)
        .map_err(|err| Refusal::invalid(format!("Malformed input request: {err}")))?;
    let last = request.messages.iter().rev().find(|message| message.role == "user");
    let last = last.ok_or_else(|| Refusal::invalid("messages: a user message is required"))?;
    let texts: Vec<_> = last.content.iter().filter_map(|block| block["text"].as_str()).collect();
    let prompt = texts.join("\n");
    if prompt.trim().is_empty() {
        return Err(Refusal::invalid("messages: the text of the user message is empty"));
    }
    match request.tool_config {
        Some(config) => {
            let tool = chosen(&config)?;
            let input = match tool.as_str() {
                "queries" => queries(&prompt),
                "grades" => grades(&config.tools),
                "statements" => statements(&prompt, &config.tools),
                _ => claims(&prompt),
            };
            Ok(Answer::Form { tool, input })
        }
        None => Ok(Answer::Text(extract(&prompt))),
    }
}

/// Returns the tool that the model must use; the first one if it may choose.
fn chosen(config: &ToolConfig) -> Result<String, Refusal> {
    let specs = || config.tools.iter().map(|tool| &tool["toolSpec"]);
    if let Some(at) = specs().position(|spec| !spec["inputSchema"]["json"].is_object()) {
        return Err(Refusal::invalid(format!(
            "toolConfig.tools.{at}.toolSpec.inputSchema.json must be an object"
        )));
    }
    let mut names = specs().filter_map(|spec| spec["name"].as_str());
    let choice = config.tool_choice.as_ref().and_then(|choice| choice["tool"]["name"].as_str());
    names
        .find(|name| choice.is_none_or(|wanted| wanted == *name))
        .map(str::to_owned)
        .ok_or_else(|| Refusal::invalid("toolConfig.toolChoice: there is no such tool"))
}

/// Returns one search with the long words of the prompt.
fn queries(prompt: &str) -> Value {
    let words = prompt.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > LONG);
    json!({"queries": [words.collect::<Vec<_>>().join(" ")]})
}

/// The first letter of ids of pairs that are judged as conflicts; no pair is one.
const PAIR: char = 'q';

/// Returns a grade for each id of the form: the highest one, which accepts it, but 0 for pairs, and
/// for all ids if the form has a list of grades.
fn grades(tools: &[Value]) -> Value {
    let all = tools.iter().map(|tool| &tool["toolSpec"]["inputSchema"]["json"]["properties"]);
    let all = all.filter_map(Value::as_object).flatten();
    let grade = |(id, grade): (&String, &Value)| {
        let highest = if id.starts_with(PAIR) { None } else { grade["maximum"].as_u64() };
        (id.clone(), json!(highest.unwrap_or_default()))
    };
    all.map(grade).collect()
}

/// Returns, for each option of the form, the numbered statements that contain its name. The name
/// follows the option's id.
fn statements(prompt: &str, tools: &[Value]) -> Value {
    let items = |tool: &Value| {
        let properties = &tool["toolSpec"]["inputSchema"]["json"]["properties"];
        properties["options"]["items"]["properties"]["option"]["enum"].as_array().cloned()
    };
    let (passages, options) = prompt.split_once("The options:\n").unwrap_or((prompt, ""));
    let bodies =
        passages.split("<passage").filter_map(|passage| passage.split("</passage>").next());
    let numbered: Vec<(&str, &str)> =
        bodies.flat_map(|body| body.split("[s")).filter_map(|part| part.split_once("] ")).collect();
    let name = |id: &str| {
        let mut lines = options.lines().filter_map(|line| line.split_once(": "));
        lines.find_map(|(of, name)| (of == id).then_some(name))
    };
    let listed = tools.iter().filter_map(items).flatten().map(|option| {
        let name = option.as_str().and_then(name);
        let named =
            numbered.iter().filter(|(_, text)| name.is_some_and(|name| text.contains(name)));
        let statements: Value = named.map(|(number, _)| format!("s{number}")).collect();
        json!({"option": option, "statements": statements})
    });
    json!({"options": listed.collect::<Value>()})
}

/// Returns a claim for each of the first passages marked `<passage id="p1">`: its first sentence.
fn claims(prompt: &str) -> Value {
    let passages = prompt.split("<passage id=\"").skip(1).take(SENTENCES);
    let claims = passages.filter_map(|passage| {
        let (id, rest) = passage.split_once('"')?;
        let (_, text) = rest.split_once(">\n")?;
        let text = text.split("</passage>").next()?;
        Some(json!({"text": first_sentence(text)?, "citations": [id]}))
    });
    json!({"claims": claims.collect::<Value>()})
}

/// Returns the first sentence. It ends before a space or at the end of its line, because times and
/// versions in a log contain dots, too.
fn first_sentence(text: &str) -> Option<&str> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let end = [". ", "? ", "! "].iter().filter_map(|end| line.find(end)).min();
    Some(end.map_or(line, |end| &line[..=end]))
}

/// Returns the first sentence of each of the first passages marked `[1]`, with its mark; without
/// passages, the first sentences of all the text.
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

fn shaped(answer: Answer, request_bytes: usize, started: Instant) -> Value {
    let (block, stop) = match answer {
        Answer::Text(text) => (json!({"text": text}), "end_turn"),
        Answer::Form { tool, input } => {
            let form = json!({"toolUseId": "tooluse_local", "name": tool, "input": input});
            (json!({"toolUse": form}), "tool_use")
        }
    };
    let (input, output) = (
        request_bytes.div_ceil(BYTES_PER_TOKEN),
        block.to_string().len().div_ceil(BYTES_PER_TOKEN),
    );
    json!({
        "output": {"message": {"role": "assistant", "content": [block]}},
        "stopReason": stop,
        "usage": {"inputTokens": input, "outputTokens": output, "totalTokens": input + output},
        "metrics": {"latencyMs": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)},
    })
}
