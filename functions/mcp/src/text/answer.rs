//! The text for an answer from a knowledge base.

use serde_json::Value;

use super::{array, place, string};

/// The claims, each with the places that it rests on; below them the ids of these passages.
pub(super) fn lines(reply: &Value) -> Vec<String> {
    let citations = array(reply, "citations");
    let cited = |claim: &Value| {
        let ids = array(claim, "citations").iter();
        let cited = ids.filter_map(|id| citations.iter().find(|citation| citation["id"] == *id));
        let places: Vec<String> = cited.map(place).collect();
        places.join(", ")
    };
    let claims = array(reply, "claims").iter();
    let mut lines: Vec<String> =
        claims.map(|claim| format!("{} [{}]", string(claim, "text"), cited(claim))).collect();
    let passages = citations.iter().map(|c| format!("{} [{}]", place(c), string(c, "chunk_id")));
    let passages: Vec<String> = passages.collect();
    if !passages.is_empty() {
        lines.push(format!("Passages: {}", passages.join(", ")));
    }
    let near = array(reply, "passages").iter().map(place);
    let near: Vec<String> = near.collect();
    if lines.is_empty() && !near.is_empty() {
        lines.push(format!("Read, and no answer: {}", near.join(", ")));
    }
    lines.extend(unread(reply));
    lines
}

/// The words of a question that stand for nothing in the records.
pub(super) fn unread(reply: &Value) -> Option<String> {
    let words: Vec<&str> = array(reply, "unread").iter().filter_map(Value::as_str).collect();
    let message = || format!("Not understood, and no condition: {}", words.join(", "));
    (!words.is_empty()).then(message)
}
