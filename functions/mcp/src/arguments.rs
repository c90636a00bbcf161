//! A tool's arguments as a request of the HTTP API.

use std::sync::LazyLock;

use contract::{Definitions, Operation, Parameter, Place, Purpose};
use lambda::Asking;
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};
use wire::meta::Meta;

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(contract::operations);

/// Parameters that no tool has: whose documents are meant is said by `knowledge`, and secrets are for people.
const LEFT_OUT: [&str; 3] = ["case_id", "team_id", "reveal"];

/// The argument that says whose documents are meant.
const KNOWLEDGE: &str = "knowledge";

/// The operation behind a tool. A name that ends in `_of` or `_from` is of four, one for each kind of knowledge base.
fn operation(name: &str, scope: &str) -> Option<&'static Operation> {
    let is_scoped = is_scoped(name);
    OPERATIONS.iter().find(|operation| match operation.id.strip_prefix(name) {
        Some("") => !is_scoped,
        Some(rest) => is_scoped && rest.strip_prefix('_') == Some(scope),
        None => false,
    })
}

fn is_scoped(name: &str) -> bool {
    name.ends_with("_of") || name.ends_with("_from")
}

/// The request of the HTTP API that a tool's call stands for.
///
/// # Errors
/// What the caller can repair.
pub(crate) fn asking(name: &str, mut arguments: JsonObject) -> Result<Asking, String> {
    let mut asking = Asking::default();
    let mut scope = String::new();
    if is_scoped(name) {
        let knowledge = arguments.remove(KNOWLEDGE);
        let knowledge = knowledge.as_ref().and_then(Value::as_str).unwrap_or_default();
        let (kind, id) = knowledge.split_once(':').unwrap_or((knowledge, ""));
        scope = kind.into();
        if matches!(kind, "case" | "team") == id.is_empty() {
            scope.clear();
        } else if !id.is_empty() {
            asking.parameters.insert(format!("{kind}_id"), id.into());
        }
    }
    let operation = operation(name, &scope).ok_or_else(|| {
        format!("`{KNOWLEDGE}` must be `global`, `user`, `case:<id>` or `team:<id>`")
    })?;
    for parameter in
        operation.parameters.iter().filter(|parameter| !LEFT_OUT.contains(&parameter.name))
    {
        let text = match arguments.remove(&argument(parameter)) {
            Some(Value::String(text)) => text,
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
    if let Some(unknown) = arguments.keys().next().filter(|_| operation.body.is_none()) {
        return Err(format!("`{unknown}` is no argument of this tool"));
    }
    asking.body = Value::Object(arguments).to_string().into_bytes();
    asking.route = operation.route();
    Ok(asking)
}

/// The name of a parameter among a tool's arguments.
fn argument(parameter: &Parameter) -> String {
    parameter.name.replace('-', "_")
}

/// The schema of a tool's arguments.
pub(crate) fn input_schema(name: &str) -> JsonObject {
    let Some(operation) = operation(name, "global").or_else(|| operation(name, "")) else {
        return JsonObject::new();
    };
    let mut schema = match operation.body {
        Some(body) => rooted(Definitions::at("/$defs", Purpose::Request), body.schema),
        None => JsonObject::new(),
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    if is_scoped(name) {
        properties.insert(KNOWLEDGE.into(), knowledge());
        required.push(json!(KNOWLEDGE));
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
        properties.extend(of_body);
    }
    if let Some(Value::Array(of_body)) = schema.remove("required") {
        required.extend(of_body);
    }
    schema.remove("description");
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    schema.insert("required".into(), required.into());
    schema.insert("additionalProperties".into(), false.into());
    schema
}

/// The schema of what a tool gives.
pub(crate) fn output_schema(name: &str) -> Option<JsonObject> {
    let operation = operation(name, "global").or_else(|| operation(name, ""))?;
    let mut definitions = Definitions::at("/$defs", Purpose::Reply);
    let meta = definitions.add(contract::SchemaOf::of::<Meta>());
    let mut schema = rooted(definitions, operation.success.schema?);
    schema.remove("description");
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("meta".into(), meta);
    }
    let definitions = match schema.remove("$defs") {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    };
    for property in schema.get_mut("properties").and_then(Value::as_object_mut)?.values_mut() {
        let about = property.get("description").cloned();
        *property = outlined(property, &definitions, LEVELS);
        if let Some(about) = about {
            property["description"] = about;
        }
    }
    Some(schema)
}

/// How many levels of what a tool gives its schema tells. The OpenAPI document has all of them: with them the list of tools,
/// which every client reads before its first call, would be three times as long.
const LEVELS: usize = 1;

/// A schema with the types that it names in their place, so many levels deep, and without what explains them.
fn outlined(schema: &Value, definitions: &Map<String, Value>, levels: usize) -> Value {
    let Some(fields) = schema.as_object() else { return schema.clone() };
    if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return definitions
            .get(name)
            .map_or(json!({}), |definition| outlined(definition, definitions, levels));
    }
    let mut outline = Map::new();
    for name in ["type", "enum", "const"] {
        outline.extend(fields.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    if let Some(items) = fields.get("items") {
        outline.insert("items".into(), outlined(items, definitions, levels));
    }
    if let Some(variants) = fields.get("anyOf").and_then(Value::as_array) {
        let variants = variants.iter().map(|variant| outlined(variant, definitions, levels));
        outline.insert("anyOf".into(), variants.collect());
    }
    if let (Some(properties), Some(below)) = (fields.get("properties"), levels.checked_sub(1)) {
        let properties = properties.as_object().into_iter().flatten();
        let properties = properties
            .map(|(name, property)| (name.clone(), outlined(property, definitions, below)));
        outline.insert("properties".into(), Value::Object(properties.collect()));
    }
    outline.into()
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
        "type": "string",
        "pattern": "^(global|user|case:.+|team:.+)$",
        "description": "Whose documents: `global` (everyone's), `user` (the caller's own), `case:<id>` (see list_cases), \
                        `team:<id>` (a group of the caller, which the person names).",
    })
}

#[cfg(test)]
mod tests;
