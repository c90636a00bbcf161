//! Tests the life of documents, with services in memory.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod beside;
mod by_model;
mod ingest;
mod reindex;
mod removal;
mod watch;
