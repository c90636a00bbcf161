//! An operation of the HTTP API.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::route::{Effect, Entry, Route};

use crate::schema::SchemaOf;

/// An operation of the HTTP API.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The route.
    pub route: Route,
    /// What the table of routes says of it: its name, method and path.
    pub entry: Entry,
    /// The group it is shown in.
    pub tag: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What a caller must know besides.
    pub description: &'static str,
    /// The parameters in path, query and headers.
    pub parameters: Vec<Parameter>,
    /// The body that it takes.
    pub body: Option<Body>,
    /// The reply when it succeeds.
    pub success: Success,
    /// The statuses with which it may fail.
    pub failures: BTreeSet<u16>,
    /// Whether it is answered without a token.
    pub is_public: bool,
}

/// A parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The part of the request that has it.
    pub place: Place,
    /// What it says.
    pub description: &'static str,
    /// Its JSON Schema, as JSON.
    pub schema: &'static str,
}

/// A part of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The path.
    Path,
    /// The query behind the path.
    Query,
    /// A header.
    Header,
}

/// The body of a request.
#[derive(Debug, Clone)]
pub struct Body {
    /// Its schema.
    pub schema: SchemaOf,
    /// Reads a body of its type.
    pub read: fn(Value) -> serde_json::Result<()>,
    /// An example of it.
    pub example: Value,
}

/// The reply when an operation succeeds.
#[derive(Debug, Clone)]
pub struct Success {
    /// The status.
    pub status: u16,
    /// The schema of its JSON; none where it is a text only.
    pub schema: Option<SchemaOf>,
    /// Whether `meta` comes with it.
    pub has_meta: bool,
    /// Other media types that a caller may ask for.
    pub texts: &'static [&'static str],
}

impl Operation {
    /// The operation of a route, without its words.
    pub(crate) fn of(route: Route, tag: &'static str) -> Operation {
        let entry = route.entry();
        let mut failures = BTreeSet::from([400, 401, 403, 404, 422, 429, 503]);
        // A change may conflict with the present state.
        if entry.effect != Effect::Read {
            failures.insert(409);
        }
        Operation {
            parameters: path_parameters(&entry.path),
            route,
            entry,
            tag,
            summary: "",
            description: "",
            body: None,
            success: Success { status: 200, schema: None, has_meta: true, texts: &[] },
            failures,
            is_public: false,
        }
    }

    /// It replies with a JSON of type `R` and its `meta`.
    pub(crate) fn gives<R: JsonSchema>(mut self, summary: &'static str) -> Operation {
        self.summary = summary;
        self.success.schema = Some(SchemaOf::of::<R>());
        self
    }

    /// It takes a body of type `B`, and replies with a JSON of type `R` and its `meta`.
    pub(crate) fn takes<B: JsonSchema + DeserializeOwned, R: JsonSchema>(
        mut self,
        summary: &'static str,
        example: Value,
    ) -> Operation {
        let read = |body| serde_json::from_value::<B>(body).map(drop);
        self.body = Some(Body { schema: SchemaOf::of::<B>(), read, example });
        self.failures.insert(413);
        self.gives::<R>(summary)
    }

    /// It is done after the reply.
    pub(crate) fn later(mut self) -> Operation {
        self.success.status = 202;
        self
    }

    /// The reply may come as a text of one of these media types.
    pub(crate) fn or_text(mut self, texts: &'static [&'static str]) -> Operation {
        self.success.texts = texts;
        self
    }

    /// It reads, and may fail because of what is there already.
    pub(crate) fn conflicting(mut self) -> Operation {
        self.failures.insert(409);
        self
    }

    /// It changes something, and goes with whatever is there already.
    pub(crate) fn never_conflicting(mut self) -> Operation {
        self.failures.remove(&409);
        self
    }

    /// Where it is of a case, it fails once that is closed.
    pub(crate) fn of_case(self) -> Operation {
        if self.entry.path.contains("{case_id}") { self.conflicting() } else { self }
    }

    pub(crate) fn with(mut self, parameters: &[Parameter]) -> Operation {
        self.parameters.extend(parameters);
        self
    }

    pub(crate) fn about(mut self, description: &'static str) -> Operation {
        self.description = description;
        self
    }

    pub(crate) fn tagged(mut self, tag: &'static str) -> Operation {
        self.tag = tag;
        self
    }

    /// No token is asked for: the route itself says who may call it.
    pub(crate) fn unchecked(mut self) -> Operation {
        self.is_public = true;
        self
    }

    /// Anybody may call it, and the reply is a text of this media type.
    pub(crate) fn public(
        mut self,
        summary: &'static str,
        media: &'static [&'static str],
    ) -> Operation {
        self.summary = summary;
        self.is_public = true;
        self.success = Success { status: 200, schema: None, has_meta: false, texts: media };
        self.failures = BTreeSet::from([429, 503]);
        self
    }
}

/// The parameters in a path, by their names in braces.
fn path_parameters(path: &str) -> Vec<Parameter> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names
        .filter_map(|name| {
            PATH_PARAMETERS.iter().find(|path_parameter| path_parameter.name == name)
        })
        .copied()
        .collect()
}

const fn path(name: &'static str, description: &'static str, schema: &'static str) -> Parameter {
    Parameter { name, place: Place::Path, description, schema }
}

/// An id that the service gives: a ULID.
const ULID: &str = r#"{"type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"}"#;

const PATH_PARAMETERS: [Parameter; 10] = [
    path("case_id", "The case.", ULID),
    path("team_id", "The team: a group of the caller's token.", r#"{"type": "string"}"#),
    path("route", "The name of a route of alerts.", r#"{"type": "string"}"#),
    path("project_id", "The project.", ULID),
    path("decision_id", "The decision.", ULID),
    path("answer_id", "The answer.", ULID),
    path("key_id", "The API key.", ULID),
    path("document_id", "The document.", r#"{"type": "string", "format": "uuid"}"#),
    path(
        "user",
        "The person: the subject of their tokens.",
        r#"{"type": "string", "minLength": 1}"#,
    ),
    path("name", "The name of a workflow of this deployment.", r#"{"type": "string"}"#),
];
