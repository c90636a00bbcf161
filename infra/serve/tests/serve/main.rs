//! Starts the program and uses it from outside.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod alerts;
mod issuer;
mod keys;
mod killed;
mod pages;
mod refused;
mod running;
