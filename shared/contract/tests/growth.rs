//! A released document may only grow.

use std::path::Path;

use serde_json::{Value, json};

fn current() -> Value {
    contract::document(|_| None)
}

/// Lists the breaks for clients of the document as it is when it is changed so.
fn broken(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut changed = current();
    change(&mut changed);
    contract::breaks(&current(), &changed)
}

fn schema<'a>(document: &'a mut Value, name: &str) -> &'a mut Value {
    &mut document["components"]["schemas"][name]
}

#[test]
fn the_document_only_grew_since_it_was_released() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../infra/openapi.released.json");
    let Ok(text) = std::fs::read_to_string(file) else {
        eprintln!("SKIPPED: no document was released yet");
        return;
    };
    let released: Value = serde_json::from_str(&text).unwrap();
    let breaks = contract::breaks(&released, &current());
    assert!(breaks.is_empty(), "clients of the released document break:\n{}", breaks.join("\n"));
}

#[test]
fn growth_breaks_nothing() {
    assert_eq!(broken(|_| ()), Vec::<String>::new());
    let grown = broken(|document| {
        document["paths"]["/v1/new"] = json!({"get": {"operationId": "new", "responses": {}}});
        let request = schema(document, "RccaRequest");
        request["properties"]["more"] = json!({"type": "string"});
        request["properties"]["question"]["maxLength"] = json!(4000);
        request["properties"]["like"].as_object_mut().unwrap().remove("items");
        schema(document, "RccaReport")["properties"]["more"] = json!({"type": "string"});
    });
    assert_eq!(grown, Vec::<String>::new());
}

#[test]
fn what_is_gone_breaks() {
    let path = broken(|document| {
        document["paths"].as_object_mut().unwrap().remove("/v1/rcca");
    });
    assert_eq!(path, ["POST /v1/rcca: the operation is gone"]);
    let field = broken(|document| {
        let report = schema(document, "RccaReport");
        report["properties"].as_object_mut().unwrap().remove("causes");
    });
    assert!(
        field.iter().any(|place| place == "POST /v1/rcca, 200.causes: it is gone"),
        "{field:?}"
    );
    let status = broken(|document| {
        let replies = &mut document["paths"]["/v1/rcca"]["post"]["responses"];
        replies.as_object_mut().unwrap().remove("429");
    });
    assert_eq!(status, ["POST /v1/rcca, 429: the status is gone"]);
    let mode = broken(|document| {
        let modes = schema(document, "AnswerMode")["oneOf"].as_array_mut().unwrap();
        modes.pop();
    });
    assert!(mode.iter().any(|place| place.starts_with("POST /v1/rcca, request.mode")), "{mode:?}");
}

#[test]
fn a_request_may_not_demand_more_nor_a_reply_promise_less() {
    let field = broken(|document| {
        let required = schema(document, "RccaRequest")["required"].as_array_mut().unwrap();
        required.push("knowledge".into());
    });
    assert_eq!(field, ["POST /v1/rcca, request.knowledge: it is demanded now"]);
    let shorter = broken(|document| {
        schema(document, "RccaRequest")["properties"]["question"]["maxLength"] = json!(100);
    });
    assert_eq!(shorter, ["POST /v1/rcca, request.question: maxLength was 2000 and is 100"]);
    let absent = broken(|document| {
        schema(document, "RccaReport")["required"].as_array_mut().unwrap().clear();
    });
    assert!(
        absent.iter().any(|place| place.ends_with("it is no longer always there")),
        "{absent:?}"
    );
    let tag = broken(|document| {
        let kind = schema(document, "TrailEntry")["oneOf"][0]["properties"]["kind"]["const"].take();
        assert!(kind.is_string(), "{kind}");
    });
    assert!(tag.iter().any(|place| place.ends_with("one of its forms is gone")), "{tag:?}");
    let format = broken(|document| {
        let fields = &mut schema(document, "DecisionSource")["properties"];
        fields["passage_id"]["format"].take();
    });
    assert!(format.iter().any(|place| place.contains("its format was")), "{format:?}");
    let null = broken(|document| {
        let fields = &mut schema(document, "RccaReport")["properties"];
        fields["causes"]["type"] = json!(["array", "null"]);
    });
    assert!(null.iter().any(|place| place.contains("200.causes: its type was")), "{null:?}");
}
