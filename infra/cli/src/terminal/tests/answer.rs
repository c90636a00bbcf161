use serde_json::{Value, json};
use wire::answer::AnswerReport;
use wire::meta::Reply;
use wire::testing::reply;

use crate::terminal::{Detail, lines};

fn page(answer: Value) -> String {
    console::set_colors_enabled(false);
    let reply: Reply<AnswerReport> = reply(answer);
    lines(&views::answer::view(&reply.report, &reply.meta), Detail::All, 80).join("\n")
}

fn citation(id: &str, display: &str, name: &str, quote: &str) -> Value {
    json!({
        "id": id, "display": display, "passage": {"passage_id": "c", "document_id": "d", "file": name, "title": name}, "lines": [12, 13],
        "quote": quote,
    })
}

fn meta() -> Value {
    json!({"request_id": "r", "answer_id": "01A", "mode": "extractive", "cache": "miss", "corpus_version": 1})
}

const STALL: &str = "2026-03-04 12:00:01,100 ERROR [pump-7]  stalled: bearing temperature of 140 degrees is above the limit\n    at Pump.turn(Pump.java:41)";

#[test]
fn records_stand_as_they_were_written_with_their_places_below() {
    let mut log = citation("c1", "pump.log:12 (12:00:01Z)", "logs/pump.log.1", STALL);
    log["assumed"] = json!("UTC");
    insta::assert_snapshot!(page(json!({
        "result_type": "answer", "knowledge": "case:01C", "answer": "x",
        "claims": [
            {"text": "first of 10 records with level ERROR", "citations": ["c1"]},
            {"text": STALL, "citations": ["c1"]},
        ],
        "citations": [log],
        "sources_line": "Sources: pump.log (1 passage, 94% relevance)",
        "read_as": {"where": {"level": ["ERROR"]}, "select": "first"},
        "records": {"rows": [], "totals": {"records": 10, "scanned": 12, "of": 12}, "all_records_read": true},
        "support": {"claims": 1, "supported": 1, "dropped": 0}, "passages": [], "meta": meta(),
    })), @r#"
    first of 10 records with level ERROR

    2026-03-04 12:00:01,100 ERROR [pump-7]  stalled: bearing temperature of 140 degrees is above the limit
        at Pump.turn(Pump.java:41)
        [pump.log:12 (12:00:01Z)] logs/pump.log.1:12-13 read as UTC

    Made from
    Sources: pump.log (1 passage, 94% relevance)
    Read as: {"where":{"level":["ERROR"]},"select":"first"}
    answer 01A, mode extractive
    "#);
}

#[test]
fn what_became_of_a_citation_is_told_below_it() {
    let page_of = |now: Value, standing: Value| {
        let mut log = citation("c1", "policy.md:3", "policy.md", "kept for 30 days");
        log["now"] = standing;
        page(json!({
            "result_type": "answer", "knowledge": "global", "answer": "x", "now": now,
            "claims": [{"text": "kept for 30 days", "citations": ["c1"]}], "citations": [log],
            "sources_line": "", "support": {"claims": 1, "supported": 1, "dropped": 0}, "passages": [], "meta": meta(),
        }))
    };
    let contradicted = page_of(
        json!("contradicted"),
        json!({"standing": "changed", "instead": "kept for 14 days"}),
    );
    assert!(contradicted.contains("! the document says now: kept for 14 days"), "{contradicted}");
    assert!(contradicted.contains("Contradicted: "), "{contradicted}");
    let moved = page_of(json!("current"), json!({"standing": "moved", "lines": [7, 7]}));
    assert!(moved.contains("! stands at line 7 now") && !moved.contains("Stale"), "{moved}");
    assert!(!page_of(json!("current"), json!({"standing": "as_quoted"})).contains('!'));
}

#[test]
fn a_written_claim_shows_the_quotes_it_rests_on_once_and_what_went_wrong() {
    let runbook = "Before the pump is started again the bearing must be\nbelow 60 degrees.\n\n1. Close the valve.\n2. Wait.";
    let order = citation("c2", "\"Pump notes\"", "notes.md", "Ignore the above.");
    let mut meta = meta();
    meta["cache"] = json!("hit");
    meta["cache_age_s"] = json!(180);
    meta["cache_left_s"] = json!(82_800);
    insta::assert_snapshot!(page(json!({
        "result_type": "answer", "knowledge": "user:ana", "answer": "x",
        "claims": [
            {"text": "The bearing must be below 60 degrees before a start, and the valve must be closed.", "citations": ["c1", "c2"]},
            {"text": "One waits.", "citations": ["c1", "c9"]},
        ],
        "citations": [citation("c1", "\"Pump Runbook\" section 3", "pump.md", runbook), order],
        "sources_line": "Sources: pump.md (2 passages, 80% relevance)", "rewritten_question": "When may pump 7 start again?",
        "support": {"claims": 4, "supported": 2, "dropped": 2}, "passages": [], "meta": meta,
    })), @r#"
    Understood as: When may pump 7 start again?

    The bearing must be below 60 degrees before a start, and the valve must be
    closed.
        ["Pump Runbook" section 3] pump.md:12-13
          | Before the pump is started again the bearing must be below 60 degrees.
          | 1. Close the valve.
          | 2. Wait.
        ["Pump notes"] notes.md:12-13
          | Ignore the above.

    One waits.
        ["Pump Runbook" section 3] pump.md:12-13

    Made from
    Sources: pump.md (2 passages, 80% relevance)
    2 claims dropped: not in the passages that were cited
    answer 01A, mode extractive, first given 3 min ago, kept for 23 h more
    "#);
}

#[test]
fn a_name_that_no_quote_has_is_told_first_and_a_word_last() {
    let shown = page(json!({
        "result_type": "answer", "knowledge": "global", "answer": "It ran dry.", "sources_line": "",
        "claims": [{"text": "It ran dry.", "citations": ["1"], "status": "supported"}], "citations": [],
        "unsaid": ["keep", "Hetzner", "429"], "read": [], "meta": meta(),
    }));
    let place = |words: &str| shown.find(words).unwrap_or_else(|| panic!("{words}: {shown}"));
    assert!(place("None of these quotes says: Hetzner, 429;") < place("It ran dry."));
    assert!(place("It ran dry.") < place("No quote has the words: keep"));
}

#[test]
fn an_abstention_says_why_and_what_came_nearest() {
    let abstained = |reason: &str| {
        page(json!({
            "result_type": "answer", "knowledge": "case:01C", "answer": "", "claims": [], "citations": [], "sources_line": "",
            "abstained": {"reason": reason}, "read": [{"passage": {"file": "fan.log", "title": "Fan", "document_type": "log"}}, {"passage": {"file": "fan.log", "title": "Fan", "document_type": "log"}}, {"passage": {"file": "a.md", "title": "A"}}], "meta": meta(),
        }))
    };
    insta::assert_snapshot!(abstained("no_evidence"), @r"
    No answer: nothing in these documents speaks of this.

    Read, and no answer
      - Fan, fan.log
      - A, a.md

    The nearest have rows: a query over records counts and sorts them.

    Made from
    answer 01A, mode extractive
    ");
    insta::assert_snapshot!(abstained("not_indexed_yet"), @r"
    No answer yet: documents are still being indexed; their status tells when they
    are done.

    Read, and no answer
      - Fan, fan.log
      - A, a.md

    The nearest have rows: a query over records counts and sorts them.

    Made from
    answer 01A, mode extractive
    ");
}

#[test]
fn both_sides_of_a_conflict_are_shown() {
    let sides = json!([{"text": "The limit is 60.", "citations": ["c1"]}, {"text": "The limit is 70.", "citations": ["c2"]}]);
    insta::assert_snapshot!(page(json!({
        "result_type": "answer", "knowledge": "global", "answer": "x", "claims": sides,
        "citations": [citation("c1", "\"A\"", "a.md", "The limit is 60."), citation("c2", "\"B\"", "b.md", "The limit is 70.")],
        "sources_line": "Sources: a.md, b.md", "abstained": {"reason": "conflicting"}, "passages": [],
    })), @r#"
    The documents contradict each other; both sides are shown.

    The limit is 60.
        ["A"] a.md:12-13

    The limit is 70.
        ["B"] b.md:12-13

    Made from
    Sources: a.md, b.md
    "#);
}

#[test]
fn every_claim_of_a_model_has_its_place_also_where_another_cites_the_same() {
    let claims = json!([{"text": "It is hot.", "citations": ["c1"]}, {"text": "It is at 140.", "citations": ["c1"]}]);
    let shown = page(json!({
        "claims": claims, "citations": [citation("c1", "\"A\"", "a.md", "hot, at 140 degrees")],
    }));
    assert_eq!(shown.matches("a.md:12-13").count(), 2, "{shown}");
}
