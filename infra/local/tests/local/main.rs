//! Starts the program and calls it from outside, as the product does.
//!
//! Run `cargo test --release --manifest-path infra/local/Cargo.toml`. The tests use the profile of
//! the program itself, so that its dependencies are compiled once.

mod bedrock;
mod embedder;
mod faults;
mod issuer;
mod process;
mod spawn;
