//! An answer whose every claim is cited.

use serde::Deserialize;
use wire::records::{RecordsFound, RecordsRequest};

#[derive(Debug, Deserialize)]
pub(crate) struct Cited {
    pub(crate) knowledge: String,
    #[serde(default)]
    pub(crate) answer: String,
    #[serde(default)]
    pub(crate) claims: Vec<Claim>,
    #[serde(default)]
    pub(crate) citations: Vec<Citation>,
    #[serde(default)]
    pub(crate) sources_line: String,
    /// The query over records that the question was read as, and a second one.
    pub(crate) read_as: Option<RecordsRequest>,
    pub(crate) also_read_as: Option<RecordsRequest>,
    /// What that query found.
    pub(crate) records: Option<RecordsFound>,
    pub(crate) rewritten_question: Option<String>,
    pub(crate) abstained: Option<Abstained>,
    #[serde(default)]
    pub(crate) support: Support,
    /// What was read, best first.
    #[serde(default)]
    pub(crate) passages: Vec<Read>,
    /// `current`, `stale` or `contradicted`; only of an answer that is read again.
    pub(crate) now: Option<String>,
    #[serde(default)]
    pub(crate) meta: Meta,
}

/// A statement, and the citations it rests on.
#[derive(Debug, Deserialize)]
pub(crate) struct Claim {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) citations: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Citation {
    pub(crate) id: String,
    pub(crate) display: String,
    pub(crate) name: String,
    pub(crate) lines: Option<(u32, u32)>,
    /// What was assumed to read the log's times.
    pub(crate) assumed: Option<String>,
    pub(crate) quote: String,
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
pub(crate) struct Abstained {
    pub(crate) reason: String,
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
pub(crate) struct Read {
    pub(crate) name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Meta {
    pub(crate) answer_id: Option<String>,
    pub(crate) mode: Option<String>,
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
