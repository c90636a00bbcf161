//! Tests how the shipped example replies are shown.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use text::question::QuestionTerms;
use views::{ReportView, html, markdown, tool_text};
use wire::common::Answer;
use wire::meta::MissingPart;
use wire::testing::reply;

use crate::{custom, explore, plan, rcca, search, trade};

/// Reads an example reply that is shipped.
macro_rules! example {
    ($name:literal) => {
        wire::fit::restored(
            serde_json::from_str(include_str!(concat!("../../../infra/examples/", $name, ".json")))
                .unwrap(),
        )
    };
}

const QUESTION: &str = "Why <b>now</b>?";

fn page<R: JsonSchema + DeserializeOwned>(view: &ReportView<R>, given: Value) -> String {
    html::page(QUESTION, &view.view(&reply(given), &[]))
}

fn all() -> [String; 5] {
    [
        page(&rcca::VIEW, example!("rcca")),
        page(&explore::VIEW, example!("explore")),
        page(&plan::VIEW, example!("plan")),
        page(&search::VIEW, example!("search")),
        page(&custom::VIEW, example!("run_custom_workflow")),
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
fn the_nearest_report_stands_before_the_cause_of_another() {
    let example: Value = example!("rcca");
    let with_cause = example["results"][0].clone();
    let mut nearest = with_cause.clone();
    nearest["passage"]["passage_id"] = json!(uuid::Uuid::nil());
    nearest["passage"]["title"] = "A silent report".into();
    nearest["report"]["root_cause"].take();
    let shown = |results: [&Value; 2]| {
        page(
            &rcca::VIEW,
            json!({"results": results, "causes": example["causes"], "total_results": 2}),
        )
    };
    let is_before = |page: &str| page.find("A silent report") < page.find("Causes");
    let ahead = shown([&nearest, &with_cause]);
    assert!(is_before(&ahead) && ahead.contains("It names no cause."), "{ahead}");
    let without_groups =
        json!({"results": [&nearest, &with_cause], "causes": [], "total_results": 2});
    assert!(page(&rcca::VIEW, without_groups).contains("The first of these name no cause."));
    let behind = shown([&with_cause, &nearest]);
    assert!(!is_before(&behind) && !behind.contains("It names no cause."), "{behind}");
}

#[test]
fn reports_stand_below_their_causes_with_their_places() {
    let example: Value = example!("rcca");
    let page = page(&rcca::VIEW, example.clone());
    for result in example["results"].as_array().unwrap() {
        let title = result["passage"]["title"].as_str().unwrap();
        assert!(page.contains(title), "{title}");
        assert!(page.contains(result["passage"]["file"].as_str().unwrap()));
    }
    let cause = example["results"][0]["report"]["root_cause"]["text"].as_str().unwrap();
    let words = cause.split('`').next().unwrap();
    assert!(page.contains(&format!("<div class=\"group\"><h3 dir=\"auto\">{words}")));
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
    let page = page(&trade::VIEW, report);
    assert!(page.contains("Kafka leads with 1.00 against 0.50 for Redis, but what is unknown"));
    assert!(page.contains("<summary dir=\"auto\">120 ms</summary>"), "{page}");
    assert!(page.contains("<td class=\"unknown\" data-label=\"Redis\">not known</td>"));
    assert!(page.contains("aria-label=\"0.00 to 1.00, total 0.50\""));
    assert!(page.contains("<span class=\"side against\">con </span>"));
}

#[test]
fn what_is_missing_and_why_nothing_fits_is_said_first() {
    let missing = [MissingPart { part: "rerank".into(), reason: "did not answer".into() }];
    let abstained = json!({"reason": "unknown_name", "unknown": ["Keycloak"], "nearest": [{"file": "a.md", "title": "A"}]});
    let answer: Answer<_> = reply(json!({ "abstained": abstained }));
    let page = html::page("?", &rcca::VIEW.view(&answer, &missing));
    assert!(page.contains("Without rerank: </strong>did not answer"));
    assert!(page.contains("has the name Keycloak.") && !page.contains("Causes"));
}

#[test]
fn a_decision_of_the_project_and_queries_of_a_model_come_last() {
    let decision = json!({"decision_id": "01D", "decision": "One cluster", "status": "accepted"});
    let answer: Answer<_> =
        reply(json!({"decisions": [decision], "queries_written": ["pool exhausted"]}));
    let lines = tool_text::lines(&rcca::VIEW.view(&answer, &[]), &QuestionTerms::of("?"));
    let last = [
        "- One cluster (accepted, 1 Jan 2026, 01D)",
        "A language model also searched for: pool exhausted",
    ];
    assert!(lines.ends_with(&last.map(str::to_owned)), "{lines:#?}");
}

#[test]
fn no_text_of_a_document_is_markup_of_the_markdown() {
    let passage =
        json!({"passage_id": "c", "file": "a.md", "title": "# <b>Pump</b>", "lines": [3, 9]});
    let report =
        json!({"results": [{"passage": passage, "text": "# Pump\n\n<script>x</script>\n- a"}]});
    let answer = reply(report);
    let text = markdown::document("Why?", &custom::VIEW.view(&answer, &[]));
    insta::assert_snapshot!(text, @r"
    # Why?

    ## 1 result

    - **\[1\] \# \<b>Pump\</b>**

      - a.md:3-9

      > \# Pump
      >
      > \<script>x\</script>
      > - a
    ");
}

#[test]
fn a_file_is_no_picture_and_a_log_stands_as_it_is_in_markdown() {
    let passage = json!({"file": "![x](y)`z`.log", "title": "A"});
    let report = json!({"results": [{"passage": passage, "text": "*p * q\n```\nnext"}]});
    let answer = reply(report);
    let text = markdown::document("?", &custom::VIEW.view(&answer, &[]));
    assert!(!text.contains("![x]"), "{text}");
    assert!(text.contains("  ````\n  *p * q\n  ```\n  next\n  ````"), "{text}");
}
