//! The fourth stage: whether a claim stands in the passages that it cites, by its numbers, its names and its quotes.

use std::sync::LazyLock;

use regex::Regex;

use super::compose::Draft;
use super::extract::{Extracted, Origin};
use super::knowledge::KnowledgeBase;
use super::wire::Reason;
use super::words::pattern;
use crate::strategy::Degraded;

/// What is to be said.
pub(super) struct Verified<'c> {
    pub drafts: Vec<Draft<'c>>,
    /// The claims that their passages do not bear.
    pub dropped: usize,
    /// Citations of no passage.
    pub removed: usize,
    /// The reason why nothing is said, or why several sides are told.
    pub reason: Option<Reason>,
    /// Tokens that a model read and wrote.
    pub tokens: (u32, u32),
    pub degraded: Option<Degraded>,
}

/// Drops what does not stand in the passages that it cites. What is computed from records, and lines that stand as they
/// are, need no check.
pub(super) fn verified<'c>(extracted: Extracted<'c>, base: &KnowledgeBase) -> Verified<'c> {
    let Extracted { mut drafts, origin, mut reason, removed, tokens, degraded } = extracted;
    let all = drafts.len();
    if origin != Origin::Computed {
        drafts.retain(|draft| holds(draft, base));
    }
    let dropped = all - drafts.len();
    if origin == Origin::Written && drafts.is_empty() {
        reason = Some(Reason::BelowThreshold);
    }
    Verified { drafts, dropped, removed, reason, tokens, degraded }
}

/// Whether a draft stands in the passages that it quotes, with what is known of them.
fn holds(draft: &Draft<'_>, base: &KnowledgeBase) -> bool {
    let text = |chunk| format!("{}\n{}", base.header(chunk), chunk.text);
    let texts: Vec<String> = draft.quotes.iter().map(|quote| text(quote.chunk)).collect();
    !draft.text.is_empty() && !texts.is_empty() && is_supported(&draft.text, &texts)
}

/// What a claim quotes: at least two words or one that is long.
static QUOTE: LazyLock<Regex> = LazyLock::new(|| pattern("[\"“]([^\"”]{4,})[\"”]|`+([^`]{2,})`+"));
/// A number with what belongs to it: separators, a percent.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(?:\d[\d.,:]*\d|\d)(?:\s?(?:%|percent\b))?"));
/// Names of things in systems: with a digit, an inner capital, `_`, `.`, `/`, `-` between letters, or in capitals.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:[A-Za-z]+[_./:@-](?:[\w./:@-]*\w)|[A-Za-z]*\d[\w-]*|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}[A-Z0-9]*)\b",
    )
});
/// Words in capitals that name nothing.
const PLAIN: [&str; 12] =
    ["OR", "AND", "NOT", "IF", "THE", "IT", "NO", "YES", "OK", "A", "IN", "ON"];

/// Whether everything in `claim` that can be checked stands in `texts`, which are what it cites with their headers.
fn is_supported(claim: &str, texts: &[String]) -> bool {
    let all = texts.join("\n");
    let plain = normalized(&all);
    let quotes = QUOTE.captures_iter(claim);
    let mut quotes = quotes.filter_map(|found| found.get(1).or(found.get(2)));
    if !quotes.all(|quote| plain.contains(&normalized(quote.as_str()))) {
        return false;
    }
    let numbers: Vec<String> = NUMBER.find_iter(&all).map(|own| number(own.as_str())).collect();
    let is_told = |own: &String| {
        // "At 14:32:15" holds of 14:32:15.123.
        let instant = format!("{own}.");
        numbers.iter().any(|told| told == own || own.contains(':') && told.starts_with(&instant))
    };
    if !NUMBER.find_iter(claim).all(|own| is_told(&number(own.as_str()))) {
        return false;
    }
    let names =
        NAME.find_iter(claim).map(|name| name.as_str().trim_end_matches(['.', ':', '/', '-']));
    let mut names =
        names.filter(|name| !PLAIN.contains(name) && name.contains(char::is_alphabetic));
    names.all(|name| plain.contains(&normalized(name)))
}

/// Without the separators of thousands and what only ends the sentence; a percent as its mark.
fn number(text: &str) -> String {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let mark = if digits.len() == text.len() { "" } else { "%" };
    format!("{}{mark}", digits.replace(',', ""))
}

/// In small letters, with single blanks and without the marks of Markdown.
fn normalized(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '`' | '*' | '"' | '“' | '”')).collect();
    bare.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(claim: &str) -> bool {
        let text = "Source: app.log, Lines: 7-9\nERROR E1042 pool db-main exhausted after 30,000 ms: \
                    wait for `kubectl drain node-7`";
        is_supported(claim, &[text.into()])
    }

    #[test]
    fn what_stands_in_the_passage_is_supported() {
        assert!(holds("The pool db-main was exhausted after 30000 ms (E1042)."));
        assert!(holds("Run `kubectl drain node-7`."));
        assert!(is_supported("It was 14:32:15, at 5 percent.", &["14:32:15.123 5% left".into()]));
        assert!(holds("On lines 7-9 it says \"pool db-main exhausted\"."));
    }

    #[test]
    fn an_invented_number_code_name_or_quote_is_not() {
        assert!(!holds("The pool was exhausted after 3000 ms."));
        assert!(!holds("The pool was exhausted to 30,000%."));
        assert!(!holds("It failed with E1043."));
        assert!(!holds("The pool db-replica was exhausted."));
        assert!(!holds("It says \"pool exhausted by leak\"."));
        assert!(!holds("The OutOfMemoryError came first."));
    }
}
