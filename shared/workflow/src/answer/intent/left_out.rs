//! What a question leaves out: "apart from 200", "other than INFO".

use std::sync::LazyLock;

use regex::Regex;

use crate::answer::words::pattern;
use crate::chunk::log::severity;

static WITHOUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:apart from|aside from|except(?: for)?|other than|besides|excluding|(?:not|n't|without|but not)(?:\s+(?:with|have|had|return|returned|get|got|end(?:ed)? (?:in|with)))?)\s+(?:(?:a|an|the|http|status|code|level|severity)\s+)*([\w-]+)(?:(?:\s*,\s*|\s+and\s+|\s+or\s+)(\d{3}|(?-i:[A-Z]{4,8}))\b)?",
    )
});

/// The codes and severities that records must not have, and the question without them.
pub(super) fn left_out(question: &str) -> (Vec<String>, String) {
    let Some(found) = WITHOUT.captures(question) else { return (Vec::new(), question.into()) };
    let words = (1..=2).filter_map(|group| found.get(group)).map(|own| own.as_str());
    let own: Vec<String> = words.filter_map(|word| code(word).or_else(|| level(word))).collect();
    if own.is_empty() {
        return (own, question.into());
    }
    let rest = question.replacen(&found[0], " ", 1);
    (own, rest)
}

fn code(word: &str) -> Option<String> {
    let digits = word.trim_end_matches('s');
    let is_code = digits.len() >= 3 && digits.ends_with(|c: char| c.is_ascii_digit());
    is_code.then(|| digits.to_owned())
}

fn level(word: &str) -> Option<String> {
    let singular = word.trim_end_matches('s');
    severity(word).or_else(|| severity(singular)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_codes_and_severities_are_left_out() {
        for (question, own, rest) in [
            ("Apart from 200, which status is it?", vec!["200"], " , which status is it?"),
            ("How many did not return a 200 or 304?", vec!["200", "304"], "How many did  ?"),
            ("List all entries other than INFO", vec!["INFO"], "List all entries  "),
            ("Why could it not start?", vec![], "Why could it not start?"),
        ] {
            assert_eq!(
                left_out(question),
                (own.into_iter().map(str::to_owned).collect(), rest.into())
            );
        }
    }
}
