//! What is kept of cases.

use async_trait::async_trait;
use jiff::Timestamp;
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Member, Role};

use super::{Guard, Page, Requests, Written};
use model::Result;

/// Knows who belongs to a case.
#[async_trait]
pub trait Members: Send + Sync {
    /// How far the case has come, in one read; `None` where there is no such case or `user` does not belong to it.
    async fn case(&self, case: &str, user: &str) -> Result<Option<CaseStatus>>;
}

/// Keeps cases and who belongs to them.
#[async_trait]
pub trait Cases: Members + Requests {
    /// Writes a new case, whose owner is who created it.
    async fn create_case(&self, case: &Case, guard: Option<&Guard>) -> Result<Written>;

    /// Gives the profile and what `user` may do, both in one read; `None` as for [`Members::case`].
    async fn case_of(&self, case: &str, user: &str) -> Result<Option<(Case, Role)>>;

    /// Lists the cases that `user` belongs to by id, after `after`.
    async fn cases(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>>;

    /// Lists who belongs to a case.
    async fn case_members(&self, case: &str) -> Result<Vec<Member>>;

    /// Lets somebody into an open case; who belongs to it already stays what they are. Whether it is open.
    async fn admit_to_case(&self, case: &str, user: &str) -> Result<bool>;

    /// Lets a member go who is not the owner. Whether they were one.
    async fn remove_case_member(&self, case: &str, user: &str) -> Result<bool>;

    /// Makes a member the owner, and the owner a member. Whether they were these.
    async fn hand_over_case(&self, case: &str, from: &str, to: &str) -> Result<bool>;

    /// Has an open case closing. Whether it was open.
    async fn begin_closing(&self, case: &str, by: &str, at: Timestamp) -> Result<bool>;

    /// Gives the profile, for nobody in particular: only a removal asks so.
    async fn case_profile(&self, case: &str) -> Result<Option<Case>>;

    /// Notes what is gone of a closing case in place of what was noted before. Whether that still stood.
    async fn count_removed(&self, case: &str, before: &Removed, now: &Removed) -> Result<bool>;

    /// Has a closing case closed.
    async fn end_closing(&self, case: &str) -> Result<()>;
}
