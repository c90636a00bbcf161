//! The missing parts of a reply.

use std::borrow::Cow;

use model::Error;

/// A missing part of a reply, with the reason.
#[derive(Debug)]
pub struct Degraded {
    /// The name of the part.
    pub part: Cow<'static, str>,
    /// The reason.
    pub error: Error,
}

/// A reply with its missing parts.
#[derive(Debug)]
pub struct Partial<R> {
    /// The reply.
    pub reply: R,
    /// The parts that are missing.
    pub degraded: Vec<Degraded>,
}

impl<R> Partial<R> {
    /// Returns a reply without missing parts.
    pub fn whole(reply: R) -> Partial<R> {
        Partial { reply, degraded: Vec::new() }
    }
}
