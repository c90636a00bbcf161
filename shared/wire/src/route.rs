//! The routes of the HTTP API. Each stands here once: handlers match on it, the OpenAPI document
//! and the tools of assistants name it, and the template has it from infra/routes.json.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use heck::ToSnakeCase;
use serde::Serialize;

use crate::WORKFLOWS;

mod base;

pub use base::Base;

/// The effect of a request on stored data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing changes, unless the request says to note the question.
    Read,
    /// Something is added or changed.
    Write,
    /// Something is deleted.
    Delete,
}

/// A row of the table of routes.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// The name of the operation, unique among all.
    pub name: String,
    /// The function that answers.
    pub function: &'static str,
    /// The name of the function's event in the template.
    pub event: String,
    /// The effect of a request.
    pub effect: Effect,
    /// The HTTP method, in capitals.
    pub method: &'static str,
    /// The path with its parameters in braces.
    pub path: String,
    /// True if the gateway asks for no token, since the function checks itself who sends.
    pub open: bool,
    /// True if a program may come with an API key in place of a token.
    pub keyed: bool,
}

impl Entry {
    /// Makes the entry of a row; `base` is its kind of knowledge base, where it has one for each.
    fn of(
        names: [&str; 2],
        function: &'static str,
        effect: Effect,
        key: &'static str,
        base: &[Base],
    ) -> Entry {
        let kind = base.first().map(|base| format!("{base:?}")).unwrap_or_default();
        let [name, event] = names.map(|name| format!("{name}{kind}"));
        let (method, path) = key.split_once(' ').unwrap_or_default();
        Entry {
            name: name.to_snake_case(),
            function,
            event,
            effect,
            method,
            path: path.replace("{base}", base.first().map_or("", |base| base.path())),
            open: ["mcp", "alerts"].contains(&function),
            // A key makes no keys.
            keyed: !["alerts", "keys"].contains(&function) && (function != "mcp" || path == "/mcp"),
        }
    }
}

/// The route of a workflow with a function of its own: `POST /v1/` and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkflowRoute(&'static str);

impl WorkflowRoute {
    /// The route of the workflow with this name; `None` where there is none.
    pub fn of(name: &str) -> Option<WorkflowRoute> {
        WORKFLOWS.iter().find(|known| **known == name).copied().map(WorkflowRoute)
    }

    /// The name of the workflow.
    pub fn name(self) -> &'static str {
        self.0
    }

    fn entry(self) -> Entry {
        let WorkflowRoute(name) = self;
        Entry {
            name: name.into(),
            function: name,
            event: "Ask".into(),
            effect: Effect::Read,
            method: "POST",
            path: format!("/v1/{name}"),
            open: false,
            keyed: true,
        }
    }
}

/// Makes the table. It has groups, each with functions, each with routes: name, effect and event of
/// each, and its method with its path. One with `{base}` is there once for each kind of knowledge
/// base.
macro_rules! routes {
    (@each $group:ident $of:ident $route:ident) => {
        vec![Route::$group($of::$route)]
    };
    (@each $group:ident $of:ident $route:ident $kind:ident) => {
        $kind::ALL.map(|base| Route::$group($of::$route(base))).to_vec()
    };
    ($(#[doc = $about:literal] $group:ident($of:ident) { $($function:ident {
        $($route:ident$(($base:ident: $kind:ident))? = $effect:ident, $event:ident, $key:literal;)+
    })+ })+) => {
        $(
            #[doc = $about]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $of {
                $($(#[doc = concat!("`", $key, "`.")] $route$(($kind))?,)+)+
            }
        )+

        /// A route.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Route {
            /// A workflow with a function of its own.
            Workflow(WorkflowRoute),
            $(#[doc = $about] $group($of),)+
        }

        impl Route {
            /// Returns all routes, each function's in the order of the table.
            pub fn all() -> Vec<Route> {
                let workflows = WORKFLOWS.iter().copied().map(WorkflowRoute).map(Route::Workflow);
                let others = [$($($(routes!(@each $group $of $route $($kind)?),)+)+)+].concat();
                workflows.chain(others).collect()
            }

            /// Returns the row of the route.
            pub fn entry(self) -> Entry {
                match self {
                    Route::Workflow(route) => route.entry(),
                    $($($(Route::$group($of::$route$(($base))?) => Entry::of(
                        [stringify!($route), stringify!($event)],
                        stringify!($function), Effect::$effect, $key, &[$($base)?],
                    ),)+)+)+
                }
            }
        }
    };
}

routes! {
    /// The workflows that are files.
    Custom(CustomRoute) { custom {
        ListCustomWorkflows = Read, List, "GET /v1/custom";
        RunCustomWorkflow = Read, Ask, "POST /v1/custom/{name}";
    } }
    /// Several sources at once.
    Search(SearchRoute) { search {
        ListConflicts = Read, Conflicts, "GET /v1/conflicts";
        Search = Read, Ask, "POST /v1/search";
    } }
    /// Answers, records and passages of one knowledge base, and the state of the service.
    Answer(AnswerRoute) { answer {
        AnswerFrom(base: Base) = Read, Ask, "POST {base}/answer";
        QueryRecordsOf(base: Base) = Read, Query, "POST {base}/records";
        ListColumnsOf(base: Base) = Read, Columns, "GET {base}/records";
        ReadPassageOf(base: Base) = Read, Passage, "GET {base}/passages";
        ReadAnswer = Read, Show, "GET /v1/answers/{answer_id}";
        ReadHealth = Read, Health, "GET /v1/health";
        TryModel = Write, TryTheModel, "POST /v1/health/trial";
    } }
    /// Projects with their trails.
    Projects(ProjectRoute) { projects {
        CreateProject = Write, Create, "POST /v1/projects";
        ListProjects = Read, List, "GET /v1/projects";
        ShowProject = Read, Show, "GET /v1/projects/{project_id}";
        ChangeProject = Write, Change, "PATCH /v1/projects/{project_id}";
        AddProjectMember = Write, AddMember, "PUT /v1/projects/{project_id}/members/{user}";
        RemoveProjectMember =
            Delete, RemoveMember, "DELETE /v1/projects/{project_id}/members/{user}";
        JoinProject = Write, Join, "POST /v1/projects/{project_id}/members/me";
        ListInvitations = Read, ListInvitations, "GET /v1/invitations";
        ChangeProjectOwner = Write, ChangeOwner, "PUT /v1/projects/{project_id}/owner/{user}";
        MoveProject = Write, Move, "POST /v1/projects/{project_id}/status";
        NoteQuestion = Write, NoteQuestion, "POST /v1/projects/{project_id}/queries";
        ListQueries = Read, ListQueries, "GET /v1/projects/{project_id}/queries";
        ListDigests = Read, ListDigests, "GET /v1/projects/{project_id}/digests";
        ReadTrail = Read, ShowTrail, "GET /v1/projects/{project_id}/trail";
    } }
    /// Decisions of projects.
    Decisions(DecisionRoute) { projects {
        FindRelatedDecisions =
            Read, RelateDecision, "POST /v1/projects/{project_id}/decisions/related";
        RecordDecision = Write, RecordDecision, "POST /v1/projects/{project_id}/decisions";
        ListDecisions = Read, ListDecisions, "GET /v1/projects/{project_id}/decisions";
        ShowDecision = Read, ShowDecision, "GET /v1/projects/{project_id}/decisions/{decision_id}";
        MoveDecision = Write, MoveDecision,
            "POST /v1/projects/{project_id}/decisions/{decision_id}/status";
        ReindexDecisions = Write, IndexDecisions, "POST /v1/reindex/decisions";
        ListDecisionsOnDocument =
            Read, ListDocumentDecisions, "GET /v1/documents/{document_id}/decisions";
    } }
    /// The Model Context Protocol, and what anybody may read: no token is asked for by the gateway.
    Mcp(McpRoute) { mcp {
        ReadDocs = Read, Docs, "GET /docs";
        ReadOpenapi = Read, Document, "GET /openapi.json";
        ReadMetadata = Read, Resource, "GET /.well-known/oauth-protected-resource";
        ReadMcpMetadata = Read, ResourceMcp, "GET /.well-known/oauth-protected-resource/mcp";
        StreamMcp = Read, Stream, "GET /mcp";
        EndMcp = Delete, End, "DELETE /mcp";
        CallMcp = Write, Ask, "POST /mcp";
    } }
    /// Documents, and indexing them again.
    Documents(DocumentRoute) { documents {
        Reindex = Write, Reindex, "POST /v1/reindex";
        ListKnowledge = Read, ListKnowledge, "GET /v1/knowledge";
        AnnounceDocumentOf(base: Base) = Write, Add, "POST {base}/documents";
        ListDocumentsOf(base: Base) = Read, List, "GET {base}/documents";
        ShowDocumentOf(base: Base) = Read, Show, "GET {base}/documents/{document_id}";
        DeleteDocumentOf(base: Base) = Delete, Delete, "DELETE {base}/documents/{document_id}";
        RestoreDocumentOf(base: Base) =
            Write, Restore, "POST {base}/documents/{document_id}/restore";
    } }
    /// API keys of programs.
    Keys(KeyRoute) { keys {
        MakeKey = Write, Make, "POST /v1/keys";
        ListKeys = Read, List, "GET /v1/keys";
        RevokeKey = Delete, Revoke, "DELETE /v1/keys/{key_id}";
    } }
    /// Alerts of monitoring systems: the function checks itself who sends them.
    Alerts(AlertRoute) { alerts { ReceiveAlerts = Write, Receive, "POST /v1/alerts/{route}"; } }
    /// Cases with their members, and users who leave.
    Cases(CaseRoute) { documents {
        CreateCase = Write, CreateCase, "POST /v1/cases";
        ListCases = Read, ListCases, "GET /v1/cases";
        ListTeamCases = Read, ListTeamCases, "GET /v1/teams/{team_id}/cases";
        ShowCase = Read, ShowOneCase, "GET /v1/cases/{case_id}";
        ShowCaseAlerts = Read, ShowAlerts, "GET /v1/cases/{case_id}/alerts";
        AddCaseMember = Write, AddCaseMember, "PUT /v1/cases/{case_id}/members/{user}";
        RemoveCaseMember = Delete, RemoveCaseMember, "DELETE /v1/cases/{case_id}/members/{user}";
        JoinCase = Write, JoinCase, "POST /v1/cases/{case_id}/members/me";
        ChangeCaseOwner = Write, ChangeCaseOwner, "PUT /v1/cases/{case_id}/owner/{user}";
        CloseCase = Delete, CloseCase, "POST /v1/cases/{case_id}/close";
        ForgetUser = Delete, ForgetUser, "DELETE /v1/users/{user}";
    } }
}

impl Route {
    /// Reads a route as API Gateway names it, such as `POST /v1/rcca`.
    pub fn parse(key: &str) -> Option<Route> {
        static ALL: LazyLock<HashMap<String, Route>> = LazyLock::new(|| {
            Route::all().into_iter().map(|route| (route.to_string(), route)).collect()
        });
        ALL.get(key).copied()
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { method, path, .. } = self.entry();
        write!(f, "{method} {path}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_route_is_read_from_its_text_and_has_names_of_its_own() {
        let (mut names, mut events) = (BTreeSet::new(), BTreeSet::new());
        for route in Route::all() {
            assert_eq!(Route::parse(&route.to_string()), Some(route));
            let Entry { name, function, event, .. } = route.entry();
            assert!(names.insert(name), "{route}: another route has its name");
            assert!(events.insert((function, event)), "{route}: another route has its event");
        }
        assert_eq!(Route::parse("POST /v1/another"), None);
    }
}
