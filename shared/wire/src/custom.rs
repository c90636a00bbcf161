//! Workflows that are files.

use crate::common::Gap;
use crate::request::workflow_request;
use model::evidence::{PassageResult, Quote};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

workflow_request! {
    /// Asks a question the way a strategy file says. The filters of the file count besides those of
    /// the request.
    pub struct CustomRequest {
        /// The question; 1 to 2,000 characters.
        question,
        /// The project that it is asked for: it is noted in that project's trail, whose decisions
        /// come beside the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// How many passages are wanted, 1 to 50; 10 where absent.
        top_k,
    }
}

/// What was found, with the fields that the file asks for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CustomReport {
    /// The strategy's name.
    pub result_type: String,
    /// The passages, best first.
    pub results: Vec<CustomResult>,
    /// How many results there are.
    pub total_results: usize,
    /// The facets on which nothing was found.
    pub gaps: Vec<Gap>,
}

/// A passage with its fields.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CustomResult {
    /// The passage.
    #[serde(flatten)]
    pub result: PassageResult,
    /// What it says by each field that it has, verbatim; at most 5 each.
    pub fields: BTreeMap<String, Vec<Quote>>,
    /// The facets that it serves.
    pub facets: Vec<String>,
}

/// What a caller can ask for.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CustomWorkflowList {
    /// All strategies, by name.
    pub strategies: Vec<CustomWorkflow>,
}

/// A strategy as its file describes it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct CustomWorkflow {
    /// The name in the path.
    pub name: String,
    /// What it finds.
    pub description: String,
    /// What is searched together with the question.
    pub query_expansion: Vec<String>,
    /// The facets by which passages are tagged.
    pub facets: Vec<String>,
    /// The fields that are read from passages.
    pub output_fields: Vec<String>,
}
