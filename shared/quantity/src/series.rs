//! Numbers whose unit stands behind a later one: "2 of 3 replicas", "10, 20 and 50 ms".

use super::edge::{is_digit, letters, spaced};
use super::noun::{self, Label};
use super::read::Draft;
use super::side::{self, Side};
use super::{Dimension, Unit};

/// The most numbers of a list.
const LONGEST: usize = 6;

/// Words between a part and its whole: "4 out of the existing 25 tests".
const WHOLES: &str = " the all our its their these those existing total ";

/// The quantity that the number makes with the unit of a later one.
pub(super) fn draft(text: &str, first: &Side) -> Option<Draft> {
    let is_name = noun::label(text, first.prefix.start) != Label::No
        || noun::follows_name(text, first.prefix.start, false);
    if is_name || first.prefix.joined {
        return None;
    }
    let unit = whole(text, first).or_else(|| listed(text, first))?;
    let (start, end, number) = (first.prefix.start, first.end, first.value());
    Some(Draft { start, end, number, span: None, unit, comparison: None })
}

/// What the whole counts whose part the number is: "2 of 3 replicas".
fn whole(text: &str, first: &Side) -> Option<Unit> {
    let past = |at: usize| spaced(text, at + letters(text, at).len());
    let mut at = spaced(text, first.end)?;
    if letters(text, at) == "out" {
        at = past(at)?;
    }
    if letters(text, at) != "of" {
        return None;
    }
    at = past(at)?;
    while noun::holds(WHOLES, letters(text, at)) {
        at = past(at)?;
    }
    let whole = number(text, at).filter(|whole| (0.0..=whole.value()).contains(&first.value()))?;
    whole.unit.filter(|unit| unit.dimension() == Dimension::Count)
}

/// The unit of the last number of a list: "10, 20 and 50 ms", "2 or 3 nodes".
fn listed(text: &str, first: &Side) -> Option<Unit> {
    let (mut end, mut is_joined) = (first.end, false);
    for count in 2..=LONGEST {
        let (is_last, next) = item(text, end)?;
        is_joined |= is_last;
        let item = number(text, next)?;
        end = item.end;
        if item.unit.is_some() {
            // Two numbers with a comma between are a list only by its "and" or "or".
            return item.unit.filter(|_| is_joined || count > 2);
        }
    }
    None
}

fn number(text: &str, at: usize) -> Option<Side> {
    side::read(text, at, at).ok().filter(|side| side.prefix.start == at)
}

/// Whether "and" or "or" stands before the next number of a list behind `end`, and where that begins.
fn item(text: &str, end: usize) -> Option<(bool, usize)> {
    let has_comma = text[end..].starts_with(',');
    let at = spaced(text, end + usize::from(has_comma))?;
    let word = letters(text, at);
    let is_last = matches!(word, "and" | "or");
    let next = if is_last { spaced(text, at + word.len())? } else { at };
    (has_comma || is_last).then_some((is_last, next)).filter(|_| is_digit(text, next))
}
