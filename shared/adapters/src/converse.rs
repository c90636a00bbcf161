//! Answers written by a chat model on Bedrock, through Converse, which is the same for the models of all vendors.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::error::BuildError;
use aws_sdk_bedrockruntime::operation::converse::ConverseOutput;
use aws_sdk_bedrockruntime::operation::converse::builders::ConverseFluentBuilder;
use aws_sdk_bedrockruntime::types::{
    ContentBlock, ConversationRole, InferenceConfiguration, Message, SpecificToolChoice,
    StopReason, SystemContentBlock, Tool as AnyTool, ToolChoice, ToolConfiguration,
    ToolInputSchema, ToolSpecification,
};
use serde_json::Value;
use workflow::ports::{Completion, Model, Prompt, Tool};
use workflow::{Error, Result};

use crate::aws::{self, Patience};
use crate::env::{self, SettingError};

mod json;

/// What the caller may know it as.
const SERVICE: &str = "the language model";

/// A few claims are written in two or three seconds, and whoever waits has an answer without a model after eight, or
/// sixteen where the question is rewritten first. Their check has the patience of queries. A second attempt is for a model that was
/// busy; one that was slow has little time left for it.
const PATIENCE: Patience =
    Patience { attempt: Duration::from_secs(6), operation: Duration::from_secs(8) };

/// Four queries are written in about a second, the grades of some twenty texts in a few, and whoever waits has an answer without
/// them.
const QUERIES: Patience =
    Patience { attempt: Duration::from_secs(5), operation: Duration::from_secs(6) };

/// Twenty pairs are judged in a few seconds; the nightly job makes thirteen rounds of them within its fifteen minutes.
const JUDGING: Patience =
    Patience { attempt: Duration::from_secs(20), operation: Duration::from_secs(45) };

/// A document of a dozen pages is read in ten to thirty seconds.
const READING: Patience =
    Patience { attempt: Duration::from_mins(1), operation: Duration::from_secs(90) };

/// A chat model on Bedrock. Setting: `CHAT_MODEL`, the id of a model or of an inference profile.
pub struct Converse {
    client: Client,
    model: String,
}

impl Converse {
    /// Makes a client, which connects when it is first used; none where no model is set.
    pub fn from_env() -> Result<Option<Converse>, SettingError> {
        Converse::of("CHAT_MODEL", &PATIENCE)
    }

    /// Makes a client of the model that reads documents, for which nobody waits. Setting: `READ_MODEL`; none where it is
    /// empty.
    pub fn of_documents_from_env() -> Result<Option<Converse>, SettingError> {
        Converse::of("READ_MODEL", &READING)
    }

    /// Makes a client of the model that judges conflicts, for which nobody waits. Setting: `CONFLICT_MODEL`; none where it is empty.
    pub fn of_conflicts_from_env() -> Result<Option<Converse>, SettingError> {
        Converse::of("CONFLICT_MODEL", &JUDGING)
    }

    /// Makes a client of the chat model that gives up early: queries that come late are no help.
    pub fn of_queries_from_env() -> Result<Option<Converse>, SettingError> {
        Converse::of("CHAT_MODEL", &QUERIES)
    }

    fn of(setting: &str, patience: &Patience) -> Result<Option<Converse>, SettingError> {
        let Some(model) = env::optional(setting) else { return Ok(None) };
        let client = Client::new(&aws::config("BEDROCK_RUNTIME", patience)?);
        Ok(Some(Converse::new(client, &model)))
    }

    /// Asks `model` with a client of the caller's.
    pub fn new(client: Client, model: &str) -> Converse {
        Converse { client, model: model.into() }
    }

    /// The model's id.
    pub fn model(&self) -> &str {
        &self.model
    }

    fn request(&self, prompt: &Prompt<'_>) -> Result<ConverseFluentBuilder, BuildError> {
        let message = Message::builder()
            .role(ConversationRole::User)
            .content(ContentBlock::Text(prompt.user.into()))
            .build()?;
        let inference = InferenceConfiguration::builder()
            .max_tokens(i32::try_from(prompt.max_tokens).unwrap_or(i32::MAX))
            .temperature(prompt.temperature)
            .build();
        Ok(self
            .client
            .converse()
            .model_id(&self.model)
            .system(SystemContentBlock::Text(prompt.system.into()))
            .messages(message)
            .inference_config(inference)
            .set_tool_config(prompt.tool.map(forced).transpose()?))
    }
}

#[async_trait]
impl Model for Converse {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        let request = self.request(prompt).map_err(|error| Error::unavailable(SERVICE, error))?;
        let answer = request
            .send()
            .await
            .map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
        completion(&answer, prompt.tool).map_err(|cause| Error::unavailable(SERVICE, cause))
    }
}

/// The tool as the only thing that the model may do.
fn forced(tool: Tool<'_>) -> Result<ToolConfiguration, BuildError> {
    let form = ToolSpecification::builder()
        .name(tool.name)
        .description(tool.description)
        .input_schema(ToolInputSchema::Json(json::document(tool.schema)))
        .build()?;
    let choice = SpecificToolChoice::builder().name(tool.name).build()?;
    ToolConfiguration::builder()
        .tools(AnyTool::ToolSpec(form))
        .tool_choice(ToolChoice::Tool(choice))
        .build()
}

fn completion(answer: &ConverseOutput, tool: Option<Tool<'_>>) -> Result<Completion, String> {
    // A model is not alone in naming the end of a form it was made to fill in the end of its turn.
    if !matches!(answer.stop_reason, StopReason::ToolUse | StopReason::EndTurn) {
        return Err(format!("it stopped with {}", answer.stop_reason));
    }
    let message = answer.output.as_ref().and_then(|output| output.as_message().ok());
    let blocks = message.map_or(&[][..], |message| message.content());
    let content = match tool {
        Some(tool) => filled(blocks, tool.name).ok_or("it did not fill in the form")?,
        None => text(blocks).ok_or("it wrote nothing")?,
    };
    let tokens = |count: i32| u32::try_from(count).unwrap_or_default();
    let (tokens_in, tokens_out) = answer
        .usage
        .as_ref()
        .map_or((0, 0), |usage| (tokens(usage.input_tokens), tokens(usage.output_tokens)));
    Ok(Completion { content, tokens_in, tokens_out })
}

fn filled(blocks: &[ContentBlock], name: &str) -> Option<Value> {
    blocks
        .iter()
        .filter_map(|block| block.as_tool_use().ok())
        .find(|form| form.name == name)
        .map(|form| json::value(&form.input))
}

fn text(blocks: &[ContentBlock]) -> Option<Value> {
    let texts: Vec<&str> =
        blocks.iter().filter_map(|block| block.as_text().ok()).map(String::as_str).collect();
    let text = texts.concat();
    (!text.trim().is_empty()).then(|| text.into())
}

#[cfg(test)]
mod tests;
