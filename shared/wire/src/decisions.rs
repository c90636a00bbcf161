//! Decisions: what was chosen among which alternatives, why, and on what evidence.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use model::{Error, Result};

mod reply;
mod request;

pub use reply::{
    DecisionList, DecisionReply, ReindexDecisionsReply, Related, RelatedList, RestingDecision,
    RestingList, SuccessionLink,
};
pub use request::{NewDecision, NewDecisionMove, NewRelated, Reference, ReindexDecisionsRequest};

/// How a decision stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStatus {
    /// Not decided yet.
    Proposed,
    /// It holds.
    Accepted,
    /// Decided against; final.
    Rejected,
    /// It held until another one took its place; final.
    Superseded,
}

impl DecisionStatus {
    /// All of them.
    pub const ALL: [DecisionStatus; 4] = [
        DecisionStatus::Proposed,
        DecisionStatus::Accepted,
        DecisionStatus::Rejected,
        DecisionStatus::Superseded,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DecisionStatus::Proposed => "proposed",
            DecisionStatus::Accepted => "accepted",
            DecisionStatus::Rejected => "rejected",
            DecisionStatus::Superseded => "superseded",
        }
    }

    /// Reads a name as on the wire.
    pub fn parse(name: &str) -> Option<DecisionStatus> {
        DecisionStatus::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Moves to `next`, if a decision may: a proposed one is accepted or rejected. What is
    /// superseded is so by the decision that takes its place, and not by a move.
    ///
    /// # Errors
    /// [`Error::Conflict`] names both states.
    pub fn advance(self, next: DecisionStatus) -> Result<DecisionStatus> {
        use DecisionStatus::{Accepted, Proposed, Rejected};
        match (self, next) {
            (Proposed, Accepted | Rejected) => Ok(next),
            _ => Err(Error::conflict(
                "to",
                format!("a decision cannot go from {} to {}", self.name(), next.name()),
            )),
        }
    }
}

/// A change of a decision's status, or a review of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionMove {
    /// The status since.
    pub to: DecisionStatus,
    /// Who changed it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A decision without its sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// A ULID.
    pub decision_id: String,
    /// What was chosen.
    pub decision: String,
    /// What it was chosen from.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// Why.
    pub rationale: String,
    /// How it stands.
    pub status: DecisionStatus,
    /// When it was decided, which may be before it was recorded.
    pub decided_at: Timestamp,
    /// When it was recorded.
    pub recorded_at: Timestamp,
    /// Who recorded it.
    pub by: String,
    /// The decision whose place it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// The decision that took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// How many sources it has.
    pub source_count: usize,
    /// Counts its changes, from 1.
    pub version: u64,
    /// Its statuses, the first one first.
    pub history: Vec<DecisionMove>,
    /// Sources that changed or went since.
    #[serde(default)]
    pub needs_review: Vec<Review>,
    /// Those that somebody has looked at, each source once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewed: Vec<Reviewed>,
}

/// A passage that a decision rests on, as it was then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSource {
    /// The passage.
    pub passage_id: Uuid,
    /// How much the decision rests on it, `0.0..=1.0`, as the caller says.
    pub relevance: f64,
    /// Its document.
    #[serde(default, skip_serializing_if = "Uuid::is_nil")]
    pub document_id: Uuid,
    /// The name under which the document was uploaded.
    pub file: String,
    /// The document's title.
    pub title: String,
    /// The headings above it, outermost first; `null` above the first one.
    pub section: Option<String>,
    /// Where the original is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// First and last line in the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// The passage, verbatim; part of it where `is_excerpt`.
    pub quote: String,
    /// The quote is what a kept answer cited, since the passage itself could not be read when the
    /// decision was recorded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_excerpt: bool,
    /// SHA-256 of the whole passage, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

/// A source whose passage is in no live version of its document any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    /// The passage that the decision rested on.
    pub passage_id: Uuid,
    /// Its document.
    #[serde(default, skip_serializing_if = "Uuid::is_nil")]
    pub document_id: Uuid,
    /// The name under which the document was uploaded.
    pub file: String,
    /// The passage as it was.
    pub was: String,
    /// The nearest passage of the document as it is now; `null` where there is none like it, or no
    /// document.
    pub nearest: Option<Nearest>,
    /// Since when: when the version of the document was uploaded that no longer has it, or the
    /// document went.
    pub since: Timestamp,
}

/// A passage that may have taken another one's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Nearest {
    /// The passage.
    pub passage_id: Uuid,
    /// SHA-256 of its text, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// Its text, verbatim; absent where the document is not everyone's: who may read it finds it by
    /// its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A review that somebody made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// The passage that the decision rested on.
    pub passage_id: Uuid,
    /// SHA-256 of the passage that stood in its place then, in hexadecimal digits; `null` where
    /// there was none like it.
    pub nearest_hash: Option<String>,
}

/// A decision with its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
    /// What it rests on.
    pub sources: Vec<DecisionSource>,
}

impl Decision {
    /// What was done to it, the first one first: the status since, or `confirmed` where that was
    /// the one before.
    pub fn steps(&self) -> impl Iterator<Item = (&'static str, &DecisionMove)> {
        let mut before = None;
        self.history.iter().map(move |change| {
            let is_same = before.replace(change.to) == Some(change.to);
            (if is_same { "confirmed" } else { change.to.name() }, change)
        })
    }

    /// The decision as it stood at `time`; `None` where it was not recorded yet. What needs review
    /// is of today, and so left out.
    pub fn as_of(mut self, time: Timestamp) -> Option<Decision> {
        if self.recorded_at > time {
            return None;
        }
        self.history.retain(|change| change.at <= time);
        self.status = self.history.last()?.to;
        if self.status != DecisionStatus::Superseded {
            self.superseded_by = None;
        }
        // A proposal takes its place when it is accepted.
        if matches!(self.status, DecisionStatus::Proposed | DecisionStatus::Rejected) {
            self.supersedes = None;
        }
        self.needs_review.clear();
        self.reviewed.clear();
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecisionStatus::{Accepted, Proposed, Rejected, Superseded};

    #[test]
    fn a_proposal_is_decided_once_and_nothing_is_superseded_by_a_move() {
        let all = DecisionStatus::ALL;
        let moves = all.iter().flat_map(|from| all.iter().map(|to| (*from, *to)));
        let allowed: Vec<_> = moves.filter(|(from, to)| from.advance(*to).is_ok()).collect();
        assert_eq!(allowed, [(Proposed, Accepted), (Proposed, Rejected)]);
    }

    #[test]
    fn every_status_reads_back_from_its_name() {
        for status in [Proposed, Accepted, Rejected, Superseded] {
            assert_eq!(DecisionStatus::parse(status.name()), Some(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
    }
}
