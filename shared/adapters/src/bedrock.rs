//! Embeddings from Bedrock.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::error::SdkError;
use aws_sdk_bedrockruntime::operation::invoke_model::InvokeModelError;
use aws_sdk_bedrockruntime::primitives::Blob;
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{Error, Result};
use ports::{Embedder, Purpose};

use crate::aws::{self, Patience};
use crate::env::{self, SettingError};

pub(crate) mod family;
pub(crate) mod rerank;

use family::Family;

/// The name by which the caller may know it.
const SERVICE: &str = "the embedding model";

/// A question is embedded in tens of milliseconds, and its caller waits five seconds at most to be
/// told that it was not.
const QUESTION: Patience =
    Patience { attempt: Duration::from_secs(2), operation: Duration::from_millis(4_500) };

/// Nobody waits for a batch of 96 passages; a busy model may take a minute for it.
const DOCUMENT: Patience =
    Patience { attempt: Duration::from_mins(2), operation: Duration::from_mins(5) };

/// The most calls of a model that takes one text a call that are under way at once: more are
/// refused as too many.
const AT_ONCE: usize = 8;

/// An embedding model on Bedrock. Settings: `EMBED_MODEL`, `EMBED_DIMENSIONS`.
pub struct Bedrock {
    client: Client,
    model: String,
    family: Family,
    dimensions: u32,
}

fn patience(purpose: Purpose) -> &'static Patience {
    match purpose {
        Purpose::Question => &QUESTION,
        Purpose::Document => &DOCUMENT,
    }
}

impl Bedrock {
    /// Makes a client with the patience that `purpose` allows; it connects when it is first used.
    ///
    /// # Errors
    /// [`SettingError`] where a setting is missing or names no embedding model that is known here.
    pub fn from_env(purpose: Purpose) -> Result<Bedrock, SettingError> {
        Bedrock::by("EMBED_MODEL", "EMBED_DIMENSIONS", purpose)
    }

    /// The model of the collection that is filled beside the one in use. Settings:
    /// `EMBED_MODEL_BESIDE`, `EMBED_DIMENSIONS_BESIDE`.
    pub(crate) fn beside_from_env(purpose: Purpose) -> Result<Bedrock, SettingError> {
        Bedrock::by("EMBED_MODEL_BESIDE", "EMBED_DIMENSIONS_BESIDE", purpose)
    }

    fn by(
        model: &'static str,
        dimensions: &'static str,
        purpose: Purpose,
    ) -> Result<Bedrock, SettingError> {
        let client = Client::new(&aws::config("BEDROCK_RUNTIME", patience(purpose))?);
        let bedrock = Bedrock::new(client, &env::required(model)?, env::number(dimensions)?);
        bedrock.ok_or(SettingError::new(model, family::KNOWN))
    }

    /// Asks `model` with a client of the caller's; `None` where nothing is known of such a model.
    pub fn new(client: Client, model: &str, dimensions: u32) -> Option<Bedrock> {
        Some(Bedrock { client, model: model.into(), family: Family::of(model)?, dimensions })
    }

    /// The model's id.
    pub fn model(&self) -> &str {
        &self.model
    }

    async fn embed_some(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let body = self.family.body(texts, purpose, self.dimensions);
        let answer = invoke(&self.client, &self.model, &body).await;
        let answer = answer.map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
        self.family.vectors(answer.as_ref()).map_err(|error| Error::unavailable(SERVICE, error))
    }
}

/// Calls a model with a body in its own form.
async fn invoke(
    client: &Client,
    model: &str,
    body: &serde_json::Value,
) -> Result<Blob, SdkError<InvokeModelError>> {
    let request = client.invoke_model().model_id(model);
    let request = request.content_type("application/json").accept("application/json");
    Ok(request.body(Blob::new(body.to_string())).send().await?.body)
}

#[async_trait]
impl Embedder for Bedrock {
    fn space(&self) -> String {
        env::space(&self.model, self.dimensions)
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let mut calls = Vec::new();
        for some in texts.chunks(self.family.texts()) {
            calls.push(self.embed_some(some, purpose));
        }
        let vectors: Vec<Vec<Vec<f32>>> =
            stream::iter(calls).buffered(AT_ONCE).try_collect().await?;
        let vectors = vectors.concat();
        match vectors.iter().find(|vector| vector.len() != self.dimensions as usize) {
            None => Ok(vectors),
            Some(odd) => Err(Error::unavailable(
                SERVICE,
                format!("{} dimensions instead of {}", odd.len(), self.dimensions),
            )),
        }
    }
}
