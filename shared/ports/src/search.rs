//! Searches of the index, and what they find.

use ::model::document::Passage;
use ::model::evidence::PointKind;
use text::language::Language;
use uuid::Uuid;

use crate::usual::Usual;

/// One search of the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// The kind of points that are searched.
    pub of: PointKind,
    /// The method of the search.
    pub by: SearchBy,
    /// Upper bound for the number of hits.
    pub depth: usize,
    /// The part of the points that its hits contain.
    pub brings: Brings,
}

/// The part of the points that the hits of a search contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brings {
    /// Their ids.
    Ids,
    /// Their passages, in the same call. For searches with few hits.
    Passages,
    /// Their passages. The ids come first, and then another call reads each passage once, however
    /// many searches found it.
    PassagesOnce,
}

/// The method of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchBy {
    /// The nearest embeddings.
    Dense(Vec<f32>),
    /// The best matches of words, which are in this language.
    Bm25(String, Language),
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranked {
    /// Its hits, best first.
    pub hits: Vec<Hit>,
    /// The cosines of a dense search's vector with a fixed sample of at most
    /// [`SAMPLE`](crate::usual::SAMPLE) passages of each granted scope, whatever the filters;
    /// `None` without any, and for a search by words.
    pub usual: Option<Usual>,
}

/// A point that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The id of the passage or the document point.
    pub passage_id: Uuid,
    /// The id of its document.
    pub document_id: Uuid,
    /// The version of its document.
    pub version: String,
    /// The search's own score.
    pub raw: f32,
    /// The passage, if the search returns it and no earlier search of the call did.
    pub passage: Option<Box<Passage>>,
}
