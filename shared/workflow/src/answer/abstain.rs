//! Whether the evidence speaks of what is asked, by signals that were measured (`tests/bench/README.md`).

use std::collections::HashMap;

use super::knowledge::Style;
use super::wire::Reason;
use super::words::{Words, names};
use crate::evidence::PointKind;
use crate::language::Language;
use crate::strategy::Evidence;
use crate::usual::NEAR;

/// What it says that there are records of the severity or code that is asked for.
const FILTERED: f64 = 6.0;

/// What is known of the evidence as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Signals {
    /// The nearest passage's distance above what is usual for the question, in standard deviations; `None` where too
    /// little may be read to tell.
    pub z_score: Option<f64>,
    /// The share of the question's telling words that the best documents' passages have.
    pub coverage: f64,
    /// The same in the best part alone, with what it stands below.
    pub share: f64,
    /// The share of the question's words, by how rare they are, that the best passage and its title have.
    pub words: f64,
    /// Names in the question that no passage has.
    pub unknown_names: usize,
    /// Whether the question names a severity, a code or a line, and there are records with it.
    pub is_filtered: bool,
}

/// The highest z-score of a passage among `evidence`.
pub(super) fn nearest(evidence: &[Evidence]) -> Option<f64> {
    let legs = evidence.iter().flat_map(|own| &own.parts.legs);
    let of_passages = legs.filter(|leg| leg.of == PointKind::Passage);
    // A sentence that a document might contain is near to many that do not answer.
    let own = of_passages.filter(|leg| leg.query.is_none());
    own.filter_map(|leg| leg.z_score).reduce(f64::max)
}

impl Signals {
    /// How sure it is that the evidence answers: from 0 on it does, rather than not. What is asked of something by a name
    /// that stands nowhere is not answered.
    ///
    /// The weights are from a logistic regression, the constants were set so that few answers are held back (see
    /// `tests/bench/README.md`).
    pub(super) fn verdict(&self, style: Style) -> f64 {
        if self.unknown_names > 0 {
            return -1.0;
        }
        let filtered = if self.is_filtered { FILTERED } else { 0.0 };
        match style {
            Style::Forensic => -1.7 + 2.1 * self.coverage + 5.7 * self.share + filtered,
            Style::Procedural | Style::Educational => {
                -1.9 + 0.89 * self.z_score.unwrap_or(NEAR) + 2.4 * self.words
            }
        }
    }
}

/// The most names of a question that are looked for.
const NAMES: usize = 12;

/// How many names of the question none of `texts` has, nor words that say the same.
pub(super) fn unknown_names<'t>(question: &str, texts: impl Iterator<Item = &'t str>) -> usize {
    // Every German noun is written large.
    let skipped = usize::from(Language::of(question) == Language::German);
    let is_written_large =
        |name: &&str| name.chars().skip(skipped).any(|c| c.is_uppercase() || c.is_numeric());
    let names = names(question).into_iter().filter(is_written_large).take(NAMES);
    let mut unknown: Vec<Name> = names.map(Name::of).collect();
    for text in texts {
        if unknown.is_empty() {
            break;
        }
        let lower = text.to_lowercase();
        unknown.retain_mut(|name| !name.stands_in(text, &lower));
    }
    unknown.len()
}

/// A name that is looked for.
struct Name {
    /// In small letters, as it is written and without what is neither letter nor digit: "i/o" and "io".
    spellings: [String; 2],
    words: Words,
    seen: HashMap<String, Option<(usize, bool)>>,
}

impl Name {
    fn of(name: &str) -> Name {
        let lower = name.to_lowercase();
        let bare = lower.chars().filter(|c| c.is_alphanumeric()).collect();
        Name { spellings: [lower, bare], words: Words::of(name), seen: HashMap::new() }
    }

    fn stands_in(&mut self, text: &str, lower: &str) -> bool {
        if self.spellings.iter().any(|own| lower.contains(own)) {
            return true;
        }
        let mask = self.words.mask(text, &mut self.seen);
        match self.words.own.len() {
            // Of one word the stem is not enough: "Fastly" is not "fast".
            1 => mask.alike != 0,
            count => (0..count).all(|word| mask.has(word)),
        }
    }
}

/// What may be asked instead: about the document that came nearest.
pub(super) fn suggestion(reason: Reason, evidence: &[Evidence]) -> Option<String> {
    let nearest = evidence.first().filter(|_| reason == Reason::BelowThreshold)?;
    let (title, heading) = (&nearest.chunk.title, nearest.chunk.heading());
    Some(match heading {
        "" => format!("What does \"{title}\" say?"),
        heading => format!("What does \"{title}\" say under \"{heading}\"?"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(question: &str) -> usize {
        let texts = ["a fast restart of num.io.threads", "the DB of postgres is OOM killed"];
        unknown_names(question, texts.into_iter())
    }

    #[test]
    fn a_name_is_known_by_its_letters_its_parts_or_what_says_the_same() {
        assert_eq!(unknown("How many threads for I/O has Postgres, and is it OOMKilled?"), 0);
        assert_eq!(unknown("Is the Database up?"), 0);
        assert_eq!(
            unknown("How do I renew the Fastly certificate of Vault?"),
            2,
            "fast is no name"
        );
    }
}
