//! The reasons why nothing fits what is asked, for a person to read.

use anyhow::Result;
use console::style;
use serde_json::Value;
use wire::common::Abstained;

use super::citation::CitedPlace;
use crate::page;
use crate::wording::wrapped;

/// Reads it off an answer; `None` where something fits. Answers of knowledge bases tell it in their
/// own form.
pub(super) fn of(answer: &Value) -> Result<Option<Abstained>> {
    match answer.get("abstained") {
        Some(abstained) if abstained.get("nearest").is_some() => {
            page::read(abstained.clone()).map(Some)
        }
        _ => Ok(None),
    }
}

/// The reason, and what came nearest.
pub(super) fn lines(abstained: &Abstained, width: usize) -> Vec<String> {
    let mut lines = wrapped(&abstained.sentence(), "", "", width);
    if abstained.nearest.is_empty() {
        return lines;
    }
    lines.push(String::new());
    lines.push(style("Nearest, all the same").bold().to_string());
    for source in &abstained.nearest {
        lines.extend(wrapped(&CitedPlace::from(source).long(), "  - ", "    ", width));
    }
    lines.push(String::new());
    let advice = "Ask in other words, or send some beside the question with --query.";
    lines.extend(wrapped(advice, "", "", width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn the_reason_and_what_came_nearest_are_told() {
        let nearest = json!({"passage_id": "c", "file": "a.md", "title": "Pool exhausted"});
        let abstained: Abstained =
            reply(json!({"reason": "unknown_name", "unknown": ["Keycloak"], "nearest": [nearest]}));
        let text = lines(&abstained, 100).join("\n");
        assert!(
            text.contains("has the name Keycloak.") && text.contains("Pool exhausted, a.md"),
            "{text}"
        );
        assert!(of(&json!({"abstained": {"reason": "no_evidence"}})).unwrap().is_none());
        assert!(of(&json!({"results": []})).unwrap().is_none());
    }
}
