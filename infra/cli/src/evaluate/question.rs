//! Questions with their passages, and what came of them.

use std::path::Path;

use anyhow::{Context, Result, bail};
use model::evidence::Place;
use serde::{Deserialize, Serialize};

/// A question whose passages are known.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The question.
    #[serde(rename = "question")]
    pub(super) text: String,
    /// Files, with lines or without, any of which is right; empty where nothing answers it.
    expected: Vec<String>,
    /// The workflow that is asked; picked by the question's form where absent.
    pub(super) workflow: Option<String>,
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// The question.
    pub(super) question: String,
    /// True if something answers it.
    pub(super) is_answerable: bool,
    /// The place of the first right passage among those that are shown, from 1.
    pub(super) rank: Option<usize>,
    /// True if the answer says that nothing fits.
    pub(super) abstains: bool,
}

/// Reads the questions of a file, one a line.
pub(super) fn read(file: &Path) -> Result<Vec<Question>> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("{shown} cannot be read"))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let questions: Vec<Question> = lines
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| format!("line {} of {shown}", number + 1))
        })
        .collect::<Result<_>>()?;
    if questions.is_empty() {
        bail!("{shown} has no questions");
    }
    Ok(questions)
}

impl Question {
    /// Returns what came of it, by the places that are shown.
    pub(super) fn outcome(self, shown: &[&Place], abstains: bool) -> Outcome {
        let is_right = |place: &&Place| self.expected.iter().any(|wanted| is_in(place, wanted));
        let rank = shown.iter().position(is_right).map(|place| place + 1);
        let is_answerable = !self.expected.is_empty();
        Outcome { question: self.text, is_answerable, rank, abstains }
    }
}

/// Returns true if a place is in a file, or shares a line with the lines `FILE:FIRST-LAST` of it.
fn is_in(place: &Place, wanted: &str) -> bool {
    let lines = wanted.rsplit_once(':').and_then(|(file, lines)| {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        Some((file, first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))
    });
    match lines {
        None => place.file == wanted,
        Some((file, first, last)) => {
            let shares = |(from, to): (u32, u32)| from <= last && first <= to;
            place.file == file && place.lines.is_none_or(shares)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place(file: &str, first: u32, last: u32) -> Place {
        let place = json!({
            "passage_id": "00000000-0000-0000-0000-000000000007", "file": file, "title": "T",
            "document_type": "runbook", "source": "docs", "lines": [first, last],
        });
        serde_json::from_value(place).unwrap()
    }

    #[test]
    fn a_place_is_right_if_it_shares_a_line_with_one_that_is_wanted() {
        let question = |expected: &[&str]| -> Question {
            serde_json::from_value(json!({"question": "?", "expected": expected})).unwrap()
        };
        let places = [place("a.md", 1, 5), place("b.md", 10, 20)];
        let shown: Vec<&Place> = places.iter().collect();
        let rank = |expected: &[&str]| question(expected).outcome(&shown, false).rank;
        assert_eq!(rank(&["b.md"]), Some(2));
        assert_eq!(rank(&["b.md:20-30", "c.md"]), Some(2));
        assert_eq!(rank(&["b.md:21-30", "a.md:6"]), None);
        assert_eq!(rank(&["a.md:5"]), Some(1));
        assert!(!question(&[]).outcome(&shown, true).is_answerable);
    }

    #[test]
    fn a_line_that_is_no_question_is_named_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("q.jsonl");
        std::fs::write(&file, "{\"question\": \"?\", \"expected\": []}\n\n{\"question\": 7}\n")
            .unwrap();
        let error = read(&file).unwrap_err().to_string();
        assert!(error.starts_with("line 3 of "), "{error}");
    }
}
