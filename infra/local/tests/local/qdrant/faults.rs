//! Calls of the index that fail on command.

use qdrant_client::qdrant::Filter;
use serde_json::{Value, json};
use tonic::Code;

use super::chunks::{CHUNKS, Fixture, code, count, filled};
use super::server::Server;

async fn set(server: &Server, rules: Value) {
    let address = format!("{}/faults", server.url());
    let post = move || ureq::post(address).send_json(rules).unwrap().status().as_u16();
    assert_eq!(tokio::task::spawn_blocking(post).await.unwrap(), 200);
}

#[tokio::test]
async fn a_call_is_refused_as_told_and_answered_after_that() {
    let Fixture { client, server, data: _data } = filled().await;
    let refusal = json!({"answer": {"status": 503}});
    // The client asks a second time by itself.
    set(&server, json!([{"call": "/Count", "times": 2, "strike": refusal}])).await;
    let asked = qdrant_client::qdrant::CountPointsBuilder::new(CHUNKS).exact(true);
    assert_eq!(code(client.count(asked).await).0, Code::Unavailable);
    assert_eq!(count(&client, Filter::default()).await, 3);
}

#[tokio::test]
async fn a_call_is_carried_out_although_its_answer_is_lost() {
    let Fixture { client, server, data: _data } = filled().await;
    let refusal = json!({"answer": {"status": 503}});
    let rule = json!({"call": "/Delete", "has": CHUNKS, "times": 2, "carried_out": true, "strike": refusal});
    set(&server, json!([rule])).await;
    assert_eq!(code(client.delete_collection(CHUNKS).await).0, Code::Unavailable);
    assert!(!client.collection_exists(CHUNKS).await.unwrap());
}
