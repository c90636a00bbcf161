//! Embeddings from Bedrock: Cohere's models take up to 96 texts a call, Titan one.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::primitives::Blob;
use futures_util::future::try_join_all;
use serde::Deserialize;
use serde_json::json;
use workflow::ports::{Embedder, Purpose};
use workflow::{Error, Result};

use crate::aws::{self, Patience};
use crate::env::{self, SettingError};

/// What the caller may know it as.
const SERVICE: &str = "the embedding model";

/// A question is embedded in tens of milliseconds, and its caller is told within five seconds that it was not.
const QUESTION: Patience =
    Patience { attempt: Duration::from_secs(2), operation: Duration::from_millis(4_500) };

/// Nobody waits for a batch of 96 passages; a busy model may take a minute for it.
const DOCUMENT: Patience =
    Patience { attempt: Duration::from_mins(2), operation: Duration::from_mins(5) };

/// An embedding model on Bedrock. Settings: `EMBED_MODEL`, `EMBED_DIMENSIONS`.
pub struct Bedrock {
    client: Client,
    model: String,
    dimensions: u32,
}

fn patience(purpose: Purpose) -> &'static Patience {
    match purpose {
        Purpose::Question => &QUESTION,
        Purpose::Document => &DOCUMENT,
    }
}

/// Cohere's answer: `{"embeddings": {"float": [[..]]}}`.
#[derive(Deserialize)]
struct CohereAnswer {
    embeddings: CohereEmbeddings,
}

#[derive(Deserialize)]
struct CohereEmbeddings {
    float: Vec<Vec<f32>>,
}

/// Titan's answer: `{"embedding": [..]}`.
#[derive(Deserialize)]
struct TitanAnswer {
    embedding: Vec<f32>,
}

impl Bedrock {
    /// Makes a client with the patience that `purpose` allows; it connects when it is first used.
    pub fn from_env(purpose: Purpose) -> Result<Bedrock, SettingError> {
        let client = Client::new(&aws::config("BEDROCK_RUNTIME", patience(purpose))?);
        Ok(Bedrock::new(client, &env::required("EMBED_MODEL")?, env::number("EMBED_DIMENSIONS")?))
    }

    /// The model of the collection that is filled beside the one in use. Settings: `EMBED_MODEL_BESIDE`,
    /// `EMBED_DIMENSIONS_BESIDE`.
    pub(crate) fn beside_from_env(purpose: Purpose) -> Result<Bedrock, SettingError> {
        let client = Client::new(&aws::config("BEDROCK_RUNTIME", patience(purpose))?);
        let model = env::required("EMBED_MODEL_BESIDE")?;
        Ok(Bedrock::new(client, &model, env::number("EMBED_DIMENSIONS_BESIDE")?))
    }

    /// Asks `model` with a client of the caller's.
    pub fn new(client: Client, model: &str, dimensions: u32) -> Bedrock {
        Bedrock { client, model: model.into(), dimensions }
    }

    /// The model's id.
    pub fn model(&self) -> &str {
        &self.model
    }

    async fn invoke(&self, body: serde_json::Value) -> Result<Blob> {
        let request = self
            .client
            .invoke_model()
            .model_id(&self.model)
            .content_type("application/json")
            .accept("application/json");
        let answer = request.body(Blob::new(body.to_string())).send().await;
        let answer = answer.map_err(|error| Error::unavailable(SERVICE, aws::told(&error)))?;
        Ok(answer.body)
    }

    async fn cohere(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let input_type = match purpose {
            Purpose::Document => "search_document",
            Purpose::Question => "search_query",
        };
        let body = json!({
            "texts": texts,
            "input_type": input_type,
            "embedding_types": ["float"],
            "output_dimension": self.dimensions,
            "truncate": "RIGHT",
        });
        let answer: CohereAnswer = parse(&self.invoke(body).await?)?;
        Ok(answer.embeddings.float)
    }

    async fn titan(&self, text: &str) -> Result<Vec<f32>> {
        let body = json!({"inputText": text, "dimensions": self.dimensions, "normalize": true});
        let answer: TitanAnswer = parse(&self.invoke(body).await?)?;
        Ok(answer.embedding)
    }

    async fn embed_all(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        if self.model.contains("cohere.embed") {
            return self.cohere(texts, purpose).await;
        }
        try_join_all(texts.iter().map(|text| self.titan(text))).await
    }
}

#[async_trait]
impl Embedder for Bedrock {
    fn space(&self) -> String {
        env::space(&self.model, self.dimensions)
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let vectors = self.embed_all(texts, purpose).await?;
        match vectors.iter().find(|vector| vector.len() != self.dimensions as usize) {
            None => Ok(vectors),
            Some(odd) => Err(Error::unavailable(
                SERVICE,
                format!("{} dimensions instead of {}", odd.len(), self.dimensions),
            )),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(body: &'a Blob) -> Result<T> {
    serde_json::from_slice(body.as_ref()).map_err(|error| Error::unavailable(SERVICE, error))
}
