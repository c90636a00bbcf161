//! Decides if a unit belongs to the number before it: short symbols often mean something else.

use super::edge::{after, back, byte, digits, gap, letters, spaced, word_before};
use super::noun::{self, Label};
use super::number::Number;
use super::prefix::Prefix;
use super::words;

/// A number with the text around it.
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    pub(super) prefix: &'a Prefix,
    pub(super) number: Number,
}

/// The way in which a unit is joined to its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// "5ms".
    Glued,
    /// "5-minute".
    Hyphen,
    /// "5 ms".
    Spaced,
}

/// A unit as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) symbol: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) joint: Joint,
}

/// Words that may follow "3 A". Before any other word, the A is most likely an article.
const LINKS: &str =
    " from at of to in and or per for on when max fuse current supply load is are with peak ";

/// Returns true if the unit, as written, may belong to the number in `place`.
pub(super) fn fits(place: &Place, written: Written) -> bool {
    let (text, value) = (place.text, place.number.value);
    let Written { symbol, start, end, joint } = written;
    if matches!(symbol, "in" | ":1" | "F" | "H") {
        return false;
    }
    if joint == Joint::Hyphen {
        return symbol.len() > 1 && byte(text, start).is_ascii_alphabetic() && !place.prefix.joined;
    }
    let one_letter = symbol.len() == 1 && byte(text, start).is_ascii_alphabetic();
    if one_letter
        && joint == Joint::Spaced
        && (place.label() == Label::Title || is_joined(text, end))
    {
        return false;
    }
    let next = || spaced(text, end).map_or("", |it| letters(text, it));
    match symbol {
        "x" | "X" | "×" => {
            value > 0.0
                && (joint == Joint::Glued || compares(text, end))
                && !digit_follows(text, end)
        }
        "K" => speaks_of_temperature(text, place.prefix.start),
        "\"" => joint == Joint::Glued && !is_quoted(text, place.prefix.start),
        "A" if joint == Joint::Spaced => next().is_empty() || noun::holds(LINKS, next()),
        "d" => joint == Joint::Glued && (value > 3.0 || next().is_empty()),
        "g" => joint == Joint::Spaced || !(2.0..=6.0).contains(&value),
        "s" if joint == Joint::Glued => !is_decade(place, next()) && !is_nines(place),
        "Ki" | "Mi" | "Gi" | "Ti" | "°" => joint == Joint::Glued,
        "$" => joint == Joint::Glued && next().is_empty() && !closes_formula(place, end),
        "m" if joint == Joint::Glued => is_length(place, end, next()),
        "bar" => !noun::holds(" chart charts graph graphs ", next()),
        _ => true,
    }
}

/// Returns true if "4 x" or "4 times", which ends at `end`, begins a comparison: "4 times faster",
/// "4 x as many".
pub(super) fn compares(text: &str, end: usize) -> bool {
    let word = spaced(text, end).map_or("", |it| letters(text, it));
    (word.len() > 4 && word.ends_with("er"))
        || matches!(word, "more" | "less" | "as" | "the" | "fewer")
}

/// Returns true if the letter that ends at `end` is part of a longer expression such as "V-shaped",
/// "N/A" or "s.t.".
fn is_joined(text: &str, end: usize) -> bool {
    let next = byte(text, end + 1);
    let joined =
        matches!(byte(text, end), b'-' | b'.' | b'&' | b'\'') && next.is_ascii_alphabetic();
    joined || (byte(text, end) == b'/' && next == b'A') || after(text, end) == Some('’')
}

/// Returns true if a quotation that begins on this line is still open at `start`, so that the mark
/// after "10" closes it.
fn is_quoted(text: &str, start: usize) -> bool {
    let head = &text[text.floor_char_boundary(start.saturating_sub(200))..start];
    let line = head.rsplit('\n').next().unwrap_or("");
    line.matches('"').count() % 2 == 1
}

fn digit_follows(text: &str, end: usize) -> bool {
    let next = gap(text, end);
    digits(text, next) > next
}

/// Returns true if the dollar sign that ends at `end` closes a formula or a format string.
fn closes_formula(place: &Place, end: usize) -> bool {
    let head = &place.text
        [place.text.floor_char_boundary(place.prefix.start.saturating_sub(60))..place.prefix.start];
    place.prefix.joined
        || byte(place.text, end) == b'}'
        || head.rsplit('\n').next().unwrap_or("").contains('$')
}

/// Returns true if "5m", which ends at `end`, can only mean meters. Glued to a number, "m" means
/// minutes, thousandths of a CPU or millions just as often.
fn is_length(place: &Place, end: usize, next: &str) -> bool {
    const LENGTHS: &str = " long wide tall deep high away cable cables above below apart thick ";
    place.number.decimal || byte(place.text, end) == b'/' || noun::holds(LENGTHS, next)
}

/// Returns true if the text mentions a temperature shortly before `start`.
fn speaks_of_temperature(text: &str, start: usize) -> bool {
    text[text.floor_char_boundary(start.saturating_sub(60))..start].contains("emperature")
}

/// Returns true for "four 9s", which is a share.
fn is_nines(place: &Place) -> bool {
    let word = word_before(place.text, place.prefix.start);
    place.number.value.total_cmp(&9.0).is_eq() && words::number(word).is_some()
}

/// Returns true if the number followed by "s" is a decade: "the 1990s", "the 90s".
fn is_decade(place: &Place, next: &str) -> bool {
    let value = place.number.value;
    let old = (1900.0..2100.0).contains(&value);
    let word = word_before(place.text, back(place.text, place.prefix.start));
    let short = (10.0..100.0).contains(&value)
        && next.is_empty()
        && noun::holds(" the early late mid ", word);
    value % 10.0 == 0.0 && (old || short)
}
