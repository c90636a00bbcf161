//! The replies of the routes for cases.

use serde::Serialize;
use wire::alerts::{AlertCase, TeamCases};
use wire::cases::{Case, CaseList, CaseReply};

/// A reply of the routes for cases.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// The reply to creating a case, and to closing one.
    Case(Case),
    /// The reply to reading one case, and to a change of its members.
    Members(CaseReply),
    /// The reply to listing all cases.
    List(CaseList),
    /// The reply to reading the alerts of a case.
    Alerts(Box<AlertCase>),
    /// The reply to listing the cases of a team.
    OfTeam(TeamCases),
}
