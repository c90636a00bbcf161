//! Replies for tests, of which only what matters is written down.

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// A reply with the `given` fields. Those that it cannot be without are empty, 0, or the beginning
/// of 2026; a word where a UUID is expected stands for the same UUID wherever it is used.
///
/// # Panics
/// Where `given` is of another form than `T`.
pub fn reply<T: JsonSchema + DeserializeOwned>(given: Value) -> T {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>().to_value();
    let definitions = schema["$defs"].clone();
    let filled = filled(&schema, &definitions, Some(given));
    serde_json::from_value(filled.clone()).unwrap_or_else(|error| panic!("{error} in {filled:#}"))
}

/// The UUID that `word` stands for.
pub fn id(word: &str) -> Uuid {
    word.parse().unwrap_or_else(|_| Uuid::new_v5(&Uuid::NAMESPACE_OID, word.as_bytes()))
}

/// Two alternatives by latency, and by upkeep which is not known of Kafka.
pub fn matrix(verdict: &str) -> Value {
    json!({
        "weights": [{"criterion": "latency", "given": 3.0, "weight": 0.75}, {"criterion": "upkeep", "given": 1.0, "weight": 0.25}],
        "weights_normalized": true,
        "cells": [
            {"alternative": "Kafka", "criterion": "latency", "low": 0.12, "high": 0.2, "score_low": 0.0, "score_high": 0.4},
            {"alternative": "Kafka", "criterion": "upkeep", "score_low": 0.0, "score_high": 1.0, "unknown": "no value was found"},
            {"alternative": "Redis", "criterion": "latency", "low": 0.003, "high": 0.003, "score_low": 1.0, "score_high": 1.0},
            {"alternative": "Redis", "criterion": "upkeep", "low": 2.0, "high": 2.0, "score_low": 1.0, "score_high": 1.0},
        ],
        "totals": [
            {"alternative": "Kafka", "total": 0.275, "low": 0.0, "high": 0.55},
            {"alternative": "Redis", "total": 1.0, "low": 1.0, "high": 1.0},
        ],
        "rank": ["Redis", "Kafka"], "margin": 0.04, "verdict": verdict, "winner": null, "contenders": ["Redis", "Kafka"],
        "weight_flips": [
            {"criterion": "latency", "weight": 0.75, "flips_at": 0.9, "change": 0.15, "to": "Kafka"},
            {"criterion": "upkeep", "weight": 0.25},
        ],
        "rank_acceptability": [{"alternative": "Kafka", "ranks": [0.08, 0.92]}, {"alternative": "Redis", "ranks": [0.92, 0.08]}],
        "draws": 10_000,
        "dominance": [{"alternative": "Redis", "dominates": "Kafka"}],
        "gaps": [{"alternative": "Kafka", "criterion": "upkeep", "reason": "no value was found", "swing": 0.25}],
    })
}

fn filled(schema: &Value, definitions: &Value, given: Option<Value>) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return filled(&definitions[name], definitions, given);
    }
    if let Some(alternatives) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return chosen(alternatives, definitions, given);
    }
    match given {
        Some(Value::Object(fields)) => object(schema, definitions, fields),
        Some(Value::Array(items)) => items
            .into_iter()
            .map(|item| filled(&schema["items"], definitions, Some(item)))
            .collect(),
        Some(Value::String(word)) if schema["format"] == "uuid" => json!(id(&word)),
        Some(value) => value,
        None => empty(schema, definitions),
    }
}

/// The alternative that `given` is of: the one with its kind, or the first that is not null.
fn chosen(alternatives: &[Value], definitions: &Value, given: Option<Value>) -> Value {
    let is_null = |value: &&Value| value["type"] == "null";
    let has_null = alternatives.iter().any(|alternative| is_null(&alternative));
    match given {
        None | Some(Value::Null) if has_null => Value::Null,
        given => {
            let kind = given.as_ref().map_or(Value::Null, |value| value["kind"].clone());
            let is_kind =
                |value: &&Value| !kind.is_null() && value["properties"]["kind"]["const"] == kind;
            let first = || alternatives.iter().find(|alternative| !is_null(alternative));
            let alternative = alternatives.iter().find(is_kind).or_else(first);
            alternative.map_or(Value::Null, |schema| filled(schema, definitions, given))
        }
    }
}

fn object(schema: &Value, definitions: &Value, mut fields: Map<String, Value>) -> Value {
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        let field = fields.remove(name);
        let is_nullable = |value: &Value| {
            value["type"].as_array().is_some_and(|all| all.contains(&json!("null")))
        };
        let property = &schema["properties"][name];
        let value = if field.is_none() && is_nullable(property) {
            Value::Null
        } else {
            filled(property, definitions, field)
        };
        fields.insert(name.into(), value);
    }
    for (name, value) in &mut fields {
        if let Some(property) = schema["properties"].get(name) {
            *value = filled(property, definitions, Some(value.take()));
        } else if schema["additionalProperties"].is_object() {
            *value = filled(&schema["additionalProperties"], definitions, Some(value.take()));
        }
    }
    Value::Object(fields)
}

fn empty(schema: &Value, definitions: &Value) -> Value {
    if let Some(value) = schema.get("const").or_else(|| schema["enum"].get(0)) {
        return value.clone();
    }
    match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("object"), _) => object(schema, definitions, Map::new()),
        (Some("array"), _) => json!([]),
        (Some("string"), Some("uuid")) => json!(Uuid::nil()),
        (Some("string"), Some("date-time")) => json!("2026-01-01T00:00:00Z"),
        (Some("string"), _) => json!(""),
        (Some("integer" | "number"), _) => json!(0),
        (Some("boolean"), _) => json!(false),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rcca::RccaReport;
    use crate::trail::{TrailEntry, TrailPage};

    #[test]
    fn what_is_not_given_is_empty() {
        let report: RccaReport = reply(json!({"results": [{"passage": {"passage_id": "c"}}]}));
        assert_eq!((report.results[0].passage.passage_id, report.results[0].score), (id("c"), 0.0));
        assert!(report.causes.is_empty() && report.results[0].report.root_cause.is_none());
    }

    #[test]
    fn an_entry_is_of_the_kind_that_is_given() {
        let entries = json!([{"kind": "decision", "decision": "A"}, {"kind": "question"}]);
        let page: TrailPage = reply(json!({"entries": entries}));
        assert!(matches!(page.entries[0], TrailEntry::Decision(_)));
        assert!(matches!(page.entries[1], TrailEntry::Question(_)));
    }
}
