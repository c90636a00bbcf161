//! Schemas in few words: every client reads all of them before its first call. The OpenAPI document
//! has the rest.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// Parts of a schema that the service checks itself; its refusal names what is wrong.
const LIMITS: [&str; 10] = [
    "title",
    "format",
    "default",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "pattern",
];

/// What arguments say that several tools have.
const SHARED: [(&str, &str); 9] = [
    ("queries", "3 to 5 other wordings: likely terms, errors, a sentence of a document."),
    (
        "knowledge",
        "Some of `global`, `user`, `case:<id>`, `team:<id>`; the first two where absent.",
    ),
    (
        "filters",
        "Passages must have: `document_type`, `source`, `name`, `title`, `tags`, `time: {gte, lt}`.",
    ),
    ("like", "Ids of passages like what is sought."),
    ("unlike", "Ids of passages unlike it."),
    ("project_id", "The id of a project, of list_projects."),
    ("max_bytes", "Most bytes of the reply; 4,000 where absent."),
    ("idempotency_key", "A key of your own: a repeated call does nothing anew."),
    ("note", "True notes the question in the project's trail."),
];

/// Leaves of a tool's schema what says how to call it.
pub(super) fn plain(mut schema: JsonObject) -> JsonObject {
    schema.remove("additionalProperties");
    without_unnamed_types(&mut schema);
    if let Some(Value::Object(types)) = schema.get_mut("$defs") {
        for of_type in types.values_mut() {
            shorten(of_type, false);
        }
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            shorten(property, true);
            if let Some((_, about)) = SHARED.iter().find(|(shared, _)| shared == name) {
                property["description"] = (*about).into();
            }
        }
    }
    schema
}

/// Removes types that nothing names.
fn without_unnamed_types(schema: &mut JsonObject) {
    let Some(Value::Object(mut types)) = schema.remove("$defs") else { return };
    loop {
        let all =
            Value::Object(schema.clone()).to_string() + &Value::from(types.clone()).to_string();
        let count = types.len();
        types.retain(|name, _| all.contains(&format!("\"#/$defs/{name}\"")));
        if types.len() == count {
            break;
        }
    }
    if !types.is_empty() {
        schema.insert("$defs".into(), types.into());
    }
}

/// Shortens what a schema says; the description of an argument to its first sentence.
fn shorten(schema: &mut Value, is_argument: bool) {
    let Value::Object(fields) = schema else { return };
    for name in LIMITS {
        fields.remove(name);
    }
    match fields.get_mut("description") {
        Some(Value::String(about)) if is_argument => {
            about.truncate(about.find(". ").map_or(about.len(), |end| end + 1));
        }
        _ => drop(fields.remove("description")),
    }
    if let Some(Value::Array(kinds)) = fields.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_mut_slice() {
            let only = only.take();
            fields.insert("type".into(), only);
        }
    }
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        for property in properties.values_mut() {
            shorten(property, true);
        }
    }
    if fields.get("additionalProperties").is_some_and(Value::is_boolean) {
        fields.remove("additionalProperties");
    }
    for name in ["items", "additionalProperties"] {
        if let Some(within) = fields.get_mut(name) {
            shorten(within, false);
        }
    }
    for name in ["anyOf", "oneOf"] {
        let Some(Value::Array(mut choices)) = fields.remove(name) else { continue };
        choices.retain(|choice| choice["type"] != "null");
        for choice in &mut choices {
            shorten(choice, false);
        }
        let names: Option<Vec<Value>> =
            choices.iter().map(|choice| choice.get("const").cloned()).collect();
        match (names, choices.as_mut_slice()) {
            (Some(names), _) => {
                fields.extend([("type".into(), json!("string")), ("enum".into(), names.into())]);
            }
            (None, [Value::Object(only)]) => fields.append(only),
            (None, _) => drop(fields.insert(name.into(), choices.into())),
        }
    }
}
