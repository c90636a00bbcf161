//! All operations of the HTTP API, in the order in which they are shown.

use serde_json::json;
use wire::answer::{AnswerReport, AnswerRequest};
use wire::common::Answer;
use wire::custom::{CustomReport, CustomRequest, CustomWorkflowList};
use wire::documents::{
    Announced, Announcement, Deleting, DocumentList, DocumentStatus, ReindexReply, ReindexRequest,
    Restoring,
};
use wire::for_workflow;
use wire::health::Health;
use wire::knowledge::KnowledgeList;
use wire::passages::PassageReply;
use wire::records::{ColumnsReply, RecordsReply, RecordsRequest};
use wire::request::Workflow;
use wire::route::{AnswerRoute, CustomRoute, DocumentRoute, McpRoute, Route, SearchRoute};
use wire::search::{ConflictReport, SearchReport, SearchRequest};
use wire::trial::TrialReply;

use crate::operation::{Operation, Parameter, Place};

mod keys;
mod projects;

use keys::key;
use projects::{alert, case, decision, project};

/// Returns all operations.
pub fn operations() -> Vec<Operation> {
    Route::all().into_iter().filter_map(operation).collect()
}

/// Describes a route; `None` for those of the Model Context Protocol, which describes itself.
pub fn operation(route: Route) -> Option<Operation> {
    let of = |tag| Operation::of(route, tag);
    Some(match route {
        Route::Workflow(route) => workflow(of("Workflows"), route.name())?,
        Route::Custom(route) => custom(of("Workflows"), route),
        Route::Search(route) => search(of("Workflows"), route),
        Route::Answer(route) => answer(of("Knowledge bases"), route).of_case(),
        Route::Documents(route) => document(of("Documents"), route).of_case(),
        Route::Keys(route) => key(of("Keys"), route),
        Route::Alerts(route) => alert(of("Cases"), route),
        Route::Cases(route) => case(of("Cases"), route),
        Route::Projects(route) => project(of("Projects"), route),
        Route::Decisions(route) => decision(of("Decisions"), route),
        Route::Mcp(McpRoute::ReadOpenapi) => {
            of("Service").public("Read this document.", &["application/json"])
        }
        Route::Mcp(McpRoute::ReadDocs) => {
            of("Service").public("Read this document as a page.", &["text/html"])
        }
        Route::Mcp(_) => return None,
    })
}

/// Returns the table of routes as JSON, one a line, as the template reads it.
pub fn table() -> String {
    let lines = Route::all().into_iter().map(|route| json!(route.entry()).to_string());
    format!("[\n{}\n]\n", lines.collect::<Vec<_>>().join(",\n"))
}

/// The forms of an answer for people.
const TEXTS: &[&str] = &["text/html", "text/markdown"];

const PAGE: [Parameter; 2] = [
    query(
        "limit",
        "The most items, 1 to 100.",
        r#"{"type": "integer", "minimum": 1, "maximum": 100}"#,
    ),
    query("cursor", "The `cursor` of the page before.", r#"{"type": "string"}"#),
];

const DELETION: [Parameter; 2] = [
    query(
        "forever",
        "True if its files are erased at once: nothing can be restored. Also for a document that was deleted before.",
        r#"{"type": "boolean"}"#,
    ),
    query(
        "confirm",
        "True if many documents are meant: without it twenty can be deleted one after another.",
        r#"{"type": "boolean"}"#,
    ),
];

const DOCUMENTS: [Parameter; 4] = [
    query(
        "words",
        "Words that name, title or type have, all of them. Not with a `cursor`.",
        r#"{"type": "string"}"#,
    ),
    query(
        "deleted",
        "True for documents that were deleted and can be restored, in place of those that are there.",
        r#"{"type": "boolean"}"#,
    ),
    PAGE[0],
    PAGE[1],
];

const COLUMNS: [Parameter; 3] = [
    FORM[0],
    query(
        "pattern",
        "A part of the names of columns, or with `*` for anything a whole name; templates must have it in their text.",
        r#"{"type": "string"}"#,
    ),
    query(
        "limit",
        "The most columns, 1 to 1,000, and the most templates; 40 columns and 10 templates where absent.",
        r#"{"type": "integer", "minimum": 1, "maximum": 1000}"#,
    ),
];

const KEY: [Parameter; 1] = [Parameter {
    name: "idempotency-key",
    place: Place::Header,
    description: "Sent again with the same key and body, the request does nothing anew and gets the same reply, for a day.",
    schema: r#"{"type": "string", "pattern": "^[!-~]{1,128}$"}"#,
}];

const fn query(name: &'static str, description: &'static str, schema: &'static str) -> Parameter {
    Parameter { name, place: Place::Query, description, schema }
}

/// The parameters that set the budget of a reply.
const FORM: [Parameter; 2] = [
    query(
        "max_bytes",
        "The most bytes of the reply; 30,000 where absent.",
        r#"{"type": "integer", "minimum": 500, "maximum": 6000000}"#,
    ),
    query(
        "explain",
        "True adds the ids, hashes and costs that only programs need.",
        r#"{"type": "boolean"}"#,
    ),
];

/// Which passage is wanted.
const PASSAGE: [Parameter; 5] = [
    query("passage_id", "The passage's id.", r#"{"type": "string"}"#),
    query(
        "file",
        "The name under which its document was uploaded, instead of the id.",
        r#"{"type": "string"}"#,
    ),
    query("line", "A line of it, from 1.", r#"{"type": "integer", "minimum": 1}"#),
    query("page", "A page of it, from 1.", r#"{"type": "integer", "minimum": 1}"#),
    query(
        "reveal",
        "`true` shows the secrets in it to those who may read the passage; the log says who was shown which.",
        r#"{"type": "string", "enum": ["true", "false"]}"#,
    ),
];

/// Describes a workflow; `None` where there is none of this name.
fn workflow(of: Operation, name: &str) -> Option<Operation> {
    let of = of.or_text(TEXTS);
    for_workflow!(name, W => {
        type Reply = Answer<<W as Workflow>::Report>;
        let example = serde_json::from_str(W::EXAMPLE).unwrap_or_default();
        of.takes::<<W as Workflow>::Request, Reply>(W::SUMMARY, example)
    })
}

fn custom(of: Operation, route: CustomRoute) -> Operation {
    match route {
        CustomRoute::ListCustomWorkflows => {
            of.gives::<CustomWorkflowList>("List the workflows that this deployment has as files.")
        }
        CustomRoute::RunCustomWorkflow => of
            .takes::<CustomRequest, Answer<CustomReport>>(
                "Run a workflow that is a file.",
                json!({"question": "Which hazards does a battery have?"}),
            )
            .or_text(TEXTS),
    }
}

fn search(of: Operation, route: SearchRoute) -> Operation {
    match route {
        SearchRoute::Search => of
            .takes::<SearchRequest, Answer<SearchReport>>(
                "Search code, textbooks, documentation, guides, exported forum threads, uploaded logs and settings at once.",
                json!({"question": "How is a retry delay chosen?", "sources": ["code", "guide"]}),
            )
            .or_text(TEXTS),
        SearchRoute::ListConflicts => of
            .gives::<ConflictReport>(
                "List where the documents of a knowledge base disagree, as a job found last.",
            )
            .with(&[query(
                "knowledge",
                "Whose documents: `global`, `user`, `case:<id>` or `team:<id>`; `global` where absent.",
                r#"{"type": "string", "pattern": "^(global|user|case:.+|team:.+)$"}"#,
            )])
            .conflicting()
            .tagged("Knowledge bases"),
    }
}

fn answer(of: Operation, route: AnswerRoute) -> Operation {
    match route {
        AnswerRoute::AnswerFrom(_) => of
            .takes::<AnswerRequest, AnswerReport>(
                "Answer a question from a knowledge base, each statement with its citations.",
                json!({"question": "What do I do when the vibration alarm goes off?", "max_bytes": 4000}),
            )
            .or_text(TEXTS),
        AnswerRoute::QueryRecordsOf(_) => of.takes::<RecordsRequest, RecordsReply>(
            "Query all records of logs, tables and settings, exactly.",
            json!({
                "where": {"level": "ERROR", "time": {"gte": "2026-11-20T18:00:00Z"}},
                "group_by": ["hour"], "select": "count",
            }),
        ),
        AnswerRoute::ListColumnsOf(_) => of
            .gives::<ColumnsReply>("List the columns of the records, with examples.")
            .with(&COLUMNS),
        AnswerRoute::ReadPassageOf(_) => of
            .gives::<PassageReply>(
                "Read a passage by its id, or by its file and line, with those around it.",
            )
            .with(&PASSAGE),
        AnswerRoute::ReadAnswer => of
            .gives::<AnswerReport>(
                "Read an answer again, and whether what it cites still stands; or the whole of a workflow's reply that had no room for all.",
            )
            .with(&FORM),
        AnswerRoute::ReadHealth => of
            .gives::<Health>("Tell whether the services behind the API answer, and who the caller is.")
            .tagged("Service"),
        AnswerRoute::TryModel => of
            .gives::<TrialReply>("Try the language model in each of its parts; administrators only.")
            .later()
            .never_conflicting()
            .tagged("Service"),
    }
}

fn document(of: Operation, route: DocumentRoute) -> Operation {
    match route {
        DocumentRoute::AnnounceDocumentOf(_) => of
            .takes::<Announcement, Announced>(
                "Announce a document; its bytes follow by the request in the reply.",
                json!({
                    "name": "runbooks/pump-7.md", "content_type": "text/markdown", "bytes": 4210, "document_type": "runbook",
                }),
            )
            .with(&KEY),
        DocumentRoute::ListDocumentsOf(_) => of
            .gives::<DocumentList>(
                "List documents and how far they have come, or find them by words of their name, title or type.",
            )
            .with(&DOCUMENTS),
        DocumentRoute::ShowDocumentOf(_) => {
            of.gives::<DocumentStatus>("Show how far a document has come.")
        }
        DocumentRoute::DeleteDocumentOf(_) => of
            .gives::<Deleting>(
                "Delete a document with all its versions. It can be restored for a time, unless it is of a case.",
            )
            .with(&DELETION)
            .later(),
        DocumentRoute::RestoreDocumentOf(_) => of
            .gives::<Restoring>("Restore a deleted document: its last version is indexed again.")
            .later(),
        DocumentRoute::ListKnowledge => of.gives::<KnowledgeList>(
            "List the knowledge bases that the caller may search, with what they hold.",
        ),
        DocumentRoute::Reindex => of
            .takes::<ReindexRequest, ReindexReply>(
                "Index documents again that would be indexed otherwise now.",
                json!({"knowledge": "global", "only_count": true}),
            )
            .never_conflicting(),
    }
}
