//! Cases and who belongs to them.

use serde::Deserialize;

use super::project::Member;

#[derive(Debug, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names are those of the wire")]
pub(crate) struct Case {
    pub(crate) case_id: String,
    pub(crate) title: String,
    pub(crate) status: String,
    pub(crate) created_at: String,
    pub(crate) created_by: String,
    pub(crate) closed_at: Option<String>,
    pub(crate) closed_by: Option<String>,
    pub(crate) removed: Option<Removed>,
    /// Only where one case is told of.
    #[serde(default)]
    pub(crate) members: Vec<Member>,
}

/// How much of a closed case is gone.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Removed {
    pub(crate) documents: usize,
    pub(crate) points: usize,
    pub(crate) files: usize,
    pub(crate) cached: usize,
}
