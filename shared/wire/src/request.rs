//! What every workflow is asked with.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::common::AnswerMode;

/// The fields that the requests of all workflows have.
#[derive(Debug, Clone, Copy)]
pub struct CommonFields<'a> {
    /// The question.
    pub question: &'a str,
    /// Other words for it.
    pub queries: &'a [String],
    /// Who writes queries beside it, where the caller says so.
    pub mode: Option<AnswerMode>,
    /// Ids of passages or documents that are like what is sought.
    pub like: &'a [Uuid],
    /// Ids of passages or documents that are not.
    pub unlike: &'a [Uuid],
    /// The project that it is asked for.
    pub project_id: Option<&'a str>,
    /// How many results are wanted.
    pub top_k: Option<u32>,
    /// What a passage must satisfy.
    pub filters: &'a Map<String, Value>,
    /// Where to look.
    pub knowledge: &'a [String],
    /// Whether the reply shows how scores come about.
    pub explain: bool,
    /// Whether a project's trail notes the question.
    pub is_noted: bool,
}

/// A request of a workflow.
pub trait WorkflowRequest {
    /// What it has in common with those of the other workflows.
    fn common(&self) -> CommonFields<'_>;
}

/// A workflow as its callers see it. It has a function and a route of the name that the list in
/// `lib.rs` gives it, and a tool for assistants.
pub trait Workflow {
    /// The request.
    type Request: WorkflowRequest + Serialize + DeserializeOwned + JsonSchema;
    /// The report.
    type Report: Serialize + DeserializeOwned + JsonSchema;

    /// What it does, in one line.
    const SUMMARY: &'static str;
    /// An example of its request, as JSON.
    const EXAMPLE: &'static str;
    /// The name of its tool.
    const TOOL: &'static str;
    /// The title of its tool.
    const TITLE: &'static str;
    /// What an assistant must know to choose the tool and to call it well.
    const DESCRIPTION: &'static str;
}

/// A project's id, which some workflows require.
pub(crate) trait ProjectId {
    fn project_id(&self) -> Option<&str>;
}

impl ProjectId for String {
    fn project_id(&self) -> Option<&str> {
        Some(self)
    }
}

impl ProjectId for Option<String> {
    fn project_id(&self) -> Option<&str> {
        self.as_deref()
    }
}

/// Declares a workflow's request: the common fields, some of them with words of its own, and then
/// its own fields. Serde cannot refuse unknown fields of a struct that is flattened into another,
/// and a misspelt field has to be refused.
macro_rules! workflow_request {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $(#[$question:meta])*
            question,
            $(#[$project:meta])*
            project_id: $project_id:ty,
            $(#[$top_k:meta])*
            top_k,
            $($(#[$attribute:meta])* pub $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $(#[$question])*
            #[schemars(length(min = 1, max = 2000))]
            pub question: String,
            /// Other words for the question, at most 8, each searched beside it: send three to
            /// five. Best are the words that a document would use: likely terms, error messages,
            /// the supposed cause; and one whole sentence that it may contain.
            #[schemars(length(max = 8), inner(length(min = 1, max = 2000)))]
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub queries: Vec<String>,
            /// In mode `generative` a language model writes queries where none are sent, and grades
            /// or sorts what is found. As the service is set up where absent.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub mode: Option<$crate::common::AnswerMode>,
            /// Ids of passages or documents that are like what is sought: "more of this kind". They
            /// are not shown. The question still tells the kind, in a few words.
            #[schemars(length(max = 8))]
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub like: Vec<uuid::Uuid>,
            /// Ids of passages or documents that are not what is sought; the first counts against
            /// what is like it.
            #[schemars(length(max = 8))]
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub unlike: Vec<uuid::Uuid>,
            $(#[$project])*
            pub project_id: $project_id,
            $(#[$top_k])*
            #[schemars(range(min = 1, max = 50))]
            #[serde(skip_serializing_if = "Option::is_none")]
            pub top_k: Option<u32>,
            /// What a passage must satisfy: `{field: value | [values]}`, fields being
            /// `document_type`, `source`, `name`, `title`, `tags`, `section`, `severity`, `code`,
            /// `author`, `standard`, `language`, `commit`, `edition` (the version that a document
            /// is or tells of), `lifecycle` (`draft`, `superseded` and the like), `symbol`, and
            /// `time`: `{gte, gt, lte, lt}` in RFC 3339.
            #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
            pub filters: serde_json::Map<String, serde_json::Value>,
            /// Where to look: `global` (everyone's documents), `user` (the caller's own),
            /// `case:<id>`, `team:<id>` (a group of the caller, which the person names);
            /// `["global"]` where absent.
            #[schemars(inner(regex(pattern = "^(global|user|case:.+|team:.+)$")))]
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub knowledge: Vec<String>,
            /// False keeps the question out of the project's trail; it is noted there where absent.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub note: Option<bool>,
            /// True shows how each score comes about, and the ids and offsets that only programs
            /// need.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            pub explain: bool,
            /// The most bytes of the reply, 500 to 6,000,000; 30,000 where absent. What is most
            /// useful comes first, and `left_out` says what is missing.
            #[schemars(range(min = 500, max = 6_000_000))]
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub max_bytes: Option<u32>,
            $($(#[$attribute])* pub $field: $type,)*
        }

        impl $crate::request::WorkflowRequest for $name {
            fn common(&self) -> $crate::request::CommonFields<'_> {
                $crate::request::CommonFields {
                    question: &self.question,
                    queries: &self.queries,
                    mode: self.mode,
                    like: &self.like,
                    unlike: &self.unlike,
                    project_id: $crate::request::ProjectId::project_id(&self.project_id),
                    top_k: self.top_k,
                    filters: &self.filters,
                    knowledge: &self.knowledge,
                    explain: self.explain,
                    is_noted: self.note.unwrap_or(true),
                }
            }
        }
    };
}

pub(crate) use workflow_request;
