//! What became of a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of a document in its life, as it says itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lifecycle {
    /// Not finished.
    Draft,
    /// Finished, and not agreed yet.
    Proposed,
    /// Agreed, and not used any more because another one replaces it.
    Superseded,
    /// To be used no more.
    Deprecated,
    /// Not agreed.
    Rejected,
    /// Taken back: it was wrong.
    Retracted,
    /// In use.
    Accepted,
}

impl Lifecycle {
    /// All of them, with their names in the API.
    pub const ALL: [(Lifecycle, &str); 7] = [
        (Lifecycle::Draft, "draft"),
        (Lifecycle::Proposed, "proposed"),
        (Lifecycle::Superseded, "superseded"),
        (Lifecycle::Deprecated, "deprecated"),
        (Lifecycle::Rejected, "rejected"),
        (Lifecycle::Retracted, "retracted"),
        (Lifecycle::Accepted, "accepted"),
    ];

    /// Parses the name in the API.
    pub fn parse(name: &str) -> Option<Lifecycle> {
        Lifecycle::ALL.iter().find(|(_, known)| *known == name).map(|(lifecycle, _)| *lifecycle)
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        Lifecycle::ALL.iter().find(|(known, _)| *known == self).map_or("", |(_, name)| name)
    }

    /// Returns true if the document does not hold now.
    pub fn is_past(self) -> bool {
        !matches!(self, Lifecycle::Accepted | Lifecycle::Draft | Lifecycle::Proposed)
    }
}
