use serde_json::{Value, json};
use wire::testing::matrix;

use super::shown;
use crate::terminal::Detail;

fn page(answer: Value) -> String {
    shown(&workflows::trade::VIEW, answer, Detail::Short, 76)
}

fn evidence(criterion: &str, quote: &str, value: &Value, passage: &str) -> Value {
    json!({
        "name": criterion, "evidence": quote, "value": value, "score": 0.5, "score_parts": {},
        "passage": {"passage_id": passage, "file": "adr/queue.md", "title": "Which queue", "section": null, "lines": [3, 9]},
    })
}

fn quantity(text: &str, number: f64, si: f64, unit: &str) -> Value {
    json!({"text": text, "number": number, "low": null, "unit": unit, "si": {"number": si, "unit": "s"}})
}

fn alternatives() -> Value {
    json!([
        {"name": "Kafka", "source_count": 2, "criteria": [
            evidence("latency", "takes **120 ms**\n at p99", &quantity("120 ms", 120.0, 0.12, "ms"), "1"),
            evidence("upkeep", "needs a team of its own", &Value::Null, "2"),
            evidence("latency", "about 0.2 s when cold", &quantity("about 0.2 s", 0.2, 0.2, "s"), "1"),
        ]},
        {"name": "Redis", "source_count": 1, "criteria": [
            evidence("latency", "answers in 3 ms", &quantity("3 ms", 3.0, 0.003, "ms"), "3"),
        ]},
    ])
}

#[test]
fn the_verdict_comes_first_and_the_sources_last() {
    let general = [evidence("", "queues decouple", &Value::Null, "4")];
    insta::assert_snapshot!(page(json!({
        "result_type": "trade_study", "alternatives": alternatives(), "general": general, "total_sources": 4,
        "notes": ["upkeep is compared by hours only"], "matrix": matrix("clear"),
    })), @r#"
    Redis leads clearly: 1.00 against 0.28 for Kafka; the smallest change of one
    weight that brings Kafka level is latency at 90 % instead of 75 %.
    upkeep is compared by hours only

    Side by side

      Criterion                           Redis     Kafka
    ────────────────────────────────────────────────────────────────────────────
      latency, weight 75 %                3 ms [1]  120 ms to about 0.2 s [2][3]
      upkeep, weight 25 %                 2         not known [4]
      Total, of 1, with worst and best    1.00      0.28 (0.00 to 0.55)
      case

      [1] 3 ms: "answers in 3 ms" (adr/queue.md:3-9)
      [2] 120 ms: "takes **120 ms** at p99" (adr/queue.md:3-9)
      [3] about 0.2 s: "about 0.2 s when cold" (adr/queue.md:3-9)
      [4] "needs a team of its own" (adr/queue.md:3-9)

    Names none of the options
      - "queues decouple" (adr/queue.md:3-9)

    Not known
      - upkeep of Kafka: no value was found (up to 0.25 of its total)
    "#);
}

#[test]
fn a_decision_that_settles_the_question_comes_first_and_what_is_missing_is_told() {
    let source = evidence("latency", "", &Value::Null, "4")["passage"].clone();
    let mut alternatives = alternatives();
    alternatives.as_array_mut().unwrap().truncate(1);
    alternatives[0]["criteria"] = json!([evidence("upkeep", "needs a team", &Value::Null, "4")]);
    alternatives[0]["criteria"][0]["side"] = json!("against");
    insta::assert_snapshot!(page(json!({
        "decided": [{"text": "We will use **Redis**.", "option": "Redis", "status": "accepted", "date": "2026-01-02", "passage": source}],
        "alternatives": alternatives, "general": [], "total_sources": 1, "notes": [], "matrix": null,
        "missing": [{"alternative": "Kafka", "criterion": "upkeep", "reason": "the evidence tells no value"}],
    })), @r#"
    Decided before, in the documents' words

    Which queue  Redis, accepted, 2026-01-02
        adr/queue.md:3-9
        - "We will use **Redis**."

    Side by side

      Criterion  Kafka
    ─────────────────────────────
      upkeep     needs a team [1]

      [1] con: "needs a team" (adr/queue.md:3-9)

    Not compared: no value is known
      - upkeep of Kafka: the evidence tells no value
    "#);
}

#[test]
fn one_blank_line_stands_between_what_was_decided_and_the_evidence() {
    let source = evidence("latency", "", &Value::Null, "4")["passage"].clone();
    let text = page(json!({
        "decided": [{"text": "We will use Redis.", "passage": source}],
        "alternatives": alternatives(), "general": [], "total_sources": 1, "notes": [], "matrix": null,
    }));
    assert!(text.contains("Redis.\"\n\nSide by side\n\n  Criterion"), "{text}");
}

#[test]
fn without_a_matrix_there_is_the_evidence_by_criterion() {
    let mut alternatives = alternatives();
    alternatives[1]["criteria"] = json!([]);
    insta::assert_snapshot!(page(json!({
        "alternatives": alternatives, "general": [], "total_sources": 2, "notes": [], "matrix": null,
    })), @r#"
    Side by side

      Criterion  Kafka                        Redis
    ───────────────────────────────────────────────
      latency    120 ms · 1 more [1]          –
      upkeep     needs a team of its own [2]  –

      [1] 120 ms: "takes **120 ms** at p99" (adr/queue.md:3-9)
      [2] "needs a team of its own" (adr/queue.md:3-9)
    "#);
}

#[test]
fn nothing_found_is_said() {
    let silent = json!([{"name": "Kafka", "criteria": [], "source_count": 0}]);
    insta::assert_snapshot!(
        page(json!({"alternatives": silent, "notes": [], "matrix": matrix("tie")})),
        @"No indexed document speaks of these alternatives."
    );
    insta::assert_snapshot!(page(json!({"alternatives": []})), @"No alternatives stand out in the indexed documents; name some.");
}

#[test]
fn a_compared_value_is_cited_to_the_quote_that_has_it() {
    let other = evidence("latency", "a hop takes 2 ms", &quantity("2 ms", 2.0, 0.002, "ms"), "1");
    let meant = evidence("latency", "takes 12 ms", &quantity("12 ms", 12.0, 0.012, "ms"), "2");
    let mut matrix = matrix("clear");
    matrix["cells"][0]["low"] = json!(0.012);
    matrix["cells"][0]["high"] = json!(0.012);
    let options = json!([{"name": "Kafka", "source_count": 1, "criteria": [other, meant]}]);
    let shown = page(json!({"alternatives": options, "matrix": matrix}));
    assert!(shown.contains("12 ms [1]") && shown.contains("[1] 12 ms: \"takes 12 ms\""), "{shown}");
    assert!(!shown.contains("a hop"), "{shown}");
}
