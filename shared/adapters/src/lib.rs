//! The ports of [`workflow`] on Bedrock, servers of chat models, Qdrant, `DynamoDB`, S3 and SQS.
//!
//! Each client is made once, at cold start, and connects when it is first used. Timeouts and
//! retries live here: a call is bounded, so that a service that is down is told within five
//! seconds.

mod aws;
#[cfg(feature = "cloud")]
mod bedrock;
mod chat;
mod completions;
#[cfg(feature = "cloud")]
mod converse;
#[cfg(feature = "cloud")]
mod deployed;
mod dynamo;
pub mod env;
#[cfg(feature = "cloud")]
mod files;
#[cfg(feature = "cloud")]
mod qdrant;
#[cfg(feature = "cloud")]
mod s3;
pub mod services;
#[cfg(feature = "cloud")]
mod sqs;
mod web;

#[cfg(feature = "cloud")]
pub use bedrock::Bedrock;
#[cfg(feature = "cloud")]
pub use bedrock::rerank::BedrockReranker;
pub use chat::{ChatModel, ChatUse};
#[cfg(feature = "cloud")]
pub use converse::Converse;
#[cfg(feature = "cloud")]
pub use deployed::Deployed;
pub use dynamo::Table;
#[cfg(feature = "cloud")]
pub use qdrant::Qdrant;
#[cfg(feature = "cloud")]
pub use s3::Bucket;
#[cfg(feature = "cloud")]
pub use sqs::Queue;
pub use web::Web;
