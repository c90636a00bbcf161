//! Quantities whose number is a word: "two weeks", "half an hour", "a three-day outage", "four
//! replicas".

use super::edge::{back, before, begins, byte, ends, gap, letters, spaced, word_before};
use super::noun::{self, Counted, Label};
use super::{Dimension, Unit, comparison, symbol, table};

/// Number words in lower case. "One day" and "one second" are seldom quantities.
const NUMBERS: [(&str, f64); 18] = [
    ("half", 0.5),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("twelve", 12.0),
    ("fifteen", 15.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("sixty", 60.0),
    ("ninety", 90.0),
];

/// Other words that a number in words may contain.
const LARGER: &str = " fifty seventy eighty hundred thousand million dozen ";

/// Words that join the parts of a number, or two numbers.
const JOINTS: &str = " and or to point ";

/// Lower bound for the length of a unit's spelling after a number in words.
const SHORTEST: usize = 3;

/// Words after a number that turn it into a fraction, a factor or an idiom.
const FRACTIONS: &str =
    " half halves third thirds quarter quarters fifth fifths tenth tenths times another ";

/// Words before a number which show that the things were mentioned before: "these three functions".
const TOLD: &str = " the these those both other all our its their his her ";

/// A quantity in words.
pub(super) struct Worded {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: f64,
    pub(super) unit: Unit,
}

/// Finds the quantities whose number is a word, in order.
pub(super) fn all(text: &str) -> Vec<Worded> {
    let starts = text.char_indices().filter(|(at, c)| c.is_ascii_alphabetic() && begins(text, *at));
    starts.filter_map(|(at, _)| read(text, at)).collect()
}

fn read(text: &str, start: usize) -> Option<Worded> {
    let word = letters(text, start);
    let number = number(word).filter(|_| !goes_on(text, start))?;
    time(text, start, word, number).or_else(|| count(text, start, word, number))
}

/// Reads counted things and units other than times: "four replicas", "twelve volts". A single thing
/// is read only in a comparison, as in "at least one replica".
fn count(text: &str, start: usize, word: &str, number: f64) -> Option<Worded> {
    let next = spaced(text, start + word.len())?;
    let following = letters(text, next).to_lowercase();
    let goes_on = is_number(&following)
        || noun::holds(JOINTS, &following)
        || noun::holds(FRACTIONS, &following);
    let is_told = noun::holds(TOLD, &word_before(text, start).to_lowercase());
    let is_capital = byte(text, start).is_ascii_uppercase();
    let is_name =
        noun::label(text, start) != Label::No || is_capital && !word_before(text, start).is_empty();
    if number < 1.0 || goes_on || is_told || is_name {
        return None;
    }
    let unit = (following.len() >= SHORTEST && following.ends_with('s'))
        .then(|| table::find(&following))
        .flatten();
    let (unit, end) = match unit {
        Some(unit) if number > 1.0 => (unit, next + following.len()),
        _ => {
            let counted = things(text, start, next, number)?;
            let unit = noun::measured(&counted.noun).unwrap_or_else(|| Unit::count(&counted.noun));
            (unit, counted.end)
        }
    };
    let (unit, end) = symbol::per(text, end, unit);
    ends(text, end).then_some(Worded { start, end, number, unit })
}

fn things(text: &str, start: usize, next: usize, number: f64) -> Option<Counted> {
    if number > 1.0 {
        return noun::counted(text, next);
    }
    let is_compared = comparison::before(text, start, 0).is_some();
    // In "At least one succeeds", nothing is counted.
    is_compared.then(|| noun::one(text, next)).flatten().filter(|it| !it.noun.ends_with("ss"))
}

fn time(text: &str, start: usize, word: &str, number: f64) -> Option<Worded> {
    let at = start + word.len();
    let is_hyphen = byte(text, at) == b'-';
    let next = if is_hyphen { at + 1 } else { spaced(text, at)? };
    let next = match (word.eq_ignore_ascii_case("half"), letters(text, next)) {
        (true, article @ ("a" | "an")) => gap(text, next + article.len()),
        (true, _) => return None,
        (false, _) => next,
    };
    let name = letters(text, next);
    let end = next + name.len();
    let unit = table::find(&name.to_lowercase()).filter(|_| name.len() >= SHORTEST)?;
    let is_plural = name.ends_with('s');
    let is_written = match number {
        number if number < 1.0 => !is_plural,
        number if number > 1.0 => is_plural != is_hyphen,
        _ => !is_plural && !matches!(name, "day" | "second"),
    };
    if unit.dimension() != Dimension::Time || !is_written || !ends(text, end) {
        return None;
    }
    let (unit, end) = symbol::per(text, end, unit);
    Some(Worded { start, end, number, unit })
}

/// Returns true if the word is a number or a part of one.
fn is_number(word: &str) -> bool {
    number(word).is_some() || noun::holds(LARGER, &word.to_lowercase())
}

/// Returns the value of a number word.
pub(super) fn number(word: &str) -> Option<f64> {
    NUMBERS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, number)| *number)
}

/// Returns true if the word at `start` continues a number or a range: "twenty-five", "a hundred and
/// two", "two to three".
fn goes_on(text: &str, start: usize) -> bool {
    if before(text, start).is_some_and(|it| matches!(it, '-' | '–')) {
        return true;
    }
    let last = word_before(text, start);
    let place = back(text, start) - last.len();
    is_number(last)
        || noun::holds(JOINTS, &last.to_lowercase())
            && (is_number(word_before(text, place))
                || before(text, back(text, place)).is_some_and(char::is_numeric))
}
