//! What is missing of a reply.

use std::borrow::Cow;

use model::Error;

/// A part of a reply that is missing, and why.
#[derive(Debug)]
pub struct Degraded {
    /// What is missing.
    pub part: Cow<'static, str>,
    /// Why.
    pub error: Error,
}

/// A reply, and what is missing of it.
#[derive(Debug)]
pub struct Partial<R> {
    /// The reply.
    pub reply: R,
    /// The parts that are missing.
    pub degraded: Vec<Degraded>,
}

impl<R> Partial<R> {
    /// A reply that lacks nothing.
    pub fn whole(reply: R) -> Partial<R> {
        Partial { reply, degraded: Vec::new() }
    }
}
