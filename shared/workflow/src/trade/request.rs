//! What trade is asked with.

use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::{AlternativeWish, CriterionWish};
use crate::mode::AnswerMode;

/// Names options to find what speaks for and against each.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TradeRequest {
    /// The question; 1 to 2,000 characters.
    #[schemars(length(min = 1, max = 2000))]
    pub question: String,
    /// Other words for the question, at most 8, each searched beside it: send three to five. Best are the words that a
    /// document would use: likely terms, error messages, the supposed cause; and one whole sentence that it may contain.
    #[schemars(length(max = 8), inner(length(min = 1, max = 2000)))]
    #[serde(default)]
    pub queries: Vec<String>,
    /// In mode `generative` a language model writes queries where none are sent. As the service is set up
    /// where absent.
    pub mode: Option<AnswerMode>,
    /// Ids of passages or documents that are like what is sought, at most 8: "more of this kind". They are not shown.
    #[schemars(length(max = 8))]
    #[serde(default)]
    pub like: Vec<Uuid>,
    /// Ids of passages or documents that are not what is sought, at most 8. They are not shown, and the first one counts
    /// against what is like it.
    #[schemars(length(max = 8))]
    #[serde(default)]
    pub unlike: Vec<Uuid>,
    /// The project that it is asked for: it is noted in that project's trail, whose decisions come beside the answer.
    pub project_id: Option<String>,
    /// How many documents are read, 1 to 50; 10 where absent.
    #[schemars(range(min = 1, max = 50))]
    pub top_k: Option<u32>,
    /// What a passage must satisfy: `{field: value | [values]}`, fields being `document_type`, `source`, `name`, `title`,
    /// `tags`, `section`, `severity`, `code`, `author`, `standard`, `language`, and `time`: `{gte, gt, lte, lt}` in RFC 3339.
    #[serde(default)]
    pub filters: serde_json::Map<String, serde_json::Value>,
    /// Where to look: `global` (everyone's documents), `user` (the caller's own), `case:<id>`, `team:<id>`; `["global"]` where
    /// absent.
    #[schemars(inner(regex(pattern = "^(global|user|case:.+|team:.+)$")))]
    #[serde(default)]
    pub knowledge: Vec<String>,
    /// The options, 1 to 50; discovered in the question and the documents where absent.
    pub alternatives: Option<Vec<AlternativeWish>>,
    /// What they are judged by, 1 to 45; where absent: performance, cost, reliability, security, scalability,
    /// maintainability, usability.
    pub criteria: Option<Vec<CriterionWish>>,
}
