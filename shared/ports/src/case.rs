//! Stores of cases.

use async_trait::async_trait;
use jiff::Timestamp;
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Invitation, Member, Role};

use super::{Guard, Page, Requests, Written};
use crate::caller::Caller;
use model::Result;

/// Knows the members of cases.
#[async_trait]
pub trait Members: Send + Sync {
    /// Returns the status of the case, in one read; `None` if there is no such case, or the caller
    /// is no member and not in the team that it belongs to.
    async fn case(&self, case: &str, caller: &Caller) -> Result<Option<CaseStatus>>;
}

/// Stores cases and their members.
#[async_trait]
pub trait Cases: Members + Requests {
    /// Writes a new case. The team that it belongs to owns it, or else its creator.
    async fn create_case(&self, case: &Case, guard: Option<&Guard>) -> Result<Written>;

    /// Returns the profile and the caller's role, both in one read; `None` as for
    /// [`Members::case`]. Everyone in the team that a case belongs to is its owner.
    async fn case_of(&self, case: &str, caller: &Caller) -> Result<Option<(Case, Role)>>;

    /// Lists the cases of which `user` is a member by id, after `after`.
    async fn cases(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>>;

    /// Lists the cases that belong to a team and are not closed by id, after `after`.
    async fn team_cases(
        &self,
        team: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>>;

    /// Lists the members of a case, and those who are invited.
    async fn case_members(&self, case: &str) -> Result<Vec<Member>>;

    /// Invites a user to the case of this invitation; an existing member stays what they are.
    /// Returns true if the case is open.
    async fn invite_to_case(&self, user: &str, invitation: &Invitation) -> Result<bool>;

    /// Makes an invited user a member. Returns true if they were invited and the case is open.
    async fn join_case(&self, case: &str, user: &str) -> Result<bool>;

    /// Removes a member who is not the owner, or an invitation. Returns true if there was one.
    async fn remove_case_member(&self, case: &str, user: &str) -> Result<bool>;

    /// Makes a member the owner, and the owner a member. Returns true if they had these roles.
    async fn hand_over_case(&self, case: &str, from: &str, to: &str) -> Result<bool>;

    /// Begins to close an open case. Returns true if it was open.
    async fn begin_closing(&self, case: &str, by: &str, at: Timestamp) -> Result<bool>;

    /// Returns the profile without a check of the user; only a removal needs this.
    async fn case_profile(&self, case: &str) -> Result<Option<Case>>;

    /// Replaces the counts `before` of the data removed from a closing case by the counts `now`.
    /// Returns true if `before` was still stored.
    async fn count_removed(&self, case: &str, before: &Removed, now: &Removed) -> Result<bool>;

    /// Deletes the alerts of a case, with what was found and told of them; its team lists it no
    /// more.
    async fn forget_alerts(&self, case: &str) -> Result<()>;

    /// Marks a closing case as closed.
    async fn end_closing(&self, case: &str) -> Result<()>;
}
