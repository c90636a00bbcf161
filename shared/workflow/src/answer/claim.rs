//! Whether a claim stands in the passages that it cites: its quotes, names, numbers and words, and what it denies.
//!
//! Nothing here understands a sentence. A claim passes where all of it that can be checked is found together in the
//! passages; what passes wrongly and falls wrongly is measured (`tests/bench/README.md`).

mod passage;
mod sentence;
mod value;

use std::sync::LazyLock;

use regex::Regex;

use crate::document::DocumentType;
use crate::sentence::sentences;
use crate::words::{names, pattern};

pub(crate) use sentence::first_clause;
use sentence::{Clause, Sentence};
use value::Value;

/// The reason why a claim is not supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// It says nothing that could be checked.
    Empty,
    /// Words in quotes do not stand in the passages.
    Quote,
    /// A name or an identifier does not stand there.
    Name,
    /// Too few of its words stand together.
    Words,
    /// A number does not stand there, has another unit, or is of something else.
    Number,
    /// It has two things in each other's place.
    Order,
    /// It denies what the passages say, or says what they deny.
    Negation,
    /// It tells as done what the passages plan, want or think possible.
    Plan,
}

/// The share of a sentence's words that must stand together in the passages.
const ENOUGH: f64 = 0.45;

/// The most sentences of one paragraph, table or group of settings that a sentence of a claim may be drawn from.
const TOGETHER: usize = 2;

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

/// The first reason why `claim` does not stand in what it cites; `None` where it does.
pub fn flaw(claim: &str, source: &Source) -> Option<Flaw> {
    let mut any = false;
    for range in sentences(claim) {
        any = true;
        if let Some(flaw) = flaw_of_sentence(&claim[range], source) {
            return Some(flaw);
        }
    }
    (!any).then_some(Flaw::Empty)
}

fn flaw_of_sentence(text: &str, source: &Source) -> Option<Flaw> {
    let mut quotes = QUOTE.captures_iter(text).filter_map(|parts| parts.get(1).or(parts.get(2)));
    if !quotes.all(|quote| source.has(quote.as_str())) {
        return Some(Flaw::Quote);
    }
    let sentence = Sentence::of(text);
    if sentence.words().next().is_none() {
        return Some(Flaw::Empty);
    }
    if !has_names(text, source) || !begins_alike(&sentence, source) {
        return Some(Flaw::Name);
    }
    let (near, share) = nearest(&sentence, source);
    if share < ENOUGH {
        return Some(Flaw::Words);
    }
    let beside = beside(&sentence, &near, source);
    let is_name = |value: &Value| value.name.as_ref().is_some_and(|name| source.has(name));
    if !value::stand_in(&sentence, &beside, &source.above, is_name) {
        return Some(Flaw::Number);
    }
    if near.first().is_some_and(|first| sentence.is_crossed(first)) {
        return Some(Flaw::Order);
    }
    if sentence.is_past() && is_planned(&near, source) {
        return Some(Flaw::Plan);
    }
    let is_denied_alike = |clause: &Clause| is_denied_alike(clause, &near);
    (!sentence.clauses.iter().all(is_denied_alike)).then_some(Flaw::Negation)
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
pub(super) fn contradiction(before: &str, now: &str, kind: DocumentType) -> Option<String> {
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
pub(super) fn is_made_of<'t>(text: &str, of: impl Iterator<Item = &'t str>) -> bool {
    let of: Vec<String> = of.map(normalized).collect();
    text.split(" › ").map(normalized).all(|part| of.iter().any(|o| o.contains(&part)))
}

/// Whether all identifiers and numbers of a text that is no sentence stand in the passages, wherever.
pub(super) fn has_figures(text: &str, source: &Source) -> bool {
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
        let is_plain = name.words().all(|word| word.stem.chars().all(char::is_alphabetic));
        let all = || self.sentences.iter().chain([&self.above]);
        is_plain
            && name.words().next().is_some()
            && name.words().all(|word| all().any(|a| a.has(word) >= sentence::ITSELF))
    }
}

/// Whether the first word of a sentence stands in the passages: it may be a name, and its capital does not tell.
fn begins_alike(sentence: &Sentence, source: &Source) -> bool {
    let Some(first) = sentence.first() else { return true };
    source.sentences.iter().chain([&source.above]).any(|other| other.has(first) > 0.0)
}

/// The sentences that together have most of a claim's words, best first, and the share that they have.
#[expect(clippy::cast_precision_loss, reason = "a count of words")]
fn nearest<'s>(sentence: &Sentence, source: &'s Source) -> (Vec<&'s Sentence>, f64) {
    let mut had: Vec<f64> = sentence.words().map(|word| source.above.has(word)).collect();
    let mut near: Vec<&Sentence> = Vec::new();
    while near.len() < TOGETHER {
        let gain = |other: &Sentence| {
            sentence
                .words()
                .zip(&had)
                .map(|(word, had)| (other.has(word) - had).max(0.0))
                .sum::<f64>()
        };
        let is_beside =
            |other: &&Sentence| near.iter().all(|sentence| sentence.block == other.block);
        let best = source.sentences.iter().filter(is_beside).map(|other| (other, gain(other)));
        let best = best.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((best, _)) = best.filter(|(_, gain)| *gain > 0.0) else { break };
        near.push(best);
        for (word, had) in sentence.words().zip(&mut had) {
            *had = had.max(best.has(word));
        }
    }
    let share = had.iter().sum::<f64>() / had.len().max(1) as f64;
    (near, share)
}

/// The sentences that a claim is drawn from, and those beside them that have a word of it.
fn beside<'s>(sentence: &Sentence, near: &[&'s Sentence], source: &'s Source) -> Vec<&'s Sentence> {
    let blocks: Vec<usize> = near.iter().map(|sentence| sentence.block).collect();
    let is_beside = |other: &&Sentence| {
        blocks.contains(&other.block) && sentence.words().any(|word| other.has(word) > 0.0)
    };
    source.sentences.iter().filter(is_beside).collect()
}

/// Whether what stands beside these sentences is only planned.
fn is_planned(near: &[&Sentence], source: &Source) -> bool {
    let blocks: Vec<usize> = near.iter().map(|n| n.block).collect();
    let all = || source.sentences.iter().filter(|sentence| blocks.contains(&sentence.block));
    all().any(Sentence::is_planned) && !all().any(Sentence::is_past)
}

/// Whether the clause of the passages that has most of a claim's clause denies it as the claim does.
fn is_denied_alike(claim: &Clause, near: &[&Sentence]) -> bool {
    let clauses = near.iter().flat_map(|sentence| &sentence.clauses);
    let scored: Vec<(f64, bool)> =
        clauses.map(|clause| (claim.share_in(clause), clause.is_denied())).collect();
    let best = scored.iter().map(|(share, _)| *share).fold(0.0, f64::max);
    best < 0.5
        || scored.iter().any(|(share, denied)| *share >= best && *denied == claim.is_denied())
}

/// In small letters, with single blanks and without the marks of Markdown.
fn normalized(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '`' | '*' | '"' | '“' | '”')).collect();
    bare.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
