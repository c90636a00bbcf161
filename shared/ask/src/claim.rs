//! Compares claims with the passages that they cite: word for word, or at least by their quotes,
//! names and numbers.
//!
//! The comparison does not understand sentences.

mod passage;
mod sentence;
mod value;

use std::sync::LazyLock;

use regex::Regex;

use model::document::DocumentType;
use text::sentence::sentences;
use text::words::{names, pattern};

use sentence::Sentence;
pub use sentence::first_clause;
use value::Value;

/// Words in quotes: at least two words, or one long word; or code.
static QUOTE: LazyLock<Regex> = LazyLock::new(|| pattern("[\"“]([^\"”]{4,})[\"”]|`+([^`]{2,})`+"));

/// Identifiers: words with a digit, an inner capital, or `_`, `.`, `/`, `-` between letters, and
/// words in capitals.
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:[A-Za-z]+[_./:@-](?:[\w./:@-]*\w)|[A-Za-z]+\d[\w-]*|\d+[A-Za-z_-]+\d[\w-]*|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}[A-Z0-9]*)\b",
    )
});

/// The passages that a claim cites.
pub struct Source {
    /// The text of all passages, in lower case.
    plain: String,
    sentences: Vec<Sentence>,
    /// The headings, titles and names above the passages.
    above: Sentence,
}

impl Source {
    /// Reads passages. Each has its header, its text and the type of its document.
    pub fn of<'t>(passages: impl IntoIterator<Item = (&'t str, &'t str, DocumentType)>) -> Source {
        let (mut plain, mut headers, mut all) = (String::new(), String::new(), Vec::new());
        for (header, text, kind) in passages {
            for part in [header, text] {
                plain.push_str(&normalized(part));
                plain.push('\n');
            }
            headers.push_str(header);
            headers.push('\n');
            all.extend(passage::read(text, kind));
        }
        Source { plain: format!(" {plain}"), sentences: all, above: Sentence::of(&headers) }
    }

    /// Returns true if the passages contain these words, as whole words.
    fn has(&self, words: &str) -> bool {
        let words = normalized(words);
        let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        !words.is_empty()
            && self.plain.match_indices(&words).any(|(at, _)| {
                is_end(self.plain[..at].chars().next_back())
                    && is_end(self.plain[at + words.len()..].chars().next())
            })
    }
}

/// Returns true if each sentence of a claim is, word for word, a sentence of the passages that it
/// cites. A part of a sentence is not enough, because the words before it may deny it. Only a
/// reader can judge whether other words say the same: rules that tried accepted a quarter of the
/// false claims (`tests/bench/README.md`).
pub fn stands(claim: &str, source: &Source) -> bool {
    let bare = |text: &str| normalized(text).trim_end_matches(['.', '!', '?', ' ']).to_owned();
    let mut claimed = sentences(claim).map(|range| bare(&claim[range])).peekable();
    claimed.peek().is_some()
        && claimed.all(|claimed| source.sentences.iter().any(|own| bare(&own.text) == claimed))
}

/// Returns true if the passages that a claim cites contain its quotes, names and numbers. This does
/// not show that they say the same.
pub fn may_stand(claim: &str, source: &Source) -> bool {
    let mut quotes = QUOTE.captures_iter(claim).filter_map(|parts| parts.get(1).or(parts.get(2)));
    quotes.all(|quote| source.has(quote.as_str()))
        && has_names(claim, source)
        && has_figures(claim, source)
        && sentences(claim).next().is_some()
}

/// Returns a sentence of `now` that has another number than a sentence of `before` about the same
/// subject, or that denies it or is denied by it. `before` is an earlier text of the same document.
pub fn contradiction(before: &str, now: &str, kind: DocumentType) -> Option<String> {
    // Each record of a log is about its own event.
    if kind == DocumentType::Log {
        return None;
    }
    let (before, now) = (passage::read(before, kind), passage::read(now, kind));
    let stands = |sentence: &Sentence| {
        now.iter().any(|other| normalized(&sentence.text) == normalized(&other.text))
    };
    let changed: Vec<&Sentence> = before.iter().filter(|b| !stands(b)).collect();
    let other = now.iter().find(|now| changed.iter().any(|c| c.contradicts(now)));
    other.map(|other| other.text.clone())
}

/// Returns true if each part of a text, split at `›`, is contained in one of the texts `of`, cut
/// off or whole.
pub fn is_made_of<'t>(text: &str, of: impl Iterator<Item = &'t str>) -> bool {
    let of: Vec<String> = of.map(normalized).collect();
    text.split(" › ").map(normalized).all(|part| of.iter().any(|o| o.contains(&part)))
}

/// Returns true if the passages contain all identifiers and numbers of a text, in any place. The
/// text need not be a sentence.
pub fn has_figures(text: &str, source: &Source) -> bool {
    let figures = || source.sentences.iter().chain([&source.above]).flat_map(Sentence::values);
    let stands = |value: &Value| {
        source.has(&text[value.range.clone()]) || figures().any(|figure| value.is(figure))
    };
    has_identifiers(text, source) && value::values(text).iter().all(stands)
}

/// Returns true if the passages contain all names and identifiers of a text.
fn has_names(text: &str, source: &Source) -> bool {
    has_identifiers(text, source)
        && names(text).into_iter().all(|name| source.has(name) || source.says(name))
}

fn has_identifiers(text: &str, source: &Source) -> bool {
    let found = IDENTIFIER.find_iter(text).map(|found| found.as_str());
    let mut found = found.map(|found| found.trim_end_matches(['.', ':', '/', '-']));
    found.all(|hit| Sentence::of(hit).is_common() || source.has(hit) || source.says(hit))
}

impl Source {
    /// Returns true if the passages contain all words of a name, in any form: "Backups" matches
    /// "backup".
    fn says(&self, name: &str) -> bool {
        let name = Sentence::of(name);
        let is_plain = name.words().all(|word| word.chars().all(char::is_alphabetic));
        let all = || self.sentences.iter().chain([&self.above]);
        is_plain
            && name.words().next().is_some()
            && name.words().all(|word| all().any(|a| a.has(word)))
    }
}

/// Returns the text in lower case, with single spaces, without quotation marks and Markdown marks.
fn normalized(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '`' | '*' | '"' | '“' | '”')).collect();
    bare.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
