//! What is known of a subject, facet by facet.

use serde::Deserialize;

use super::{Gap, Settled, Source};

#[derive(Debug, Deserialize)]
pub(crate) struct Exploration {
    #[serde(default)]
    pub(crate) decided: Vec<Settled>,
    pub(crate) facets: Vec<Facet>,
    #[serde(default)]
    pub(crate) gaps: Vec<Gap>,
    #[serde(default)]
    pub(crate) terms: Vec<Term>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Facet {
    #[serde(rename = "facet")]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) results: Vec<Finding>,
    #[serde(default)]
    pub(crate) coverage: Coverage,
}

/// A passage, listed under one facet.
#[derive(Debug, Deserialize)]
pub(crate) struct Finding {
    pub(crate) content: String,
    pub(crate) score: f64,
    pub(crate) source: Source,
    /// The other facets that it serves.
    #[serde(default)]
    pub(crate) also_in: Vec<String>,
}

/// What serves a facet, wherever it is listed.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Coverage {
    pub(crate) passages: usize,
    pub(crate) documents: usize,
}

/// A term, as several documents define it.
#[derive(Debug, Deserialize)]
pub(crate) struct Term {
    pub(crate) term: String,
    pub(crate) definitions: Vec<Definition>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Definition {
    pub(crate) text: String,
    pub(crate) source: Source,
}
