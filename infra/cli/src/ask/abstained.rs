//! Why nothing fits what is asked, for a person to read.

use anyhow::Result;
use console::style;
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{self as wire, Source};
use crate::wording::wrapped;

/// That nothing fits.
#[derive(Debug, Deserialize)]
pub(super) struct Abstained {
    reason: String,
    #[serde(default)]
    unknown: Vec<String>,
    nearest: Vec<Source>,
}

/// Reads it off an answer; `None` where something fits. Answers of knowledge bases tell it in their own form.
pub(super) fn of(answer: &Value) -> Result<Option<Abstained>> {
    match answer.get("abstained") {
        Some(own) if own.get("nearest").is_some() => wire::read_printable(own.clone()).map(Some),
        _ => Ok(None),
    }
}

impl Abstained {
    /// The reason, and what came nearest.
    pub(super) fn lines(&self, width: usize) -> Vec<String> {
        let unknown = self.unknown.join(", ");
        let reason = match self.reason.as_str() {
            "unknown_name" => format!("Nothing that was searched has the name {unknown}."),
            "unknown_words" => format!("Nothing that was searched has these words: {unknown}."),
            "not_relevant" => "Nothing that was searched answers this.".into(),
            _ => "Nothing was found.".into(),
        };
        let mut lines = wrapped(&reason, "", "", width);
        if self.nearest.is_empty() {
            return lines;
        }
        lines.push(String::new());
        lines.push(style("Nearest, all the same").bold().to_string());
        for source in &self.nearest {
            lines.extend(wrapped(
                &format!("{} ({})", source.document_title, source.place()),
                "  - ",
                "    ",
                width,
            ));
        }
        lines.push(String::new());
        let advice = "Ask in other words, or send some beside the question with --query.";
        lines.extend(wrapped(advice, "", "", width));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_reason_and_what_came_nearest_are_told() {
        let nearest = json!({"chunk_id": "c", "name": "a.md", "document_title": "Pool exhausted"});
        let answer = json!({"abstained": {"reason": "unknown_name", "unknown": ["Keycloak"], "nearest": [nearest]}});
        let text = of(&answer).unwrap().unwrap().lines(100).join("\n");
        assert!(
            text.contains("has the name Keycloak.") && text.contains("Pool exhausted (a.md)"),
            "{text}"
        );
        assert!(of(&json!({"abstained": {"reason": "no_evidence"}})).unwrap().is_none());
        assert!(of(&json!({"results": []})).unwrap().is_none());
    }
}
