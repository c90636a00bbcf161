//! Compiles the patterns of strategy files.

use regex::Regex;
use regex_syntax::hir::{Hir, HirKind};

/// Upper bound for the bytes of a compiled pattern.
const LARGEST: usize = 256 * 1024;

/// Compiles a pattern, or returns the reason why it is refused.
pub(super) fn parse(pattern: &str) -> Result<Regex, String> {
    let form = regex_syntax::parse(pattern).map_err(|error| {
        format!("has a pattern that cannot be read: {}", last_line(&error.to_string()))
    })?;
    if runs_away(&form, false) {
        return Err("has a pattern that repeats without end what repeats without end".into());
    }
    if form.properties().minimum_len().is_none_or(|length| length == 0) {
        return Err("has a pattern that fits an empty text".into());
    }
    regex::RegexBuilder::new(pattern)
        .size_limit(LARGEST)
        .build()
        .map_err(|_| "has a pattern that is too large".into())
}

/// Returns true if an unbounded repetition is repeated without bound.
fn runs_away(form: &Hir, inside: bool) -> bool {
    match form.kind() {
        HirKind::Repetition(repetition) => {
            let is_unbounded = repetition.max.is_none();
            (inside && is_unbounded) || runs_away(&repetition.sub, inside || is_unbounded)
        }
        HirKind::Capture(capture) => runs_away(&capture.sub, inside),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().any(|part| runs_away(part, inside))
        }
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) | HirKind::Look(_) => false,
    }
}

fn last_line(message: &str) -> &str {
    let last = message.trim().lines().next_back().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last)
}
