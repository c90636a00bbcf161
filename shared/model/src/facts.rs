//! Facts: the statements of a document, read once, when it is ingested.
//!
//! A fact is a span of a passage, verbatim. Questions select facts, compute with them and cite them; they read no
//! document.

use serde::{Deserialize, Serialize};

mod decision;
mod statement;
mod symbol;

pub use decision::{DocumentedStatus, Reason, RecordedDecision};
pub use statement::{Place, Side, Statement, Statements, Value, range, span};
pub use symbol::{Symbol, symbol_key};

/// The version of the rules by which documents are read. It grows with every change after which the same document may
/// give other facts.
pub const READER: u32 = 12;

/// Facts of one document, which its document point has, or of one passage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// The version of the rules that read it, see [`READER`]; 0 where nothing was read.
    pub reader: u32,
    /// A document's report of a failure; absent where it reports none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<FailureReport>,
    /// The document's decision, at the passage that says what was chosen, else at the first one; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<RecordedDecision>,
    /// A passage's statements.
    #[serde(skip_serializing_if = "Statements::is_empty")]
    pub statements: Statements,
    /// The strength with which a passage gives a template, a risk, a lesson and a precedent, `0..=1000`, in this order.
    #[serde(skip_serializing_if = "is_nothing")]
    pub plan: [u16; 4],
    /// The strength with which a passage gives an example, a standard and a practice, `0..=1000`, in this order.
    #[serde(skip_serializing_if = "is_nothing")]
    pub explore: [u16; 3],
    /// True below a heading that announces definitions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_glossary: bool,
    /// The passage's definitions, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<Defining>,
    /// The passage's requirements, in its order. At most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<Requirement>,
    /// The functions, types and the like that a passage of source code defines, in its order. At most 40.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<Symbol>,
}

/// A sentence of a passage that demands or recommends something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The sentence: its first byte in the passage and the byte after its last.
    #[serde(rename = "s")]
    pub sentence: (u32, u32),
    /// How strictly.
    #[serde(rename = "d")]
    pub demand: Demand,
}

/// How strictly a requirement is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Demand {
    /// It has to be met: shall, must.
    Must,
    /// It is recommended: should.
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
    /// The term, likewise.
    #[serde(rename = "t")]
    pub term: (u32, u32),
}

/// A report of a failure, by its parts. Each is absent where the document does not tell it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FailureReport {
    /// Observations: behavior, error messages. At most 8, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symptoms: Vec<Fact>,
    /// The cause that the report names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<Fact>,
    /// Circumstances that helped it to happen or made it worse. At most 6, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributing_factors: Vec<Fact>,
    /// The measure that ended it, or keeps it from coming back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Fact>,
    /// Harm that it did. At most 4, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub impact: Vec<Fact>,
    /// Events with their times. At most 20, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timeline: Vec<Event>,
    /// Examinations on the way to the cause. At most 4, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Fact>,
    /// Harm and causes that were not the case. At most 4, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<Fact>,
    /// Measures planned afterwards. At most 6, in the document's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Fact>,
}

impl FailureReport {
    /// All that it tells.
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
    /// The time, as the document writes it before the event, beside it or as its heading.
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
    /// The position of the passage that it stands in, from 0.
    #[serde(rename = "p")]
    pub position: u32,
    /// Its first byte in the passage.
    #[serde(rename = "s")]
    pub start: u32,
    /// The headings above it; absent above the first heading.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The line of the document on which it begins, from 1; absent where lines are not known.
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}
