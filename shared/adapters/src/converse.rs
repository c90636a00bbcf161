//! Answers written by a chat model on Bedrock, through Converse, which is the same for the models
//! of all vendors.

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
use model::{Error, Result};
use ports::{Completion, Model, Prompt, Tool};
use serde_json::Value;

use crate::aws::{self, Patience};
use crate::chat::SERVICE;
use crate::env::SettingError;

mod json;

/// A chat model on Bedrock.
pub struct Converse {
    client: Client,
    model: String,
}

impl Converse {
    /// Makes a client of a model or an inference profile, which connects when it is first used.
    pub(crate) fn of(model: &str, patience: &Patience) -> Result<Converse, SettingError> {
        let client = Client::new(&aws::config("BEDROCK_RUNTIME", patience)?);
        Ok(Converse::new(client, model))
    }

    /// Asks `model` with a client of the caller's.
    pub fn new(client: Client, model: &str) -> Converse {
        Converse { client, model: model.into() }
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
