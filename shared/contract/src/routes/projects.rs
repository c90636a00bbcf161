//! Operations of cases, projects and decisions.

use wire::cases::{Case, CaseList, CaseReply, NewCase};
use wire::decisions::{
    DecisionList, DecisionReply, NewDecision, NewDecisionMove, NewRelated, ReindexDecisionsReply,
    ReindexDecisionsRequest, RelatedList, RestingList,
};
use wire::projects::{
    MemberList, NewMove, NewProject, Project, ProjectChange, ProjectList, ProjectReply,
};
use wire::trail::{DigestList, QueryList, TrailPage};

use super::{KEY, PAGE, query};
use crate::operation::Operation;

pub(super) fn cases() -> Vec<Operation> {
    let put = |id: &str, path: &str, summary| {
        Operation::new("PUT", id, path, summary).replying::<CaseReply>(200).conflicting()
    };
    let all = [
        Operation::post::<NewCase, Case>("create_case", "/v1/cases", "Create a case.")
            .with(&KEY)
            .conflicting(),
        Operation::get::<CaseList>("list_cases", "/v1/cases", "List the caller's cases.")
            .with(&PAGE),
        Operation::get::<CaseReply>(
            "show_case",
            "/v1/cases/{case_id}",
            "Show a case and its members.",
        ),
        put("add_case_member", "/v1/cases/{case_id}/members/{user}", "Add a member to a case."),
        Operation::new(
            "DELETE",
            "remove_case_member",
            "/v1/cases/{case_id}/members/{user}",
            "Remove a member from a case.",
        )
        .replying::<CaseReply>(200)
        .conflicting(),
        put(
            "change_case_owner",
            "/v1/cases/{case_id}/owner/{user}",
            "Hand a case over to a member.",
        ),
        Operation::new("POST", "close_case", "/v1/cases/{case_id}/close", "Close a case.")
            .replying::<Case>(202)
            .about("All documents and answers of the case are erased. There is no way back.")
            .conflicting(),
    ];
    all.map(|operation| operation.tagged("Cases")).to_vec()
}

pub(super) fn projects() -> Vec<Operation> {
    let base = "/v1/projects/{project_id}";
    let path = |end: &str| format!("{base}/{end}");
    let member = |method, id: &str, end: &str, summary| {
        Operation::new(method, id, &path(end), summary).replying::<MemberList>(200).conflicting()
    };
    let all = [
        Operation::post::<NewProject, Project>(
            "create_project",
            "/v1/projects",
            "Create a project.",
        )
        .with(&KEY)
        .conflicting(),
        Operation::get::<ProjectList>(
            "list_projects",
            "/v1/projects",
            "List the caller's projects.",
        )
        .with(&PAGE),
        Operation::get::<ProjectReply>("show_project", base, "Show a project and its members."),
        Operation::new("PATCH", "change_project", base, "Change a project's profile.")
            .taking::<ProjectChange>()
            .replying::<Project>(200)
            .conflicting(),
        Operation::post::<NewMove, Project>(
            "move_project",
            &path("status"),
            "Change a project's status.",
        )
        .conflicting(),
        member("PUT", "add_project_member", "members/{user}", "Add a member to a project."),
        member(
            "DELETE",
            "remove_project_member",
            "members/{user}",
            "Remove a member from a project.",
        ),
        member("PUT", "change_project_owner", "owner/{user}", "Hand a project over to a member."),
    ];
    all.map(|operation| operation.tagged("Projects")).to_vec()
}

pub(super) fn trails() -> Vec<Operation> {
    let path = |end: &str| format!("/v1/projects/{{project_id}}/{end}");
    let as_of = query(
        "as_of",
        "Tells the trail as it stood at this time, RFC 3339.",
        r#"{"type": "string", "format": "date-time"}"#,
    );
    let all = [
        Operation::get::<QueryList>(
            "list_queries",
            &path("queries"),
            "List what was asked for a project.",
        )
        .with(&PAGE),
        Operation::get::<DigestList>(
            "list_digests",
            &path("digests"),
            "List the digests of a project.",
        )
        .with(&PAGE),
        Operation::get::<TrailPage>(
            "read_trail",
            &path("trail"),
            "Read what was asked and decided for a project, and on what evidence.",
        )
        .with(&[as_of])
        .with(&PAGE)
        .or_text(&["text/html", "text/markdown"]),
    ];
    all.map(|operation| operation.tagged("Projects")).to_vec()
}

pub(super) fn decisions() -> Vec<Operation> {
    let base = "/v1/projects/{project_id}/decisions";
    let one = "/v1/projects/{project_id}/decisions/{decision_id}";
    let all = [
        Operation::post::<NewDecision, DecisionReply>(
            "record_decision",
            base,
            "Record a decision with its alternatives, its reason and the passages that it rests on.",
        )
        .with(&KEY)
        .conflicting(),
        Operation::get::<DecisionList>("list_decisions", base, "List a project's decisions.").with(&PAGE),
        Operation::post::<NewRelated, RelatedList>(
            "find_related_decisions",
            &format!("{base}/related"),
            "Find earlier decisions of a project that are near to one.",
        ),
        Operation::get::<DecisionReply>("show_decision", one, "Show a decision.")
            .with(&[query(
                "format",
                "`pack` makes one page of HTML with all that the decision rests on, and the JSON inside.",
                r#"{"type": "string", "enum": ["pack"]}"#,
            )])
            .or_text(&["text/markdown", "text/html"]),
        Operation::post::<NewDecisionMove, DecisionReply>(
            "move_decision",
            &format!("{one}/status"),
            "Accept or reject a proposal, or confirm a decision whose evidence changed.",
        )
        .conflicting(),
        Operation::get::<RestingList>(
            "list_decisions_on_document",
            "/v1/documents/{document_id}/decisions",
            "List the decisions that rest on a document.",
        ),
        Operation::post::<ReindexDecisionsRequest, ReindexDecisionsReply>(
            "reindex_decisions",
            "/v1/reindex/decisions",
            "Index decisions of all projects again.",
        ),
    ];
    all.map(|operation| operation.tagged("Decisions")).to_vec()
}
