//! Shows the differences between a passage as it was and its nearest successor, word by word.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

/// Lower bound for the kept words: one in this many. With fewer, the texts are unrelated, and marks
/// would only be noise.
const KEPT_AT_LEAST: usize = 4;

/// A sequence of words, with the spaces after them.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    /// True if the other text lacks the words.
    pub(super) is_changed: bool,
    /// The words.
    pub(super) text: String,
}

/// Returns both texts in pieces. The pieces of a text, joined, are the text again.
pub(super) fn diff(was: &str, now: &str) -> (Vec<Piece>, Vec<Piece>) {
    let (old, new) = (words(was), words(now));
    let steps = capture_diff_slices(Algorithm::Myers, &bare(&old), &bare(&new));
    let kept: usize =
        steps.iter().filter(|step| !is_change(step)).map(|s| s.old_range().len()).sum();
    if kept * KEPT_AT_LEAST < old.len().min(new.len()) {
        return (whole(was), whole(now));
    }
    (pieces(&steps, &old, DiffOp::old_range), pieces(&steps, &new, DiffOp::new_range))
}

fn whole(text: &str) -> Vec<Piece> {
    vec![Piece { is_changed: false, text: text.into() }]
}

fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(char::is_whitespace).collect()
}

/// Returns the words without the spaces after them, because a different line break is not a change.
fn bare<'a>(words: &[&'a str]) -> Vec<&'a str> {
    words.iter().map(|word| word.trim_end()).collect()
}

fn is_change(step: &DiffOp) -> bool {
    step.tag() != DiffTag::Equal
}

fn pieces(steps: &[DiffOp], words: &[&str], side: fn(&DiffOp) -> Range<usize>) -> Vec<Piece> {
    let piece =
        |step: &DiffOp| Piece { is_changed: is_change(step), text: words[side(step)].concat() };
    steps.iter().map(piece).filter(|piece| !piece.text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marked(pieces: &[Piece]) -> String {
        let mark = |piece: &Piece| {
            if piece.is_changed { format!("[{}]", piece.text) } else { piece.text.clone() }
        };
        pieces.iter().map(mark).collect()
    }

    #[test]
    fn changed_words_are_marked_on_both_sides() {
        let (was, now) = diff("at most 40 kg in all parts", "at most 38 kg in parts");
        assert_eq!(marked(&was), "at most [40 ]kg in [all ]parts");
        assert_eq!(marked(&now), "at most [38 ]kg in parts");
    }

    #[test]
    fn two_texts_that_have_little_in_common_are_not_marked() {
        let (was, now) = diff("one two three four five", "six seven eight nine ten");
        assert_eq!(
            (marked(&was).as_str(), marked(&now).as_str()),
            ("one two three four five", "six seven eight nine ten")
        );
    }

    proptest! {
        #[test]
        fn no_word_is_lost(was in "[a-c \n]{0,40}", now in "[a-c \n]{0,40}") {
            let (old, new) = diff(&was, &now);
            let text = |pieces: &[Piece]| pieces.iter().map(|pieces| pieces.text.as_str()).collect::<String>();
            prop_assert_eq!((text(&old), text(&new)), (was, now));
        }
    }
}
