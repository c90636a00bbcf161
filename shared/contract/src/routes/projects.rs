//! Operations of cases, projects and decisions.

use serde_json::json;
use wire::alerts::{AlertCase, NewAlerts, ReceivedAlerts, TeamCases};
use wire::cases::{Case, CaseList, CaseReply, NewCase};
use wire::decisions::{
    DecisionList, DecisionReply, NewDecision, NewDecisionMove, NewRelated, ReindexDecisionsReply,
    ReindexDecisionsRequest, RelatedList, RestingList,
};
use wire::documents::ForgettingUser;
use wire::projects::{
    InvitationList, MemberList, NewMove, NewProject, Project, ProjectChange, ProjectList,
    ProjectReply,
};
use wire::route::{AlertRoute, CaseRoute, DecisionRoute, ProjectRoute};
use wire::trail::{Asked, DigestList, NewNote, QueryList, TrailPage};

use super::{FORM, KEY, PAGE, TEXTS, query};
use crate::operation::Operation;

pub(super) fn case(of: Operation, route: CaseRoute) -> Operation {
    match route {
        CaseRoute::CreateCase => of
            .takes::<NewCase, Case>(
                "Create a case.",
                json!({"title": "Web shop down on 20 November"}),
            )
            .with(&KEY),
        CaseRoute::ListCases => of.gives::<CaseList>("List the caller's cases.").with(&PAGE),
        CaseRoute::ListTeamCases => of
            .gives::<TeamCases>("List the open cases of a team, with what was found for their alerts.")
            .with(&PAGE),
        CaseRoute::ShowCaseAlerts => of
            .gives::<AlertCase>("Show the alerts of a case, and what was found for them.")
            .or_text(TEXTS)
            .with(&FORM),
        CaseRoute::ShowCase => of.gives::<CaseReply>("Show a case and its members."),
        CaseRoute::AddCaseMember => of.gives::<CaseReply>("Invite a user to a case."),
        CaseRoute::JoinCase => of.gives::<CaseReply>("Join a case to which the caller is invited."),
        CaseRoute::RemoveCaseMember => of
            .gives::<CaseReply>("Remove a member from a case, or take an invitation back.")
            .about("The user `me` is the caller, who leaves or declines."),
        CaseRoute::ChangeCaseOwner => of.gives::<CaseReply>("Hand a case over to a member."),
        CaseRoute::CloseCase => of
            .gives::<Case>("Close a case.")
            .later()
            .about("All documents and answers of the case are erased. There is no way back."),
        CaseRoute::ForgetUser => of
            .gives::<ForgettingUser>("Forget a user who left.")
            .later()
            .never_conflicting()
            .about(
                "All documents of the user are erased, and the cases and projects that nobody else belongs to; others \
                 are handed over to a member. There is no way back.",
            ),
    }
}

/// Takes the form of this project; other vendors' forms are their own.
pub(super) fn alert(of: Operation, route: AlertRoute) -> Operation {
    match route {
        AlertRoute::ReceiveAlerts => of
            .takes::<NewAlerts, ReceivedAlerts>(
                "Take alerts: a case for each group, with what helps.",
                json!({"group": "checkout-pool", "alerts": [{
                    "name": "CheckoutPoolExhausted", "severity": "critical", "service": "checkout-api",
                    "summary": "Requests wait for a database connection",
                }]}),
            )
            .about(
                "The route says which vendor's form it takes and who may send: by a key in `authorization`, by a signature \
                 of the body, or by the signature of Amazon SNS. The body shown is the form of vendor `generic`.",
            )
            .unchecked(),
    }
}

pub(super) fn project(of: Operation, route: ProjectRoute) -> Operation {
    match route {
        ProjectRoute::CreateProject => of
            .takes::<NewProject, Project>(
                "Create a project.",
                json!({
                    "name": "Intake station", "domain": "water supply", "standards": ["ISO 9906"],
                }),
            )
            .with(&KEY),
        ProjectRoute::ListProjects => {
            of.gives::<ProjectList>("List the caller's projects.").with(&PAGE)
        }
        ProjectRoute::ShowProject => of.gives::<ProjectReply>("Show a project and its members."),
        ProjectRoute::ChangeProject => of.takes::<ProjectChange, Project>(
            "Change a project's profile.",
            json!({"version": 3, "standards": ["ISO 9906", "IEC 60034"]}),
        ),
        ProjectRoute::MoveProject => of.takes::<NewMove, Project>(
            "Change a project's status.",
            json!({"to": "active", "version": 3, "reason": "The plan is agreed."}),
        ),
        ProjectRoute::AddProjectMember => of.gives::<MemberList>("Invite a user to a project."),
        ProjectRoute::JoinProject => {
            of.gives::<ProjectReply>("Join a project to which the caller is invited.")
        }
        ProjectRoute::ListInvitations => of
            .gives::<InvitationList>("List the projects and cases to which the caller is invited."),
        ProjectRoute::RemoveProjectMember => of
            .gives::<MemberList>("Remove a member from a project, or take an invitation back.")
            .about("The user `me` is the caller, who leaves or declines."),
        ProjectRoute::ChangeProjectOwner => {
            of.gives::<MemberList>("Hand a project over to a member.")
        }
        ProjectRoute::NoteQuestion => of.takes::<NewNote, Asked>(
            "Note a question in a project's trail.",
            json!({"question": "Which seal lasts longest in sea water?"}),
        ),
        ProjectRoute::ListQueries => {
            of.gives::<QueryList>("List what was asked for a project.").with(&PAGE)
        }
        ProjectRoute::ListDigests => {
            of.gives::<DigestList>("List the digests of a project.").with(&PAGE)
        }
        ProjectRoute::ReadTrail => trail(of),
    }
}

fn trail(of: Operation) -> Operation {
    of.gives::<TrailPage>("Read what was asked and decided for a project, and on what evidence.")
        .with(&[query(
            "as_of",
            "Tells the trail as it stood at this time, RFC 3339.",
            r#"{"type": "string", "format": "date-time"}"#,
        )])
        .with(&PAGE)
        .or_text(&["text/html", "text/markdown"])
}

pub(super) fn decision(of: Operation, route: DecisionRoute) -> Operation {
    match route {
        DecisionRoute::RecordDecision => of
            .takes::<NewDecision, DecisionReply>(
                "Record a decision with its alternatives, its reason and the passages that it rests on.",
                json!({
                    "decision": "Stop the pump at the second alarm",
                    "alternatives": ["run on", "stop at the second alarm"],
                    "rationale": "The bearing was lost within the hour.",
                    "sources": [{"passage_id": "0b5a9c1e-3f6d-5a2b-8c4e-1d2f3a4b5c6d", "relevance": 1.0}],
                }),
            )
            .with(&KEY),
        DecisionRoute::ListDecisions => {
            of.gives::<DecisionList>("List a project's decisions.").with(&PAGE)
        }
        DecisionRoute::FindRelatedDecisions => of.takes::<NewRelated, RelatedList>(
            "Find earlier decisions of a project that are near to one.",
            json!({"decision": "Stop the pump at the second alarm"}),
        ),
        DecisionRoute::ShowDecision => of
            .gives::<DecisionReply>("Show a decision.")
            .with(&[query(
                "format",
                "`pack` makes one page of HTML with all that the decision rests on, and the JSON inside.",
                r#"{"type": "string", "enum": ["pack"]}"#,
            )])
            .or_text(&["text/markdown", "text/html"]),
        DecisionRoute::MoveDecision => of
            .takes::<NewDecisionMove, DecisionReply>(
                "Accept or reject a proposal, or confirm a decision whose evidence changed.",
                json!({"to": "accepted", "version": 1}),
            ),
        DecisionRoute::ListDecisionsOnDocument => {
            of.gives::<RestingList>("List the decisions that rest on a document.")
        }
        DecisionRoute::ReindexDecisions => of
            .takes::<ReindexDecisionsRequest, ReindexDecisionsReply>(
                "Index decisions of all projects again.",
                json!({}),
            )
            .never_conflicting(),
    }
}
