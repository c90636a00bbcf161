//! Picks the passages of a decision's document with which it is recorded, and the one that contains
//! the reason.

use uuid::Uuid;
use wire::explore::ExploreReport;

/// A passage of the document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Passage {
    pub(super) id: Uuid,
    /// The headings of the passage, outermost first.
    pub(super) section: String,
    pub(super) content: String,
    pub(super) score: f64,
}

/// The number of passages with which a decision is recorded.
const SOURCES: usize = 3;

/// Upper bound for the characters of a rationale.
const LONGEST: usize = 2_000;

/// Lower bound for the characters of a passage with a reason; "TBD" has none.
const SHORTEST: usize = 40;

/// Words in headings above texts about a decision and its consequences.
const HEADINGS: [&str; 5] = ["decision", "consequence", "rationale", "outcome", "proposed"];

/// Words that state a decision.
const WORDS: [&str; 8] = [
    "we will",
    "we have decided",
    "we decided",
    "we went with",
    "we have chosen",
    "decision outcome",
    "# decision",
    "# consequences",
];

/// Returns the passages of the answer without duplicates, best first.
pub(super) fn ranked(exploration: ExploreReport) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    for aspect in exploration.facets.into_iter().flat_map(|facet| facet.results) {
        let result = aspect.result;
        if !passages.iter().any(|known| known.id == result.passage.passage_id) {
            passages.push(Passage {
                id: result.passage.passage_id,
                section: result.passage.section.unwrap_or_default(),
                content: result.text,
                score: result.score,
            });
        }
    }
    passages.sort_by(|one, other| other.score.total_cmp(&one.score));
    passages
}

/// Returns the passages with which the decision is recorded: the best ones, including the one with
/// the reason.
pub(super) fn sources(passages: &[Passage]) -> Vec<&Passage> {
    let mut sources: Vec<&Passage> = passages.iter().take(SOURCES).collect();
    if let Some(reason) = reason(passages)
        && !sources.contains(&reason)
    {
        sources.pop();
        sources.push(reason);
    }
    sources
}

/// Returns the reason of the decision in the document's words; `None` without a passage.
pub(super) fn rationale(passages: &[Passage]) -> Option<String> {
    Some(cut(reason(passages)?.content.trim()).to_owned())
}

/// Returns the best passage that states a decision or its consequences, else the best passage.
fn reason(passages: &[Passage]) -> Option<&Passage> {
    passages.iter().find(|passage| tells_why(passage)).or(passages.first())
}

fn tells_why(passage: &Passage) -> bool {
    let content = passage.content.to_lowercase();
    let heading = passage.section.rsplit(" > ").next().unwrap_or_default().to_lowercase();
    // The outermost heading is the document's title, which may contain "decisions" in any document.
    let is_below =
        passage.section.contains(" > ") && HEADINGS.iter().any(|word| heading.contains(word));
    let has_words = WORDS.iter().any(|words| content.contains(words));
    content.trim().chars().count() >= SHORTEST && (is_below || has_words)
}

/// Cuts the text to at most [`LONGEST`] characters, at the end of a sentence, else of a word.
fn cut(text: &str) -> &str {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else { return text };
    let head = &text[..end];
    let sentence = head
        .match_indices(['.', '!', '?', '\n'])
        .map(|(place, mark)| place + mark.len())
        .rfind(|after| head[*after..].chars().next().is_none_or(char::is_whitespace));
    let end = sentence.or_else(|| head.rfind(char::is_whitespace)).unwrap_or(end);
    head[..end].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::{id, reply};

    fn passage(passage_id: &str, section: &str, content: &str) -> Passage {
        Passage { id: id(passage_id), section: section.into(), content: content.into(), score: 0.5 }
    }

    const LONG: &str = "Each stack has a zone of its own, which is private.";

    #[test]
    fn each_passage_comes_once_and_the_best_comes_first() {
        let result = |chunk: &str, score: f64| json!({"text": chunk, "score": score, "passage": {"passage_id": chunk, "file": "a.md", "title": "A"}});
        let exploration = json!({"facets": [
            {"facet": "definitions", "results": [result("1", 0.4), result("2", 0.9)]},
            {"facet": "examples", "results": [result("2", 0.8), result("3", 0.6)]},
        ]});
        let ranked = ranked(reply(exploration));
        let order: Vec<_> = ranked.iter().map(|passage| (passage.id, passage.score)).collect();
        assert_eq!(order, [(id("2"), 0.9), (id("3"), 0.6), (id("1"), 0.4)]);
    }

    #[test]
    fn the_passage_that_tells_why_is_among_the_sources_and_is_the_rationale() {
        let passages = [
            passage("1", "Record decisions", LONG),
            passage("2", "Record decisions > Decision", "TBD"),
            passage("3", "Record decisions > Context", LONG),
            passage(
                "4",
                "Record decisions > Consequences",
                "It is private, and so nobody else can reach it.",
            ),
        ];
        let chunks: Vec<_> = sources(&passages).iter().map(|passage| passage.id).collect();
        assert_eq!(chunks, ["1", "2", "4"].map(id));
        assert_eq!(
            rationale(&passages).unwrap(),
            "It is private, and so nobody else can reach it."
        );
        assert_eq!(rationale(&passages[..3]).unwrap(), LONG);
        assert_eq!(rationale(&[]), None);
    }

    #[test]
    fn a_decision_is_told_by_words_too() {
        assert!(tells_why(&passage("1", "", "After all we went with one cluster for everything.")));
        assert!(!tells_why(&passage("1", "Decisions", LONG)));
    }

    #[test]
    fn a_long_reason_ends_with_a_sentence() {
        let sentence = "We keep 3.5 TB in zone one. ";
        let text = sentence.repeat(100);
        assert_eq!(cut(&text), sentence.repeat(71).trim_end());
        assert_eq!(cut("Short."), "Short.");
        let words = "word ".repeat(500);
        assert_eq!(cut(&words), "word ".repeat(400).trim_end());
        assert_eq!(cut(&"é".repeat(2_500)).chars().count(), LONGEST);
    }
}
