//! Answers whose every statement is cited.

use crate::common::AnswerMode;
use crate::records::{RecordsFound, RecordsRequest};
use model::evidence::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

/// Asks a knowledge base.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// The question, 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub question: String,
    /// Other words for the question, at most 8, each searched beside it: send three to five. Best
    /// are the words that a document would use: likely terms, error messages; and one whole
    /// sentence that it may contain.
    #[schemars(length(max = 8), inner(length(min = 1, max = 2000)))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// Ids of passages or documents like what is sought. The answer is made without them.
    #[schemars(length(max = 8))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub like: Vec<Uuid>,
    /// Ids of passages or documents that are not what is sought; the first counts against what is
    /// like it.
    #[schemars(length(max = 8))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unlike: Vec<Uuid>,
    /// The project that it is asked for: it is noted in that project's trail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project_id: Option<String>,
    /// How many passages are read, 1 to 50; 5 where absent.
    #[schemars(range(min = 1, max = 50))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_k: Option<u32>,
    /// What a passage must satisfy: `{field: value | [values]}`, fields being `document_type`,
    /// `source`, `name`, `title`, `tags`, `section`, `severity`, `code`, `author`, `standard`,
    /// `language`, and `time`: `{gte, gt, lte, lt}` in RFC 3339.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub filters: Map<String, Value>,
    /// Who writes the answer: `extractive` the documents alone, `generative` a language model from
    /// the passages found, checked against them. As the service is set up where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<AnswerMode>,
    /// False keeps the question out of the project's trail; it is noted there where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<bool>,
    /// True adds the ids, hashes and versions that only programs need.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
    /// The most bytes of the reply, 500 to 6,000,000; 30,000 where absent. What is most useful
    /// comes first, and `left_out` says what is missing.
    #[schemars(range(min = 500, max = 6_000_000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u32>,
    /// What was said before, at most 20 turns, the oldest first; the last six are read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conversation: Vec<Turn>,
}

/// An answer, every statement of which can be looked up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerReport {
    /// Always `answer`.
    pub result_type: String,
    /// From whose documents: `global`, `user:<sub>`, `case:<id>`, `team:<id>`.
    pub knowledge: String,
    /// The claims with their citations as one text; with `explain` only, as the claims have each
    /// text once. Empty where it abstains, but for what is conflicting.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// What is said, each with its citations.
    pub claims: Vec<Claim>,
    /// Where it stands.
    pub citations: Vec<Citation>,
    /// The documents that are cited, the best first; empty where nothing is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sources_line: String,
    /// The query over records that the question was read as; where passages were searched, the
    /// conditions that their records had to satisfy. Send it as a query over records to see all, or
    /// corrected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_as: Option<RecordsRequest>,
    /// The second query of a question for two things, such as the first and the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also_read_as: Option<RecordsRequest>,
    /// The words of the question that were not read as a query. Beside `records` they are no
    /// condition of `read_as`; without it nothing was counted for them: send a query over records.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// The telling words of the question that none of the quotes has, nor their headings, title or
    /// file, where the documents' own sentences answer: they may speak of something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsaid: Vec<String>,
    /// How many lines and records beyond those quoted have as many words of the question, where a
    /// case is answered by its own lines. A larger `top_k` quotes more lines; a query over records
    /// shows the records of one form.
    #[serde(default, skip_serializing_if = "crate::common::is_zero")]
    pub further: usize,
    /// What the query found in all records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<RecordsFound>,
    /// The queries that a language model wrote and that were searched beside the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries_written: Vec<String>,
    /// The question as it was understood, where it could not stand alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten_question: Option<String>,
    /// Why there is no answer, or none to rely on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstained: Option<Abstention>,
    /// How the claims fared that were checked.
    pub support: Support,
    /// The passages that were read, the best first.
    pub read: Vec<PassageRead>,
    /// Whether what it cites still stands; told of an answer that is read by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Currency>,
}

impl AnswerReport {
    /// Leaves out what the claims have already: the text made of them, and the quotes that are
    /// within them.
    pub fn say_once(&mut self) {
        self.answer.clear();
        for citation in &mut self.citations {
            let mut claims = self.claims.iter().filter(|c| c.citations.contains(&citation.id));
            if claims.any(|claim| claim.text.contains(citation.quote.trim())) {
                citation.quote.clear();
            }
        }
    }
}

/// Whether an answer still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Currency {
    /// All that it cites still stands.
    Current,
    /// Something that it cites stands no more.
    Stale,
    /// Something that it cites stands no more, and its document says otherwise now.
    Contradicted,
}

/// A citation as it stands today.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CitationNow {
    /// Its standing.
    pub standing: CitationStanding,
    /// Where it stands now, or what stands there instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage_id: Option<Uuid>,
    /// The lines at which it stands now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// What its document says of the same now, with another value or the other way round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

impl CitationNow {
    /// Without a place.
    pub fn of(standing: CitationStanding) -> CitationNow {
        CitationNow { standing, passage_id: None, lines: None, instead: None }
    }
}

/// Whether a citation still stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CitationStanding {
    /// The passage still has these words.
    AsQuoted,
    /// Another passage of the document has these words.
    Moved,
    /// The document has these words no more.
    Changed,
    /// The document is there no more.
    Gone,
}

/// Something that is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// The words; without a model verbatim those of the documents, but for what was counted.
    pub text: String,
    /// The ids of the citations that it rests on, at least one.
    pub citations: Vec<String>,
}

/// Words of a document that a claim rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// Its id in this answer, such as `c1`.
    pub id: String,
    /// In the knowledge base's own form, such as `server.log:1045 (14:32:15Z)`.
    pub display: String,
    /// The passage.
    pub passage: Place,
    /// The document's own number among articles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article_id: Option<String>,
    /// First and last line of the words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// First and last time that they tell of, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<(String, String)>,
    /// What was assumed to read it: the zone and the year of its times, and the encoding of a text
    /// that is not UTF-8, as in `UTC, 2026`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
    /// The words there, verbatim; absent where the first claim that cites them has them, unless
    /// with `explain`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// SHA-256 of the whole passage, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// What became of it; told of an answer that is read by its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<CitationNow>,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbstentionReason {
    /// Nothing was found.
    NoEvidence,
    /// What was found does not speak of what is asked.
    BelowThreshold,
    /// Nothing was found, and there are documents that are still to be read.
    NotIndexedYet,
    /// Nothing was found, and there are documents that could not be read.
    IndexingFailed,
    /// Documents say different things; all are shown.
    Conflicting,
}

/// That there is no answer, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Abstention {
    /// Why.
    pub reason: AbstentionReason,
}

/// How the claims fared that were checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Support {
    /// How many there were.
    pub claims: usize,
    /// How many stand in the passages that they cite.
    pub supported: usize,
    /// How many do not, and were dropped.
    pub dropped: usize,
    /// How many citations named nothing, and were removed.
    #[serde(default)]
    pub removed: usize,
}

/// A passage that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassageRead {
    /// The passage.
    pub passage: Place,
    /// How near it is to the question, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
}

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// Who asks.
    User,
    /// Who answers.
    Assistant,
}

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// By whom.
    pub role: Speaker,
    /// The words; only the first 200 characters are read.
    #[schemars(length(min = 1))]
    pub content: String,
}
