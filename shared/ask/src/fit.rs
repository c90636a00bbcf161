//! The fifth stage decides whether any of the results can fit the question. No other stage
//! abstains.
//!
//! The distance of the nearest passage does not decide this, because a large collection always has
//! something near. Words decide it: a question about another subject has a name, or many words,
//! that occur nowhere.

use model::evidence::{Place, RankingScore, RetrieverKind};
use text::language::Language;
use wire::common::{Abstained, AbstainedReason};

use crate::evidence::Evidence;
use crate::search::Found;
use crate::unknown::Unknown;

pub mod signals;

/// Upper bound for the documents that an abstention names as nearest.
const NEAREST: usize = 3;

/// The decision, with the nearest documents.
#[derive(Debug)]
pub struct Fit {
    abstained: Option<Abstained>,
    nearest: Vec<Place>,
}

/// Decides by words and judgements whether anything fits, and removes all evidence if nothing does.
pub fn verdict(found: &mut Found) -> Fit {
    let unknown = std::mem::take(&mut found.unknown);
    let abstained = abstained(&found.evidence, unknown, found.is_relevant);
    if abstained.is_some() {
        found.evidence.clear();
    }
    Fit { abstained, ..undecided(found) }
}

/// Leaves the decision to the report, for a workflow that names the missing words itself and
/// reports the rest.
pub fn undecided(found: &Found) -> Fit {
    Fit { abstained: None, nearest: nearest(&found.evidence) }
}

/// Returns true if a name or many words of the question occur nowhere. Then the nearest documents
/// are about another subject.
pub fn is_foreign(found: &Found) -> bool {
    unknown_reason(&found.evidence, &found.unknown).is_some()
}

impl Fit {
    /// Returns the reason to abstain, if there is one. `is_told` is true if the reply shows a
    /// passage or a decision.
    pub(crate) fn abstained_unless(self, is_told: bool) -> Option<Abstained> {
        self.abstained.or_else(|| (!is_told).then(|| untold(self.nearest)))
    }
}

/// Returns an abstention if nothing fits. `evidence` comes best first; `is_relevant` is false if a
/// reranker found none of it relevant.
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

/// Returns the reason to abstain because names or words occur nowhere.
fn unknown_reason(evidence: &[Evidence], unknown: &Unknown) -> Option<AbstainedReason> {
    if !unknown.names.is_empty() {
        return Some(AbstainedReason::UnknownName);
    }
    // A small collection lacks most words. A z-score also requires a certain number of passages.
    // Without the embedding model there is none, and the words alone decide.
    let rankings = || evidence.iter().flat_map(|e| &e.parts.rankings);
    let is_dense = |ranking: &RankingScore| ranking.retriever == RetrieverKind::Dense;
    let are_many_read =
        rankings().any(|ranking| ranking.z_score.is_some()) || !rankings().any(is_dense);
    // A document in another language has none of the words, but may still answer.
    let english = Language::English.tag();
    let is_english =
        |evidence: &Evidence| evidence.passage.language.as_deref().is_none_or(|tag| tag == english);
    let are_english = evidence.iter().take(NEAREST).all(is_english);
    (unknown.has_many_words() && are_many_read && are_english)
        .then_some(AbstainedReason::UnknownWords)
}

/// Returns the first places of the evidence, each document once.
fn nearest(evidence: &[Evidence]) -> Vec<Place> {
    let mut nearest: Vec<Place> = Vec::new();
    for passage in evidence {
        if nearest.iter().all(|source| source.document_id != passage.passage.document_id) {
            nearest.push(Place::of(&passage.passage));
        }
    }
    nearest.truncate(NEAREST);
    nearest
}

/// Returns an abstention for a report that shows nothing, with the nearest documents.
fn untold(nearest: Vec<Place>) -> Abstained {
    let is_none = nearest.is_empty();
    let reason = if is_none { AbstainedReason::NoEvidence } else { AbstainedReason::NotRelevant };
    Abstained { reason, unknown: Vec::new(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::ScoreParts;
    use testing::{passages, ranking_at};

    fn why(names: &[&str], words: &[&str], is_relevant: bool) -> Option<AbstainedReason> {
        let passage = passages("# Valkey\n\nThe pump of the pool ran dry.\n").swap_remove(0);
        let parts = ScoreParts::new(vec![ranking_at(6.0)], 0.9);
        let evidence = [Evidence::of(passage, parts)];
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
