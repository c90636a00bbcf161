//! Measures the distance between names and values.

use std::ops::Range;

use super::value::Placed;
use text::term::Mention;

/// Returns the alternative whose name is nearest to the value. Other values and breaks in between
/// count as additional distance.
pub(super) fn nearest(
    focus: &str,
    value: &Range<usize>,
    named: &[Mention],
    values: &[Placed],
) -> Option<usize> {
    let cost = |mention: &Mention| {
        let gap = between(mention, value);
        let is_crossed = |other: &&Placed| gap.start <= other.at.start && other.at.end <= gap.end;
        let crossed = values.iter().filter(is_crossed).count();
        gap.len() + 60 * crossed + 30 * breaks(&focus[gap])
    };
    named.iter().min_by_key(|mention| cost(mention)).map(|mention| mention.number)
}

/// Returns the bytes between a name and a value.
fn between(mention: &Mention, value: &Range<usize>) -> Range<usize> {
    if mention.end <= value.start {
        mention.end..value.start
    } else if value.end <= mention.start {
        value.end..mention.start
    } else {
        value.start..value.start
    }
}

/// The length of the shortest break: ", x".
const SHORTEST_BREAK: usize = 3;

/// The number of bytes from which a word counts as far away.
const FAR: usize = 200;

/// Words that lead to another subject.
const BREAKING: [&str; 6] = ["and", "while", "whereas", "but", "versus", "than"];

/// Returns the number of breaks in a text: commas, semicolons, and words that lead to another
/// subject, each word once.
fn breaks(text: &str) -> usize {
    if text.len() < SHORTEST_BREAK {
        return 0;
    }
    let marks = text.bytes().filter(|byte| matches!(byte, b',' | b';')).count();
    // The first and the last may be parts of words.
    let words: Vec<&str> = text.split(' ').collect();
    let inner = words.get(1..words.len() - 1).unwrap_or_default();
    marks + BREAKING.iter().filter(|word| inner.contains(word)).count()
}

/// Returns the closeness of a word to the value: 1 if it touches the value, 0.5 if it is far away.
#[expect(clippy::cast_precision_loss, reason = "bytes of a sentence")]
pub(super) fn closeness(focus: &str, mention: &Mention, value: &Range<usize>) -> f64 {
    let gap = between(mention, value);
    let distance = if gap.len() < FAR { gap.len() + 30 * breaks(&focus[gap]) } else { FAR };
    1.0 - distance.min(FAR) as f64 / (2.0 * FAR as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_once_and_only_between_blanks() {
        let texts = [" and ", " and, and than x", "and than", " and and ", "x; y", "band while "];
        assert_eq!(texts.map(breaks), [1, 3, 0, 1, 1, 1]);
    }
}
