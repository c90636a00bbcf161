use super::*;
use serde_json::{Value, json};
use wire::testing::reply;

const STALL: &str = "12:00:01 ERROR pump 7  stalled at 140 degrees";

/// Returns an answer from the pump's log, with a passage of another log.
fn answer() -> Value {
    json!({
        "knowledge": "case:01C", "answer": format!("{STALL} [pump.log:12]"),
        "claims": [{"text": STALL, "citations": ["c1"]}],
        "citations": [{"id": "c1", "display": "pump.log:12", "passage": {"file": "up/pump.log"}, "lines": [12, 13], "quote": format!("{STALL}\nat once")}],
        "read": [{"passage": {"file": "fan.log"}}, {"passage": {"file": "up/pump.log"}}],
        "meta": {"mode": "extractive", "answer_id": null, "corpus_version": 1},
    })
}

fn judged(known: Value, answer: Value) -> Judgement {
    judge(&serde_json::from_value(known).unwrap(), &reply(answer))
}

fn mark(judged: &Judgement, figure: Figure) -> Option<(usize, usize)> {
    let marks = judged.marks.iter().filter(|(marked, _, _)| *marked == figure);
    marks
        .map(|(_, part, whole)| (*part, *whole))
        .reduce(|sum, mark| (sum.0 + mark.0, sum.1 + mark.1))
}

#[test]
fn documents_lines_and_quotes_are_compared_with_what_is_known() {
    let known = json!({
        "question": "q", "answer_contains": ["140"],
        "expected": [
            {"doc": "cases/pumps/up/pump.log", "line": 13, "quote": "pump 7 stalled"},
            {"doc": "cases/pumps/up/pump.log", "line": null, "quote": "pump 7 moved"},
        ],
    });
    let judged = judged(known, answer());
    let right = [
        Figure::Answered,
        Figure::CitedFirst,
        Figure::Read,
        Figure::Line,
        Figure::LineFirst,
        Figure::Contains,
        Figure::Resolves,
        Figure::Verbatim,
    ];
    for figure in right {
        assert_eq!(mark(&judged, figure), Some((1, 1)), "{}", figure.name());
    }
    assert_eq!(mark(&judged, Figure::Quote), Some((1, 2)));
    assert_eq!(mark(&judged, Figure::ReadFirst), Some((0, 1)));
    assert_eq!(mark(&judged, Figure::Count), None);
    assert_eq!(
        judged.wrong,
        [
            "right document read first: fan.log instead of pump.log",
            "quotes in the answer: pump 7 moved",
        ]
    );
}

#[test]
fn the_same_line_of_another_file_is_not_right() {
    let known =
        json!({"question": "q", "expected": [{"doc": "fan.log", "line": 12, "quote": "x"}]});
    let judged = judged(known, answer());
    assert_eq!(mark(&judged, Figure::Line), Some((0, 1)));
    assert!(
        judged.wrong.contains(&"right file and line cited: line 12 instead of: pump.log:12".into())
    );
}

#[test]
fn counts_are_compared_with_the_number_and_every_line() {
    let mut counted = answer();
    let totals = json!({"records": 3, "scanned": 9, "of": 9});
    counted["records"] =
        json!({"rows": [{"count": 3}], "totals": totals, "all_records_read": true});
    let known = json!({
        "question": "q", "count": 3, "all_lines": [12, 13, 40],
        "expected": [{"doc": "pump.log", "line": 40, "quote": "stalled"}],
    });
    let mut most = counted.clone();
    most["records"]["rows"] =
        json!([{"group": {"pod": "a"}, "count": 2}, {"group": {"pod": "b"}, "count": 1}]);
    let of_most = judged(known.clone(), most);
    assert_eq!(mark(&of_most, Figure::Count), Some((0, 1)), "the largest group is meant");
    let judged = judged(known, counted);
    assert_eq!(mark(&judged, Figure::Count), Some((1, 1)));
    assert_eq!(mark(&judged, Figure::CountedLines), Some((2, 3)));
    assert_eq!(mark(&judged, Figure::Line), Some((1, 1)));
    assert_eq!(mark(&judged, Figure::Verbatim), None);
}

#[test]
fn silence_is_right_where_there_is_no_answer_and_only_there() {
    let silent =
        json!({"knowledge": "global", "answer": "", "abstained": {"reason": "no_evidence"}});
    let known =
        |answerable: bool| json!({"question": "q", "answerable": answerable, "docs": ["pump.log"]});
    let right = judged(known(false), silent.clone());
    assert_eq!((mark(&right, Figure::Abstained), right.wrong.len()), (Some((1, 1)), 0));
    let wrong = judged(known(true), silent);
    assert_eq!(mark(&wrong, Figure::Answered), Some((0, 1)));
    assert_eq!(mark(&wrong, Figure::CitedFirst), Some((0, 1)));
    assert_eq!(wrong.wrong, ["answerable and answered: came: no evidence"]);
    assert_eq!(mark(&judged(known(false), answer()), Figure::Abstained), Some((0, 1)));
}

#[test]
fn a_claim_without_its_citations_or_in_other_words_is_found_out() {
    let mut wrong = answer();
    wrong["claims"] = json!([
        {"text": STALL, "citations": ["c1", "c2"]}, {"text": STALL, "citations": []},
        {"text": "Pump 7 stalled.", "citations": ["c1"]},
    ]);
    let extractive = judged(json!({"question": "q"}), wrong.clone());
    assert_eq!(mark(&extractive, Figure::Resolves), Some((1, 3)));
    assert_eq!(mark(&extractive, Figure::Verbatim), Some((1, 3)));
    wrong["meta"]["mode"] = json!("generative");
    let generative = judged(json!({"question": "q"}), wrong);
    assert_eq!(mark(&generative, Figure::Verbatim), None);
}
