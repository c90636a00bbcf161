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

impl Degraded {
    /// Returns the reason in words that stand behind the name of the part.
    pub fn reason(&self) -> String {
        match &self.error {
            Error::Conflict { reason, .. } => reason.clone(),
            error => error.to_string(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_the_part_no_second_time() {
        let reason = |error| Degraded { part: "facts".into(), error }.reason();
        assert_eq!(reason(Error::conflict("facts", "2 are in Spanish")), "2 are in Spanish");
        assert_eq!(reason(Error::unavailable("the index", "down")), "the index did not answer");
    }
}
