use super::*;
use wire::testing::reply;

fn page(answer: Value) -> String {
    console::set_colors_enabled(false);
    render(&reply(answer), Detail::Short, 76).join("\n")
}

fn evidence(criterion: &str, quote: &str, value: &Value, chunk: &str) -> Value {
    json!({
        "name": criterion, "evidence": quote, "value": value, "score": 0.5, "score_parts": {},
        "passage": {"passage_id": chunk, "file": "adr/queue.md", "title": "Which queue", "section": null, "lines": [3, 9]},
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

/// Two alternatives by latency, and by upkeep which is not known of Kafka.
fn matrix(verdict: &str) -> Value {
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

fn sentence(verdict: &str, change: impl Fn(&mut Value)) -> String {
    let mut matrix = matrix(verdict);
    change(&mut matrix);
    matrix::sentence(&reply(matrix))
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

             latency 75 %           upkeep 25 %  total  range
    ──────────────────────────────────────────────────────────────
      Redis  3 ms                   2            1.00
      Kafka  120 ms to about 0.2 s  ?            0.28   0.00..0.55
      Weights as given: latency 3, upkeep 1.

    What would flip it
      - latency: at 90 % instead of 75 %, Kafka draws level
      - upkeep: no weight does

    Whatever the weights
      - Redis is nowhere worse than Kafka

    Not known
      - upkeep of Kafka: no value was found (up to 0.25 of its total)

    Kafka  2 sources
      latency
        - [1] 120 ms: "takes **120 ms** at p99"
        - [1] about 0.2 s: "about 0.2 s when cold"
      upkeep
        - [2] "needs a team of its own"

    Redis  1 source
      latency
        - [3] 3 ms: "answers in 3 ms"

    General  names none of the alternatives
      - [4] "queues decouple"

    Sources
      [1] Which queue, adr/queue.md:3-9
      [2] Which queue, adr/queue.md:3-9
      [3] Which queue, adr/queue.md:3-9
      [4] Which queue, adr/queue.md:3-9
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
    Decided before  by the documents' own words
      - Redis, accepted, 2026-01-02: "We will use **Redis**." [1]

    Not compared  no value by any of the criteria is known
      - upkeep of Kafka: the evidence tells no value

    Kafka  2 sources
      upkeep
        - [1] con: "needs a team"

    Sources
      [1] Which queue, adr/queue.md:3-9
    "#);
}

#[test]
fn one_blank_line_stands_between_what_was_decided_and_the_evidence() {
    let source = evidence("latency", "", &Value::Null, "4")["passage"].clone();
    let text = page(json!({
        "decided": [{"text": "We will use Redis.", "passage": source}],
        "alternatives": alternatives(), "general": [], "total_sources": 1, "notes": [], "matrix": null,
    }));
    assert!(text.contains("Redis.\" [1]\n\nKafka"), "{text}");
}

#[test]
fn without_a_matrix_there_is_the_evidence_by_criterion() {
    let mut alternatives = alternatives();
    alternatives[1]["criteria"] = json!([]);
    insta::assert_snapshot!(page(json!({
        "alternatives": alternatives, "general": [], "total_sources": 2, "notes": [], "matrix": null,
    })), @r#"
    Kafka  2 sources
      latency
        - [1] 120 ms: "takes **120 ms** at p99"
        - [1] about 0.2 s: "about 0.2 s when cold"
      upkeep
        - [2] "needs a team of its own"

    Redis  nothing found

    Sources
      [1] Which queue, adr/queue.md:3-9
      [2] Which queue, adr/queue.md:3-9
    "#);
}

#[test]
fn nothing_found_is_said() {
    let silent = json!([{"name": "Kafka", "criteria": [], "source_count": 0}]);
    insta::assert_snapshot!(
        page(json!({"alternatives": silent, "notes": [], "matrix": matrix("tie")})),
        @"No indexed document speaks of these alternatives."
    );
    insta::assert_snapshot!(page(json!({"alternatives": []})), @"No alternatives stand out in the indexed documents; --alternative names them.");
}

#[test]
fn the_verdict_is_a_sentence() {
    let same = |_: &mut Value| {};
    let known = |matrix: &mut Value| matrix["gaps"] = json!([]);
    insta::assert_snapshot!(sentence("clear", same), @"Redis leads clearly: 1.00 against 0.28 for Kafka; the smallest change of one weight that brings Kafka level is latency at 90 % instead of 75 %.");
    insta::assert_snapshot!(sentence("clear", |matrix| matrix["weight_flips"] = json!([])), @"Redis leads clearly: 1.00 against 0.28 for Kafka; no single weight changes that.");
    insta::assert_snapshot!(sentence("close", same), @"Redis leads with 1.00 against 0.28 for Kafka, but what is unknown could still turn it: upkeep of Kafka is not known.");
    insta::assert_snapshot!(sentence("close", known), @"Redis leads with 1.00 against 0.28 for Kafka, but the values found are ranges that could still turn it.");
    insta::assert_snapshot!(sentence("tie", known), @"Tie between Redis and Kafka (margin 4 %): nothing here tells them apart.");
    insta::assert_snapshot!(sentence("tie", same), @"Tie between Redis and Kafka (margin 4 %): upkeep of Kafka is not known.");
    insta::assert_snapshot!(sentence("tie", |matrix| matrix["rank"] = json!(["Redis"])), @"Only Redis was rated, so there is nothing to compare.");
}

#[test]
fn an_alternative_may_have_other_names() {
    assert_eq!(alternative("Kafka"), Ok(json!("Kafka")));
    let aliases = json!({"name": "Kafka", "aliases": ["MSK", "Apache Kafka"]});
    assert_eq!(alternative("Kafka=MSK, Apache Kafka"), Ok(aliases));
    assert!(alternative("=MSK").is_err());
}

#[test]
fn a_criterion_says_as_much_as_is_wanted() {
    assert_eq!(criterion("cost"), Ok(json!("cost")));
    assert_eq!(criterion("cost:2"), Ok(json!({"name": "cost", "weight": 2.0})));
    let whole = json!({"name": "cost", "weight": 0.5, "direction": "min", "unit": "USD/mo"});
    assert_eq!(criterion("cost:0.5:min:USD/mo"), Ok(whole));
    assert_eq!(criterion("cost::min"), Ok(json!({"name": "cost", "direction": "min"})));
    for wrong in [":1", "cost:much", "cost:-1", "cost:NaN", "cost:1:less"] {
        assert!(criterion(wrong).is_err(), "{wrong}");
    }
}
