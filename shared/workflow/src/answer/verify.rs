//! Whether a claim stands in the passages that it cites: its numbers, its names, its quotes.

use std::sync::LazyLock;

use regex::Regex;

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and the tests compile them")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// What a claim quotes: at least two words or one that is long.
static QUOTE: LazyLock<Regex> = LazyLock::new(|| pattern("[\"“]([^\"”]{4,})[\"”]|`+([^`]{2,})`+"));
/// A number with what belongs to it: separators, a sign, a percent.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d[\d.,:]*\d|\d"));
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
pub(super) fn is_supported(claim: &str, texts: &[String]) -> bool {
    let all = texts.join("\n");
    let plain = normalized(&all);
    let quotes = QUOTE.captures_iter(claim);
    let mut quotes = quotes.filter_map(|found| found.get(1).or(found.get(2)));
    if !quotes.all(|quote| plain.contains(&normalized(quote.as_str()))) {
        return false;
    }
    let numbers: Vec<String> = NUMBER.find_iter(&all).map(|own| number(own.as_str())).collect();
    if !NUMBER.find_iter(claim).all(|own| numbers.contains(&number(own.as_str()))) {
        return false;
    }
    let names =
        NAME.find_iter(claim).map(|name| name.as_str().trim_end_matches(['.', ':', '/', '-']));
    let mut names =
        names.filter(|name| !PLAIN.contains(name) && name.contains(char::is_alphabetic));
    names.all(|name| plain.contains(&normalized(name)))
}

/// Without the separators of thousands and what only ends the sentence.
fn number(text: &str) -> String {
    text.trim_end_matches(['.', ',', ':']).replace(',', "")
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
        assert!(holds("On lines 7-9 it says \"pool db-main exhausted\"."));
    }

    #[test]
    fn an_invented_number_code_name_or_quote_is_not() {
        assert!(!holds("The pool was exhausted after 3000 ms."));
        assert!(!holds("It failed with E1043."));
        assert!(!holds("The pool db-replica was exhausted."));
        assert!(!holds("It says \"pool exhausted by leak\"."));
        assert!(!holds("The OutOfMemoryError came first."));
    }
}
