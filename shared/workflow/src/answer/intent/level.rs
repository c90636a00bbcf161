//! Severities that a question names.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::words::pattern;

static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:(?:severity|level)\s*(?:of|is|=|:)?\s*)?(errors?|err|warn(?:ing)?s?|critical|fatal|severe|notice|info|debug|trace)(?:\s+(?:entr(?:y|ies)|lines?|records?|messages?|logs?|events?|level|severity))?\b",
    )
});

/// An error's code is no severity.
static NOUN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^\s+codes?\b"));

/// The severities that a question names, the words for them, and whether they are named as severities and not only as
/// something that went wrong.
pub(super) fn level(question: &str) -> Option<(Vec<&'static str>, String, bool)> {
    let is_level_itself =
        |found: &Captures<'_>| !NOUN.is_match(&question[found.get_match().end()..]);
    let all: Vec<Captures<'_>> = LEVEL.captures_iter(question).filter(is_level_itself).collect();
    let at = |place: usize| all[place].get_match();
    let best = (0..all.len()).max_by_key(|place| at(*place).len())?;
    // "Errors and warnings": both are meant.
    let is_joined = |place: &usize| {
        let gap = question[at(*place - 1).end()..at(*place).start()].trim();
        matches!(gap, "" | "," | "/" | "and" | "or" | "and/or")
    };
    let first = (1..=best).rev().take_while(is_joined).last().map_or(best, |place| place - 1);
    let last = (best + 1..all.len()).take_while(is_joined).last().unwrap_or(best);
    let mut severities = Vec::new();
    let mut is_explicit = false;
    for found in &all[first..=last] {
        let word = &found[1];
        is_explicit |= found[0].len() > word.len() || is_level(word);
        severities.extend(severities_of(word));
    }
    Some((severities, question[at(first).start()..at(last).end()].into(), is_explicit))
}

/// "What failed first" asks for what is logged as a failure, and not for a record with that word.
static FAILED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\bwhat\s+(failed|broke|crashed|went wrong)\b"));

pub(super) fn failed(question: &str) -> Option<(Vec<&'static str>, String, bool)> {
    let found = FAILED.captures(question)?;
    Some((severities_of("errors").to_vec(), found[1].to_owned(), true))
}

/// Whether a word alone is a severity and not something that went wrong.
fn is_level(word: &str) -> bool {
    let lower = word.to_lowercase();
    word.chars().all(char::is_uppercase)
        || matches!(&*lower, "errors" | "warnings" | "warns" | "fatal" | "critical")
}

fn severities_of(word: &str) -> &'static [&'static str] {
    let is_exact = word.chars().all(char::is_uppercase);
    match word.to_lowercase().trim_end_matches('s') {
        "error" | "err" if is_exact => &["ERROR"],
        "error" | "err" | "severe" => &["ERROR", "CRITICAL", "FATAL"],
        "warn" | "warning" => &["WARN"],
        "critical" => &["CRITICAL"],
        "fatal" => &["FATAL"],
        "notice" => &["NOTICE"],
        "info" => &["INFO"],
        "debug" => &["DEBUG"],
        _ => &["TRACE"],
    }
}
