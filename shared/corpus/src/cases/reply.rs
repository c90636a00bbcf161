//! The replies of the routes for cases.

use serde::Serialize;
use wire::cases::{Case, CaseList, CaseReply};

/// A reply of the routes for cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// The reply to creating a case, and to closing one.
    Case(Case),
    /// The reply to reading one case, and to a change of its members.
    Members(CaseReply),
    /// The reply to listing all cases.
    List(CaseList),
}
