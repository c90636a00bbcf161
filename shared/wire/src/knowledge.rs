//! `GET /v1/knowledge`: what the caller may search.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The knowledge bases that the caller may search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeList {
    /// Those that have documents: everyone's, the caller's, those of teams and of open cases.
    pub knowledge: Vec<KnowledgeBase>,
}

/// A knowledge base, and what it holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeBase {
    /// Its name in requests: `global`, `user`, `case:ID` or `team:ID`.
    pub knowledge: String,
    /// A case's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Documents that can be found.
    pub documents: usize,
    /// Their passages.
    pub passages: u64,
    /// Records of logs, tables and settings, which can be queried exactly.
    pub records: u64,
    /// Documents that were announced and are still being read.
    pub reading: usize,
    /// Documents whose latest version could not be read.
    pub failed: usize,
    /// How many documents there are of each type.
    pub document_types: BTreeMap<String, usize>,
    /// How many there are of each kind of origin.
    pub sources: BTreeMap<String, usize>,
    /// How many there are in each language, by BCP 47 tag, where it is known.
    pub languages: BTreeMap<String, usize>,
    /// First and last time that they tell of, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<(String, String)>,
    /// True where there are more documents than were looked at, 20,000.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}
