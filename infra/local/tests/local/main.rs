//! The programs, spawned and asked from outside, as the product asks them.
//!
//! `cargo test --release --manifest-path infra/local/Cargo.toml`: the profile of the programs themselves, so that the
//! engine is compiled once; with `--no-default-features` not at all, and its own tests are left out.

mod bedrock;
mod embedder;
mod faults;
mod issuer;
mod process;
#[cfg(feature = "engine")]
mod qdrant;
mod spawn;
