//! Tests projects, decisions and digests, with services in memory.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod again;
mod digest;
mod projects;
