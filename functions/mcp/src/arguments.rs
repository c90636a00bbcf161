//! A tool's arguments as a request of the HTTP API.

use contract::{Body, Definitions, Parameter, Place, Purpose};
use lambda::Asking;
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use wire::route::{Base, Route};

use crate::server::MOST;

mod plain;

/// Parameters that no tool has: whose documents are meant is said by `knowledge`, and secrets are
/// for people.
const LEFT_OUT: [&str; 4] = ["case_id", "team_id", "reveal", "deleted"];

/// Fields of bodies that no tool lists: assistants write queries that stand alone, need no account
/// of scores, and note questions by a tool of its own.
const FOR_PROGRAMS: [&str; 5] = ["answers", "conversation", "explain", "mode", "note"];

/// The argument that says whose documents are meant.
const KNOWLEDGE: &str = "knowledge";

/// Whose documents are meant where a call does not say.
const DEFAULT: [&str; 2] = ["global", "user"];

/// The most knowledge bases that one call asks.
const MOST_BASES: usize = 8;

/// The route behind a tool.
#[derive(Clone, Copy)]
pub(crate) enum RouteOf {
    /// One, whatever the knowledge base.
    One(Route),
    /// One for each kind of knowledge base.
    EachBase(fn(Base) -> Route),
}

impl RouteOf {
    /// The route for a kind of knowledge base.
    pub(crate) fn for_base(self, base: Base) -> Route {
        match self {
            RouteOf::One(route) => route,
            RouteOf::EachBase(route) => route(base),
        }
    }

    fn is_of_base(self) -> bool {
        matches!(self, RouteOf::EachBase(_))
    }
}

/// The knowledge bases that a call means, and whether it names them. A tool that is for one at a
/// time is called for each; the others have all in their body, and one empty name.
///
/// # Errors
/// What the caller can repair.
pub(crate) fn bases(
    route: RouteOf,
    arguments: &mut JsonObject,
) -> Result<(Vec<String>, bool), String> {
    if !route.is_of_base() {
        return Ok((vec![String::new()], true));
    }
    let wrong =
        || format!("`{KNOWLEDGE}` must be a list of `global`, `user`, `case:<id>`, `team:<id>`");
    let given = match arguments.remove(KNOWLEDGE) {
        None | Some(Value::Null) => return Ok((DEFAULT.map(String::from).to_vec(), false)),
        Some(Value::String(one)) => vec![Value::String(one)],
        Some(Value::Array(all)) if !all.is_empty() && all.len() <= MOST_BASES => all,
        Some(_) => return Err(wrong()),
    };
    let mut bases: Vec<String> = Vec::new();
    for base in given {
        let base = base.as_str().ok_or_else(wrong)?.to_owned();
        if !bases.contains(&base) {
            bases.push(base);
        }
    }
    Ok((bases, true))
}

/// The request of the HTTP API that a tool's call stands for, to the knowledge base `base` where it
/// is for one.
///
/// # Errors
/// What the caller can repair.
pub(crate) fn asking(
    route: RouteOf,
    base: &str,
    mut arguments: JsonObject,
) -> Result<Asking, String> {
    let (kind, id) = base.split_once(':').unwrap_or((base, ""));
    let kind_of_base = match (kind, id.is_empty()) {
        ("user", true) => Some(Base::User),
        ("case", false) => Some(Base::Case),
        ("team", false) => Some(Base::Team),
        _ => Some(Base::Global).filter(|_| base == "global" || !route.is_of_base()),
    };
    let route = route.for_base(kind_of_base.ok_or_else(|| {
        format!("`{KNOWLEDGE}` must be `global`, `user`, `case:<id>` or `team:<id>`")
    })?);
    let mut asking = Asking::of(route);
    if !id.is_empty() {
        asking.parameters.insert(format!("{kind}_id"), id.into());
    }
    let operation = contract::operation(route).ok_or_else(|| format!("{route} is no operation"))?;
    for parameter in
        operation.parameters.iter().filter(|parameter| !LEFT_OUT.contains(&parameter.name))
    {
        let text = match arguments.remove(&argument(parameter)) {
            Some(Value::String(text)) => text,
            None | Some(Value::Null) if parameter.name == "max_bytes" => MOST.to_string(),
            None | Some(Value::Null) => String::new(),
            Some(other) => other.to_string(),
        };
        if text.is_empty() {
            if parameter.place == Place::Path {
                return Err(format!("`{}` is missing", argument(parameter)));
            }
            continue;
        }
        let place = match parameter.place {
            Place::Path => &mut asking.parameters,
            Place::Query => &mut asking.query,
            Place::Header => &mut asking.headers,
        };
        place.insert(parameter.name.into(), text);
    }
    if operation.body.is_none() && !asking.query.contains_key("max_bytes") {
        // Each form of a reply has its budget, also where the HTTP API gives all of it.
        let most = arguments.remove("max_bytes").unwrap_or_else(|| json!(MOST));
        asking.query.insert("max_bytes".into(), most.to_string());
    }
    if let Some(unknown) = arguments.keys().next().filter(|_| operation.body.is_none()) {
        return Err(format!("`{unknown}` is no argument of this tool"));
    }
    if let Some(body) = &operation.body {
        completed(&mut arguments, &fields(body));
    }
    asking.body = Value::Object(arguments).to_string().into_bytes();
    Ok(asking)
}

/// The fields of a body, by name.
fn fields(body: &Body) -> Map<String, Value> {
    let mut schema = rooted(Definitions::at("/$defs", Purpose::Request), body.schema);
    match schema.remove("properties") {
        Some(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// Says what a tool's call means where it does not: a reply of few bytes. No question is noted in a
/// project's trail, since a tool that only reads writes nothing for others to read. One knowledge
/// base is a list of one; where none is named, those of [`DEFAULT`] are meant.
fn completed(arguments: &mut JsonObject, fields: &Map<String, Value>) {
    if fields.contains_key("max_bytes") && !arguments.contains_key("max_bytes") {
        arguments.insert("max_bytes".into(), json!(MOST));
    }
    if fields.contains_key("note") {
        arguments.insert("note".into(), json!(false));
    }
    match arguments.get_mut(KNOWLEDGE) {
        Some(one @ Value::String(_)) => *one = json!([one.take()]),
        None if fields.contains_key(KNOWLEDGE) => {
            arguments.insert(KNOWLEDGE.into(), json!(DEFAULT));
        }
        _ => {}
    }
}

/// The name of a parameter among a tool's arguments.
fn argument(parameter: &Parameter) -> String {
    parameter.name.replace('-', "_")
}

/// The schema of a tool's arguments.
pub(crate) fn input_schema(route: RouteOf) -> JsonObject {
    let Some(operation) = contract::operation(route.for_base(Base::Global)) else {
        return JsonObject::new();
    };
    let mut schema = match operation.body {
        Some(body) => rooted(Definitions::at("/$defs", Purpose::Request), body.schema),
        None => JsonObject::new(),
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    if route.is_of_base() {
        properties.insert(KNOWLEDGE.into(), knowledge());
    }
    for parameter in
        operation.parameters.iter().filter(|parameter| !LEFT_OUT.contains(&parameter.name))
    {
        let mut property: Value = serde_json::from_str(parameter.schema).unwrap_or_default();
        property["description"] = parameter.description.into();
        properties.insert(argument(parameter), property);
        if parameter.place == Place::Path {
            required.push(json!(argument(parameter)));
        }
    }
    if let Some(Value::Object(of_body)) = schema.remove("properties") {
        properties.extend(of_body.into_iter().filter(|(name, _)| !FOR_PROGRAMS.contains(&&**name)));
    }
    if let Some(Value::Array(of_body)) = schema.remove("required") {
        required.extend(of_body);
    }
    schema.remove("description");
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    schema.insert("required".into(), required.into());
    plain::plain(schema)
}

/// The schema itself in place of a reference to it, with the types that it names.
fn rooted(mut definitions: Definitions, schema: contract::SchemaOf) -> JsonObject {
    let reference = definitions.add(schema);
    let mut all = definitions.into_map();
    let name = reference["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let mut root = match name.and_then(|name| all.remove(name)) {
        Some(Value::Object(root)) => root,
        _ => JsonObject::new(),
    };
    if !all.is_empty() {
        root.insert("$defs".into(), all.into());
    }
    root
}

fn knowledge() -> Value {
    json!({
        "type": "array",
        "items": {"type": "string"},
        "description": "Whose documents.",
    })
}

#[cfg(test)]
mod tests;
