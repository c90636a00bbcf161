//! Scores as words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lower bound for the z-score of a passage that is on a question's subject, whatever words it
/// uses.
pub const NEAR: f64 = 4.0;

/// Lower bound for the z-score of a passage that may be on a question's subject, if some of its
/// words match, too.
pub const RATHER_NEAR: f64 = 2.8;

/// How much a passage is like a question in meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Its z-score is at least [`NEAR`].
    Strong,
    /// Its z-score is at least [`RATHER_NEAR`].
    Fair,
    /// Its z-score is below that.
    Weak,
}

impl Strength {
    /// Returns the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Strength::Strong => "strong",
            Strength::Fair => "fair",
            Strength::Weak => "weak",
        }
    }

    pub(super) fn of(z_score: f64) -> Strength {
        if z_score >= NEAR {
            Strength::Strong
        } else if z_score >= RATHER_NEAR {
            Strength::Fair
        } else {
            Strength::Weak
        }
    }
}
