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
fn the_routes_of_the_template_are_current() {
    let written = std::fs::read_to_string(infra().join("routes.json")).unwrap();
    let is_current = written == contract::table();
    assert!(is_current, "infra/routes.json is stale: run `make openapi template`");
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

#[test]
fn every_example_of_a_body_can_be_read() {
    for operation in contract::operations() {
        let Some(body) = operation.body else { continue };
        let read = (body.read)(body.example);
        assert!(read.is_ok(), "{}: {read:?}", operation.route);
    }
}
