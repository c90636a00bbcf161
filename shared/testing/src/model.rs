//! A language model with fixed replies.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::Value;
use wire::trial::ModelPart;

use model::{Error, Result};
use ports::chat::Chat;
use ports::{Completion, Model, Prompt};

/// A model that fills in a fixed form for each tool that it knows, and is unavailable for any other
/// tool.
#[derive(Default)]
pub struct FakeModel {
    forms: BTreeMap<&'static str, Value>,
    told: Mutex<Vec<String>>,
}

impl FakeModel {
    /// Returns a model that fills in this form for one tool.
    pub fn of(tool: &'static str, form: Value) -> FakeModel {
        FakeModel::default().with(tool, form)
    }

    /// Returns the same model with one more form.
    #[must_use]
    pub fn with(mut self, tool: &'static str, form: Value) -> FakeModel {
        self.forms.insert(tool, form);
        self
    }

    /// Returns the prompts so far, in order.
    pub fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }
}

/// Returns a model that does all parts.
pub fn chat<'a>(model: &'a dyn Model, name: &'a str) -> Chat<'a> {
    Chat { model, name, parts: &ModelPart::ALL }
}

#[async_trait]
impl Model for FakeModel {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        self.told.lock().unwrap().push(prompt.user.to_owned());
        let form = self.forms.get(prompt.tool.unwrap().name).cloned();
        let content = form.ok_or_else(|| Error::unavailable("the language model", "slow"))?;
        Ok(Completion { content, tokens_in: 7, tokens_out: 3 })
    }
}
