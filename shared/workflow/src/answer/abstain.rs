//! Whether the evidence speaks of what is asked, by signals that were measured (`tests/bench/README.md`).

use std::collections::HashMap;

use super::knowledge::Style;
use super::wire::Reason;
use super::words::Words;
use crate::evidence::{LegKind, PointKind};
use crate::strategy::Evidence;

/// What it says that there are records of the severity or code that is asked for.
const FILTERED: f64 = 6.0;

/// What is known of the evidence as a whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Signals {
    /// The nearest embedding of a passage, a cosine.
    pub nearest: f64,
    /// The share of the question's telling words that the best documents' passages have.
    pub coverage: f64,
    /// The same in the best part alone, with what it stands below.
    pub share: f64,
    /// The score of the best passage.
    pub best: f64,
    /// Names in the question that no passage has.
    pub unknown_names: usize,
    /// Whether the question names a severity or a code, and there are records with it.
    pub is_filtered: bool,
}

/// The nearest embedding among `evidence`.
pub(super) fn nearest(evidence: &[Evidence]) -> f64 {
    let legs = evidence.iter().flat_map(|own| &own.parts.legs);
    let dense = legs.filter(|leg| leg.leg == LegKind::Dense && leg.of == PointKind::Passage);
    dense.map(|leg| f64::from(leg.raw)).fold(0.0, f64::max)
}

impl Signals {
    /// How sure it is that the evidence answers: from 0 on it does, rather than not.
    ///
    /// The weights were fitted by logistic regression, for texts on 141 questions of which 31 have no answer, for
    /// evidence on 64 of which 19 have none; the embeddings are those of all-MiniLM-L6-v2, and another model's cosines
    /// lie elsewhere.
    pub(super) fn verdict(&self, style: Style) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a handful of names")]
        let names = self.unknown_names as f64;
        let filtered = if self.is_filtered { FILTERED } else { 0.0 };
        match style {
            Style::Forensic => {
                -2.6 + 2.1 * self.coverage + 5.7 * self.share - 1.9 * names + filtered
            }
            Style::Procedural | Style::Educational => {
                -6.2 + 5.5 * self.nearest + 6.9 * self.best - 1.15 * names
            }
        }
    }
}

/// How many names of the question none of `texts` has, nor words that say the same.
pub(super) fn unknown_names<'t, I: Iterator<Item = &'t str>>(
    question: &str,
    texts: impl Fn() -> I,
) -> usize {
    let is_unknown = |name: &String| {
        let lower = name.to_lowercase();
        let words = Words::of(name);
        let mut seen = HashMap::new();
        !texts().any(|text| {
            let mask = words.mask(text, &mut seen);
            (0..words.own.len()).all(|word| mask.has(word)) || text.to_lowercase().contains(&lower)
        })
    };
    names(question).iter().filter(|name| is_unknown(name)).count()
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

/// Names of things in a question: with a digit or an inner capital, in capitals, or with a capital that does not begin
/// the sentence.
pub(super) fn names(question: &str) -> Vec<String> {
    let words = question.split(|c: char| c.is_whitespace() || "?!,;()\"'".contains(c));
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words = words.filter(|word| word.chars().count() > 1).enumerate();
    let is_name = |(place, word): &(usize, &str)| {
        let inner = word.chars().skip(1).any(char::is_uppercase);
        let has_letters = word.chars().any(char::is_alphabetic);
        let capital = *place > 0 && word.starts_with(char::is_uppercase);
        has_letters && (inner || capital)
    };
    words.filter(is_name).map(|(_, word)| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_words() {
        assert_eq!(
            names("Which OutOfMemoryError did Kafka report?"),
            ["OutOfMemoryError", "Kafka"]
        );
        assert!(names("What do I do when a job fails?").is_empty());
    }
}
