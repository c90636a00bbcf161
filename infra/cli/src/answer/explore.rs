//! What is known of a subject, facet by facet.

use serde::Deserialize;

use super::{Gap, Settled, Source};

/// The facets, and what belongs to them all.
#[derive(Debug, Deserialize)]
pub struct Exploration {
    #[serde(default)]
    pub(crate) decided: Vec<Settled>,
    /// In the order of the answer.
    pub facets: Vec<Facet>,
    #[serde(default)]
    pub(crate) gaps: Vec<Gap>,
    #[serde(default)]
    pub(crate) terms: Vec<Term>,
}

/// One side of the subject.
#[derive(Debug, Deserialize)]
pub struct Facet {
    /// On the wire.
    #[serde(rename = "facet")]
    pub name: String,
    /// Best first.
    #[serde(default)]
    pub results: Vec<Finding>,
    #[serde(default)]
    pub(crate) coverage: Coverage,
}

/// A passage, listed under one facet.
#[derive(Debug, Deserialize)]
pub struct Finding {
    /// What it says.
    pub content: String,
    /// How well it fits.
    pub score: f64,
    /// Where it stands.
    pub source: Source,
    /// The other facets that it serves.
    #[serde(default)]
    pub also_in: Vec<String>,
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
