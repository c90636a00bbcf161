//! What differs between a passage as it was and the nearest one now, word by word.

/// More comparisons than these take longer than they help: a page of text against a page of text stays below.
const COMPARISONS: usize = 400_000;
/// Where less than one word in this many is kept, the texts are two, and marks would only be noise.
const KEPT_AT_LEAST: usize = 4;

/// A stretch of words, with the spaces behind them.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    /// Whether the other text lacks it.
    pub(super) is_changed: bool,
    /// The words.
    pub(super) text: String,
}

/// Both texts in pieces; put together, each gives its text again.
pub(super) fn diff(was: &str, now: &str) -> (Vec<Piece>, Vec<Piece>) {
    let (old, new) = (words(was), words(now));
    let kept = kept(&old, &new);
    if kept.len() * KEPT_AT_LEAST < old.len().min(new.len()) {
        return (whole(was), whole(now));
    }
    let is_old: Vec<usize> = kept.iter().map(|k| k.0).collect();
    let is_new: Vec<usize> = kept.iter().map(|k| k.1).collect();
    (pieces(&old, &is_old), pieces(&new, &is_new))
}

fn whole(text: &str) -> Vec<Piece> {
    vec![Piece { is_changed: false, text: text.into() }]
}

fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(char::is_whitespace).collect()
}

/// The places of the words that both texts have in the same order, as many as possible.
fn kept(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let is_same = |a: usize, b: usize| old[a].trim_end() == new[b].trim_end();
    let shorter = old.len().min(new.len());
    let head = (0..shorter).take_while(|&at| is_same(at, at)).count();
    let tail = (0..shorter - head)
        .take_while(|&at| is_same(old.len() - 1 - at, new.len() - 1 - at))
        .count();
    let (rows, columns) = (old.len() - head - tail, new.len() - head - tail);
    let mut kept: Vec<_> = (0..head).map(|at| (at, at)).collect();
    if rows * columns <= COMPARISONS {
        let longest = longest(rows, columns, |a, b| is_same(head + a, head + b));
        kept.extend(longest.into_iter().map(|(a, b)| (head + a, head + b)));
    }
    kept.extend((0..tail).rev().map(|at| (old.len() - 1 - at, new.len() - 1 - at)));
    kept
}

/// The longest common subsequence.
fn longest(
    rows: usize,
    columns: usize,
    is_same: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let mut lengths = vec![0_u32; (rows + 1) * width];
    for a in (0..rows).rev() {
        for b in (0..columns).rev() {
            lengths[a * width + b] = if is_same(a, b) {
                lengths[(a + 1) * width + b + 1] + 1
            } else {
                lengths[(a + 1) * width + b].max(lengths[a * width + b + 1])
            };
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut common = Vec::new();
    while a < rows && b < columns {
        if is_same(a, b) {
            common.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if lengths[(a + 1) * width + b] >= lengths[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    common
}

fn pieces(words: &[&str], kept: &[usize]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let is_changed = kept.binary_search(&place).is_err();
        match pieces.last_mut() {
            Some(last) if last.is_changed == is_changed => last.text.push_str(word),
            _ => pieces.push(Piece { is_changed, text: (*word).into() }),
        }
    }
    pieces
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
