use serde_json::json;

use super::*;

fn failure() -> Value {
    let source = json!({"chunk_id": "p1", "name": "pump.md", "document_title": "Pump 7 trips", "lines": [3, 9]});
    json!({
        "results": [{
            "chunk_id": "p1", "strength": "strong", "source": source,
            "report": {
                "symptoms": [{"text": "The pump tripped."}],
                "root_cause": {"text": "The coupling was out of line."},
                "resolution": {"text": "It was aligned."},
            },
        }],
        "causes": [{"cause": {"text": "The coupling was out of line."}, "results": ["p1"], "support": 1}],
        "to_check": [{"check": {"text": "Was the screen blocked?"}, "result": "p1"}],
    })
}

#[test]
fn the_text_of_failures_has_place_cause_resolution_and_checks() {
    let text = of("find_past_failures", &failure(), 4_000);
    for part in [
        "pump.md:3-9",
        "root cause: The coupling was out of line.",
        "resolution: It was aligned.",
        "Checked then in 1: Was the screen blocked?",
        "[p1]",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn an_answer_names_file_and_lines_behind_each_claim() {
    let reply = json!({
        "claims": [{"text": "Wait for 30 s.", "citations": ["c1"]}],
        "citations": [{"id": "c1", "name": "runbooks/db.md", "lines": [4, 5], "chunk_id": "p2"}],
    });
    let text = of("answer_question", &reply, 4_000);
    assert!(text.starts_with("Wait for 30 s. [runbooks/db.md:4-5]"), "{text}");
}

#[test]
fn an_abstention_says_why_and_what_came_nearest() {
    let nearest = json!({"name": "fan.md", "lines": [1, 2]});
    let reply = json!({"abstained": {"reason": "unknown_name", "unknown": ["Zephyr"], "nearest": [nearest]}});
    let text = of("find_past_failures", &reply, 4_000);
    for part in ["unknown_name", "Zephyr", "fan.md:1-2"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn a_text_ends_within_its_budget_and_says_that_there_is_more() {
    let mut reply = failure();
    let one = reply["results"][0].clone();
    reply["results"] = vec![one; 60].into();
    let text = of("find_past_failures", &reply, 1_000);
    assert!(text.len() <= 1_000 && text.ends_with(MORE), "{} {text}", text.len());
}

#[test]
fn what_is_left_out_is_said_with_how_to_get_it() {
    let mut reply = failure();
    reply["left_out"] = json!({"counts": {"results": 4}, "whole_bytes": 9_000, "how": "ask again with max_bytes 9000"});
    let text = of("find_past_failures", &reply, 4_000);
    assert!(
        text.contains("Left out: 4 results. For all of it ask again with max_bytes 9000."),
        "{text}"
    );
}
