//! What requests and replies of several workflows share.

use crate::decisions::Related;
use model::document::Lifecycle;
use model::evidence::{Place, Quote};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who writes an answer: the documents alone, or a language model too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerMode {
    /// Answers are the passages' own sentences; no language model is asked.
    Extractive,
    /// A language model writes queries where the caller sends none, grades or sorts what is found,
    /// and writes answers from it; each claim is checked against its passages.
    Generative,
}

impl AnswerMode {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            AnswerMode::Extractive => "extractive",
            AnswerMode::Generative => "generative",
        }
    }
}

/// A report, and what the project adds to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "{R}")]
pub struct Answer<R> {
    /// The report.
    #[serde(flatten)]
    pub report: R,
    /// The queries that a language model wrote and that were searched beside the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries_written: Vec<String>,
    /// The project's decisions that bear on the question, best first; absent where no project was
    /// named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Vec<Related>>,
    /// That nothing fits what is asked, and why; the report then has nothing but what is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstained: Option<Abstained>,
}

/// That nothing fits what is asked, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Abstained {
    /// Why.
    pub reason: AbstainedReason,
    /// The names, or the words, of the question and its queries that stand in nothing that was
    /// searched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// What came nearest all the same, best first, each document once; at most 3.
    pub nearest: Vec<Place>,
}

impl Abstained {
    /// Says the reason in a sentence.
    pub fn sentence(&self) -> String {
        let unknown = self.unknown.join(", ");
        match self.reason {
            AbstainedReason::UnknownName => {
                format!("Nothing that was searched has the name {unknown}.")
            }
            AbstainedReason::UnknownWords => {
                format!("Nothing that was searched has these words: {unknown}.")
            }
            AbstainedReason::NotRelevant => "Nothing that was searched answers this.".into(),
            AbstainedReason::NoEvidence => {
                "Nothing was found: no document passes the filters, or there is none.".into()
            }
        }
    }
}

/// Why nothing fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbstainedReason {
    /// The question is about something by a name that stands in nothing that was searched.
    UnknownName,
    /// Many of the question's words stand in nothing that was searched.
    UnknownWords,
    /// A reranker or a language model finds nothing relevant, or nothing that was found is of the
    /// subject.
    NotRelevant,
    /// Nothing was found: no document passes the filters, or there is none.
    NoEvidence,
}

/// A decision that a document records on what is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentedDecision {
    /// The sentence that says what was chosen.
    #[serde(flatten)]
    pub chosen: Quote,
    /// The option that was chosen, by its name among those asked for; absent where none of them is
    /// named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// What became of the decision; absent where the document does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Lifecycle>,
    /// The document's own day, in UTC: `2026-06-09`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What the document says for the choice, and for its option, in its words. At most 3.
    pub reasons_for: Vec<Quote>,
    /// What it says against the chosen option. At most 3.
    pub reasons_against: Vec<Quote>,
    /// The passage that it stands in.
    pub passage: Place,
}

/// How much the searched documents have on a facet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// How many of the passages that were found serve it.
    pub passages: usize,
    /// In how many documents they stand.
    pub documents: usize,
}

/// A facet that the documents lack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gap {
    /// The facet.
    pub facet: String,
}

/// Returns true for a count that a reply leaves out.
pub(crate) fn is_zero<T: PartialEq + From<u8>>(count: &T) -> bool {
    *count == T::from(0)
}
