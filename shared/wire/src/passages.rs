//! `GET .../passages`: a passage that an answer cites, by its id or by its file and line.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A passage as it stands in the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassageReply {
    /// Its id, as answers cite it.
    pub passage_id: String,
    /// Its document.
    pub document_id: String,
    /// The document's version, a ULID.
    pub version: String,
    /// The name under which the document was uploaded.
    pub file: String,
    /// The document's title.
    pub title: String,
    /// The headings above the passage, outermost first; empty above the first.
    pub section: String,
    /// Its first and last line in the document, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// The passage, verbatim but for masked secrets.
    pub text: String,
    /// Whether secrets in `text` are masked: `reveal=true` shows them to those who may read the
    /// passage.
    pub is_masked: bool,
    /// The id of the passage before it in the document; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    /// The id of the passage behind it in the document; absent behind the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// SHA-256 of the text as it was uploaded, in hexadecimal digits.
    pub hash: String,
}
