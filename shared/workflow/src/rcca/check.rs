//! What was checked in like failures and the question does not mention.

use std::collections::HashSet;

use wire::rcca::{Check, Failure};

use crate::term::stem;
use crate::topic::{ENOUGH, telling};

/// Examinations come from so many of the first results.
const FIRST: usize = 3;

/// The most examinations of one result.
const MOST: usize = 2;

/// Lists what the first results' reports tell of examinations, without those that the question mentions: those that have
/// most of its words, or most of whose words it has.
pub(super) fn not_mentioned(results: &[Failure], question: &str) -> Vec<Check> {
    let asked = stems(question);
    let of_result = |result: &'_ Failure| {
        let checks = result.rcca_metadata.checked.iter();
        let open = checks.filter(|check| !is_mentioned(&stems(&check.text), &asked)).take(MOST);
        open.map(|open| Check { check: open.clone(), result: result.chunk_id }).collect::<Vec<_>>()
    };
    results.iter().take(FIRST).flat_map(of_result).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn is_mentioned(check: &HashSet<String>, asked: &HashSet<String>) -> bool {
    let shared = check.intersection(asked).count() as f64;
    let least = check.len().min(asked.len()) as f64;
    shared >= ENOUGH * least
}

/// The stems of the words that carry a text's meaning.
fn stems(text: &str) -> HashSet<String> {
    telling(text).into_iter().map(stem).collect()
}
