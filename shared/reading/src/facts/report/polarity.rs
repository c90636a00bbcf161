//! Tells sentences that affirm something bad from those that deny it.

use std::sync::LazyLock;

use model::document::Chunk;
use model::lexicon::Lexicon;
use serde::Deserialize;

use super::unit::Unit;

/// What a sentence says of something bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polarity {
    /// It was the case, or something that ought to be was missing.
    Affirmed,
    /// It was not the case.
    Denied,
    /// Nothing bad is named.
    Plain,
}

/// What a phrase does in its sentence, see `polarity.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Class {
    Harm,
    Negator,
}

#[derive(Deserialize)]
struct Entry {
    class: Class,
}

static PHRASES: LazyLock<Lexicon<Entry>> =
    LazyLock::new(|| Lexicon::new(include_str!("../../../../../infra/lexicons/en/polarity.toml")));

/// The most words between a negation and what it denies.
const REACH: usize = 6;

/// Reads the polarity of each unit.
pub(super) fn read(document: &[&Chunk], units: &[Unit]) -> Vec<Polarity> {
    let text = |unit: &Unit| document[unit.chunk].text[unit.range.clone()].to_ascii_lowercase();
    units.iter().map(|unit| polarity(&text(unit))).collect()
}

/// Reads a sentence in small letters.
fn polarity(sentence: &str) -> Polarity {
    let found: Vec<(Class, usize, usize)> =
        PHRASES.find(sentence).map(|found| (found.class.class, found.start, found.end)).collect();
    let harms: Vec<usize> = (0..found.len()).filter(|at| found[*at].0 == Class::Harm).collect();
    let is_denied = |harm: &usize| {
        let mut before = found[..*harm].iter();
        before.any(|(b, _, end)| *b == Class::Negator && reaches(&sentence[*end..found[*harm].1]))
    };
    let is_missing = found.iter().any(|(class, ..)| *class == Class::Negator);
    match harms.iter().filter(|harm| is_denied(harm)).count() {
        0 if harms.is_empty() && !is_missing => Polarity::Plain,
        0 => Polarity::Affirmed,
        denied if denied == harms.len() => Polarity::Denied,
        _ => Polarity::Affirmed,
    }
}

/// Whether a negation still holds after `between`: so few words, all of one clause.
fn reaches(between: &str) -> bool {
    let words = between.split_ascii_whitespace();
    words.clone().count() <= REACH
        && !words.clone().any(|word| word.ends_with([',', ';', ':', '(']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_is_told_from_what_is_missing() {
        for (sentence, expected) in [
            ("no errors were seen in the proxy's log.", Polarity::Denied),
            ("the pump did not start.", Polarity::Affirmed),
            (
                "the outage was not noticed, since nobody had seen that the alarm was broken.",
                Polarity::Affirmed,
            ),
            ("we met at ten and walked along the river.", Polarity::Plain),
        ] {
            assert_eq!(polarity(sentence), expected, "{sentence}");
        }
    }
}
