//! Tests the sample events: each belongs to a deployed route and has a body that its function
//! accepts.

use corpus::removal;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire::{
    answer, cases, custom, documents, explore, plan, projects, rcca, records, search, trade,
};

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

/// Checks that the function of `route` accepts `body`.
fn is_read(route: &str, body: Option<&str>) -> Result<(), String> {
    let Some(body) = body else { return Ok(()) };
    match route {
        "POST /v1/rcca" => is_read_as::<rcca::RccaRequest>(body),
        "POST /v1/trade" => is_read_as::<trade::TradeRequest>(body),
        "POST /v1/explore" => is_read_as::<explore::ExploreRequest>(body),
        "POST /v1/search" => is_read_as::<search::SearchRequest>(body),
        "POST /v1/plan" => is_read_as::<plan::PlanRequest>(body),
        "POST /v1/custom/{name}" => is_read_as::<custom::CustomRequest>(body),
        "POST /v1/cases" => is_read_as::<cases::NewCase>(body),
        "POST /v1/projects" => is_read_as::<projects::NewProject>(body),
        route if route.ends_with("/answer") => is_read_as::<answer::AnswerRequest>(body),
        route if route.ends_with("/records") => is_read_as::<records::RecordsRequest>(body),
        route if route.ends_with("/documents") => is_read_as::<documents::Announcement>(body),
        _ => Err("nothing reads it".into()),
    }
}

#[test]
fn sample_events_are_of_routes_that_are_deployed_and_can_be_read() {
    let template = std::fs::read_to_string(root().join("infra/template.yaml")).unwrap();
    for (name, event) in events() {
        let Some(route) = event["routeKey"].as_str() else { continue };
        let (method, path) = route.split_once(' ').unwrap();
        let ways = [
            format!("Method: {method}, Path: {path}}}"),
            format!("Method: {method}, Path: \"{path}\"}}"),
        ];
        assert!(ways.iter().any(|way| template.contains(way)), "{name}: {route}");
        is_read(route, event["body"].as_str()).unwrap_or_else(|reason| panic!("{name}: {reason}"));
    }
}

#[test]
fn sample_messages_can_be_read() {
    for (name, event) in events() {
        for record in event["Records"].as_array().into_iter().flatten() {
            let body = record["body"].as_str().unwrap();
            let read = match name.as_str() {
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
