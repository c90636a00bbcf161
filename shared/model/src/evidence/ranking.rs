//! The scores that rankings give to evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PointKind;

/// What one ranking says of the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankingScore {
    /// Which of the workflow's probes, from 0, the question with the caller's queries.
    pub probe: usize,
    /// Which of the caller's queries, from 0; absent for the question and the workflow's own
    /// probes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<usize>,
    /// The way it was ranked.
    pub retriever: RetrieverKind,
    /// What was searched.
    pub of: PointKind,
    /// The rank among what that search found, from 1: passages, or documents where documents are
    /// ranked. Absent for what a search does not list that brought as many as it was asked for: it
    /// counts as the last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// The score that search gave: a cosine for dense, a BM25 sum for bm25, the share of the
    /// question for exact, a relevance for rerank; absent where there is no rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<f32>,
    /// The standard deviations that the cosine stands above those of a fixed sample of the passages
    /// that may be read; absent for bm25, and where these are too few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub z_score: Option<f64>,
    /// The raw score's place between what is usual for that search (the mean cosine with the
    /// sample; 0 for bm25), 0, and its best, 1; of rerank the relevance itself.
    pub score: f64,
    /// The ranking's weight, above 0.
    pub weight: f64,
}

/// A method to search for a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SearchKind {
    /// The search by the similarity of embeddings.
    Dense,
    /// The search by words.
    Bm25,
}

impl From<SearchKind> for RetrieverKind {
    fn from(kind: SearchKind) -> RetrieverKind {
        match kind {
            SearchKind::Dense => RetrieverKind::Dense,
            SearchKind::Bm25 => RetrieverKind::Bm25,
        }
    }
}

/// A way to make a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RetrieverKind {
    /// By the nearness of embeddings.
    Dense,
    /// By words.
    Bm25,
    /// By strings of the question that few documents have as they are.
    Exact,
    /// By symbols of source code that the question names, where they are defined.
    Symbol,
    /// By a model that read the question and the passage together.
    Rerank,
}
