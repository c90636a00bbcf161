//! Tests the sample events: each belongs to a deployed route and has a body that its function
//! accepts.

use corpus::removal;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::route::Route;

use crate::root;

fn events() -> Vec<(String, Value)> {
    let entries = std::fs::read_dir(root().join("tests/events")).unwrap();
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let event = serde_json::from_str(&text).unwrap();
        (path.file_name().unwrap().to_string_lossy().into_owned(), event)
    };
    entries.map(read).collect()
}

fn is_read_as<T: DeserializeOwned>(body: &str) -> Result<(), String> {
    serde_json::from_str::<T>(body).map(drop).map_err(|error| error.to_string())
}

#[test]
fn sample_events_are_of_routes_that_there_are_and_can_be_read() {
    for (name, event) in events() {
        let Some(key) = event["routeKey"].as_str() else { continue };
        let route = Route::parse(key).unwrap_or_else(|| panic!("{name}: {key}"));
        let Some(body) = event["body"].as_str() else { continue };
        let read = contract::operation(route).unwrap().body.unwrap().read;
        read(serde_json::from_str(body).unwrap()).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn sample_messages_can_be_read() {
    for (name, event) in events() {
        for record in event["Records"].as_array().into_iter().flatten() {
            let body = record["body"].as_str().unwrap();
            let read = match name.as_str() {
                "ingest.json" => is_read_as::<model::object::Upload>(body),
                "removal_message.json" => is_read_as::<ports::Removal>(body),
                "digest_message.json" => is_read_as::<decisions::digest::Job>(body),
                _ => is_read_as::<Value>(body),
            };
            read.unwrap_or_else(|reason| panic!("{name}: {reason}"));
        }
        if name == "removal.json" {
            is_read_as::<removal::Run>(&event.to_string()).unwrap();
        }
    }
}
