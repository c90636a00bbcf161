//! Words and letters that multiply: "5k", "5 million", "$5m".

use super::edge::{ends, letters, spaced};
use super::noun;

/// A word or letter that multiplies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Multiplier {
    /// The factor.
    pub(super) scale: f64,
    /// The byte offset of its end.
    pub(super) end: usize,
    /// The way it is spelled.
    pub(super) kind: Kind,
}

/// The spelling of a multiplier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// "million".
    Spelled,
    /// "k", which multiplies anything.
    Letter,
    /// "m" and "B", which multiply only money; elsewhere they are meters and bytes.
    Money,
}

/// Returns true if the noun at `at` is usually counted in millions and billions, so that "7B" and
/// "10m" are not bytes and meters.
pub(super) fn holds_many(text: &str, at: usize, multiplier: Multiplier) -> bool {
    let noun = letters(text, at);
    noun::holds(" parameters params tokens users people weights ", noun)
        || (multiplier.scale < 1e9
            && noun::holds(" samples events requests rows records downloads messages ", noun))
}

/// Reads "k", "M", "million" after the number that ends at `end`. With `is_word`, only the word
/// that begins at `end` is read.
pub(super) fn read(text: &str, end: usize, is_word: bool) -> Option<Multiplier> {
    let glued = letters(text, end);
    let next =
        if is_word { end } else { spaced(text, end).or((!glued.is_empty()).then_some(end))? };
    let word = letters(text, next);
    let (scale, kind) = match word {
        "thousand" => (1e3, Kind::Spelled),
        "million" | "mn" | "mln" => (1e6, Kind::Spelled),
        "billion" | "bn" => (1e9, Kind::Spelled),
        "trillion" => (1e12, Kind::Spelled),
        _ if is_word => return None,
        "k" | "K" => (1e3, Kind::Letter),
        "M" => (1e6, Kind::Letter),
        "m" => (1e6, Kind::Money),
        "B" | "b" => (1e9, Kind::Money),
        "T" => (1e12, Kind::Money),
        _ => return None,
    };
    let end = next + word.len();
    // "$5m" is five million, but "$5 m" is ambiguous. "5 M" counts the noun that follows it.
    let written = kind != Kind::Money || !glued.is_empty();
    (ends(text, end) && written).then_some(Multiplier { scale, end, kind })
}
