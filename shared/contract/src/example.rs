//! An example for the body of each operation.

use serde_json::{Value, json};

const ID: &str = "01KBZ8Q4T6V0W2X4Y6Z8A0B2C4";

/// A body that the operation takes; `null` for one that takes none.
pub(crate) fn body(operation: &str) -> Value {
    let kind = ["_of_", "_from_"].iter().find_map(|of| operation.split_once(of));
    match kind.map_or(operation, |(kind, _)| kind) {
        "rcca" => json!({
            "question": "Checkout requests time out and the database refuses new connections",
            "queries": ["connection pool exhausted", "requests wait for a connection of the pool"],
            "top_k": 5,
        }),
        "trade" => json!({
            "question": "Which message broker for order events?",
            "alternatives": ["Halyard", {"name": "Tidewire", "aliases": ["TW"]}],
            "criteria": [{"name": "latency", "weight": 0.6, "unit": "ms"}, {"name": "cost", "weight": 0.4}],
        }),
        "explore" => {
            json!({"question": "exponential backoff", "facets": ["definitions", "best_practices"]})
        }
        "plan" => json!({"question": "We replace the bearings of a pump", "project_id": ID}),
        "search" => {
            json!({"question": "How is a retry delay chosen?", "sources": ["code", "guide"]})
        }
        "run_custom_workflow" => json!({"question": "Which hazards does a battery have?"}),
        "answer" => {
            json!({"question": "What do I do when the vibration alarm goes off?", "max_bytes": 4000})
        }
        "query_records" => json!({
            "where": {"level": "ERROR", "time": {"gte": "2026-11-20T18:00:00Z"}},
            "group_by": ["hour"], "select": "count",
        }),
        "announce_document" => json!({
            "name": "runbooks/pump-7.md", "content_type": "text/markdown", "bytes": 4210, "document_type": "runbook",
        }),
        "reindex" => json!({"knowledge": "global", "only_count": true}),
        "create_case" => json!({"title": "Web shop down on 20 November"}),
        "create_project" => json!({
            "name": "Intake station", "domain": "water supply", "standards": ["ISO 9906"],
        }),
        "change_project" => json!({"version": 3, "standards": ["ISO 9906", "IEC 60034"]}),
        "move_project" => json!({"to": "active", "version": 3, "reason": "The plan is agreed."}),
        "record_decision" => json!({
            "decision": "Stop the pump at the second alarm",
            "alternatives": ["run on", "stop at the second alarm"],
            "rationale": "The bearing was lost within the hour.",
            "sources": [{"passage_id": "0b5a9c1e-3f6d-5a2b-8c4e-1d2f3a4b5c6d", "relevance": 1.0}],
        }),
        "find_related_decisions" => json!({"decision": "Stop the pump at the second alarm"}),
        "move_decision" => json!({"to": "accepted", "version": 1}),
        "reindex_decisions" => json!({}),
        _ => Value::Null,
    }
}
