//! The fifth stage decides whether anything that was found can fit what is asked. No other stage abstains.
//!
//! The distance of the nearest passage does not tell: in a large collection something is always near. Words do: a question
//! about something else has a name, or many words, that stand nowhere.

use model::evidence::Place;
use text::language::Language;
use wire::common::{Abstained, AbstainedReason};

use crate::evaluated::Unknown;
use crate::evidence::Evidence;
use crate::search::Found;

pub mod signals;

/// From this share of unknown words on nothing fits. Of questions that have an answer it holds 1 of 403 back, see
/// `tests/bench/README.md`.
const MANY: f64 = 0.4;

/// The most documents that an abstention names as nearest.
const NEAREST: usize = 3;

/// The decision, with the documents that came nearest.
#[derive(Debug)]
pub struct Fit {
    abstained: Option<Abstained>,
    nearest: Vec<Place>,
}

/// Says by words and judgements whether anything fits, and takes all evidence away where nothing does.
pub fn verdict(found: &mut Found) -> Fit {
    let unknown = std::mem::take(&mut found.unknown);
    let abstained = abstained(&found.evidence, unknown, found.is_relevant);
    if abstained.is_some() {
        found.evidence.clear();
    }
    Fit { abstained, ..undecided(found) }
}

/// Leaves it to the report of a workflow that names itself what is missing, and tells the rest.
pub fn undecided(found: &Found) -> Fit {
    Fit { abstained: None, nearest: nearest(&found.evidence) }
}

/// Returns true if the question has a name, or many words, that stand nowhere: what came nearest is of something else.
pub fn is_foreign(found: &Found) -> bool {
    unknown_reason(&found.evidence, &found.unknown).is_some()
}

impl Fit {
    /// The reason for which nothing is told; `is_told` says whether the reply shows any passage or decision.
    pub(crate) fn abstained_unless(self, is_told: bool) -> Option<Abstained> {
        self.abstained.or_else(|| (!is_told).then(|| untold(self.nearest)))
    }
}

/// Says that nothing fits, where that is so. `evidence` is best first; a reranker may have found that none of it
/// `is_relevant`.
fn abstained(evidence: &[Evidence], unknown: Unknown, is_relevant: bool) -> Option<Abstained> {
    let (reason, unknown) = if evidence.is_empty() {
        (AbstainedReason::NoEvidence, Vec::new())
    } else if let Some(reason) = unknown_reason(evidence, &unknown) {
        let is_name = reason == AbstainedReason::UnknownName;
        (reason, if is_name { unknown.names } else { unknown.words })
    } else if !is_relevant {
        (AbstainedReason::NotRelevant, Vec::new())
    } else {
        return None;
    };
    Some(Abstained { reason, unknown, nearest: nearest(evidence) })
}

/// The reason to abstain that lies in names and words that stand nowhere.
#[expect(clippy::cast_precision_loss, reason = "at most 32 words")]
fn unknown_reason(evidence: &[Evidence], unknown: &Unknown) -> Option<AbstainedReason> {
    if !unknown.names.is_empty() {
        return Some(AbstainedReason::UnknownName);
    }
    let share = unknown.words.len() as f64 / unknown.of.max(1) as f64;
    // In a few passages most words stand nowhere; a z-score needs some as well.
    let mut rankings = evidence.iter().flat_map(|e| &e.parts.rankings);
    let are_many_read = rankings.any(|ranking| ranking.z_score.is_some());
    // A document in another language has none of the words, and may answer all the same.
    let english = Language::English.tag();
    let is_english =
        |evidence: &Evidence| evidence.chunk.language.as_deref().is_none_or(|tag| tag == english);
    let are_english = evidence.iter().take(NEAREST).all(is_english);
    (share >= MANY && are_many_read && are_english).then_some(AbstainedReason::UnknownWords)
}

/// The first places of the evidence, each document once.
fn nearest(evidence: &[Evidence]) -> Vec<Place> {
    let mut nearest: Vec<Place> = Vec::new();
    for passage in evidence {
        if nearest.iter().all(|source| source.document_id != passage.chunk.document_id) {
            nearest.push(Place::of(&passage.chunk));
        }
    }
    nearest.truncate(NEAREST);
    nearest
}

/// Says that a report tells nothing, and what came nearest all the same.
fn untold(nearest: Vec<Place>) -> Abstained {
    let is_none = nearest.is_empty();
    let reason = if is_none { AbstainedReason::NoEvidence } else { AbstainedReason::NotRelevant };
    Abstained { reason, unknown: Vec::new(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::ScoreParts;
    use testing::{chunks, ranking_at};

    fn why(names: &[&str], words: &[&str], is_relevant: bool) -> Option<AbstainedReason> {
        let chunk = chunks("# Valkey\n\nThe pump of the pool ran dry.\n").swap_remove(0);
        let parts = ScoreParts::new(vec![ranking_at(6.0)], 0.9);
        let evidence = [Evidence::of(chunk, parts)];
        let owned = |texts: &[&str]| texts.iter().map(|texts| (*texts).to_owned()).collect();
        let unknown = Unknown { names: owned(names), words: owned(words), of: 4 };
        let abstained = abstained(&evidence, unknown, is_relevant)?;
        assert_eq!(abstained.nearest.len(), 1);
        Some(abstained.reason)
    }

    #[test]
    fn nothing_fits_a_question_on_what_stands_nowhere_however_near_it_is() {
        assert_eq!(why(&["Keycloak"], &[], true), Some(AbstainedReason::UnknownName));
        assert_eq!(why(&[], &["knit", "scarf"], true), Some(AbstainedReason::UnknownWords));
        assert_eq!(why(&[], &[], false), Some(AbstainedReason::NotRelevant));
        assert_eq!(why(&[], &["robot"], true), None, "an asker may use another word");
    }
}
