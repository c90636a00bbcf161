//! A program comes with an API key.

use serde_json::{Value, json};

use crate::running::{Folders, has_model};

fn health(url: &str, token: &str) -> (u16, Value) {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = config.build().into();
    let request = agent.get(format!("{url}/v1/health"));
    let mut answer = request.header("authorization", format!("Bearer {token}")).call().unwrap();
    (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
}

#[test]
fn a_key_lets_a_program_in_until_it_is_revoked() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    let running = folders.start();
    let made = running.call("POST", "/v1/keys", &json!({"name": "monitor"})).unwrap();
    let token = made["token"].as_str().unwrap();
    let (status, seen) = health(&running.url, token);
    assert_eq!((status, &seen["caller"]["groups"]), (200, &json!([])), "{seen}");
    assert_eq!(health(&running.url, &format!("{token}x")).0, 401);
    let path = format!("/v1/keys/{}", made["key_id"].as_str().unwrap());
    let revoked = running.call("DELETE", &path, &Value::Null).unwrap();
    assert!(revoked["revoked_at"].is_string(), "{revoked}");
    assert_eq!(health(&running.url, token).0, 401);
    let listed = running.call("GET", "/v1/keys", &Value::Null).unwrap();
    assert!(listed["keys"][0]["last_used_at"].is_string(), "{listed}");
}
