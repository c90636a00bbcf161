//! Alerts as they are sent, and what was done with them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AlertState;

/// Alerts in this project's own form, for a sender that has none. Unknown fields are kept.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewAlerts {
    /// The key of the group, whose alerts are one case; each alert is a group where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The alerts, at most 1,000.
    #[schemars(length(min = 1, max = 1000))]
    pub alerts: Vec<NewAlert>,
}

/// An alert in this project's own form.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct NewAlert {
    /// Its name: that of the rule that fired.
    pub name: String,
    /// `firing` or `resolved`; `firing` where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<AlertState>,
    /// The key by which it is known when it comes again; made of name and labels where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Since when, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Timestamp>,
    /// The severity, in the sender's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
    /// The service that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// A line on what happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// A longer text on what happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The address of its runbook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runbook_url: Option<String>,
    /// The address at which the sender shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Its labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// The cases to which alerts went that were sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReceivedAlerts {
    /// The case of each group.
    pub cases: Vec<ReceivedGroup>,
}

/// The alerts that came of one group, counted by what was done with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReceivedGroup {
    /// The case.
    pub case_id: String,
    /// True if they opened it.
    pub is_new: bool,
    /// Alerts that the case did not have.
    pub added: usize,
    /// Alerts that it had: they count once more.
    pub repeated: usize,
    /// Alerts that are over.
    pub resolved: usize,
    /// Alerts that the case has no room for: it has 1,000 at most.
    #[serde(default, skip_serializing_if = "crate::common::is_zero")]
    pub left_out: usize,
}
