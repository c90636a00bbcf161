//! Compares a document with a released one: since clients are built against the released one, it
//! may only grow.

use std::collections::BTreeSet;

use serde_json::Value;

mod schema;

use schema::{Side, Walk};

/// Lists what a client of the `released` document would miss in the `current` one, each with its
/// place; nothing where the document only grew. Operations, parameters, statuses, fields and values
/// must stay; a request may not demand more, and a reply may not promise less. Both are OpenAPI 3.1
/// documents as [`crate::document`] makes them.
pub fn breaks(released: &Value, current: &Value) -> Vec<String> {
    let mut walk = Walk::new(released, current);
    for (path, methods) in fields(&released["paths"]) {
        for (method, old) in fields(methods) {
            let place = format!("{} {path}", method.to_uppercase());
            match current["paths"][path].get(method) {
                Some(new) => operation(&mut walk, &place, old, new),
                None => walk.note(&place, "the operation is gone"),
            }
        }
    }
    walk.breaks
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn operation<'a>(walk: &mut Walk<'a>, place: &str, old: &'a Value, new: &'a Value) {
    if old["operationId"] != new["operationId"] {
        walk.note(place, "the operation has another name");
    }
    parameters(walk, place, old, new);
    for (media, content) in fields(&old["requestBody"]["content"]) {
        let place = format!("{place}, request");
        match new["requestBody"]["content"].get(media) {
            Some(other) => {
                walk.schemas(&place, Side::Request, &content["schema"], &other["schema"]);
            }
            None => walk.note(&place, &format!("{media} is no longer taken")),
        }
    }
    if old["requestBody"]["required"] != true && new["requestBody"]["required"] == true {
        walk.note(place, "a body is demanded");
    }
    for (status, reply) in fields(&old["responses"]) {
        let place = format!("{place}, {status}");
        let Some(other) = new["responses"].get(status) else {
            walk.note(&place, "the status is gone");
            continue;
        };
        let (reply, other) = (walk.old(reply), walk.new_of(other));
        for (media, content) in fields(&reply["content"]) {
            match other["content"].get(media) {
                Some(next) => {
                    walk.schemas(&place, Side::Reply, &content["schema"], &next["schema"]);
                }
                None => walk.note(&place, &format!("{media} is no longer given")),
            }
        }
    }
}

fn parameters<'a>(walk: &mut Walk<'a>, place: &str, old: &'a Value, new: &'a Value) {
    let key = |parameter: &Value| (parameter["in"].clone(), parameter["name"].clone());
    for parameter in items(&old["parameters"]) {
        let place = format!("{place}, parameter {}", parameter["name"]);
        match items(&new["parameters"]).find(|other| key(other) == key(parameter)) {
            Some(other) => {
                walk.schemas(&place, Side::Request, &parameter["schema"], &other["schema"]);
                if other["required"] == true && parameter["required"] != true {
                    walk.note(&place, "it is demanded now");
                }
            }
            None => walk.note(&place, "it is gone"),
        }
    }
    let known: BTreeSet<String> =
        items(&old["parameters"]).map(|parameter| parameter["name"].to_string()).collect();
    for parameter in items(&new["parameters"]).filter(|parameter| parameter["required"] == true) {
        if !known.contains(&parameter["name"].to_string()) {
            walk.note(place, &format!("parameter {} is demanded", parameter["name"]));
        }
    }
}
