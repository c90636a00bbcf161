//! Projects: who asks, under which standards and constraints, and how far the work has come.

use jiff::Timestamp;
use model::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a project has come. `completed` and `abandoned` are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    Planning,
    /// Under way.
    Active,
    /// Done.
    Completed,
    /// Given up.
    Abandoned,
}

impl Status {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Status::Planning => "planning",
            Status::Active => "active",
            Status::Completed => "completed",
            Status::Abandoned => "abandoned",
        }
    }

    /// Whether no move leads out of it.
    pub fn is_final(self) -> bool {
        matches!(self, Status::Completed | Status::Abandoned)
    }

    /// Moves to `next`, if a project may.
    ///
    /// # Errors
    /// [`Error::Conflict`] names both states.
    pub fn advance(self, next: Status) -> Result<Status> {
        use Status::{Abandoned, Active, Completed, Planning};
        match (self, next) {
            (Planning, Active | Abandoned) | (Active, Completed | Abandoned) => Ok(next),
            _ => Err(Error::conflict(
                "to",
                format!("a project cannot go from {} to {}", self.name(), next.name()),
            )),
        }
    }
}

/// A move from one status to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Move {
    /// The status before.
    pub from: Status,
    /// The status since.
    pub to: Status,
    /// Who moved it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A project's profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Project {
    /// A ULID.
    pub project_id: String,
    /// What it is called.
    pub name: String,
    /// The field it works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The standards that hold for it.
    #[serde(default)]
    pub standards: Vec<String>,
    /// What it must respect.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// How far it has come.
    pub status: Status,
    /// Counts the profile's changes, from 1.
    pub version: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When the profile changed last.
    pub updated_at: Timestamp,
    /// Its moves, the first one first.
    #[serde(default)]
    pub history: Vec<Move>,
    /// The decisions that rest on evidence that changed or went, by their ids.
    #[serde(default)]
    pub needs_review: Vec<String>,
}

/// What a member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads, writes and manages.
    Owner,
    /// Reads and writes.
    Member,
    /// Neither reads nor writes before the invitation is accepted.
    Invited,
}

/// The kind of place to which somebody is invited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InvitedTo {
    /// A project.
    Project,
    /// A case.
    Case,
}

/// An invitation that was neither accepted nor declined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invitation {
    /// The kind of the place.
    pub to: InvitedTo,
    /// The id of the project or the case.
    pub id: String,
    /// Its name or title, as who invites wrote it.
    pub title: String,
    /// Who invites, by the token's subject.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// The invitations to the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvitationList {
    /// The invitations, by kind and id.
    pub invitations: Vec<Invitation>,
}

/// Somebody who belongs to a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// The token's subject.
    pub user: String,
    /// What they may do.
    pub role: Role,
}

/// Creates a project.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewProject {
    /// What it is called, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// The field it works in, up to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The standards that hold for it, up to 50 of up to 200 characters.
    #[schemars(length(max = 50), inner(length(min = 1, max = 200)))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standards: Vec<String>,
    /// What it must respect, up to 50 of up to 500 characters.
    #[schemars(length(max = 50), inner(length(min = 1, max = 500)))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
}

/// Changes a profile; what is absent stays.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectChange {
    /// The version that the caller has seen.
    pub version: u64,
    /// What it is called, 1 to 200 characters.
    #[schemars(length(min = 1, max = 200))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The field it works in; empty takes it away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// The standards that hold for it, all of them.
    #[schemars(length(max = 50), inner(length(min = 1, max = 200)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standards: Option<Vec<String>>,
    /// What it must respect, all of it.
    #[schemars(length(max = 50), inner(length(min = 1, max = 500)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Vec<String>>,
}

/// Moves a project.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMove {
    /// The status wanted.
    pub to: Status,
    /// Why, up to 1,000 characters.
    #[schemars(length(min = 1, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The version that the caller has seen.
    pub version: u64,
}

/// A project with its members.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ProjectReply {
    /// The profile.
    #[serde(flatten)]
    pub project: Project,
    /// Who belongs to it.
    pub members: Vec<Member>,
}

/// A page of the caller's projects.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ProjectList {
    /// The projects by id, oldest first.
    pub projects: Vec<Project>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Who belongs to a project.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct MemberList {
    /// The members, by name.
    pub members: Vec<Member>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Status::{Abandoned, Active, Completed, Planning};

    #[test]
    fn a_project_moves_forward_and_ends_for_good() {
        let all = [Planning, Active, Completed, Abandoned];
        let moves = all.iter().flat_map(|from| all.iter().map(|to| (*from, *to)));
        let allowed: Vec<_> = moves.filter(|(from, to)| from.advance(*to).is_ok()).collect();
        let expected =
            [(Planning, Active), (Planning, Abandoned), (Active, Completed), (Active, Abandoned)];
        assert_eq!(allowed, expected);
        assert!(
            all.iter()
                .all(|from| { from.is_final() == all.iter().all(|to| from.advance(*to).is_err()) })
        );
    }

    #[test]
    fn a_refused_move_names_both_states() {
        let refusal = Completed.advance(Active).unwrap_err().to_string();
        assert_eq!(refusal, "conflict on `to`: a project cannot go from completed to active");
    }
}
