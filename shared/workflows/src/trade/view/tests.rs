use serde_json::{Value, json};
use wire::testing::reply;

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
