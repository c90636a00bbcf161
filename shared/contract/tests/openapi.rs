//! infra/openapi.json is what the types say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn infra() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra")
}

fn example(operation: &str) -> Option<Value> {
    let file = infra().join(format!("examples/{operation}.json"));
    serde_json::from_str(&std::fs::read_to_string(file).ok()?).ok()
}

#[test]
fn the_document_is_current() {
    let written = std::fs::read_to_string(infra().join("openapi.json")).unwrap();
    let written: Value = serde_json::from_str(&written).unwrap();
    let is_current = written == contract::document(example);
    assert!(is_current, "infra/openapi.json is stale: run `make openapi` and look at what changed");
}

#[test]
fn every_operation_has_a_name_and_a_path_of_its_own() {
    let operations = contract::operations();
    let names: BTreeSet<&str> = operations.iter().map(|operation| operation.id.as_str()).collect();
    let routes: BTreeSet<String> = operations.iter().map(contract::Operation::route).collect();
    assert_eq!((names.len(), routes.len()), (operations.len(), operations.len()));
}

#[test]
fn every_type_has_a_name_of_its_own() {
    let document = contract::document(|_| None);
    let names = document["components"]["schemas"].as_object().unwrap().keys();
    let numbered: Vec<&String> =
        names.filter(|name| name.ends_with(|end: char| end.is_ascii_digit())).collect();
    assert!(numbered.is_empty(), "two types have one name: {numbered:?}");
}

#[test]
fn every_reference_names_a_type() {
    let document = contract::document(|_| None);
    let mut references = BTreeSet::new();
    collect(&document, &mut references);
    assert!(references.len() > 100, "{}", references.len());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect<'a>(value: &'a Value, references: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| collect(field, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}

/// Paths of the deployed API that are no part of the document: the Model Context Protocol describes itself.
const OTHER: [&str; 5] = [
    "POST /mcp",
    "GET /mcp",
    "DELETE /mcp",
    "GET /.well-known/oauth-protected-resource",
    "GET /.well-known/oauth-protected-resource/mcp",
];

#[test]
fn the_document_has_the_routes_of_the_template() {
    let template = std::fs::read_to_string(infra().join("template.yaml")).unwrap();
    let routes = template.lines().filter_map(|line| {
        let (_, method) = line.split_once("ApiId: !Ref Api, Method: ")?;
        let (method, path) = method.split_once(", Path: ")?;
        let path = path.split([',', '}']).next()?;
        // A path with parameters stands in quotes.
        let path = line
            .split_once("Path: \"")
            .map_or(path, |(_, quoted)| quoted.split('"').next().unwrap());
        Some(format!("{method} {path}"))
    });
    let deployed: BTreeSet<String> =
        routes.filter(|route| !OTHER.contains(&route.as_str())).collect();
    let described: BTreeSet<String> =
        contract::operations().iter().map(contract::Operation::route).collect();
    assert_eq!(deployed, described);
}

#[test]
fn every_body_has_an_example_that_it_can_be_read_from() {
    let document = contract::document(|_| None);
    for operation in contract::operations() {
        let Some(body) = operation.body else { continue };
        let entry = &document["paths"][&operation.path][operation.method.to_lowercase()];
        let example = entry["requestBody"]["content"]["application/json"]["example"].clone();
        let read = (body.read)(example);
        assert!(read.is_ok(), "{}: {read:?}", operation.id);
    }
}
