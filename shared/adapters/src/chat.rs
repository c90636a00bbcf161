//! The chat model of a deployment: on Bedrock, or behind a server of the chat-completions form.

use std::time::Duration;

use async_trait::async_trait;
use model::Result;
use ports::{Completion, Model, Prompt};
use uuid::Uuid;

use crate::aws::Patience;
use crate::completions::ChatCompletions;
use crate::env::{self, SettingError};

/// The name that callers read in messages.
pub(crate) const SERVICE: &str = "the language model";

/// A use of a model, which decides how long it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatUse {
    /// It writes answers. Setting: `CHAT_MODEL`.
    Answers,
    /// It writes queries, and judges what is found and claimed. Setting: `CHAT_MODEL`.
    Questions,
    /// It reads documents, for which nobody waits. Setting: `READ_MODEL`.
    Documents,
    /// It judges where documents disagree, for which nobody waits. Setting: `CONFLICT_MODEL`.
    Conflicts,
}

impl ChatUse {
    fn setting(self) -> &'static str {
        match self {
            ChatUse::Answers | ChatUse::Questions => "CHAT_MODEL",
            ChatUse::Documents => "READ_MODEL",
            ChatUse::Conflicts => "CONFLICT_MODEL",
        }
    }

    /// The longest time of one attempt, and of all of them. A caller who waits gets an answer
    /// without a model after that.
    fn patience(self) -> Patience {
        let (attempt, operation) = match self {
            // A few claims are written in two or three seconds. A second attempt is for a model
            // that was busy.
            ChatUse::Answers => (6, 8),
            // Four queries take about a second, the grades of some twenty texts a few.
            ChatUse::Questions => (5, 6),
            // A document of a dozen pages is read in ten to thirty seconds.
            ChatUse::Documents => (60, 90),
            // Twenty pairs take a few seconds; the nightly job makes thirteen rounds of them within
            // its fifteen minutes.
            ChatUse::Conflicts => (20, 45),
        };
        let seconds = Duration::from_secs;
        Patience { attempt: seconds(attempt), operation: seconds(operation) }
    }
}

/// A chat model and its name.
pub struct ChatModel {
    name: String,
    by: Box<dyn Model>,
}

impl ChatModel {
    /// Makes a client, which connects when it is first used; none where no model is set. Settings:
    /// the model's of `ChatUse`, and `CHAT_URL`: where it is empty the model is one of Bedrock, by
    /// its id or that of an inference profile.
    ///
    /// # Errors
    /// [`SettingError`] for settings that cannot be used.
    pub fn from_env(of: ChatUse) -> Result<Option<ChatModel>, SettingError> {
        let Some(name) = env::optional(of.setting()) else { return Ok(None) };
        Ok(Some(if let Some(url) = env::optional("CHAT_URL") {
            let by = Box::new(ChatCompletions::of(&url, &name, of.patience())?);
            ChatModel { name: named_with_server(&name, &url), by }
        } else {
            ChatModel { by: on_bedrock(&name, &of.patience())?, name }
        }))
    }

    /// The model's id, and a mark of its server: a model of the same id elsewhere may be another
    /// one.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(feature = "cloud")]
fn on_bedrock(name: &str, patience: &Patience) -> Result<Box<dyn Model>, SettingError> {
    Ok(Box::new(crate::Converse::of(name, patience)?))
}

#[cfg(not(feature = "cloud"))]
fn on_bedrock(_: &str, _: &Patience) -> Result<Box<dyn Model>, SettingError> {
    Err(SettingError::new("CHAT_URL", "is missing: the model has no server"))
}

/// The id of a model with a mark of its server, which does not tell the address.
fn named_with_server(model: &str, address: &str) -> String {
    let mark = Uuid::new_v5(&Uuid::NAMESPACE_URL, address.as_bytes()).simple().to_string();
    format!("{model} (server {})", &mark[..6])
}

#[async_trait]
impl Model for ChatModel {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        self.by.complete(prompt).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_another_server_has_another_name_that_tells_no_address() {
        let [one, other] = ["http://10.0.0.7:8000/v1", "http://10.0.0.8:8000/v1"]
            .map(|address| named_with_server("small", address));
        assert!(
            one != other && one.starts_with("small (server ") && !one.contains("10.0"),
            "{one}"
        );
    }
}
