//! Finds documents that say the same with another value.

use std::sync::LazyLock;

use regex::Regex;
use uuid::Uuid;

use super::compose::Draft;
use super::extractive;
use super::pick::RankedExcerpt;
use text::words::pattern;

/// The share of the best score from which a part answers the question as well as the best one.
const NEAR: f64 = 0.97;

/// Upper bound for the bytes of a text. A longer text that differs in a number only is a template.
const LONGEST: usize = 200;

static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b\d[\d.,:]*\w*\b|\b(?:true|false|yes|no|on|off|enabled|disabled)\b")
});

/// Returns the best part, and the parts of other documents that say the same with another value;
/// `None` if there are none.
///
/// The texts must be equal apart from their values, because other differences may mean another
/// subject.
pub(super) fn conflict<'c>(picks: &[RankedExcerpt<'c>]) -> Option<Vec<Draft<'c>>> {
    let best = picks.first()?;
    let shape = shape(best)?;
    let mut sides: Vec<&RankedExcerpt<'c>> = vec![best];
    let mut documents: Vec<Uuid> = vec![best.excerpt.passage.document_id];
    for pick in picks.iter().skip(1).take_while(|pick| pick.score >= NEAR * best.score) {
        let document = pick.excerpt.passage.document_id;
        let is_other = !documents.contains(&document) && pick.excerpt.time.is_none();
        let is_new = sides.iter().all(|side| side.excerpt.text() != pick.excerpt.text());
        if is_other && is_new && self::shape(pick).as_deref() == Some(&shape) {
            documents.push(document);
            sides.push(pick);
        }
    }
    let drafts = sides.iter().map(|pick| extractive::record_of(&pick.excerpt));
    (sides.len() > 1 && best.excerpt.time.is_none()).then(|| drafts.collect())
}

/// Returns the words with their values masked; `None` for a text without a value or without a word.
fn shape(pick: &RankedExcerpt<'_>) -> Option<String> {
    let text = pick.excerpt.text();
    let masked = VALUE.replace_all(text, "#").to_lowercase();
    let has_both = masked.contains('#') && masked.contains(|c: char| c.is_alphabetic());
    (text.len() <= LONGEST && has_both)
        .then(|| masked.split_whitespace().collect::<Vec<_>>().join(" "))
}
