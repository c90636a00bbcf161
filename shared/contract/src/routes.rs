//! All operations of the HTTP API, in the order in which they are shown.

use wire::answer::{AnswerReport, AnswerRequest};
use wire::common::Answer;
use wire::custom::{CustomReport, CustomRequest, CustomWorkflowList};
use wire::documents::{
    Announced, Announcement, Deleting, DocumentList, DocumentStatus, ReindexReply, ReindexRequest,
};
use wire::explore::{ExploreReport, ExploreRequest};
use wire::health::Health;
use wire::knowledge::KnowledgeList;
use wire::passages::PassageReply;
use wire::plan::{PlanReport, PlanRequest};
use wire::rcca::{RccaReport, RccaRequest};
use wire::records::{ColumnsReply, RecordsReply, RecordsRequest};
use wire::search::{ConflictReport, SearchReport, SearchRequest};
use wire::trade::{TradeReport, TradeRequest};
use wire::trial::TrialReply;

use crate::operation::{Operation, Parameter, Place};

mod projects;

use projects::{cases, decisions, projects, trails};

/// All operations.
pub fn operations() -> Vec<Operation> {
    let all = [
        workflows(),
        knowledge(),
        documents(),
        cases(),
        projects(),
        trails(),
        decisions(),
        service(),
    ];
    all.into_iter().flatten().collect()
}

/// The beginnings of paths that say whose documents are meant, each with its part of an operation's name.
const SCOPES: [(&str, &str); 4] = [
    ("global", "/v1/global"),
    ("user", "/v1/users/me"),
    ("case", "/v1/cases/{case_id}"),
    ("team", "/v1/teams/{team_id}"),
];

const PAGE: [Parameter; 2] = [
    query(
        "limit",
        "The most items, 1 to 100.",
        r#"{"type": "integer", "minimum": 1, "maximum": 100}"#,
    ),
    query("cursor", "The `cursor` of the page before.", r#"{"type": "string"}"#),
];

const DOCUMENTS: [Parameter; 3] = [
    query(
        "words",
        "Words that name, title or type have, all of them. Not with a `cursor`.",
        r#"{"type": "string"}"#,
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
const PASSAGE: [Parameter; 4] = [
    query("passage_id", "The passage's id.", r#"{"type": "string"}"#),
    query(
        "file",
        "The name under which its document was uploaded, instead of the id.",
        r#"{"type": "string"}"#,
    ),
    query("line", "A line of it, from 1.", r#"{"type": "integer", "minimum": 1}"#),
    query(
        "reveal",
        "`true` shows the secrets in it to those who may read the passage; the log says who was shown which.",
        r#"{"type": "string", "enum": ["true", "false"]}"#,
    ),
];

fn workflows() -> Vec<Operation> {
    let all = [
        Operation::post::<RccaRequest, Answer<RccaReport>>(
            "rcca",
            "/v1/rcca",
            "Find past failures like the one described, and the causes that they share.",
        ),
        Operation::post::<TradeRequest, Answer<TradeReport>>(
            "trade",
            "/v1/trade",
            "Compare options by what documents say of them.",
        ),
        Operation::post::<ExploreRequest, Answer<ExploreReport>>(
            "explore",
            "/v1/explore",
            "Tell what is known of a subject: definitions, examples, standards, practices.",
        ),
        Operation::post::<PlanRequest, Answer<PlanReport>>(
            "plan",
            "/v1/plan",
            "Find templates, risks, lessons and earlier decisions for what is planned.",
        ),
        Operation::post::<SearchRequest, Answer<SearchReport>>(
            "search",
            "/v1/search",
            "Search code, textbooks, documentation, guides, exported forum threads, uploaded logs and settings at once.",
        ),
        Operation::get::<CustomWorkflowList>(
            "list_custom_workflows",
            "/v1/custom",
            "List the workflows that this deployment has as files.",
        ),
        Operation::post::<CustomRequest, Answer<CustomReport>>(
            "run_custom_workflow",
            "/v1/custom/{name}",
            "Run a workflow that is a file.",
        ),
    ];
    let with_html = |operation: Operation| match operation.method {
        "POST" => operation.or_text(&["text/html"]),
        _ => operation,
    };
    all.map(|operation| with_html(operation).tagged("Workflows")).to_vec()
}

fn knowledge() -> Vec<Operation> {
    let of_scope = |(scope, base): &(&str, &str)| {
        let path = |end: &str| format!("{base}/{end}");
        [
            Operation::post::<AnswerRequest, AnswerReport>(
                &format!("answer_from_{scope}"),
                &path("answer"),
                "Answer a question from a knowledge base, each statement with its citations.",
            ),
            Operation::post::<RecordsRequest, RecordsReply>(
                &format!("query_records_of_{scope}"),
                &path("records"),
                "Query all records of logs, tables and settings, exactly.",
            ),
            Operation::get::<ColumnsReply>(
                &format!("list_columns_of_{scope}"),
                &path("records"),
                "List the columns of the records, with examples.",
            )
            .with(&COLUMNS),
            Operation::get::<PassageReply>(
                &format!("read_passage_of_{scope}"),
                &path("passages"),
                "Read a passage by its id, or by its file and line, with those around it.",
            )
            .with(&PASSAGE),
        ]
    };
    let stored = Operation::get::<AnswerReport>(
        "read_answer",
        "/v1/answers/{answer_id}",
        "Read an answer again, and whether what it cites still stands; or the whole of a workflow's reply that had no room for all.",
    )
    .with(&FORM);
    let conflicts = Operation::get::<ConflictReport>(
        "list_conflicts",
        "/v1/conflicts",
        "List where the documents of a knowledge base disagree, as a job found last.",
    )
    .with(&[query(
        "knowledge",
        "Whose documents: `global`, `user`, `case:<id>` or `team:<id>`; `global` where absent.",
        r#"{"type": "string", "pattern": "^(global|user|case:.+|team:.+)$"}"#,
    )])
    .conflicting();
    let all = SCOPES.iter().flat_map(of_scope).chain([stored, conflicts]);
    all.map(|operation| operation.of_case().tagged("Knowledge bases")).collect()
}

fn documents() -> Vec<Operation> {
    let of_scope = |(scope, base): &(&str, &str)| {
        let (all, one) = (format!("{base}/documents"), format!("{base}/documents/{{document_id}}"));
        [
            Operation::post::<Announcement, Announced>(
                &format!("announce_document_of_{scope}"),
                &all,
                "Announce a document; its bytes follow by the request in the reply.",
            )
            .with(&KEY)
            .conflicting(),
            Operation::get::<DocumentList>(
                &format!("list_documents_of_{scope}"),
                &all,
                "List documents and how far they have come, or find them by words of their name, title or type.",
            )
            .with(&DOCUMENTS),
            Operation::get::<DocumentStatus>(
                &format!("show_document_of_{scope}"),
                &one,
                "Show how far a document has come.",
            ),
            Operation::new(
                "DELETE",
                &format!("delete_document_of_{scope}"),
                &one,
                "Delete a document with all its versions.",
            )
            .replying::<Deleting>(202)
            .conflicting(),
        ]
    };
    let knowledge = Operation::get::<KnowledgeList>(
        "list_knowledge",
        "/v1/knowledge",
        "List the knowledge bases that the caller may search, with what they hold.",
    );
    let reindex = Operation::post::<ReindexRequest, ReindexReply>(
        "reindex",
        "/v1/reindex",
        "Index documents again that would be indexed otherwise now.",
    );
    let all = SCOPES.iter().flat_map(of_scope).chain([knowledge, reindex]);
    all.map(|operation| operation.of_case().tagged("Documents")).collect()
}

fn service() -> Vec<Operation> {
    let all = [
        Operation::get::<Health>(
            "read_health",
            "/v1/health",
            "Tell whether the services behind the API answer, and who the caller is.",
        ),
        Operation::new(
            "POST",
            "try_model",
            "/v1/health/trial",
            "Try the language model in each of its parts; administrators only.",
        )
        .replying::<TrialReply>(202),
        Operation::new("GET", "read_openapi", "/openapi.json", "Read this document.")
            .public(&["application/json"]),
        Operation::new("GET", "read_docs", "/docs", "Read this document as a page.")
            .public(&["text/html"]),
    ];
    all.map(|operation| operation.tagged("Service")).to_vec()
}
