//! A workflow's calls by the SDKs alone: it embeds, sends one batch of searches, reads points by
//! their ids, and prints the texts that came back. Nothing is planned, ranked or quoted.
//!
//! `tests/bench/compare.py` runs it beside the functions, over the same bytes, for what these calls
//! cost at least. It takes the functions' settings, and `TEXTS` to embed, `QUERIES` of the batch
//! and `READS` (0 or 1) behind it.

#![expect(clippy::disallowed_methods, reason = "it is no function, and has settings of its own")]

use std::env;

use aws_sdk_bedrockruntime::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_bedrockruntime::primitives::Blob;
use aws_sdk_bedrockruntime::{Client, Config};
use aws_smithy_http_client::tls::{Provider, rustls_provider::CryptoMode};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use qdrant_client::Qdrant;
use qdrant_client::qdrant::{
    Condition, Document, Filter, PointId, Query, QueryBatchPointsBuilder, QueryPointsBuilder,
    ScrollPointsBuilder, Value as Stored, VectorInput,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// The points that are read by their ids, as many as rcca reads.
const READ: u128 = 30;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let prototype = &Prototype::from_env()?;
    let answer = |event: LambdaEvent<Value>| async move { prototype.answer(&event.payload).await };
    lambda_runtime::run(service_fn(answer)).await
}

struct Prototype {
    bedrock: Client,
    qdrant: Qdrant,
    collection: String,
    model: String,
    texts: usize,
    queries: usize,
    reads: bool,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
}

/// What a model of Titan and one of Cohere answers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Embedded {
    One { embedding: Vec<f32> },
    Several { embeddings: Floats },
}

#[derive(Deserialize)]
struct Floats {
    float: Vec<Vec<f32>>,
}

impl Prototype {
    fn from_env() -> Result<Prototype, Error> {
        let (key, secret) = (env::var("AWS_ACCESS_KEY_ID")?, env::var("AWS_SECRET_ACCESS_KEY")?);
        let http = aws_smithy_http_client::Builder::new()
            .tls_provider(Provider::Rustls(CryptoMode::Ring))
            .build_https();
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(env::var("AWS_REGION")?))
            .credentials_provider(Credentials::new(key, secret, None, None, "environment"))
            .endpoint_url(env::var("AWS_ENDPOINT_URL")?)
            .http_client(http)
            .build();
        let qdrant = Qdrant::from_url(&env::var("QDRANT_URL")?).skip_compatibility_check();
        Ok(Prototype {
            bedrock: Client::from_conf(config),
            qdrant: qdrant.build()?,
            collection: env::var("QDRANT_COLLECTION")?,
            model: env::var("EMBED_MODEL")?,
            texts: env::var("TEXTS")?.parse()?,
            queries: env::var("QUERIES")?.parse()?,
            reads: env::var("READS")? == "1",
        })
    }

    async fn answer(&self, event: &Value) -> Result<Value, Error> {
        let Asked { question } = serde_json::from_str(event["body"].as_str().unwrap_or_default())?;
        let vectors = self.embed(&question).await?;
        let filter = Filter::must([Condition::matches("scope", "global".to_owned())]);
        let query = |place: usize| {
            let input: VectorInput = match vectors.get(place) {
                Some(vector) => vector.clone().into(),
                None => Document {
                    text: question.clone(),
                    model: "qdrant/bm25".into(),
                    ..Document::default()
                }
                .into(),
            };
            let using = if place < vectors.len() { "dense" } else { "bm25" };
            let query = QueryPointsBuilder::new(&self.collection).query(Query::new_nearest(input));
            query.using(using).filter(filter.clone()).limit(40_u64).with_payload(true).build()
        };
        let queries: Vec<_> = (0..self.queries).map(query).collect();
        let batch = QueryBatchPointsBuilder::new(&self.collection, queries).build();
        let found = self.qdrant.query_batch(batch).await?.result;
        let hits = found.into_iter().flat_map(|result| result.result);
        let mut results: Vec<Value> = hits
            .filter_map(|hit| {
                Some(json!({"score": hit.score, "text": text(hit.payload.get("text"))?}))
            })
            .collect();
        if self.reads {
            let ids = (0..READ).map(|id| PointId::from(uuid::Uuid::from_u128(id).to_string()));
            let scroll = ScrollPointsBuilder::new(&self.collection)
                .filter(Filter::must([Condition::has_id(ids)]))
                .with_payload(true);
            let points = self.qdrant.scroll(scroll).await?.result;
            let read = points.iter().filter_map(|point| text(point.payload.get("text")));
            results.extend(read.map(|text| json!({"text": text})));
        }
        Ok(json!({"statusCode": 200, "body": json!({"results": results}).to_string()}))
    }

    async fn embed(&self, question: &str) -> Result<Vec<Vec<f32>>, Error> {
        let texts = vec![question; self.texts];
        let body = match self.texts {
            1 => json!({"inputText": question, "dimensions": 1024, "normalize": true}),
            _ => {
                json!({"texts": texts, "input_type": "search_query", "embedding_types": ["float"]})
            }
        };
        let call =
            self.bedrock.invoke_model().model_id(&self.model).content_type("application/json");
        let reply = call.body(Blob::new(body.to_string())).send().await?;
        Ok(match serde_json::from_slice(reply.body.as_ref())? {
            Embedded::One { embedding } => vec![embedding],
            Embedded::Several { embeddings } => embeddings.float,
        })
    }
}

fn text(stored: Option<&Stored>) -> Option<&str> {
    stored.and_then(|stored| stored.as_str()).map(String::as_str)
}
