//! Calls that fail on command.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use serde_json::{Value, json};

use crate::spawn::{Local, delete, post};

/// The path of a call to a model that does not exist.
const INVOKE: &str = "/model/cohere.embed-v4%3A0/invoke";

fn set(local: &Local, rules: &Value) {
    let (status, _, answer) = local.post("/faults", rules);
    assert_eq!(status, 200, "{answer}");
}

#[test]
fn a_rule_strikes_the_calls_that_it_names_so_many_times() {
    let local = Local::start(&[]);
    let answer = json!({"answer": {"status": 429, "type": "ThrottlingException", "body": {"message": "slow down"}}});
    set(
        &local,
        &json!([
            {"call": "/invoke", "function": "nobody", "strike": "hold"},
            {"call": "/invoke", "has": "pump", "skip": 1, "times": 2, "strike": answer},
        ]),
    );
    let ask =
        |text: &str| local.post(INVOKE, &json!({"texts": [text], "input_type": "search_query"}));
    let ordinary = 503;
    assert_eq!(ask("a pump").0, ordinary, "the first one passes");
    assert_eq!(ask("a valve").0, ordinary, "it does not name a pump");
    for _ in 0..2 {
        let (status, kind, body) = ask("a pump");
        let wanted = json!({"message": "slow down"});
        assert_eq!((status, kind.as_str(), body), (429, "ThrottlingException", wanted));
    }
    assert_eq!(ask("a pump").0, ordinary, "it is used up");
    let left = local.get("/faults").1;
    assert_eq!((&left["struck"], left["rules"].as_array().unwrap().len()), (&json!(2), 1));
}

#[test]
fn a_rule_for_writes_passes_reads_on_without_counting_them() {
    let local = Local::start(&["--grpc", "127.0.0.1:0", "--qdrant", "http://127.0.0.1:1"]);
    let rule = json!([{"writes": true, "skip": 1, "strike": {"answer": {"status": 429}}}]);
    set(&local, &rule);
    assert_eq!(post(&format!("{}/faults", local.grpc()), &rule).0, 200);
    let index =
        |call: &str| post(&format!("{}/qdrant.Points/{call}", local.grpc()), &json!("chunks")).0;
    let model = || local.post(INVOKE, &json!({"texts": ["a"], "input_type": "search_query"})).0;
    for _ in 0..2 {
        assert_eq!((model(), local.get("/jwks.json").0), (503, 200));
        assert_eq!([index("QueryBatch"), index("Scroll"), index("Get")], [502; 3]);
    }
    assert_eq!([index("Upsert"), index("Query"), index("Delete")], [502, 502, 429]);
}

#[test]
fn a_call_that_is_held_goes_on_when_the_rules_are_taken_back() {
    let local = Local::start(&[]);
    set(&local, &json!([{"call": "/jwks.json", "strike": "hold"}]));
    std::thread::scope(|scope| {
        let held = scope.spawn(|| local.get("/jwks.json"));
        while local.get("/faults").1["struck"] != 1 {
            std::thread::yield_now();
        }
        assert!(!held.is_finished());
        delete(&format!("{}/faults", local.http()));
        let (status, keys) = held.join().unwrap();
        assert_eq!((status, keys["keys"].as_array().unwrap().len()), (200, 1));
    });
}

#[test]
fn calls_of_tables_and_queues_are_passed_on_also_where_their_answer_is_lost() {
    // This program serves the path of these calls only if it passes them on; in this test nobody
    // answers there.
    let aws = Local::start(&["--aws", "http://127.0.0.1:1"]);
    let local = Local::start(&["--aws", aws.http()]);
    let yes = json!({"answer": {"status": 200, "body": {"Item": 7}}});
    set(&aws, &json!([{"has": "GetItem", "times": 2, "strike": yes}]));
    let ask = || local.post("/", &json!({"call": "GetItem"}));
    assert_eq!((ask().0, ask().2), (200, json!({"Item": 7})));
    set(&aws, &json!([{"has": "GetItem", "strike": yes}]));
    let lost = json!({"answer": {"status": 500, "body": "gone"}});
    set(&local, &json!([{"has": "GetItem", "carried_out": true, "strike": lost}]));
    let (status, _, body) = ask();
    assert_eq!((status, body), (500, json!("gone")));
    assert_eq!(aws.get("/faults").1["struck"], 1, "it was carried out");
}

#[test]
fn calls_of_qdrant_are_passed_on_also_where_their_answer_is_lost() {
    let nowhere = Local::start(&["--grpc", "127.0.0.1:0", "--qdrant", "http://127.0.0.1:1"]);
    let local = Local::start(&["--grpc", "127.0.0.1:0", "--qdrant", nowhere.grpc()]);
    let set = |at: &Local, rules: Value| {
        assert_eq!(post(&format!("{}/faults", at.grpc()), &rules).0, 200);
    };
    let ask = || post(&format!("{}/qdrant.Points/Count", local.grpc()), &json!("chunks"));
    assert_eq!(ask().0, 502, "nobody is there");
    let three = json!({"answer": {"status": 200, "body": {"count": 3}}});
    set(&nowhere, json!([{"call": "/Count", "has": "chunks", "times": 2, "strike": three}]));
    assert_eq!((ask().0, ask().2), (200, json!({"count": 3})));
    set(&nowhere, json!([{"call": "/Count", "strike": three}]));
    let lost = json!({"answer": {"status": 503}});
    set(&local, json!([{"call": "/Count", "carried_out": true, "strike": lost}]));
    assert_eq!(ask().0, 503);
    assert_eq!(ask().0, 502, "it was carried out");
}

#[test]
fn a_lambda_function_that_calls_is_killed_and_nobody_else() {
    let local = Local::start(&[]);
    set(&local, &json!([{"call": "/jwks.json", "function": "probe", "strike": "kill"}]));
    assert_eq!(local.get("/jwks.json").0, 200);
    let address = local.http().trim_start_matches("http://").replace(':', "/");
    let call = format!(
        "exec 3<>/dev/tcp/{address}; printf 'GET /jwks.json HTTP/1.1\\r\\nHost: here\\r\\n\\r\\n' >&3; read -r line <&3"
    );
    let mut probe = Command::new("bash");
    probe.args(["-c", &call]).env("AWS_LAMBDA_FUNCTION_NAME", "probe");
    assert_eq!(probe.status().unwrap().signal(), Some(9));
    assert_eq!(local.get("/faults").1["rules"], json!([]));
    set(&local, &json!([{"call": "/jwks.json", "strike": "kill"}]));
    let (status, _, body) = local.post("/jwks.json", &Value::Null);
    assert_eq!((status, body), (501, json!("no Lambda function calls")));
}

#[test]
fn faults_that_make_no_sense_are_refused() {
    let local = Local::start(&[]);
    for rules in [
        json!({"strike": "hold"}),
        json!([{"call": "a"}]),
        json!([{"strike": "hit"}]),
        json!([{"strike": "kill", "times": 0}]),
        json!([{"strike": {"answer": {"status": 99}}}]),
        json!([{"strike": "hold", "twice": true}]),
    ] {
        assert_eq!(local.post("/faults", &rules).0, 400, "{rules}");
    }
}
