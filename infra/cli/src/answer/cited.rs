//! An answer whose every claim is cited.

use serde::Deserialize;
use wire::records::{RecordsFound, RecordsRequest};

/// The answer with its claims and what they rest on.
#[derive(Debug, Deserialize)]
pub struct Cited {
    pub(crate) knowledge: String,
    /// The claims as one text; empty where there are none.
    #[serde(default)]
    pub answer: String,
    /// What it states, one by one.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// What the claims rest on.
    #[serde(default)]
    pub citations: Vec<Citation>,
    #[serde(default)]
    pub(crate) sources_line: String,
    /// The query over records that the question was read as, and a second one.
    pub(crate) read_as: Option<RecordsRequest>,
    pub(crate) also_read_as: Option<RecordsRequest>,
    /// What that query found.
    pub records: Option<RecordsFound>,
    pub(crate) rewritten_question: Option<String>,
    /// Why it is silent or not certain.
    pub abstained: Option<Abstained>,
    #[serde(default)]
    pub(crate) support: Support,
    /// What was read, best first.
    #[serde(default)]
    pub passages: Vec<Read>,
    /// `current`, `stale` or `contradicted`; only of an answer that is read again.
    pub(crate) now: Option<String>,
    /// How it came about.
    #[serde(default)]
    pub meta: Meta,
}

/// A statement, and the citations it rests on.
#[derive(Debug, Deserialize)]
pub struct Claim {
    /// In words.
    pub text: String,
    /// Their ids.
    #[serde(default)]
    pub citations: Vec<String>,
}

/// A place in a document, and what it says.
#[derive(Debug, Deserialize)]
pub struct Citation {
    /// By what claims name it.
    pub id: String,
    /// As it is shown, `pump.log:12`.
    pub display: String,
    /// The document's name.
    pub name: String,
    /// The first and the last.
    pub lines: Option<(u32, u32)>,
    /// What was assumed to read the log's times.
    pub(crate) assumed: Option<String>,
    /// The document's own words.
    pub quote: String,
    /// What the passage reads like.
    pub(crate) flagged: Option<String>,
    pub(crate) now: Option<Now>,
}

/// A citation as it stands today; only of an answer that is read again.
#[derive(Debug, Deserialize)]
pub(crate) struct Now {
    pub(crate) standing: String,
    pub(crate) lines: Option<(u32, u32)>,
    pub(crate) instead: Option<String>,
}

/// Why there is no answer, or none that is certain.
#[derive(Debug, Deserialize)]
pub struct Abstained {
    /// The word for it on the wire.
    pub reason: String,
    pub(crate) suggested_question: Option<String>,
}

/// How many claims there were, and what became of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Support {
    pub(crate) dropped: usize,
}

/// A passage that was read for the answer.
#[derive(Debug, Deserialize)]
pub struct Read {
    /// The document's name.
    pub name: String,
}

/// How the answer came about.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Meta {
    pub(crate) answer_id: Option<String>,
    /// `extractive` or `generative`.
    pub mode: Option<String>,
    pub(crate) cache: Option<String>,
    pub(crate) cache_age_s: Option<u64>,
    pub(crate) cache_left_s: Option<u64>,
    pub(crate) degraded: Vec<Degraded>,
}

/// A part that did not do its work.
#[derive(Debug, Deserialize)]
pub(crate) struct Degraded {
    pub(crate) part: String,
    pub(crate) reason: String,
}
