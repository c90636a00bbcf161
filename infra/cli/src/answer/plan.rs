//! What there is for a plan, from documents and from the project's own trail.

use serde::Deserialize;

use super::explore::Finding;
use super::project::Decided;
use super::{Gap, ScoreParts};

/// Passages by what they are to the plan, and decisions.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Plan {
    pub(crate) templates: Vec<Finding>,
    pub(crate) risks: Vec<Finding>,
    pub(crate) lessons_learned: Vec<Finding>,
    pub(crate) precedents: Vec<Finding>,
    pub(crate) gaps: Vec<Gap>,
    /// Best first.
    pub project_decisions: Vec<Near>,
}

/// A decision of the project that bears on the plan.
#[derive(Debug, Deserialize)]
pub struct Near {
    /// The decision.
    #[serde(flatten)]
    pub decided: Decided,
    /// How near it is.
    pub score: f64,
    #[serde(default)]
    pub(crate) score_parts: ScoreParts,
}

impl Plan {
    /// Its parts by their names on the wire.
    pub fn parts(&self) -> [(&'static str, &[Finding]); 4] {
        [
            ("templates", &self.templates),
            ("risks", &self.risks),
            ("lessons_learned", &self.lessons_learned),
            ("precedents", &self.precedents),
        ]
    }
}
