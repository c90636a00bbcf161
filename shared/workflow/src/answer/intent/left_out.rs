//! What a question leaves out: "apart from 200", "other than INFO".

use std::sync::LazyLock;

use regex::Regex;

use crate::words::pattern;
use model::level::severity;

static WITHOUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:apart from|aside from|except(?: for)?|other than|besides|excluding|(?:not|n't|without|but not)(?:\s+(?:with|have|had|return|returned|get|got|end(?:ed)? (?:in|with)))?)\s+(?:(?:a|an|the|http|status|code|level|severity)\s+)*([\w-]+)(?:(?:\s*,\s*|\s+and\s+|\s+or\s+)(\d{3}|(?-i:[A-Z]{4,8}))\b)?",
    )
});

/// The codes and severities that records must not have, and the words that say so.
pub(super) fn left_out(question: &str) -> Option<(Vec<String>, String)> {
    let found = WITHOUT.captures(question)?;
    let words = (1..=2).filter_map(|group| found.get(group)).map(|f| f.as_str());
    let texts: Vec<String> = words.filter_map(|word| code(word).or_else(|| level(word))).collect();
    (!texts.is_empty()).then(|| (texts, found[0].to_owned()))
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
        for (question, values, words) in [
            ("Apart from 200, which status is it?", vec!["200"], "Apart from 200"),
            (
                "How many did not return a 200 or 304?",
                vec!["200", "304"],
                "not return a 200 or 304",
            ),
            ("List all entries other than INFO", vec!["INFO"], "other than INFO"),
        ] {
            let values = values.into_iter().map(str::to_owned).collect();
            assert_eq!(left_out(question), Some((values, words.to_owned())));
        }
        assert_eq!(left_out("Why could it not start?"), None);
    }
}
