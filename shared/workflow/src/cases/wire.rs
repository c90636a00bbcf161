//! What the cases' routes take and answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::project::Member;

/// Creates a case.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCase {
    /// What it is about, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
}

/// A case with its members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CaseReply {
    /// The profile.
    #[serde(flatten)]
    pub case: Case,
    /// Who belongs to it.
    pub members: Vec<Member>,
}

/// A page of the caller's cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CaseList {
    /// The cases by id, oldest first.
    pub cases: Vec<Case>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// What the cases' routes answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    /// To a new case, and to one that closes.
    Case(Case),
    /// To a question for one case, and to a change of its members.
    Members(CaseReply),
    /// To a question for all.
    List(CaseList),
}
