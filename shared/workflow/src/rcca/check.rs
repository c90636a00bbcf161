//! What was checked in like failures and the question does not mention.

use super::{Check, Failure};
use crate::topic::{ENOUGH, Topic};

/// Examinations come from so many of the first results.
const FIRST: usize = 3;

/// The most examinations of one result.
const MOST: usize = 2;

/// Lists what the first results' reports tell of examinations, without those that the question mentions: those that have
/// most of its words, or most of whose words it has.
pub(super) fn not_mentioned(results: &[Failure], question: &str) -> Vec<Check> {
    let topic = Topic::of(question);
    let is_mentioned = |check: &str| {
        topic.share(&[check]) >= ENOUGH || Topic::of(check).share(&[question]) >= ENOUGH
    };
    let of_result = |result: &'_ Failure| {
        let checks = result.rcca_metadata.checked.iter();
        let open = checks.filter(|own| !is_mentioned(&own.text)).take(MOST);
        open.map(|own| Check { check: own.clone(), result: result.chunk_id }).collect::<Vec<_>>()
    };
    results.iter().take(FIRST).flat_map(of_result).collect()
}
