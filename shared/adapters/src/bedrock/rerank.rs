//! Rerankers on Bedrock, through `InvokeModel`: one operation for the models of both vendors.
//!
//! Forms: "Cohere Rerank 3.5" and "Amazon Rerank 1.0" in the Amazon Bedrock User Guide.

use std::time::Duration;

use ask::rerank::Limits;
use async_trait::async_trait;
use aws_sdk_bedrockruntime::Client;
use model::{Error, Result};
use ports::Reranker;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::aws::{self, Patience};
use crate::env::{self, SettingError};

/// The name by which the caller may know it.
const SERVICE: &str = "the reranker";

/// The newest form of Cohere's API on Bedrock.
const COHERE_VERSION: u32 = 2;

/// A reranker on Bedrock. Settings: `RERANK_MODEL`, `RERANK_MARGIN`, `RERANK_FLOOR`,
/// `RERANK_TIMEOUT`.
pub struct BedrockReranker {
    client: Client,
    model: String,
    is_cohere: bool,
    /// The limits within which it is asked.
    pub limits: Limits,
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Judged>,
}

#[derive(Deserialize)]
struct Judged {
    index: usize,
    relevance_score: f64,
}

impl BedrockReranker {
    /// Makes a client, which connects when it is first used; none where no model is set.
    ///
    /// # Errors
    /// [`SettingError`] for a model that is not known here, or a limit that is no number.
    pub fn from_env() -> Result<Option<BedrockReranker>, SettingError> {
        let Some(model) = env::optional("RERANK_MODEL") else { return Ok(None) };
        let timeout = Duration::from_millis(env::number("RERANK_TIMEOUT")?.into());
        let patience = Patience { attempt: timeout, operation: timeout };
        let client = Client::new(&aws::config("BEDROCK_RUNTIME", &patience)?);
        let unmeasured = Limits::default();
        let limits = Limits {
            margin: env::decimal("RERANK_MARGIN")?.unwrap_or(unmeasured.margin),
            floor: env::decimal("RERANK_FLOOR")?.unwrap_or(unmeasured.floor),
        };
        let known = "is no reranker that is known here: cohere.rerank-v3-5:0, amazon.rerank-v1:0";
        let reranker = BedrockReranker::new(client, &model, limits);
        reranker.map(Some).ok_or(SettingError::new("RERANK_MODEL", known))
    }

    /// Asks `model` with a client of the caller's; `None` where nothing is known of such a model.
    pub fn new(client: Client, model: &str, limits: Limits) -> Option<BedrockReranker> {
        let is_cohere = match model {
            "cohere.rerank-v3-5:0" => true,
            "amazon.rerank-v1:0" => false,
            _ => return None,
        };
        Some(BedrockReranker { client, model: model.into(), is_cohere, limits })
    }

    /// The model's id.
    pub fn model(&self) -> &str {
        &self.model
    }

    fn body(&self, question: &str, texts: &[String]) -> Value {
        let mut body = json!({"query": question, "documents": texts, "top_n": texts.len()});
        if self.is_cohere {
            body["api_version"] = json!(COHERE_VERSION);
        }
        body
    }
}

#[async_trait]
impl Reranker for BedrockReranker {
    async fn relevance(&self, question: &str, texts: &[String]) -> Result<Vec<f64>> {
        let body = self.body(question, texts);
        let answer = super::invoke(&self.client, &self.model, &body).await;
        let answer = answer.map_err(|error| Error::unavailable(SERVICE, aws::describe(&error)))?;
        let answer: Answer = serde_json::from_slice(answer.as_ref())
            .map_err(|error| Error::unavailable(SERVICE, error))?;
        let mut relevance = vec![0.0; texts.len()];
        for result in answer.results {
            if let Some(place) = relevance.get_mut(result.index) {
                *place = result.relevance_score.clamp(0.0, 1.0);
            }
        }
        Ok(relevance)
    }
}
