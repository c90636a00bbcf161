//! The ways to name a foreign thing: each id that an operation or a tool takes is one, so that a
//! new operation brings its own.

use anyhow::{Result, bail};
use contract::Operation;
use serde_json::{Map, Value, json};
use wire::route::Route;

use super::known::{Id, Known, Whose};

/// The question that the owner has asked before, so that its answer is stored.
pub(super) const QUESTION: &str = "How is the door of the vault opened?";

/// A request with `{id}` in its route or in its body.
pub(super) struct Way {
    pub id: Id,
    route: String,
    body: Value,
}

impl Way {
    /// Returns the request's route and body for this id, as it is spelled in paths and elsewhere.
    pub(super) fn asking(&self, in_path: &str, decoded: &str) -> (String, Value) {
        let mut body = self.body.clone();
        fill(&mut body, decoded);
        (self.route.replace("{id}", in_path), body)
    }
}

fn fill(value: &mut Value, id: &str) {
    match value {
        Value::String(text) => *text = text.replace("{id}", id),
        Value::Array(all) => all.iter_mut().for_each(|part| fill(part, id)),
        Value::Object(all) => all.values_mut().for_each(|part| fill(part, id)),
        _ => {}
    }
}

/// Returns all ways of the HTTP API.
pub(super) fn ways(known: &Known) -> Result<Vec<Way>> {
    let document = contract::document(|_| None);
    let mut ways = Vec::new();
    for operation in contract::operations() {
        // The MCP server has tools of its own, below. The rest names nothing of anybody.
        if operation.is_public || matches!(operation.route, Route::Mcp(_)) {
            continue;
        }
        let path = operation.entry.path.as_str();
        let described = &document["paths"][path][operation.entry.method.to_lowercase()];
        let body = body(&operation, known);
        for (part, id) in parts(path)? {
            for whose in Whose::ALL {
                let route = route(&operation, known, whose, Some(&part))?;
                ways.push(Way { id, route, body: body.clone() });
            }
        }
        for whose in Whose::ALL {
            let plain = route(&operation, known, whose, None)?;
            for (name, id) in queries(described)? {
                let route = format!("{plain}?{name}={{id}}");
                ways.push(Way { id, route, body: body.clone() });
            }
            for (id, field) in fields(&document, described)? {
                let mut body = body.as_object().cloned().unwrap_or_default();
                body.extend(field);
                ways.push(Way { id, route: plain.clone(), body: body.into() });
            }
        }
    }
    Ok(ways)
}

/// Returns the parameters of a path that are ids.
fn parts(path: &str) -> Result<Vec<(String, Id)>> {
    let inside = |part: &str| Some(part.strip_prefix('{')?.strip_suffix('}')?.to_owned());
    let mut ids = Vec::new();
    for part in path.split('/').filter_map(inside) {
        match part.as_str() {
            // Keys are of nobody: administrators alone reach them.
            "user" | "name" | "key_id" => {}
            "case_id" => ids.push((part, Id::Case)),
            "team_id" => ids.push((part, Id::Team)),
            "project_id" => ids.push((part, Id::Project)),
            "decision_id" => ids.push((part, Id::Decision)),
            "document_id" => ids.push((part, Id::Document)),
            "answer_id" => ids.push((part, Id::Answer)),
            other => bail!("{path}: what {other} names is not known here: add it"),
        }
    }
    Ok(ids)
}

/// Returns the route with `{id}` in the place of `hole`, and with ids of `whose` elsewhere.
fn route(operation: &Operation, known: &Known, whose: Whose, hole: Option<&str>) -> Result<String> {
    let path = operation.entry.path.as_str();
    let mut route = format!("{} {path}", operation.entry.method);
    for (part, id) in parts(path)? {
        let filled = if hole == Some(part.as_str()) { "{id}" } else { known.one(id, whose) };
        route = route.replace(&format!("{{{part}}}"), filled);
    }
    Ok(route.replace("{user}", "vera").replace("{name}", "safety_analysis"))
}

/// Returns an example of the body that asks of the stranger's own.
fn body(operation: &Operation, known: &Known) -> Value {
    let Some(body) = &operation.body else { return Value::Null };
    let mut example = body.example.as_object().cloned().unwrap_or_default();
    example.remove("queries");
    if let Some(question) = example.get_mut("question") {
        *question = QUESTION.into();
    }
    if let Some(project) = example.get_mut("project_id") {
        *project = known.one(Id::Project, Whose::Own).into();
    }
    example.into()
}

/// Returns the parameters of a query string that are ids or names.
fn queries(described: &Value) -> Result<Vec<(String, Id)>> {
    let mut ids = Vec::new();
    let parameters = described["parameters"].as_array().into_iter().flatten();
    for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        match name.as_str() {
            "passage_id" => {
                ids.push((name, Id::Passage));
                ids.push(("reveal=true&passage_id".into(), Id::Passage));
            }
            "cursor" => ids.push((name, Id::Cursor)),
            "knowledge" => ids.push((name, Id::Knowledge)),
            "file" => {
                ids.push(("line=1&file".into(), Id::File));
                ids.push(("page=1&file".into(), Id::File));
            }
            "words" => ids.push((name, Id::Title)),
            "limit" | "line" | "page" | "reveal" | "deleted" | "forever" | "confirm"
            | "max_bytes" | "explain" | "pattern" | "format" | "as_of" => {}
            other => bail!("what the parameter {other} names is not known here: add it"),
        }
    }
    Ok(ids)
}

/// Returns the fields of a body that are ids or names, each with `{id}`.
fn fields(document: &Value, described: &Value) -> Result<Vec<(Id, Map<String, Value>)>> {
    let schema = &described["requestBody"]["content"]["application/json"]["schema"];
    let named = schema["$ref"].as_str().and_then(|at| document.pointer(at.trim_start_matches('#')));
    let properties = named.unwrap_or(schema)["properties"].as_object();
    let mut fields = Vec::new();
    for (name, schema) in properties.into_iter().flatten() {
        let values: Vec<(Id, Value)> = match name.as_str() {
            "knowledge" if schema["type"] == "string" => vec![(Id::Knowledge, json!("{id}"))],
            "knowledge" => vec![(Id::Knowledge, json!(["global", "{id}"]))],
            "project_id" => vec![(Id::Project, json!("{id}"))],
            "team" => vec![(Id::Team, json!("{id}"))],
            "cursor" => vec![(Id::Cursor, json!("{id}"))],
            "supersedes" => vec![(Id::Decision, json!("{id}"))],
            "answers" => vec![(Id::Answer, json!(["{id}"]))],
            "sources"
                if schema.to_string().contains("passage_id") || named.is_some_and(is_decision) =>
            {
                vec![(Id::Passage, json!([{"passage_id": "{id}", "relevance": 1}]))]
            }
            "like" | "unlike" => {
                vec![(Id::Passage, json!(["{id}"])), (Id::Document, json!(["{id}"]))]
            }
            "filters" => vec![
                (Id::Document, json!({"document_id": ["{id}"]})),
                (Id::File, json!({"name": ["{id}"]})),
                (Id::Title, json!({"title": ["{id}"]})),
            ],
            other if other.ends_with("_id") || other.ends_with("_ids") => {
                bail!("what the field {other} names is not known here: add it")
            }
            _ => Vec::new(),
        };
        let one = |(id, value)| (id, Map::from_iter([(name.clone(), value)]));
        fields.extend(values.into_iter().map(one));
    }
    Ok(fields)
}

fn is_decision(schema: &Value) -> bool {
    schema["properties"].get("rationale").is_some()
}

/// Returns all ways of the assistants' tools, as the server lists them.
pub(super) fn tools(listed: &Value) -> Vec<Way> {
    let mut ways = Vec::new();
    for tool in listed["result"]["tools"].as_array().into_iter().flatten() {
        let schema = &tool["inputSchema"];
        let required = schema["required"].as_array().into_iter().flatten();
        let filled = required.filter_map(|name| {
            let name = name.as_str()?;
            let value = match schema["properties"][name]["type"].as_str() {
                Some("array") => json!(["seal", "door"]),
                Some("object") => json!({}),
                Some("integer" | "number") => json!(1),
                _ => json!(QUESTION),
            };
            Some((name.to_owned(), value))
        });
        let base: Map<String, Value> = filled.collect();
        let ids = [
            ("knowledge", Id::Knowledge),
            ("project_id", Id::Project),
            ("team_id", Id::Team),
            ("passage_id", Id::Passage),
            ("file", Id::File),
            ("supersedes", Id::Decision),
        ];
        for (name, id) in ids.iter().filter(|(name, _)| schema["properties"].get(name).is_some()) {
            let mut arguments = base.clone();
            arguments.insert((*name).to_owned(), json!("{id}"));
            let params = json!({"name": tool["name"], "arguments": arguments});
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            ways.push(Way { id: *id, route: "POST /mcp".into(), body });
        }
    }
    ways
}
