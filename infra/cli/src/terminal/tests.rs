use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use views::ReportView;
use wire::common::Answer;
use wire::meta::Reply;
use wire::testing::reply;

use super::*;

mod answer;
mod trade;

/// Draws a reply of which only what matters is written down.
fn shown<R: JsonSchema + DeserializeOwned>(
    view: &ReportView<R>,
    given: Value,
    detail: Detail,
    width: usize,
) -> String {
    console::set_colors_enabled(false);
    let reply: Reply<Answer<R>> = reply(given);
    lines(&view.view(&reply.report, &reply.meta.degraded), detail, width).join("\n")
}

#[test]
fn causes_come_first_and_each_names_its_reports() {
    let passage = json!({"text": "The seal\nwore out.", "section": "Cause"});
    let report = json!({
        "causes": [{"results": [{"passage_id": "c"}], "support": 1}],
        "to_check": [{"text": "Was the shaft true?", "result": {"passage_id": "c"}}],
        "results": [{
            "strength": "strong", "text": "x",
            "passage": {"passage_id": "c", "file": "a/pump.md", "title": "Pump", "section": "Cause", "lines": [3, 9]},
            "report": {"symptoms": [], "root_cause": passage, "contributing_factors": [], "resolution": null, "impact": [], "checked": []},
        }],
        "also_read": [{"passage": {"passage_id": "d", "file": "guide.md", "title": "Seals", "section": null, "lines": [1, 2]}}],
    });
    let shown = shown(&workflows::rcca::VIEW, report, Detail::Short, 80);
    insta::assert_snapshot!(shown, @r#"
    Causes

    The seal wore out.  1 report

    [1] Pump  strong
        a/pump.md:3-9, "Cause"

    Checked then, and not in the question
      - "Was the shaft true?" [1]

    Also read: no reports of failures
      - Seals, guide.md:1-2
    "#);
}

fn explored(answer: Value) -> String {
    shown(&workflows::explore::VIEW, answer, Detail::Short, 72)
}

fn at(passage: &str, name: &str) -> Value {
    json!({"passage_id": passage, "file": name, "title": name.to_uppercase(), "section": "Basics", "lines": [1, 4]})
}

#[test]
fn facets_come_with_their_coverage_and_what_is_missing_comes_last() {
    let first = json!({
        "text": "A derating\nlimit is the share of its rating that a part may carry.", "score": 0.9,
        "passage": at("1", "derating.md"), "also_in": ["best_practices"], "later_field": true,
    });
    let long = "Parts run cool. ".repeat(40);
    let second = json!({"text": long, "score": 0.4, "passage": at("2", "parts.md"), "also_in": []});
    let term = |passage: &str, name: &str, text: &str| json!({"text": text, "section": null, "passage": at(passage, name)});
    insta::assert_snapshot!(explored(json!({
        "result_type": "exploratory",
        "facets": [
            {"facet": "definitions", "results": [first], "coverage": {"passages": 1, "documents": 1}},
            {"facet": "best_practices", "results": [second], "coverage": {"passages": 2, "documents": 2}},
            {"facet": "standards", "results": [], "coverage": {"passages": 0, "documents": 0}},
        ],
        "total_facets": 3,
        "gaps": [{"facet": "standards"}],
        "terms": [{"term": "derating", "definitions": [
            term("1", "derating.md", "Derating is use below the rating."),
            term("3", "nasa.md", "Derating: the reduction of\nstress."),
        ]}],
    })), @r#"
    Definitions  1 passage in 1 document

    [1] DERATING.MD
        derating.md:1-4, "Basics"
        "A derating limit is the share of its rating that a part may
        carry."
        Also: best practices

    Best practices  2 passages in 2 documents

    [2] PARTS.MD
        parts.md:1-4, "Basics"
        "Parts run cool. Parts run cool. Parts run cool. Parts run
        cool. Parts run cool. Parts run cool. Parts run cool. Parts run
        cool. Parts run cool. Parts run cool. Parts run cool. Parts run ..."
      - Shown elsewhere: [1]

    Terms that several documents define

    derating
        - "Derating is use below the rating." (derating.md:1-4, "Basics")
        - "Derating: the reduction of stress." (nasa.md:1-4, "Basics")

    Not covered
      - Standards
    "#);
}

#[test]
fn nothing_found_is_said() {
    let empty =
        json!({"facet": "examples", "results": [], "coverage": {"passages": 0, "documents": 0}});
    let gap = json!({"facet": "examples"});
    insta::assert_snapshot!(explored(json!({"facets": [empty], "gaps": [gap], "terms": []})), @r"
    No indexed document speaks of this.

    Not covered
      - Examples
    ");
}

fn planned(answer: Value) -> String {
    shown(&workflows::plan::VIEW, answer, Detail::Short, 72)
}

fn result(passage: &str, name: &str, content: &str, also_in: &[&str]) -> Value {
    json!({"text": content, "score": 0.7, "score_parts": {}, "passage": at(passage, name), "also_in": also_in})
}

fn decision(status: &str, superseded_by: Option<&str>) -> Value {
    let mut source = at("3", "one.md");
    source["relevance"] = json!(0.8);
    source["quote"] = json!("we went with one cluster");
    source["hash"] = json!("00");
    source["document_id"] = json!("d");
    json!({
        "decision_id": "01D", "decision": "One cluster for dev/staging/prod", "alternatives": [], "rationale": "We went\nwith one cluster, for it keeps the cost at a minimum.",
        "status": status, "decided_at": "2019-06-01T00:00:00Z", "recorded_at": "2026-11-20T08:00:00Z", "by": "ana",
        "superseded_by": superseded_by, "source_count": 1, "version": 1, "history": [], "needs_review": [],
        "sources": [source], "score": 0.812, "strength": "weak",
    })
}

#[test]
fn documents_come_first_and_then_what_the_project_decided() {
    insta::assert_snapshot!(planned(json!({
        "result_type": "plan_analysis",
        "templates": [result("1", "plan.md", "Step by step.", &["lessons_learned"])],
        "risks": [result("2", "risk.md", "Clusters\ndiverge.", &[]), result("3", "one.md", "One is enough.", &[])],
        "lessons_learned": [], "precedents": [],
        "gaps": [{"facet": "precedents"}],
        "project_decisions": [decision("superseded", Some("01E"))],
    })), @r#"
    Templates  1 passage

    [1] PLAN.MD
        plan.md:1-4, "Basics"
        "Step by step."
        Also: lessons learned

    Risks  2 passages

    [2] RISK.MD
        risk.md:1-4, "Basics"
        "Clusters diverge."

    [3] ONE.MD
        one.md:1-4, "Basics"
        "One is enough."

    Decided earlier in this project

    One cluster for dev/staging/prod  superseded, 1 Jun 2019, weak
        "We went with one cluster, for it keeps the cost at a minimum."
        01E took its place
        Rests on one.md:1-4
        01D

    Not covered
      - Precedents
    "#);
}

#[test]
fn decisions_are_shown_where_documents_are_silent() {
    insta::assert_snapshot!(planned(json!({"result_type": "plan_analysis", "project_decisions": [decision("accepted", None)]})), @r#"
    No indexed document speaks of this.

    Decided earlier in this project

    One cluster for dev/staging/prod  accepted, 1 Jun 2019, weak
        "We went with one cluster, for it keeps the cost at a minimum."
        Rests on one.md:1-4
        01D
    "#);
}

#[test]
fn a_result_has_its_place_its_fields_and_an_excerpt() {
    let passage = |text: &str| json!({"text": text, "section": "Hazards"});
    let report = json!({
        "result_type": "safety_analysis", "total_results": 1,
        "results": [{
            "text": "Hazard: the\npress closes.", "strength": "fair",
            "passage": {"passage_id": "1", "file": "press.md", "title": "Press", "section": null, "lines": [2, 8]},
            "fields": {"hazard": [passage("the press closes"), passage("hot oil")], "severity_class": [passage("II")]},
            "facets": ["hazards", "lessons_learned"],
        }],
        "gaps": [{"facet": "mitigations"}],
    });
    let shown = shown(&workflows::custom::VIEW, report, Detail::Short, 70);
    insta::assert_snapshot!(shown, @r#"
    1 result

    [1] Press  fair
        press.md:2-8
        Hazard          "the press closes"
        Severity class  "II"
        "Hazard: the press closes."
        Facets: hazards, lessons learned

    Not covered
      - Mitigations
    "#);
}
