//! The OpenAPI document as a page: no script, no font, nothing fetched.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
details { border: 1px solid #8886; border-radius: .4rem; margin: .4rem 0; padding: .3rem .7rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary span { color: GrayText; }
code, pre { font: .9em/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; background: #8881; padding: .6rem; border-radius: .3rem; max-height: 30rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid #8884; padding: .2rem .5rem .2rem 0; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { white-space: nowrap; }
@media (max-width: 500px) { td { display: block; border: 0; } td:first-child { border-top: 1px solid #8884; } }
";

/// The methods in the order in which they are shown.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The page of a document.
pub(crate) fn page(document: &str) -> String {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let operations = operations(&document);
    let mut tags: Vec<&str> = Vec::new();
    for (.., operation) in &operations {
        let tag = text(&operation["tags"][0]);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Plumbline API" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Plumbline API" }
                p { (text(&document["info"]["description"])) }
                p { "As a document: " a href="openapi.json" { "openapi.json" } " (OpenAPI 3.1)." }
                @for tag in tags {
                    h2 { (tag) }
                    @for (path, method, operation) in operations.iter().filter(|operation| operation.2["tags"][0] == tag) {
                        (operation_details(&document, path, method, operation))
                    }
                }
                h2 { "Types" }
                @for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
                    (of_type(name, schema))
                }
            }
        }
    };
    page.into_string()
}

fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let mut all = Vec::new();
    for (path, operations) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = operations.get(method) {
                all.push((path.as_str(), method, operation));
            }
        }
    }
    all
}

/// What a reference in the document leads to; anything else is itself.
fn followed<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let pointer = value["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn operation_details(document: &Value, path: &str, method: &str, operation: &Value) -> Markup {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    html! {
        details id=(text(&operation["operationId"])) {
            summary { code { b { (method.to_uppercase()) } " " (path) } br; span { (text(&operation["summary"])) } }
            @if let Some(about) = operation["description"].as_str() { p { (about) } }
            table {
                @for parameter in parameters {
                    tr { td { code { (text(&parameter["name"])) } } td { (text(&parameter["in"])) ": " (text(&parameter["description"])) } }
                }
                @if !body.is_null() { tr { td { "body" } td { (named(body)) } } }
                @for (status, response) in operation["responses"].as_object().into_iter().flatten() {
                    @let response = followed(document, response);
                    tr { td { code { (status) } } td { (text(&response["description"])) (replies(response)) } }
                }
            }
            @if let Some(example) = operation.pointer("/responses/200/content/application~1json/example") {
                p { "A real reply:" }
                pre { (serde_json::to_string_pretty(example).unwrap_or_default()) }
            }
        }
    }
}

fn replies(response: &Value) -> Markup {
    html! {
        @for (media, content) in response["content"].as_object().into_iter().flatten() {
            br; code { (media) } " " (named(&content["schema"]))
        }
    }
}

fn of_type(name: &str, schema: &Value) -> Markup {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().map(text).collect();
    let variants =
        ["oneOf", "anyOf", "enum"].into_iter().filter_map(|kind| schema[kind].as_array());
    html! {
        details id=(name) {
            summary { code { (name) } " " span { (text(&schema["description"])) } }
            table {
                @for (field, property) in schema["properties"].as_object().into_iter().flatten() {
                    tr {
                        td { code { (field) } @if required.contains(&field.as_str()) { " *" } }
                        td { (named(property)) " " (text(&property["description"])) }
                    }
                }
                @for variant in variants.flatten() {
                    tr { td { (named(variant)) } td { (text(&variant["description"])) } }
                }
            }
        }
    }
}

/// The name of a schema, with links to the types in it.
fn named(schema: &Value) -> Markup {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return html! { a href={ "#" (name) } { (name) } };
    }
    let parts = ["allOf", "anyOf", "oneOf"].into_iter().find_map(|kind| schema[kind].as_array());
    if let Some(parts) = parts {
        return html! { @for (place, part) in parts.iter().enumerate() { @if place > 0 { ", " } (named(part)) } };
    }
    if schema["type"] == "array" {
        return html! { "list of " (named(&schema["items"])) };
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" or "),
        kind => text(kind).to_owned(),
    };
    match schema.get("const") {
        Some(value) => html! { code { (text(value)) } },
        None if schema.is_string() => html! { code { (text(schema)) } },
        None => html! { (kind) },
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_operation_and_fetches_nothing() {
        let page = page(crate::DOCUMENT);
        for operation in contract::operations() {
            let name = operation.entry.name;
            assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        }
        assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("http://"));
    }
}
