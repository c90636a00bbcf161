//! A chat model behind a server of the chat-completions form: `OpenAI`, vLLM, Ollama, llama.cpp and
//! others.
//!
//! Form: "Create chat completion" and "Structured outputs" in the `OpenAI` API reference. A form
//! that the model fills in is asked for by its JSON schema (`response_format`), which all of these
//! servers know; not all of them know tools.

use std::time::Duration;

use async_trait::async_trait;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::http::uri::Scheme;
use hyper::{Request, Response, StatusCode, Uri};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use model::{Error, Result};
use ports::{Completion, Model, Prompt, Tool};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::aws::{Patience, describe};
use crate::chat::SERVICE;
use crate::env::{self, SettingError};
use crate::web;

/// The most bytes of a reply; a form of the longest prompt has a few thousand.
const LONGEST: usize = 1 << 20;

/// The pause before the second attempt, for a model that is busy.
const PAUSE: Duration = Duration::from_millis(300);

/// The path of the operation behind the address.
const PATH: &str = "/chat/completions";

/// A chat model of a server. Settings: `CHAT_URL`, the address up to `/v1`, and `CHAT_API_KEY`,
/// which may be empty.
pub(crate) struct ChatCompletions {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    address: Uri,
    key: Option<String>,
    model: String,
    patience: Patience,
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: u32,
    completion_tokens: u32,
}

impl ChatCompletions {
    /// Makes a client of `model`, which connects when it is first used.
    ///
    /// # Errors
    /// [`SettingError`] for an address that is none, or a key that cannot be sent.
    pub(crate) fn of(
        address: &str,
        model: &str,
        patience: Patience,
    ) -> Result<ChatCompletions, SettingError> {
        let refused = |reason| SettingError::new("CHAT_URL", reason);
        let is_http = address.starts_with("http://") || address.starts_with("https://");
        let address = format!("{}{PATH}", address.trim_end_matches('/'));
        let address: Uri = address.parse().map_err(|_| refused("is no address"))?;
        if !is_http {
            return Err(refused("must begin with http:// or https://"));
        }
        let key = env::header("CHAT_API_KEY", &env::optional("CHAT_API_KEY").unwrap_or_default())?;
        if key.is_some() && !may_carry_a_key(&address) {
            return Err(refused("must begin with https:// where there is a key"));
        }
        let none = || refused("cannot be called: there are no root certificates");
        Ok(ChatCompletions {
            client: web::connector().ok_or_else(none)?,
            address,
            key,
            model: model.into(),
            patience,
        })
    }

    fn body(&self, prompt: &Prompt<'_>) -> Value {
        let mut body = json!({
            "model": self.model,
            "messages": [
                {"role": "system", "content": prompt.system},
                {"role": "user", "content": prompt.user},
            ],
            "max_tokens": prompt.max_tokens,
            "temperature": prompt.temperature,
        });
        if let Some(Tool { name, description, schema }) = prompt.tool {
            let form = json!({"name": name, "description": description, "schema": schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": form});
        }
        body
    }

    /// Sends the request, once more where the model is busy.
    async fn sent(&self, body: &Value) -> Result<Response<Incoming>, String> {
        let first = self.attempt(body).await;
        match &first {
            Ok(response) if is_busy(response.status()) => {
                tokio::time::sleep(PAUSE).await;
                self.attempt(body).await
            }
            _ => first,
        }
    }

    async fn attempt(&self, body: &Value) -> Result<Response<Incoming>, String> {
        let mut request = Request::post(&self.address).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let request = request.body(Full::from(body.to_string()));
        let request = request.map_err(|error| error.to_string())?;
        let sent = timeout(self.patience.attempt, self.client.request(request)).await;
        sent.map_err(|_| "it did not answer in time".to_owned())?.map_err(|error| describe(&error))
    }

    async fn completed(&self, prompt: &Prompt<'_>) -> Result<Completion, String> {
        let response = self.sent(&self.body(prompt)).await?;
        let status = response.status();
        // The body of a refusal is not told: it may quote the prompt.
        if !status.is_success() {
            return Err(refusal(status));
        }
        let body = Limited::new(response.into_body(), LONGEST).collect().await;
        let body = body.map_err(|_| "its reply broke off or is too long".to_owned())?.to_bytes();
        let reply = serde_json::from_slice(&body);
        completion(reply.map_err(|_| "its reply is no chat completion".to_owned())?, prompt.tool)
    }
}

#[async_trait]
impl Model for ChatCompletions {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        let completed = timeout(self.patience.operation, self.completed(prompt)).await;
        completed
            .unwrap_or_else(|_| Err("it did not answer in time".into()))
            .map_err(|cause| Error::unavailable(SERVICE, cause))
    }
}

/// Returns true if nobody on the way can read a key: it is encrypted, or stays on this machine.
fn may_carry_a_key(address: &Uri) -> bool {
    address.scheme() == Some(&Scheme::HTTPS) || env::is_on_this_machine(address)
}

fn is_busy(status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

fn refusal(status: StatusCode) -> String {
    let why = match status.as_u16() {
        401 | 403 => "the key is wrong, or may not use this model (CHAT_API_KEY)",
        404 => "there is no such address or model (CHAT_URL, CHAT_MODEL)",
        400 | 422 => {
            "it cannot take the request: it must know `response_format` with a schema, `max_tokens` and `temperature`"
        }
        429 => "it is busy",
        _ => "it fails",
    };
    format!("{} from the server: {why}", status.as_u16())
}

fn completion(reply: Reply, tool: Option<Tool<'_>>) -> Result<Completion, String> {
    let choice = reply.choices.into_iter().next().ok_or("it wrote nothing")?;
    if let Some(reason) = choice.finish_reason.filter(|reason| reason != "stop") {
        return Err(format!("it stopped with {}", stop(&reason)));
    }
    let text = choice.message.content.filter(|text| !text.trim().is_empty());
    let text = text.ok_or("it wrote nothing")?;
    let content = match tool {
        Some(_) => serde_json::from_str(&text).map_err(|_| "it did not fill in the form")?,
        None => Value::String(text),
    };
    let (tokens_in, tokens_out) =
        reply.usage.map_or((0, 0), |usage| (usage.prompt_tokens, usage.completion_tokens));
    Ok(Completion { content, tokens_in, tokens_out })
}

/// A reason to stop as it may be logged: one that is known.
fn stop(reason: &str) -> &str {
    if ["length", "content_filter", "tool_calls"].contains(&reason) {
        reason
    } else {
        "another reason"
    }
}

#[cfg(test)]
mod tests;
