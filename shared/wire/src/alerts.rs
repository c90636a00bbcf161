//! Alerts of monitoring systems, the cases that they open, and what is found for each.

use jiff::Timestamp;
use model::evidence::{Place, Quote, Strength};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answer::AnswerReport;
use crate::cases::Case;
use crate::common::{Answer, DocumentedDecision};
use crate::rcca::RccaReport;

mod received;

pub use received::{NewAlert, NewAlerts, ReceivedAlerts, ReceivedGroup};

/// The state of an alert.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlertState {
    /// It is on.
    #[default]
    Firing,
    /// It is over.
    Resolved,
}

/// An alert as a vendor's file reads it. Secrets in it are masked.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alert {
    /// The name of the rule that fired.
    pub name: String,
    /// Its state.
    pub state: AlertState,
    /// The key by which it is known when it comes again: the sender's, or of name and labels.
    pub fingerprint: String,
    /// Since when; absent where the sender does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<Timestamp>,
    /// Until when; absent while it is on, and where the sender does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Timestamp>,
    /// The time of what the sender tells of it; absent where the sender does not say. What is told
    /// later and happened before changes no state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_at: Option<Timestamp>,
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
    /// All that the sender says of it, as it came; what is longer than 16 KiB is left out.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
}

/// An alert of a case, with how often it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseAlert {
    /// The alert as it came first, with the state in which it came last.
    #[serde(flatten)]
    pub alert: Alert,
    /// The number of times that it came.
    pub count: u32,
    /// The time at which it came first.
    pub first_at: Timestamp,
    /// The time at which it came last.
    pub last_at: Timestamp,
    /// The time at which its end came; absent while it is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
}

/// The way in which a runbook was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// The alert has its address.
    Link,
    /// It has the alert's name.
    Name,
    /// It is the nearest in words and meaning.
    Likeness,
}

/// A runbook for an alert.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Runbook {
    /// The name of the alert that it is for.
    pub alert: String,
    /// The way in which it was found.
    pub found_by: FoundBy,
    /// Likeness to the alert in meaning; absent where too few passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// Its passage that is nearest to the alert.
    pub passage: Place,
    /// The text of that passage, verbatim.
    pub text: String,
    /// The documents that came next, best first; at most 4.
    pub nearest: Vec<Place>,
}

/// The owner of what fired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Owner {
    /// Who, as the document writes it.
    pub owner: String,
    /// The document that says it.
    pub file: String,
    /// The line of it, from 1; absent where it is a property of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The findings for the alerts of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Brief {
    /// The time of the search.
    pub made_at: Timestamp,
    /// The number of alerts that the case had then; the findings are renewed where other things are
    /// asked. 0 where a part could not be looked for.
    pub alerts: usize,
    /// The question that was asked: the names and texts of the alerts.
    pub question: String,
    /// The runbook of each alert that has one, at most 3.
    pub runbooks: Vec<Runbook>,
    /// Past failures like it, with their causes, what was checked and what helped.
    pub past: Answer<RccaReport>,
    /// True if a language model compared the past failures with the alerts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_judged: bool,
    /// Decisions in documents on what fired, nearest first; at most 3.
    pub decided: Vec<DocumentedDecision>,
    /// The owner of what fired; absent where no document says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Sentences on what is weak or missing in all this.
    pub missing: Vec<String>,
    /// A paragraph on all this, written by a language model and checked claim by claim; absent
    /// without a model that does that, and where no claim stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerReport>,
    /// The id under which the paragraph is kept as an answer of the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_id: Option<String>,
}

/// A case that alerts opened, with what was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlertCase {
    /// The case.
    #[serde(flatten)]
    pub case: Case,
    /// Its alerts, in the order in which they came.
    pub alerts: Vec<CaseAlert>,
    /// The findings; absent while nothing was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub brief: Option<Brief>,
}

/// The open cases of a team, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TeamCases {
    /// The cases by id, oldest first.
    pub cases: Vec<TeamCase>,
    /// Where the next page begins, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A case of a team, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TeamCase {
    /// The case.
    #[serde(flatten)]
    pub case: Case,
    /// The number of its alerts; 0 for a case that a person opened.
    pub alerts: usize,
    /// The number of them that are on.
    pub firing: usize,
    /// The runbooks that were found.
    pub runbooks: Vec<Place>,
    /// The past failures that were found, the likest first, each with its cause where its report
    /// tells one.
    pub past: Vec<PastInShort>,
    /// The owner of what fired; absent where no document says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
}

/// Upper bound for the past failures that are named of a case in short.
const PAST: usize = 2;

impl AlertCase {
    /// The same in short.
    pub fn in_short(&self) -> TeamCase {
        let brief = self.brief.as_ref();
        let runbooks = brief.iter().flat_map(|brief| &brief.runbooks);
        let past = brief.iter().flat_map(|brief| &brief.past.report.results).take(PAST);
        TeamCase {
            case: self.case.clone(),
            alerts: self.alerts.len(),
            firing: self.alerts.iter().filter(|alert| alert.resolved_at.is_none()).count(),
            runbooks: runbooks.map(|runbook| runbook.passage.clone()).collect(),
            past: past
                .map(|failure| PastInShort {
                    passage: failure.passage.clone(),
                    cause: failure.report.root_cause.clone(),
                })
                .collect(),
            owner: brief.and_then(|brief| brief.owner.clone()),
        }
    }
}

/// A past failure in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PastInShort {
    /// Its report.
    pub passage: Place,
    /// Its cause; absent where the report tells none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Quote>,
}
