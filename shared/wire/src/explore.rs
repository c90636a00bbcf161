//! What is known of a subject, facet by facet.

use crate::common::{Coverage, DocumentedDecision, Gap};
use crate::request::{Workflow, workflow_request};
use model::evidence::{PassageResult, Place, Quote};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

workflow_request! {
    /// Names a subject to find what is known of it.
    pub struct ExploreRequest {
        /// The subject or a question about it; 1 to 2,000 characters.
        question,
        /// The project that it is asked for: it is noted in that project's trail, whose decisions
        /// come beside the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// How many passages are wanted under each facet, 1 to 50; where absent 3, or in mode
        /// `generative` up to 10 where more serve it well.
        top_k,
        /// The aspects wanted, 1 to 20; `definitions, examples, standards, best_practices` where
        /// absent.
        #[schemars(length(min = 1, max = 20))]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub facets: Option<Vec<FacetRequest>>,
    }
}

/// Collects what is known of a subject.
#[derive(Debug, Clone, Copy)]
pub struct Explore;

impl Workflow for Explore {
    type Request = ExploreRequest;
    type Report = ExploreReport;

    const SUMMARY: &'static str =
        "Tell what is known of a subject: definitions, examples, standards, practices.";
    const EXAMPLE: &'static str = r#"{
        "question": "exponential backoff",
        "facets": [
            "definitions",
            "best_practices"
        ]
    }"#;
    const TOOL: &'static str = "explore_topic";
    const TITLE: &'static str = "What is known of a subject";
    const DESCRIPTION: &'static str = "\
Collect what is known of a subject under `facets`: definitions, examples, standards, practices, with gaps named. Use it for \"what \
is\", \"what do we know of\", \"best practices for\". For one fact use answer_question.";
}

/// What is known of a subject, facet by facet.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct ExploreReport {
    /// Always `exploratory`.
    pub result_type: String,
    /// Decisions in documents on the subject, those nearest to it first; at most 3.
    pub decided: Vec<DocumentedDecision>,
    /// The facets, in the order asked for.
    pub facets: Vec<FacetReport>,
    /// How many facets there are.
    pub total_facets: usize,
    /// The facets on which nothing was found.
    pub gaps: Vec<Gap>,
    /// Terms that several documents define, each with all its definitions.
    pub terms: Vec<DefinedTerm>,
}

/// What is known of one aspect.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct FacetReport {
    /// Its name.
    pub facet: String,
    /// Its passages, best first. A passage that serves several facets is listed under one of them.
    pub results: Vec<Aspect>,
    /// How much the searched documents have on it, those passages included that are listed
    /// elsewhere.
    pub coverage: Coverage,
}

/// A passage that serves a facet.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Aspect {
    /// The passage.
    #[serde(flatten)]
    pub result: PassageResult,
    /// The other facets that it serves.
    pub also_in: Vec<String>,
}

/// A term as several documents define it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct DefinedTerm {
    /// The term as the first of them writes it.
    pub term: String,
    /// Each document's definition, best first.
    pub definitions: Vec<Definition>,
}

/// A definition in a document's own words.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Definition {
    /// The sentence.
    #[serde(flatten)]
    pub quote: Quote,
    /// The passage that it stands in.
    pub passage: Place,
}

/// An aspect to look for: its name, or its name and the words it is searched with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "must be a name, or an object of `name` and `probe`")]
pub enum FacetRequest {
    /// The name, which is also what is searched.
    Name(String),
    /// The name, and what is searched together with the question.
    Probe(NamedFacet),
}

/// A facet with words of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedFacet {
    /// Up to 60 letters, digits, blanks, `_` and `-`.
    pub name: String,
    /// What is searched together with the question, up to 200 characters.
    pub probe: String,
}
