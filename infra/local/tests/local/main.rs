//! The binary, spawned and asked from outside, as the product asks it.
//!
//! `cargo test --release --manifest-path infra/local/Cargo.toml`: the profile of the binary itself, so that the
//! engine is compiled once.

mod bedrock;
mod chunks;
mod issuer;
mod process;
mod qdrant;
mod spawn;
