//! What to know before a piece of work.

use crate::common::Gap;
use crate::decisions::{Decided, SuccessionLink};
use crate::request::{Workflow, workflow_request};
use model::evidence::{PassageResult, ScoreParts, Strength};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

workflow_request! {
    /// Says what is planned to learn what is known of it.
    pub struct PlanRequest {
        /// What is planned, or a question about it; 1 to 2,000 characters.
        question,
        /// The project that plans: the question is noted in its trail, and its decisions are part
        /// of the answer.
        project_id: String,
        /// How many passages are wanted under each heading, 1 to 50; 5 where absent.
        top_k,
    }
}

/// Finds what to know before a piece of work.
#[derive(Debug, Clone, Copy)]
pub struct Plan;

impl Workflow for Plan {
    type Request = PlanRequest;
    type Report = PlanReport;

    const SUMMARY: &'static str =
        "Find templates, risks, lessons and earlier decisions for what is planned.";
    const EXAMPLE: &'static str = r#"{
        "question": "We replace the bearings of a pump",
        "project_id": "01KBZ8Q4T6V0W2X4Y6Z8A0B2C4"
    }"#;
    const TOOL: &'static str = "plan_work";
    const TITLE: &'static str = "Templates, risks, lessons for a plan";
    const DESCRIPTION: &'static str = "\
Find templates, risks, lessons and earlier decisions for work that is planned: \"we are about to migrate ...\". It needs a `project_id` \
of list_projects; without a project use explore_topic.";
}

/// What is known of what is planned.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PlanReport {
    /// Always `plan_analysis`.
    pub result_type: String,
    /// What gives something to follow: templates, checklists, procedures.
    pub templates: Vec<PlanItem>,
    /// What names a risk.
    pub risks: Vec<PlanItem>,
    /// What earlier work taught.
    pub lessons_learned: Vec<PlanItem>,
    /// What was decided or done before in the like.
    pub precedents: Vec<PlanItem>,
    /// The headings under which nothing was found.
    pub gaps: Vec<Gap>,
    /// What the project itself decided that bears on it, however that stands now; best first.
    pub project_decisions: Vec<Precedent>,
}

/// A passage. It is listed under one heading, the one that it serves best.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct PlanItem {
    /// The passage.
    #[serde(flatten)]
    pub result: PassageResult,
    /// The other headings that it serves.
    pub also_in: Vec<String>,
}

/// A decision of the project, with what it rests on.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Precedent {
    /// The decision; of its sources those that count most, at most 5.
    #[serde(flatten)]
    pub decided: Decided,
    /// The line of decisions in which it stands, the oldest first; absent where it stands alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<SuccessionLink>,
    /// How near it is to the question, `0.0..=1.0`.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few
    /// passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
}
