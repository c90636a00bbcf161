use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn form(max_bytes: usize) -> Form {
    Form { explain: false, max_bytes }
}

/// A reply of so many failures, each with some symptoms; the causes name the failures.
fn failures(count: usize) -> Value {
    let id = |place: usize| format!("id-{place}");
    let results: Vec<Value> = (0..count)
        .map(|place| {
            let symptom = |number: usize| json!({"text": format!("symptom {number} ").repeat(10)});
            let symptoms: Vec<Value> = (0..4).map(symptom).collect();
            json!({
                "chunk_id": id(place), "document_id": "d", "source": {"name": "a.md", "lines": [1, 9]},
                "report": {"symptoms": symptoms, "resolution": {"text": "It was restarted."}},
            })
        })
        .collect();
    let all: Vec<String> = (0..count).map(id).collect();
    json!({
        "result_type": "rcca_analysis",
        "results": results,
        "causes": [{"cause": {"text": "The pool was exhausted."}, "results": all, "support": count}],
        "to_check": [{"check": {"text": "Was DNS ruled out?"}, "result": id(count - 1)}],
        "also_read": [],
        "meta": {"request_id": "01J", "timings_ms": {"total": 1.0}, "tokens": {}, "degraded": []},
    })
}

#[test]
fn a_reply_that_fits_is_whole_but_for_what_only_programs_need() {
    let reply = fitted(failures(2), form(MOST));
    assert_eq!(reply.get("left_out"), None);
    assert_eq!(reply["meta"], json!({"request_id": "01J", "degraded": []}));
    assert_eq!(reply["results"][0].get("document_id"), None);
    let explained = fitted(failures(2), Form { explain: true, max_bytes: MOST });
    assert_eq!(explained, failures(2));
}

#[test]
fn all_results_in_short_come_before_all_that_one_tells() {
    let reply = fitted(failures(5), form(1_500));
    assert_eq!(reply["causes"].as_array().unwrap().len(), 1);
    let results = reply["results"].as_array().unwrap();
    assert_eq!(results.len(), 5, "{reply:#}");
    assert!(results.iter().all(|result| result["report"]["resolution"].is_object()));
    let left_out = &reply["left_out"];
    assert!(left_out["counts"]["results.report.symptoms"].as_u64().unwrap() > 0, "{left_out}");
    assert!(left_out["whole_bytes"].as_u64().unwrap() > 1_500);
    assert!(left_out["how"].as_str().unwrap().contains("max_bytes"), "{left_out}");
}

#[test]
fn nothing_points_to_what_is_left_out() {
    for most in [600, 1_000, 1_500, 2_500, 4_000] {
        let reply = fitted(failures(5), form(most));
        let shown: Vec<&Value> =
            reply["results"].as_array().unwrap().iter().map(|result| &result["chunk_id"]).collect();
        let named = reply["causes"].as_array().unwrap().iter();
        let named = named.flat_map(|cause| cause["results"].as_array().unwrap());
        let checked = reply["to_check"].as_array().unwrap().iter().map(|check| &check["result"]);
        for id in named.chain(checked) {
            assert!(shown.contains(&id), "{id} in {reply:#}");
        }
    }
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
    let reply = json!({"results": [{"chunk_id": "a", "content": text}], "meta": {}});
    let reply = fitted(reply, form(900));
    let shown = reply["results"][0]["content"].as_str().unwrap();
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
