//! The tools: an operation of the HTTP API each, described for an assistant.

use std::sync::{Arc, LazyLock, OnceLock};

use rmcp::model::{Tool, ToolAnnotations};
use wire::request::Workflow;
use wire::route::{
    AnswerRoute, Base, CaseRoute, CustomRoute, DecisionRoute, DocumentRoute, Effect, ProjectRoute,
    Route, SearchRoute, WorkflowRoute,
};
use wire::{WORKFLOWS, for_workflow};

use crate::arguments::{RouteOf, input_schema};

/// A tool.
pub(crate) struct ToolEntry {
    /// Its name.
    pub(crate) name: &'static str,
    title: &'static str,
    /// The route that it stands for.
    pub(crate) route: RouteOf,
    description: &'static str,
}

const fn tool(
    name: &'static str,
    title: &'static str,
    route: RouteOf,
    description: &'static str,
) -> ToolEntry {
    ToolEntry { name, title, route, description }
}

/// All tools, in the order in which they are listed: the workflows first.
pub(crate) fn tools() -> &'static [ToolEntry] {
    static ALL: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
        WORKFLOWS.iter().filter_map(|name| workflow(name)).chain(OTHERS).collect()
    });
    &ALL
}

/// The tool of a workflow with a function of its own.
fn workflow(name: &str) -> Option<ToolEntry> {
    let route = RouteOf::One(Route::Workflow(WorkflowRoute::of(name)?));
    for_workflow!(name, W => tool(W::TOOL, W::TITLE, route, W::DESCRIPTION))
}

/// The tools that are no workflow with a function of its own.
const OTHERS: [ToolEntry; 15] = [
    tool(
        "search_sources",
        "Search code, books and docs at once",
        RouteOf::One(Route::Search(SearchRoute::Search)),
        "\
Search source code, textbooks, documentation, guides, exported forum threads and uploaded logs at once, and see where they disagree. \
Use it for \"where is X implemented\", \"explain X and how our code does it\". Nothing that runs is asked. Code results have `symbols` \
with lines. `conflicts` cannot all be true: show all sides. For causes of failures use find_past_failures.",
    ),
    tool(
        "run_custom_workflow",
        "A workflow of this deployment",
        RouteOf::One(Route::Custom(CustomRoute::RunCustomWorkflow)),
        "Run a workflow that this deployment defines, by its `name`; there are no others.",
    ),
    tool(
        "answer_question",
        "Answer from a knowledge base",
        RouteOf::EachBase(|base| Route::Answer(AnswerRoute::AnswerFrom(base))),
        "\
Answer a question from knowledge bases: logs and settings of a case, runbooks of a team, guides of everyone. Claims are whole \
sentences with file and lines; search_sources gives excerpts of more documents. Use it for \"how do I\", \"what does the log say\". For counts, first, last and extremes over records, and for one setting by its \
exact name, query_records is exact.",
    ),
    tool(
        "query_records",
        "Query log records exactly",
        RouteOf::EachBase(|base| Route::Answer(AnswerRoute::QueryRecordsOf(base))),
        "\
Count, group or list all records of logs, tables and settings, exactly. Call list_columns first and send the query itself: \
`{\"where\": {\"level\": \"ERROR\", \"time\": {\"gte\": \"2026-05-17T00:00:00Z\"}}, \"group_by\": [\"service\"], \"select\": \"count\"}`. `group_by` \
takes parts of dates, too: `duedate:month`, `hour`. `*` stands for anything, a list for any of its values. For one setting: `{\"where\": {\"key\": \
[\"*max_conn*\", \"*pool*\"]}, \"select\": \"list\"}`. A count shows records only with `examples`. `not_read` names files whose records are \
missing. A `question` in words is read by the deployment's language model: look at `query` then, or at `hint`.",
    ),
    tool(
        "list_columns",
        "Columns of the records",
        RouteOf::EachBase(|base| Route::Answer(AnswerRoute::ListColumnsOf(base))),
        "List the columns of records with examples and their time span; `pattern` finds more. Call it before query_records.",
    ),
    tool(
        "read_passage",
        "Read a passage",
        RouteOf::EachBase(|base| Route::Answer(AnswerRoute::ReadPassageOf(base))),
        "\
Read a passage whole, by `file` and `line` or `page`, or by its `passage_id`. `next` and `previous` are the ids of those around it.",
    ),
    tool(
        "list_knowledge",
        "What may be searched",
        RouteOf::One(Route::Documents(DocumentRoute::ListKnowledge)),
        "List the knowledge bases that the caller may search, also cases, what they hold and what is still being read.",
    ),
    tool(
        "find_documents",
        "Find documents by name",
        RouteOf::EachBase(|base| Route::Documents(DocumentRoute::ListDocumentsOf(base))),
        "Find documents by `words` of their name, title or type; without words list all.",
    ),
    tool(
        "list_open_cases",
        "Open cases of a team's alerts",
        RouteOf::One(Route::Cases(CaseRoute::ListTeamCases)),
        "List the open cases of a team's alerts, with runbooks, past failures and the owner. The person names the team.",
    ),
    tool(
        "list_projects",
        "The caller's projects",
        RouteOf::One(Route::Projects(ProjectRoute::ListProjects)),
        "List the caller's projects: ids, status, version.",
    ),
    tool(
        "create_project",
        "Create a project",
        RouteOf::One(Route::Projects(ProjectRoute::CreateProject)),
        "Create a project, which keeps questions, decisions and their evidence, if the person asks for it.",
    ),
    tool(
        "note_question",
        "Note a question in a project",
        RouteOf::One(Route::Projects(ProjectRoute::NoteQuestion)),
        "Note a question in a project's trail for all members, if the person asks for it.",
    ),
    tool(
        "record_decision",
        "Record a decision",
        RouteOf::One(Route::Decisions(DecisionRoute::RecordDecision)),
        "\
Record what a person decided: from which `alternatives`, why (`rationale`), and on which passages it rests (`sources`). Call \
find_related_decisions first, and give `supersedes` where it takes the place of an earlier one.",
    ),
    tool(
        "find_related_decisions",
        "Earlier decisions like one",
        RouteOf::One(Route::Decisions(DecisionRoute::FindRelatedDecisions)),
        "\
Find what a project decided near a subject, whatever its status: \"did we decide about X\". read_trail lists all.",
    ),
    tool(
        "read_trail",
        "A project's trail",
        RouteOf::One(Route::Projects(ProjectRoute::ReadTrail)),
        "\
Read what was asked and decided for a project, newest first. `needs_review` lists decisions whose evidence changed or went.",
    ),
];

/// The tools as the protocol lists them; `strategies` are the custom workflows with their
/// descriptions.
pub(crate) fn listed(strategies: &[(String, String)]) -> &'static [Tool] {
    static LISTED: OnceLock<Vec<Tool>> = OnceLock::new();
    LISTED.get_or_init(|| tools().iter().map(|entry| entry.tool(strategies)).collect())
}

impl ToolEntry {
    fn tool(&self, strategies: &[(String, String)]) -> Tool {
        let mut input = input_schema(self.route);
        let mut description = self.description.to_owned();
        let route = self.route.for_base(Base::Global);
        if route == Route::Custom(CustomRoute::RunCustomWorkflow) {
            let all = strategies.iter().map(|(name, about)| format!("`{name}`: {about}."));
            description = [description].into_iter().chain(all).collect::<Vec<_>>().join(" ");
            let names: Vec<&str> = strategies.iter().map(|(name, _)| name.as_str()).collect();
            input["properties"]["name"]["enum"] = names.into();
        }
        let effect = route.entry().effect;
        let mut annotations = ToolAnnotations::new().read_only(effect == Effect::Read);
        if effect != Effect::Read {
            annotations = annotations.destructive(effect == Effect::Delete).idempotent(false);
        }
        Tool::new(self.name, description, Arc::new(input))
            .with_title(self.title)
            .with_annotations(annotations)
    }
}
