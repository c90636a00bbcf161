//! Questions with their passages, and what came of them.

use model::evidence::Place;
use serde::{Deserialize, Serialize};

use super::judge::is_file;

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
pub struct Outcome {
    /// The question.
    pub question: String,
    /// True if something answers it.
    pub is_answerable: bool,
    /// The place of the first right passage among those that are shown, from 1.
    pub rank: Option<usize>,
    /// True if the answer says that nothing fits.
    pub abstains: bool,
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
        None => is_file(&place.file, wanted),
        Some((file, first, last)) => {
            let shares = |(from, to): (u32, u32)| from <= last && first <= to;
            is_file(&place.file, file) && place.lines.is_none_or(shares)
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
}
