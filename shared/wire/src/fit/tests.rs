use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn form(max_bytes: usize) -> Form {
    Form { explain: false, max_bytes }
}

fn place(number: usize) -> Value {
    json!({
        "passage_id": format!("id-{number}"), "document_id": "d", "file": format!("{number}.md"), "title": "A",
        "document_type": "postmortem", "source": "docs", "lines": [1, 9],
    })
}

/// A reply of so many failures, each with some symptoms; the causes name the failures.
fn failures(count: usize) -> Value {
    let results: Vec<Value> = (0..count)
        .map(|number| {
            let symptom = |number: usize| json!({"text": format!("symptom {number} ").repeat(10)});
            let symptoms: Vec<Value> = (0..4).map(symptom).collect();
            json!({
                "passage": place(number),
                "report": {"symptoms": symptoms, "resolution": {"text": "It was restarted."}},
            })
        })
        .collect();
    let all: Vec<Value> = (0..count).map(place).collect();
    json!({
        "result_type": "rcca_analysis",
        "results": results,
        "causes": [{"results": all, "support": count}],
        "to_check": [{"text": "Was DNS ruled out?", "result": place(count - 1)}],
        "also_read": [{"passage": place(count)}],
        "meta": {"request_id": "01J", "timings_ms": {"total": 1.0}, "tokens": {}, "degraded": []},
    })
}

#[test]
fn a_reply_that_fits_is_whole_but_for_what_only_programs_need() {
    let reply = fitted(failures(2), form(MOST));
    assert_eq!(reply.get("left_out"), None);
    assert_eq!(reply["meta"], json!({"request_id": "01J", "degraded": []}));
    assert_eq!(reply["passages"][0].get("document_id"), None);
    let explained = fitted(failures(2), Form { explain: true, max_bytes: MOST });
    assert_eq!(restored(explained), failures(2));
}

#[test]
fn each_passage_is_listed_once_and_the_rest_has_its_number() {
    let reply = fitted(failures(3), form(MOST));
    let files: Vec<&str> =
        reply["passages"].as_array().unwrap().iter().map(|p| p["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["0.md", "1.md", "2.md", "3.md"]);
    assert_eq!(reply["causes"], json!([{"results": [1, 2, 3], "support": 3}]));
    assert_eq!(reply["results"][2]["passage"], 3);
    assert_eq!(reply["to_check"][0]["result"], 3);
    assert_eq!(reply["also_read"][0]["passage"], reply["passages"][3]["number"]);
}

#[test]
fn all_results_in_short_come_before_all_that_one_tells() {
    let reply = fitted(failures(5), form(2_200));
    assert_eq!(reply["causes"].as_array().unwrap().len(), 1);
    let results = reply["results"].as_array().unwrap();
    assert_eq!(results.len(), 5, "{reply:#}");
    assert!(results.iter().all(|result| result["report"]["resolution"].is_object()));
    let left_out = &reply["left_out"];
    assert!(left_out["counts"]["results.report.symptoms"].as_u64().unwrap() > 0, "{left_out}");
    assert!(left_out["whole_bytes"].as_u64().unwrap() > 2_200);
    assert!(left_out["how"].as_str().unwrap().contains("max_bytes"), "{left_out}");
}

#[test]
fn nothing_points_to_what_is_left_out() {
    for most in [600, 1_000, 1_500, 2_500, 4_000] {
        let reply = fitted(failures(5), form(most));
        let list = |name: &str| reply[name].as_array().unwrap().iter();
        let listed: Vec<&Value> = list("passages").map(|passage| &passage["number"]).collect();
        let shown: Vec<&Value> = list("results").map(|result| &result["passage"]).collect();
        let named = list("causes").flat_map(|cause| cause["results"].as_array().unwrap());
        let checked = list("to_check").map(|check| &check["result"]);
        for number in named.chain(checked) {
            assert!(shown.contains(&number), "{number} in {reply:#}");
        }
        let also = list("also_read").map(|read| &read["passage"]);
        for number in shown.iter().copied().chain(also) {
            assert!(listed.contains(&number), "{number} in {reply:#}");
        }
        assert!(listed.len() <= shown.len() + 1, "{reply:#}");
    }
}

#[test]
fn records_of_one_passage_keep_their_lines_and_a_query_is_no_reference() {
    let at = |line: u32| {
        let mut record = place(0);
        record["lines"] = json!([line, line]);
        record
    };
    let reply = json!({
        "citations": [{"id": "c1", "passage": at(10)}, {"id": "c2", "passage": at(900)}, {"id": "c3", "passage": at(10)}],
        "read_as": {"where": {"result": 1}}, "meta": {},
    });
    let listed = fitted(reply.clone(), Form { explain: true, max_bytes: MOST });
    let numbers: Vec<&Value> =
        listed["citations"].as_array().unwrap().iter().map(|c| &c["passage"]).collect();
    assert_eq!(numbers, [1, 2, 1]);
    assert_eq!(restored(listed), reply);
}

#[test]
fn an_abstention_that_is_cut_points_to_nothing_that_is_left_out() {
    let nearest: Vec<Value> = (0..3).map(place).collect();
    let reply = json!({"abstained": {"reason": "not_relevant", "nearest": nearest}, "results": [], "meta": {"request_id": "01J"}});
    let reply = fitted(reply, form(LEAST));
    let numbers = reply["abstained"]["nearest"].as_array().unwrap();
    assert_eq!(numbers.len(), reply["passages"].as_array().unwrap().len(), "{reply:#}");
    assert!(size(&reply) <= LEAST, "{reply}");
}

#[test]
fn what_points_to_another_result_comes_only_with_it() {
    let related = |other: usize| json!([{"result": place(other), "by": ["pump"]}]);
    let result = |number: usize, other: usize| json!({"passage": place(number), "text": "x".repeat(300), "related": related(other)});
    let reply = json!({"results": [result(0, 1), result(1, 0)], "meta": {}});
    let whole = fitted(reply.clone(), form(MOST));
    assert_eq!(whole["results"][0]["related"][0]["result"], 2);
    let cut = fitted(reply, form(900));
    assert_eq!(cut["results"].as_array().unwrap().len(), 1, "{cut:#}");
    assert_eq!(cut["results"][0]["related"], json!([]));
    assert_eq!(cut["passages"].as_array().unwrap().len(), 1, "{cut:#}");
}

#[test]
fn a_claim_goes_in_with_its_citations_or_not_at_all() {
    let claim = |place: usize| json!({"text": "x".repeat(100), "citations": [format!("c{place}")]});
    let citation =
        |place: usize| json!({"id": format!("c{place}"), "name": "a.md", "quote": "y".repeat(100)});
    let reply = json!({
        "result_type": "answer",
        "claims": (0..9).map(claim).collect::<Vec<_>>(),
        "citations": (0..9).map(citation).collect::<Vec<_>>(),
        "meta": {"answer_id": "01ANSWER"},
    });
    let reply = fitted(reply, form(1_200));
    let claims = reply["claims"].as_array().unwrap();
    assert!((1..9).contains(&claims.len()), "{reply:#}");
    for claim in claims {
        let mut citations = reply["citations"].as_array().unwrap().iter();
        assert!(citations.any(|citation| citation["id"] == claim["citations"][0]), "{reply:#}");
    }
    assert!(reply["left_out"]["how"].as_str().unwrap().contains("this answer"));
}

#[test]
fn a_text_that_is_larger_than_the_budget_is_cut_at_a_sentence_and_said() {
    let text = "A whole sentence of some words stands here. ".repeat(100);
    let reply = json!({"results": [{"passage": place(0), "text": text}], "meta": {}});
    let reply = fitted(reply, form(900));
    let shown = reply["results"][0]["text"].as_str().unwrap();
    assert!(shown.ends_with("stands here. …") && shown.len() > 200, "{shown}");
    assert_eq!(reply["left_out"]["cut"], 1);
}

#[test]
fn what_stays_whatever_the_budget_is_gives_way_at_last() {
    let reason = "The question names a symbol, and so the code is asked first. ".repeat(10);
    let reply = json!({
        "result_type": "search", "routing": {"reason": reason, "sources": vec![json!({"name": "code"}); 40]}, "results": [],
        "meta": {"request_id": "01J"},
    });
    let reply = fitted(reply, form(LEAST));
    assert!(size(&reply) <= LEAST, "{reply}");
    assert_eq!(reply["left_out"]["counts"]["routing.sources"], 40);
    assert!(reply["routing"]["reason"].as_str().unwrap().ends_with("first. …"), "{reply}");
}

proptest! {
    #[test]
    fn no_reply_has_more_bytes_than_its_budget(count in 1usize..40, most in LEAST..20_000) {
        let reply = fitted(failures(count), form(most));
        prop_assert!(size(&reply) <= most, "{} of {most}", size(&reply));
        let shown = reply["results"].as_array().unwrap().len();
        let left: usize = serde_json::from_value(reply["left_out"]["counts"]["results"].clone()).unwrap_or_default();
        prop_assert_eq!(shown + left, count);
    }
}
