//! Cases: whose evidence it is, and whether it is still there.

use crate::projects::Member;
use jiff::Timestamp;
use model::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a case has come. There is no way back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaseStatus {
    /// Its members read and write.
    Open,
    /// Nobody reads or writes any more, and its evidence is being removed.
    Closing,
    /// Nothing is left but its profile and who belonged to it.
    Closed,
}

impl CaseStatus {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            CaseStatus::Open => "open",
            CaseStatus::Closing => "closing",
            CaseStatus::Closed => "closed",
        }
    }

    /// Checks that members may read and write.
    ///
    /// # Errors
    /// [`Error::Conflict`] says that it is closed, or about to be.
    pub fn require_open(self) -> Result<()> {
        match self {
            CaseStatus::Open => Ok(()),
            CaseStatus::Closing => {
                Err(Error::conflict("case", "is closed: its evidence is being removed"))
            }
            CaseStatus::Closed => {
                Err(Error::conflict("case", "is closed: its evidence was removed"))
            }
        }
    }
}

/// What is gone of a closed case, at least: what a removal that broke off had no time to count is
/// missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Removed {
    /// Documents.
    pub documents: u64,
    /// Points of the index.
    pub points: u64,
    /// Uploaded files, each version of one for itself.
    pub files: u64,
    /// Answers and vectors that were kept for a while.
    pub cached: u64,
}

impl Removed {
    /// The same and `more`.
    #[must_use]
    pub fn plus(self, more: Removed) -> Removed {
        Removed {
            documents: self.documents + more.documents,
            points: self.points + more.points,
            files: self.files + more.files,
            cached: self.cached + more.cached,
        }
    }
}

/// A case's profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// A ULID.
    pub case_id: String,
    /// What it is about.
    pub title: String,
    /// The team that it belongs to, a group of tokens: everyone in it may do what an owner may.
    /// Absent where it belongs to persons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// How far it has come.
    pub status: CaseStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// By whom; `alerts/ROUTE` for a case that alerts opened.
    pub created_by: String,
    /// When it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
    /// By whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<String>,
    /// What is gone of it, since it was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<Removed>,
}

/// Creates a case.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCase {
    /// What it is about, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// The team that it belongs to, a group of the caller; to the caller alone where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
}

/// A case with its members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseReply {
    /// The profile.
    #[serde(flatten)]
    pub case: Case,
    /// Who belongs to it.
    pub members: Vec<Member>,
}

/// A page of the cases of the caller or a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseList {
    /// The cases by id, oldest first.
    pub cases: Vec<Case>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_its_name_on_the_wire_and_only_an_open_case_lets_in() {
        for status in [CaseStatus::Open, CaseStatus::Closing, CaseStatus::Closed] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
            assert_eq!(status.require_open().is_ok(), status == CaseStatus::Open);
        }
        let refusal = CaseStatus::Closing.require_open().unwrap_err().to_string();
        assert_eq!(refusal, "conflict on `case`: is closed: its evidence is being removed");
    }
}
