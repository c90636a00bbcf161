//! Search over several kinds of sources: routed, fused, with its conflicts.

use crate::request::workflow_request;
use model::evidence::{PassageResult, Place};
use model::facts::Symbol;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

workflow_request! {
    /// Asks several kinds of sources at once: code, textbooks, documentation, guides, exported
    /// forum threads, uploaded logs and settings.
    pub struct SearchRequest {
        /// The question, or the terms sought; 1 to 2,000 characters.
        question,
        /// The project that it is asked for: it is noted in that project's trail, whose profile and
        /// decisions count as context.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// The number of results wanted, 1 to 50; 10 where absent.
        top_k,
        /// The sources to ask, by name, and no others: `code`, `textbook`, `docs`, `guide`,
        /// `forum`, `runtime`. Chosen by the question and its queries where absent. Name them only
        /// when you know where the answer stands: what stands elsewhere is not found.
        #[schemars(length(min = 1, max = 16))]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub sources: Option<Vec<String>>,
        /// The files and errors that the asker works on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub context: Option<SearchContext>,
    }
}

/// The files and errors that the asker works on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchContext {
    /// Paths of files that are open, at most 20. Passages of these files count a little more.
    #[schemars(length(max = 20), inner(length(min = 1, max = 500)))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Error messages as they were shown, at most 5. Each is searched beside the question.
    #[schemars(length(max = 5), inner(length(min = 1, max = 2000)))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

/// Passages of several sources, and where they disagree.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct SearchReport {
    /// Always `search`.
    pub result_type: String,
    /// The sources that were asked, and the reasons.
    pub routing: Routing,
    /// Passages, best first; the same passage of several documents once.
    pub results: Vec<SearchResult>,
    /// Statements of the results that cannot all be true, each with its sources; none of them is
    /// taken for right.
    pub conflicts: Vec<Conflict>,
    /// Counts of sources.
    pub totals: SearchTotals,
}

/// The sources that were asked, and the reasons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Routing {
    /// The purpose of the question, where a language model told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// The reason for this intent and these sources, in a sentence.
    pub reason: String,
    /// All sources, best first.
    pub sources: Vec<RoutedSource>,
}

/// A source, and how it was routed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoutedSource {
    /// Its name.
    pub name: String,
    /// The time at which it was asked, relative to the others.
    pub asked: AskedWhen,
    /// The number of passages found; absent where it was not asked or did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<usize>,
    /// The milliseconds until it answered; absent where it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// When a source was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskedWhen {
    /// At once.
    First,
    /// Later, because the first ones did not suffice.
    Later,
    /// Not at all.
    No,
}

/// The purpose of a question.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// To find a place in the code.
    Locate,
    /// To build or write something.
    Implement,
    /// To understand a concept.
    Explain,
    /// To choose between options.
    Compare,
    /// To set something up.
    Configure,
    /// To call or use something.
    Use,
    /// To understand a failure.
    Troubleshoot,
}

impl Intent {
    /// All of them, with their names on the wire.
    pub const ALL: [(Intent, &str); 7] = [
        (Intent::Locate, "locate"),
        (Intent::Implement, "implement"),
        (Intent::Explain, "explain"),
        (Intent::Compare, "compare"),
        (Intent::Configure, "configure"),
        (Intent::Use, "use"),
        (Intent::Troubleshoot, "troubleshoot"),
    ];

    /// Returns its name on the wire.
    pub fn name(self) -> &'static str {
        Intent::ALL.iter().find(|(intent, _)| *intent == self).map_or("explain", |(_, name)| name)
    }
}

/// A passage, with all the documents that have it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResult {
    /// The passage that was found best.
    #[serde(flatten)]
    pub result: PassageResult,
    /// The names of the sources that have it.
    pub sources: Vec<String>,
    /// The functions, types and the like that it defines, each with its line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<Symbol>,
    /// The same passage in other documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_at: Vec<Place>,
    /// Other results that speak of the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedResult>,
}

/// Another result that speaks of the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelatedResult {
    /// That result, by its passage.
    pub result: Place,
    /// The identifiers, headings and terms that both have, at most 5.
    pub by: Vec<String>,
}

/// Statements that cannot all be true of one subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    /// The kind of disagreement.
    pub kind: ConflictKind,
    /// The words that the statements share.
    pub subject: String,
    /// The statements, 2 to 8, of two documents or more.
    pub sides: Vec<ConflictSide>,
}

/// A kind of disagreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    /// Two values of one quantity.
    Quantity,
    /// Two versions of one thing.
    Version,
    /// A statement and its denial.
    Negation,
}

/// One side of a disagreement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConflictSide {
    /// The value, such as `30 s` or `3.11`; of a denial the word that says it.
    pub value: String,
    /// The sentence, verbatim.
    pub statement: String,
    /// The passage that it stands in.
    pub passage: Place,
    /// True for the side whose document is the newest; absent where they are of the same time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_newest: bool,
    /// True for the side whose source has the most authority for the question; absent where none
    /// has more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_most_authority: bool,
}

/// Counts of sources in an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchTotals {
    /// Sources that were asked.
    pub sources_asked: usize,
    /// Sources that have one of the results.
    pub sources_used: usize,
    /// The share of the results that several sources have or that results of another source are
    /// related to.
    pub shared: f64,
}

/// Where the documents of a knowledge base disagree, as it was found last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConflictReport {
    /// The knowledge base.
    pub knowledge: String,
    /// The time of the job.
    pub found_at: jiff::Timestamp,
    /// The number of passages that were compared.
    pub passages_compared: u64,
    /// False where there were more passages or conflicts than are kept, or pairs of statements that
    /// the language model did not judge.
    pub complete: bool,
    /// The language model that confirmed each of them; absent where rules found them, most of which
    /// are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<String>,
    /// The conflicts whose passages all stand as they did.
    pub conflicts: Vec<Conflict>,
    /// The number of conflicts that were found then and are left out, because a passage of theirs
    /// changed or is gone.
    pub outdated: usize,
    /// The names of the documents that changed since, at most 100: what they say now was not
    /// compared.
    pub changed_since: Vec<String>,
}
