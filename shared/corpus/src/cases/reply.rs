//! What the cases' routes answer.

use serde::Serialize;
use wire::cases::{Case, CaseList, CaseReply};

/// What the cases' routes answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// To a new case, and to one that closes.
    Case(Case),
    /// To a question for one case, and to a change of its members.
    Members(CaseReply),
    /// To a question for all.
    List(CaseList),
}
