//! Spawns the programs and calls them from outside, as the product does.
//!
//! Run `cargo test --release --manifest-path infra/local/Cargo.toml`. The tests have the profile of the programs
//! themselves, so that the engine is compiled once. With `--no-default-features` it is not compiled at all, and its own
//! tests are left out.

mod bedrock;
mod embedder;
mod faults;
mod issuer;
mod process;
#[cfg(feature = "engine")]
mod qdrant;
mod spawn;
