//! Starts the program and calls it from outside, as the product does.
//!
//! Run `cargo test --package plumbline-local`.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod bedrock;
mod embedder;
mod faults;
mod issuer;
mod process;
mod spawn;
