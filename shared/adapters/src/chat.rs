//! The chat model of a deployment: on Bedrock, or behind a server of the chat-completions form.

use std::time::Duration;

use async_trait::async_trait;
use workflow::Result;
use workflow::ports::{Completion, Model, Prompt};

use crate::aws::Patience;
use crate::completions::ChatCompletions;
use crate::converse::Converse;
use crate::env::{self, SettingError};

/// What the caller may know it as.
pub(crate) const SERVICE: &str = "the language model";

/// What a model is asked for, which decides how long it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatUse {
    /// To write answers. Setting: `CHAT_MODEL`.
    Answers,
    /// To write queries, and to judge what is found and claimed. Setting: `CHAT_MODEL`.
    Questions,
    /// To read documents, for which nobody waits. Setting: `READ_MODEL`.
    Documents,
    /// To judge where documents disagree, for which nobody waits. Setting: `CONFLICT_MODEL`.
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

    /// How long one attempt may take, and all of them. Who waits for an answer has one without a model after that.
    fn patience(self) -> Patience {
        let (attempt, operation) = match self {
            // A few claims are written in two or three seconds. A second attempt is for a model that was busy.
            ChatUse::Answers => (6, 8),
            // Four queries take about a second, the grades of some twenty texts a few.
            ChatUse::Questions => (5, 6),
            // A document of a dozen pages is read in ten to thirty seconds.
            ChatUse::Documents => (60, 90),
            // Twenty pairs take a few seconds; the nightly job makes thirteen rounds of them within its fifteen minutes.
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
    /// Makes a client, which connects when it is first used; none where no model is set. Settings: the model's of `ChatUse`, and
    /// `CHAT_URL`: where it is empty the model is one of Bedrock, by its id or that of an inference profile.
    ///
    /// # Errors
    /// [`SettingError`] for settings that cannot be used.
    pub fn from_env(of: ChatUse) -> Result<Option<ChatModel>, SettingError> {
        let Some(name) = env::optional(of.setting()) else { return Ok(None) };
        let by: Box<dyn Model> = match env::optional("CHAT_URL") {
            Some(url) => Box::new(ChatCompletions::of(&url, &name, of.patience())?),
            None => Box::new(Converse::of(&name, &of.patience())?),
        };
        Ok(Some(ChatModel { name, by }))
    }

    /// The model's id.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[async_trait]
impl Model for ChatModel {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        self.by.complete(prompt).await
    }
}
