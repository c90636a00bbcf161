use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::*;
use serde::Deserialize;
use serde_json::{Map, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its reading matters")]
struct Form {
    question: String,
    #[serde(default)]
    filters: Map<String, Value>,
    top_k: Option<u32>,
}

fn stamp() -> Stamp {
    Stamp { id: "01A".into(), time: "2026-11-20T18:00:00Z".parse().unwrap() }
}

fn call(mut event: Value) -> Option<Result<Call>> {
    event["routeKey"] = json!("POST /v1/rcca");
    let groups =
        GroupSettings { claim: "groups".into(), admins: "admins".into(), scope_prefix: None };
    Call::of(serde_json::from_value(event).unwrap(), stamp(), &groups, SystemTime::now())
}

fn refusal(body: &str) -> String {
    let event = json!({"body": body, "requestContext": {"authorizer": {"jwt": {"claims": {"sub": "ann"}}}}});
    call(event).unwrap().unwrap().json::<Form>().unwrap_err().to_string()
}

#[test]
fn a_call_without_claims_or_subject_has_no_caller() {
    assert!(call(json!({"body": "{}"})).is_none());
    assert!(
        call(json!({"requestContext": {"authorizer": {"jwt": {"claims": {"sub": ""}}}}})).is_none()
    );
    assert!(call(json!({"requestContext": {"authorizer": {"lambda": {"sub": "ann"}}}})).is_none());
}

#[test]
fn a_body_is_refused_by_field_and_reason() {
    assert_eq!(refusal(""), "malformed `body`: must be a JSON object");
    assert!(refusal("{").starts_with("malformed `body`: EOF while parsing"));
    assert!(
        refusal(r#"{"question": 7}"#)
            .starts_with("malformed `question`: invalid type: integer `7`, expected a string")
    );
    assert!(
        refusal(r#"{"question": "a", "project_id": "p"}"#)
            .starts_with("malformed `project_id`: unknown field `project_id`")
    );
    assert!(refusal(r#"{"question": "a", "top_k": -1}"#).starts_with("malformed `top_k`:"));
    assert!(refusal(r#"{"question": "a"} x"#).starts_with("malformed `body`: trailing characters"));
    assert!(
        refusal(&format!("{{\"question\": \"{}\"}}", "a".repeat(BODY)))
            .contains("`body` must be at most 1048576 bytes")
    );
}

#[test]
fn a_body_that_is_not_text_is_refused() {
    let claims = json!({"authorizer": {"jwt": {"claims": {"sub": "ann"}}}});
    let event = json!({"body": BASE64_STANDARD.encode([0x7b, 0xff]), "isBase64Encoded": true, "requestContext": claims});
    assert_eq!(
        call(event).unwrap().unwrap().json::<Form>().unwrap_err().to_string(),
        "malformed `body`: is not UTF-8: byte 1 is wrong"
    );
}
