//! Facts: the statements of a document, read once at ingest.
//!
//! A fact is a verbatim span of a passage. Questions select, compute with and cite facts; they do
//! not read documents.

use serde::{Deserialize, Serialize};

mod decision;
mod statement;
mod symbol;

pub use decision::{Reason, RecordedDecision};
pub use statement::{Place, Side, Statement, Statements, Value, range, span};
pub use symbol::{Symbol, symbol_key};

/// The version of the rules by which documents are read. It is raised with every change that may
/// change the facts of a document.
pub const READER: u32 = 20;

/// The facts of one document, in its document point, or of one passage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The version of the rules that were used, see [`READER`]; 0 if no facts were read.
    pub reader: u32,
    /// The document's failure report; absent if it reports no failure. Of a passage, the report of
    /// its section, where the document tells of many failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<FailureReport>,
    /// The document's decision, in the passage that states the choice, else in the first one;
    /// absent in all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<RecordedDecision>,
    /// The statements of the passage.
    #[serde(skip_serializing_if = "Statements::is_empty")]
    pub statements: Statements,
    /// The strengths of the passage as a template, a risk, a lesson and a precedent, `0..=1000`, in
    /// this order.
    #[serde(skip_serializing_if = "is_nothing")]
    pub plan: [u16; 4],
    /// The strengths of the passage as an example, a standard and a practice, `0..=1000`, in this
    /// order.
    #[serde(skip_serializing_if = "is_nothing")]
    pub explore: [u16; 3],
    /// True if the heading above the passage announces definitions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_glossary: bool,
    /// The definitions in the passage, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<Defining>,
    /// The requirements in the passage, in order, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Requirement>,
    /// The functions, types and other symbols that a passage of source code defines, in order, at
    /// most 40.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<Symbol>,
}

/// A sentence of a passage that demands or recommends something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The sentence: its first byte in the passage and the byte after its last.
    #[serde(rename = "s")]
    pub sentence: (u32, u32),
    /// The strictness of the requirement.
    #[serde(rename = "d")]
    pub demand: Demand,
}

/// The strictness of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// The requirement is mandatory: shall, must.
    Must,
    /// The requirement is a recommendation: should.
    Should,
}

fn is_nothing<const N: usize>(strengths: &[u16; N]) -> bool {
    strengths.iter().all(|strength| *strength == 0)
}

/// A sentence of a passage that defines a term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defining {
    /// The whole sentence: its first byte in the passage and the byte after its last.
    #[serde(rename = "s")]
    pub sentence: (u32, u32),
    /// The term: its first byte in the passage and the byte after its last.
    #[serde(rename = "t")]
    pub term: (u32, u32),
}

/// A report of a failure, by its parts. A part is absent if the document does not state it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureReport {
    /// The observations: behavior, error messages. At most 8, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symptoms: Vec<Fact>,
    /// The cause that the report names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<Fact>,
    /// The circumstances that contributed to the failure or made it worse. At most 6, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributing_factors: Vec<Fact>,
    /// The measure that ended the failure, or prevents its return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Fact>,
    /// The harm that the failure did. At most 4, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impact: Vec<Fact>,
    /// The events with their times. At most 20, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Event>,
    /// The checks on the way to the cause. At most 4, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Fact>,
    /// The harm and the causes that were not the case. At most 4, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<Fact>,
    /// The measures planned afterwards. At most 6, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Fact>,
}

impl FailureReport {
    /// Returns all facts of the report.
    pub fn all(&self) -> impl Iterator<Item = &Fact> {
        let causes = self.symptoms.iter().chain(&self.root_cause).chain(&self.contributing_factors);
        let then = self.resolution.iter().chain(&self.impact).chain(&self.checked);
        let events = self.timeline.iter().map(|t| &t.event);
        causes.chain(then).chain(&self.denied).chain(&self.actions).chain(events)
    }
}

/// An event of a failure, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The time, as the document writes it: before the event, next to it, or as its heading.
    #[serde(rename = "t")]
    pub time: String,
    /// The event.
    #[serde(rename = "e")]
    pub event: Fact,
}

/// A verbatim span of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The text, as the document has it.
    pub text: String,
    /// The position of the passage that contains it, counted from 0.
    #[serde(rename = "p")]
    pub position: u32,
    /// Its first byte in the passage.
    #[serde(rename = "s")]
    pub start: u32,
    /// The headings above it; absent above the first heading.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The line of the document on which it begins, counted from 1; absent if the lines are
    /// unknown.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}
