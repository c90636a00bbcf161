//! A small trail for tests.

use serde_json::json;
use wire::decisions::Decided;
use wire::trail::{Asked, TrailEntry, TrailPage};

pub(super) fn decided(id: &str) -> Decided {
    let value = json!({
        "decision_id": id,
        "decision": format!("Use material {id}"),
        "alternatives": ["Steel", "Titanium"],
        "rationale": "It is light.\n\nIt does not rust.",
        "status": "accepted",
        "decided_at": "2026-03-01T09:30:00Z",
        "recorded_at": "2026-03-02T08:00:00Z",
        "by": "ada",
        "source_count": 1,
        "version": 1,
        "history": [{"to": "accepted", "by": "ada", "at": "2026-03-02T08:00:00Z"}],
        "sources": [{
            "passage_id": "00000000-0000-0000-0000-000000000001",
            "relevance": 0.9,
            "document_id": "00000000-0000-0000-0000-000000000002",
            "file": "materials.md",
            "title": "Materials handbook",
            "section": "Metals > Light",
            "uri": "https://example.org/materials",
            "lines": [4, 9],
            "quote": "Titanium is light.\nIt does not rust.",
            "hash": "00",
        }],
    });
    serde_json::from_value(value).unwrap()
}

/// Returns `decided(id)` with one source that changed to `nearest`, or was removed.
pub(super) fn stale(id: &str, nearest: Option<&str>) -> Decided {
    let mut decided = decided(id);
    let review = json!([{
        "passage_id": "00000000-0000-0000-0000-000000000001",
        "document_id": "00000000-0000-0000-0000-000000000002",
        "file": "materials.md",
        "was": "Titanium is light.\nIt does not rust.",
        "nearest": nearest.map(|text| json!({
            "passage_id": "00000000-0000-0000-0000-000000000003",
            "hash": "ab",
            "text": text,
        })),
        "since": "2026-04-01T00:00:00Z",
    }]);
    decided.decision.needs_review = serde_json::from_value(review).unwrap();
    decided
}

pub(super) fn asked(at: &str) -> Asked {
    let value = json!({
        "query_id": format!("Q-{at}"),
        "question": "Which metals do not rust?",
        "workflow": "explore",
        "results": [{"passage_id": "00000000-0000-0000-0000-000000000001", "score": 0.5}],
        "by": "grace",
        "at": at,
    });
    serde_json::from_value(value).unwrap()
}

pub(super) fn question(at: &str) -> TrailEntry {
    TrailEntry::Question(asked(at))
}

pub(super) fn page(entries: Vec<TrailEntry>) -> TrailPage {
    let project = json!({
        "project_id": "P",
        "name": "Landing gear",
        "domain": "aerospace",
        "standards": ["AS9100", "ECSS-Q-ST-70"],
        "constraints": ["At most 40 kg"],
        "status": "active",
        "version": 2,
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-02T00:00:00Z",
        "history": [{
            "from": "planning", "to": "active", "by": "ada", "at": "2026-01-02T00:00:00Z", "reason": "Funded",
        }],
    });
    TrailPage {
        project: serde_json::from_value(project).unwrap(),
        as_of: None,
        entries,
        needs_review: vec![],
        cursor: None,
    }
}
