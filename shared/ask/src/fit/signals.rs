//! Tells by signals that were measured (`tests/bench/README.md`) whether evidence answers a question
//! of whose words some stand in it by chance.

use model::evidence::PointKind;
use ports::usual::NEAR;
use text::name;

use crate::evidence::Evidence;

/// Added where there are records of the severity, code or line that is asked for.
const FILTERED: f64 = 6.0;

/// What is known of the evidence as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Signals {
    /// The nearest passage's distance above what is usual for the question, in standard deviations;
    /// `None` where too little may be read to tell.
    pub z_score: Option<f64>,
    /// The share of the question's telling words that the best documents' passages have.
    pub coverage: f64,
    /// The same in the best part alone, with what it stands below.
    pub share: f64,
    /// The share of the question's words, by how rare they are, that the best passage and its title
    /// have.
    pub words: f64,
    /// The number of names in the question that no passage has.
    pub unknown_names: usize,
    /// True if many words of the question stand nowhere.
    pub is_foreign: bool,
    /// True if the question names a severity, a code or a line, and there are records with it.
    pub is_filtered: bool,
}

/// The weights are from a logistic regression, the constants were set so that few answers are held
/// back (see `tests/bench/README.md`).
impl Signals {
    /// Returns true if records, lines and settings answer, rather than not.
    pub fn lines_answer(&self) -> bool {
        let filtered = if self.is_filtered { FILTERED } else { 0.0 };
        self.is_known() && -1.7 + 2.1 * self.coverage + 5.7 * self.share + filtered >= 0.0
    }

    /// Returns true if passages of prose answer, rather than not.
    pub fn passages_answer(&self) -> bool {
        let z_score = self.z_score.unwrap_or(NEAR);
        self.is_known() && -1.9 + 0.89 * z_score + 2.4 * self.words >= 0.0
    }

    /// Returns false for a question about something whose name, or many of whose words, stand
    /// nowhere: nothing answers it.
    fn is_known(&self) -> bool {
        self.unknown_names == 0 && !self.is_foreign
    }
}

/// The highest z-score of a passage among `evidence`.
pub fn z_score(evidence: &[Evidence]) -> Option<f64> {
    let rankings = evidence.iter().flat_map(|e| &e.parts.rankings);
    let of_passages = rankings.filter(|ranking| ranking.of == PointKind::Passage);
    // A sentence that a document might contain is near to many that do not answer.
    let of_passage = of_passages.filter(|ranking| ranking.query.is_none());
    of_passage.filter_map(|ranking| ranking.z_score).reduce(f64::max)
}

/// The number of names in the question that none of `texts` has, nor words that say the same.
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
