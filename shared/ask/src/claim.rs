//! Compares claims with the passages that they cite: word for word, or at least their quotes, names and numbers.
//!
//! Nothing here understands a sentence.

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

/// Words in quotes: at least two words or one that is long; or code.
static QUOTE: LazyLock<Regex> = LazyLock::new(|| pattern("[\"“]([^\"”]{4,})[\"”]|`+([^`]{2,})`+"));

/// Identifiers: with a digit, an inner capital, `_`, `.`, `/`, `-` between letters, or in capitals.
static IDENTIFIER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:[A-Za-z]+[_./:@-](?:[\w./:@-]*\w)|[A-Za-z]+\d[\w-]*|\d+[A-Za-z_-]+\d[\w-]*|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}[A-Z0-9]*)\b",
    )
});

/// Passages that a claim cites.
pub struct Source {
    /// All of them in small letters.
    plain: String,
    sentences: Vec<Sentence>,
    /// The headings, titles and names that they stand under.
    above: Sentence,
}

impl Source {
    /// Reads passages, each with its header, its text and the kind of its document.
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

    /// Whether these words stand in the passages, as whole words.
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

/// Returns true if each sentence of a claim is a sentence of the passages that it cites, word for word. A part of one is not enough:
/// what stands before it may deny it. Only somebody who reads can tell that other words say the same: rules that tried let a
/// quarter of false claims pass (`tests/bench/README.md`).
pub fn stands(claim: &str, source: &Source) -> bool {
    let bare = |text: &str| normalized(text).trim_end_matches(['.', '!', '?', ' ']).to_owned();
    let mut claimed = sentences(claim).map(|range| bare(&claim[range])).peekable();
    claimed.peek().is_some()
        && claimed.all(|claimed| source.sentences.iter().any(|own| bare(&own.text) == claimed))
}

/// Returns true if the quotes, names and numbers of a claim stand in the passages that it cites. It does not tell whether these say
/// the same.
pub fn may_stand(claim: &str, source: &Source) -> bool {
    let mut quotes = QUOTE.captures_iter(claim).filter_map(|parts| parts.get(1).or(parts.get(2)));
    quotes.all(|quote| source.has(quote.as_str()))
        && has_names(claim, source)
        && has_figures(claim, source)
        && sentences(claim).next().is_some()
}

/// The sentence of `now` that says of the same as one of `before` another number, or the other way round; `before` stood in
/// the same document, and does no more.
pub fn contradiction(before: &str, now: &str, kind: DocumentType) -> Option<String> {
    // Another record of a log is of another event.
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

/// Whether each part of a text, from one `›` to the next, stands in one of these, cut off or whole.
pub fn is_made_of<'t>(text: &str, of: impl Iterator<Item = &'t str>) -> bool {
    let of: Vec<String> = of.map(normalized).collect();
    text.split(" › ").map(normalized).all(|part| of.iter().any(|o| o.contains(&part)))
}

/// Whether all identifiers and numbers of a text that is no sentence stand in the passages, wherever.
pub fn has_figures(text: &str, source: &Source) -> bool {
    let figures = || source.sentences.iter().chain([&source.above]).flat_map(Sentence::values);
    let stands = |value: &Value| {
        source.has(&text[value.range.clone()]) || figures().any(|figure| value.is(figure))
    };
    has_identifiers(text, source) && value::values(text).iter().all(stands)
}

/// Whether all names and identifiers of a text stand in the passages.
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
    /// Whether the passages have all words of a name, in any form: "Backups" where they have "backup".
    fn says(&self, name: &str) -> bool {
        let name = Sentence::of(name);
        let is_plain = name.words().all(|word| word.chars().all(char::is_alphabetic));
        let all = || self.sentences.iter().chain([&self.above]);
        is_plain
            && name.words().next().is_some()
            && name.words().all(|word| all().any(|a| a.has(word)))
    }
}

/// In small letters, with single blanks and without the marks of Markdown.
fn normalized(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '`' | '*' | '"' | '“' | '”')).collect();
    bare.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
