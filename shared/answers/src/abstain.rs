//! Whether the evidence speaks of what is asked, by signals that were measured (`tests/bench/README.md`).

use super::knowledge::Style;
use ask::evidence::Evidence;
use model::evidence::PointKind;
use ports::usual::NEAR;
use text::name;

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
    let rankings = evidence.iter().flat_map(|e| &e.parts.rankings);
    let of_passages = rankings.filter(|ranking| ranking.of == PointKind::Passage);
    // A sentence that a document might contain is near to many that do not answer.
    let of_passage = of_passages.filter(|ranking| ranking.query.is_none());
    of_passage.filter_map(|ranking| ranking.z_score).reduce(f64::max)
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

/// How many names of the question none of `texts` has, nor words that say the same.
pub(super) fn unknown_names<'t>(question: &str, texts: impl Iterator<Item = &'t str>) -> usize {
    let mut unknown = name::in_question(question);
    for text in texts {
        if unknown.is_empty() {
            break;
        }
        unknown.retain_mut(|name| !name.stands_in(text));
    }
    unknown.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nearer_passage_makes_an_answer_surer_and_an_unknown_name_makes_it_none() {
        let at = |z_score| Signals {
            z_score: Some(z_score),
            coverage: 0.0,
            share: 0.0,
            words: 0.2,
            unknown_names: 0,
            is_filtered: false,
        };
        for style in [Style::Procedural, Style::Educational] {
            assert!(at(1.0).verdict(style) < 0.0);
            assert!(at(NEAR).verdict(style) > 0.0);
            assert!(Signals { unknown_names: 1, ..at(NEAR) }.verdict(style) < 0.0);
        }
    }
}
