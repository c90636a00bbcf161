//! Picks the parts of the evidence that answer a question best.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use uuid::Uuid;

use super::excerpt::{self, Excerpt};
use super::knowledge::Style;
use ask::evidence::Evidence;
use model::document::{Passage, file_name};
use text::question::{Mask, QuestionTerms};
use text::words::pattern;

/// A part of the evidence with its score.
#[derive(Debug, Clone)]
pub(super) struct RankedExcerpt<'c> {
    /// The part.
    pub excerpt: Excerpt<'c>,
    /// The score, `0.0..=1.0`; comparable within one question only.
    pub score: f64,
    /// The share of the question's words in the part and above it.
    pub share: f64,
}

/// The shares of a part's score: its words, and the score of its passage.
struct By {
    words: f64,
    passage: f64,
}

impl By {
    /// Returns the shares for a style. The passage shows whether a text explains, while the words
    /// distinguish one line among many.
    fn of(style: Style) -> By {
        match style {
            Style::Forensic | Style::Procedural => By { words: 0.7, passage: 0.3 },
            Style::Educational => By { words: 0.35, passage: 0.65 },
        }
    }
}

/// The value that is added if the question names the document.
const BY_NAME: f64 = 0.15;

/// The weight of words that are not in the part itself but above it.
const ABOVE: f64 = 0.5;

static WHY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:why|reason|cause|caused|what went wrong|what happened|how come)\b")
});
/// The line of an exception.
static THROWN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:Caused by: )?(?:[\w$]+\.)*\w*(?:Error|Exception)\b"));
/// A setting of a state that has a reason, as Kubernetes writes it, and its events that warn.
static REASON: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^(?:- )?"?(?:[Rr]eason|[Mm]essage)"?:\s+\S|^Warning\s+\w+\s"#));

/// Returns true if `question` asks for a cause.
pub(super) fn asks_why(question: &str) -> bool {
    WHY.is_match(question)
}

/// Returns true if a line names an exception that a program threw.
pub(super) fn is_thrown(line: &str) -> bool {
    THROWN.is_match(line)
}

/// Returns true if a setting tells the reason of a state, or an event warns.
pub(super) fn is_reason(line: &str) -> bool {
    REASON.is_match(line)
}

/// Returns true for a list item, a command or a numbered step.
pub(super) fn is_step(line: &str) -> bool {
    let line = line.trim_start();
    text::sentence::after_marker(line) > 0 || line.starts_with("$ ") || line.starts_with("```")
}

/// Returns the parts that may answer, best first. Words are weighted by their rarity among all
/// parts.
pub(super) fn picks<'c>(
    excerpts: Vec<Excerpt<'c>>,
    style: Style,
    words: &QuestionTerms,
    prior: &Prior<'_>,
) -> Vec<RankedExcerpt<'c>> {
    let by = By::of(style);
    let masks: Vec<Mask> = excerpts.iter().map(|excerpt| words.mask(excerpt.text())).collect();
    let weights = words.weights(&masks);
    let mut picks: Vec<RankedExcerpt<'c>> = excerpts
        .into_iter()
        .zip(masks)
        .map(|(excerpt, mask)| {
            let above = words.mask(&above(&excerpt));
            let part = mask.share(&weights);
            let whole = mask.with(above).share(&weights);
            let score = by.words * (part + ABOVE * (whole - part))
                + by.passage * prior.share(excerpt.passage)
                + if prior.named.contains(&excerpt.passage.name) { BY_NAME } else { 0.0 };
            RankedExcerpt { excerpt, score, share: whole }
        })
        .collect();
    picks.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| place(&a.excerpt).cmp(&place(&b.excerpt)))
    });
    picks
}

/// The scores of passages before their words are examined.
pub(super) struct Prior<'e> {
    scores: HashMap<Uuid, f64>,
    best: f64,
    /// The documents that the question names.
    pub named: &'e [String],
}

impl<'e> Prior<'e> {
    /// Takes the scores from the searches.
    pub(super) fn of_evidence(evidence: &[Evidence], named: &'e [String]) -> Prior<'e> {
        let scores: HashMap<Uuid, f64> =
            evidence.iter().map(|e| (e.passage.id, e.parts.total)).collect();
        let best = scores.values().copied().fold(f64::MIN_POSITIVE, f64::max);
        Prior { scores, best, named }
    }

    /// Returns the passage's score divided by the best one; 0 if no search found the passage.
    fn share(&self, passage: &Passage) -> f64 {
        self.scores.get(&passage.id).copied().unwrap_or_default() / self.best
    }
}

/// Returns the place of a part: its document, its passage, its byte.
pub(super) fn place(excerpt: &Excerpt<'_>) -> (Uuid, u32, usize) {
    (excerpt.passage.document_id, excerpt.passage.position, excerpt.range.start)
}

/// Returns the words above a part: the head of its record or its keys, the headings, the title, the
/// file.
fn above(excerpt: &Excerpt<'_>) -> String {
    let passage = excerpt.passage;
    format!(
        "{}\n{}\n{}\n{}",
        excerpt.head(),
        passage.section,
        passage.title,
        file_name(&passage.name)
    )
}

/// Splits passages, in any order, into the excerpts of an answer.
pub(super) fn excerpts<'c>(passages: &[&'c Passage], style: Style) -> Vec<Excerpt<'c>> {
    let is_of_lines = |passage: &&&Passage| {
        excerpt::is_of_lines(passage.document_type) && style == Style::Forensic
    };
    let lines: Vec<&Passage> = passages.iter().filter(is_of_lines).copied().collect();
    let mut excerpts = excerpt::by_document(&lines, excerpt::lines_of);
    let texts = passages.iter().filter(|passage| !is_of_lines(passage));
    excerpts.extend(texts.flat_map(|passage| excerpt::paragraphs(passage)));
    excerpts
}

/// Returns the share of the question's words that `texts` have together, without weights.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
pub(super) fn coverage<'t>(words: &QuestionTerms, texts: impl Iterator<Item = &'t str>) -> f64 {
    let mask = texts.fold(Mask::default(), |mask, text| mask.with(words.mask(text)));
    f64::from(mask.count()) / words.words().len().max(1) as f64
}
