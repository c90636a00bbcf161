//! The pages of the shipped example replies.

#![expect(clippy::unwrap_used, reason = "a test")]

use pages::About;
use serde_json::{Value, json};
use wire::common::Answer;
use wire::meta::MissingPart;
use wire::testing::reply;

fn example(name: &str) -> Value {
    let path = format!("{}/../../infra/examples/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    wire::fit::restored(serde_json::from_str(&text).unwrap())
}

const ABOUT: About<'_> = About { question: "Why <b>now</b>?", missing: &[] };

fn all() -> [String; 5] {
    [
        pages::rcca(ABOUT, &reply(example("rcca"))),
        pages::explore(ABOUT, &reply(example("explore"))),
        pages::plan(ABOUT, &reply(example("plan"))),
        pages::search(ABOUT, &reply(example("search"))),
        pages::custom(ABOUT, &reply(example("run_custom_workflow"))),
    ]
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing() {
    for page in all() {
        assert!(page.contains("default-src 'none'"));
        for word in ["<script", "src=", "url(", "@import", "<link", "<iframe", "javascript:"] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("Why &lt;b&gt;now&lt;/b&gt;?") && !page.contains("<b>now"));
    }
}

#[test]
fn reports_stand_below_their_causes_with_their_places() {
    let example = example("rcca");
    let page = pages::rcca(ABOUT, &reply(example.clone()));
    for result in example["results"].as_array().unwrap() {
        let title = result["passage"]["title"].as_str().unwrap();
        assert!(page.contains(title), "{title}");
        assert!(page.contains(result["passage"]["file"].as_str().unwrap()));
    }
    let cause = example["results"][0]["report"]["root_cause"]["text"].as_str().unwrap();
    let words = cause.split('`').next().unwrap();
    assert!(page.contains(&format!("<div class=\"cause\"><h3 dir=\"auto\">{words}")));
}

#[test]
fn the_matrix_draws_intervals_and_says_what_is_not_known() {
    let cell = |alternative: &str, low: Value| json!({"alternative": alternative, "criterion": "latency", "low": low, "high": low, "score_high": 1.0});
    let matrix = json!({
        "weights": [{"criterion": "latency", "given": 1.0, "weight": 1.0}],
        "cells": [cell("Kafka", json!(120.0)), cell("Redis", Value::Null)],
        "totals": [
            {"alternative": "Kafka", "total": 1.0, "low": 1.0, "high": 1.0},
            {"alternative": "Redis", "total": 0.5, "low": 0.0, "high": 1.0},
        ],
        "rank": ["Kafka", "Redis"], "verdict": "close", "contenders": ["Kafka", "Redis"],
        "gaps": [{"alternative": "Redis", "criterion": "latency", "reason": "no value was found", "swing": 1.0}],
    });
    let evidence = json!({"name": "latency", "evidence": "takes 120 ms", "side": "against", "value": {"text": "120 ms", "number": 120.0}});
    let report = json!({
        "matrix": matrix, "alternatives": [{"name": "Kafka", "source_count": 1, "criteria": [evidence]}, {"name": "Redis"}],
    });
    let page = pages::trade(ABOUT, &reply(report));
    assert!(page.contains("Kafka leads with 1.00 against 0.50 for Redis, but what is unknown"));
    assert!(
        page.contains("<td data-label=\"latency\">120 ms</td>")
            && page.contains("<td class=\"unknown\" data-label=\"latency\">not known</td>")
    );
    assert!(page.contains("aria-label=\"0.00 to 1.00, total 0.50\""));
    assert!(page.contains("<span class=\"side against\">con </span>"));
}

#[test]
fn a_pack_holds_the_reply_that_it_was_made_from() {
    let json = example("record_decision");
    let page = pages::pack(&reply(json.clone()), &json.to_string());
    let start = page.find("id=\"pack\">").unwrap() + "id=\"pack\">".len();
    let data = &page[start..page[start..].find("</script>").unwrap() + start];
    assert_eq!(serde_json::from_str::<Value>(data).unwrap(), json);
    assert!(page.contains(json["sources"][0]["hash"].as_str().unwrap()));
    assert_eq!(pages::pack(&reply(json), data), page, "its data make it again");
    let hostile = json!({"rationale": "</script><b>"});
    let page = pages::pack(&reply(hostile.clone()), &hostile.to_string());
    assert_eq!(page.matches("</script>").count(), 1);
}

#[test]
fn what_is_missing_and_why_nothing_fits_is_said_first() {
    let missing = [MissingPart { part: "rerank".into(), reason: "did not answer".into() }];
    let about = About { question: "?", missing: &missing };
    let abstained = json!({"reason": "unknown_name", "unknown": ["Keycloak"], "nearest": [{"file": "a.md", "title": "A"}]});
    let answer: Answer<_> = reply(json!({ "abstained": abstained }));
    let page = pages::rcca(about, &answer);
    assert!(page.contains("Without rerank: </strong>did not answer"));
    assert!(page.contains("has the name Keycloak.") && !page.contains("Causes"));
}
