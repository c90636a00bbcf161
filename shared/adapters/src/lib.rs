//! The ports of [`workflow`] on Bedrock, servers of chat models, Qdrant, `DynamoDB`, S3 and SQS.
//!
//! Each client is made once, at cold start, and connects when it is first used. Timeouts and
//! retries live here: a call is bounded, so that a service that is down is told within five
//! seconds.

mod aws;
mod bedrock;
mod chat;
mod completions;
mod converse;
mod dynamo;
pub mod env;
mod files;
mod qdrant;
mod s3;
mod sqs;

pub use bedrock::Bedrock;
pub use bedrock::rerank::BedrockReranker;
pub use chat::{ChatModel, ChatUse};
pub use converse::Converse;
pub use dynamo::Table;
pub use files::{FilesError, knowledge_files, source_files, strategy_files};
pub use qdrant::Qdrant;
pub use s3::Bucket;
pub use sqs::Queue;
