//! Passages like a text.

use crate::request::{Workflow, workflow_request};
use model::evidence::PassageResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

workflow_request! {
    /// Gives a text to find passages like it.
    pub struct AlikeRequest {
        /// The text; 1 to 2,000 characters.
        question,
        /// The project that it is asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        project_id: Option<String>,
        /// How many passages are wanted, 1 to 50; 10 where absent.
        top_k,
    }
}

/// Finds passages like a text.
#[derive(Debug, Clone, Copy)]
pub struct Alike;

impl Workflow for Alike {
    type Request = AlikeRequest;
    type Report = AlikeReport;

    const SUMMARY: &'static str = "Find passages like a text.";
    const EXAMPLE: &'static str = r#"{"question": "The pump vibrates"}"#;
    const TOOL: &'static str = "find_alike";
    const TITLE: &'static str = "Passages like a text";
    const DESCRIPTION: &'static str = "Find passages like a text, whatever they are of.";
}

/// Passages like a text.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AlikeReport {
    /// Always `alike`.
    pub result_type: String,
    /// The passages, best first.
    pub results: Vec<PassageResult>,
}
