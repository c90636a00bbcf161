//! Decides by measured signals (`tests/bench/README.md`) whether evidence answers a question, or
//! has some of its words only by chance.

use model::evidence::PointKind;
use ports::usual::NEAR;
use text::name;

use crate::evidence::Evidence;

/// The value that is added if there are records with the severity, code or line in the question.
const FILTERED: f64 = 6.0;

/// Signals of the evidence as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Signals {
    /// The distance of the nearest passage above the mean of the question's cosines, in standard
    /// deviations; `None` if too few passages can be read to compute it.
    pub z_score: Option<f64>,
    /// The share of the question's meaningful words that the passages of the best documents have.
    pub coverage: f64,
    /// The same share in the best part alone, with its headings.
    pub share: f64,
    /// The share of the question's words, weighted by rarity, that the best passage and its title
    /// have.
    pub words: f64,
    /// The number of names in the question that no passage has.
    pub unknown_names: usize,
    /// True if many words of the question occur nowhere.
    pub is_foreign: bool,
    /// True if the question names a severity, a code or a line, and records with it exist.
    pub is_filtered: bool,
}

/// The weights come from a logistic regression. The constants were chosen so that few answers are
/// withheld (see `tests/bench/README.md`).
impl Signals {
    /// Returns true if records, lines and settings probably answer the question.
    pub fn lines_answer(&self) -> bool {
        let filtered = if self.is_filtered { FILTERED } else { 0.0 };
        self.is_known() && -1.7 + 2.1 * self.coverage + 5.7 * self.share + filtered >= 0.0
    }

    /// Returns true if passages of prose probably answer the question.
    pub fn passages_answer(&self) -> bool {
        let z_score = self.z_score.unwrap_or(NEAR);
        self.is_known() && -1.9 + 0.89 * z_score + 2.4 * self.words >= 0.0
    }

    /// Returns false if the subject's name or many words of the question occur nowhere. Then
    /// nothing answers the question.
    fn is_known(&self) -> bool {
        self.unknown_names == 0 && !self.is_foreign
    }
}

/// Returns the highest z-score of a passage among `evidence`.
pub fn z_score(evidence: &[Evidence]) -> Option<f64> {
    let rankings = evidence.iter().flat_map(|e| &e.parts.rankings);
    let of_passages = rankings.filter(|ranking| ranking.of == PointKind::Passage);
    // A query that is a possible sentence of a document is near to many passages that do not
    // answer.
    let of_passage = of_passages.filter(|ranking| ranking.query.is_none());
    of_passage.filter_map(|ranking| ranking.z_score).reduce(f64::max)
}

/// Returns the number of names in the question that no text has, neither as written nor in other
/// words.
pub fn unknown_names<'t>(question: &str, texts: impl Iterator<Item = &'t str>) -> usize {
    let mut unknown = name::in_question(question);
    for text in texts {
        if unknown.is_empty() {
            break;
        }
        unknown.retain(|name| !name.stands_in(text));
    }
    unknown.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nearer_passage_answers_and_none_answers_on_what_stands_nowhere() {
        let at = |z_score| Signals {
            z_score: Some(z_score),
            coverage: 0.0,
            share: 0.0,
            words: 0.2,
            unknown_names: 0,
            is_foreign: false,
            is_filtered: false,
        };
        assert!(!at(1.0).passages_answer());
        assert!(at(NEAR).passages_answer());
        assert!(!Signals { unknown_names: 1, ..at(NEAR) }.passages_answer());
        assert!(!Signals { is_foreign: true, ..at(NEAR) }.passages_answer());
    }

    #[test]
    fn a_record_of_the_code_that_is_asked_for_answers() {
        let none = Signals {
            z_score: None,
            coverage: 0.0,
            share: 0.0,
            words: 0.0,
            unknown_names: 0,
            is_foreign: false,
            is_filtered: false,
        };
        assert!(!none.lines_answer());
        assert!(Signals { is_filtered: true, ..none.clone() }.lines_answer());
        assert!(Signals { share: 0.4, ..none }.lines_answer());
    }
}
