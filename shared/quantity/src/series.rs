//! Numbers whose unit follows a later number: "2 of 3 replicas", "10, 20 and 50 ms".

use super::edge::{is_digit, letters, spaced};
use super::noun::{self, Label};
use super::read::Draft;
use super::side::{self, Side};
use super::{Dimension, Unit};

/// Upper bound for the numbers of a list.
const LONGEST: usize = 6;

/// Words between a part and its whole: "4 out of the existing 25 tests".
const WHOLES: &str = " the all our its their these those existing total ";

/// Returns the quantity of a number that takes the unit of a later number.
pub(super) fn draft(text: &str, first: &Side) -> Option<Draft> {
    let head = head(text, first.prefix.start);
    let is_name = noun::label(text, head) != Label::No || noun::follows_name(text, head, false);
    if is_name || first.prefix.joined {
        return None;
    }
    let goes_on = head < first.prefix.start;
    let unit = whole(text, first).or_else(|| listed(text, first, goes_on))?;
    let (start, end, number) = (first.prefix.start, first.end, first.value());
    Some(Draft { start, end, number, span: None, unit, comparison: None })
}

/// Returns the unit of the whole if the number is a part of it: "2 of 3 replicas".
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

/// Returns the unit of the last number of a list: "10, 20 and 50 ms", "2 or 3 nodes". Two numbers
/// joined by "and" often measure different things and have no shared unit. `goes_on` is true if
/// other numbers of the list precede this one.
fn listed(text: &str, first: &Side, goes_on: bool) -> Option<Unit> {
    let mut end = first.end;
    for count in 2..=LONGEST {
        let (joint, next) = item(text, end)?;
        let item = number(text, next).filter(|item| item.scale <= first.scale)?;
        end = item.end;
        if item.unit.is_some() {
            return item.unit.filter(|_| goes_on || count > 2 || joint == "or");
        }
        if !joint.is_empty() {
            return None;
        }
    }
    None
}

/// Returns the start of the list that contains the number at `start`: "10, 20, 50".
fn head(text: &str, start: usize) -> usize {
    let mut head = start;
    for _ in 0..LONGEST {
        let Some(before) = text[..head].strip_suffix(", ") else { break };
        let begin = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if begin == before.len() {
            break;
        }
        head = begin;
    }
    head
}

fn number(text: &str, at: usize) -> Option<Side> {
    side::read(text, at, at).ok().filter(|side| side.prefix.start == at)
}

/// Returns the start of the next number of a list after `end`, and the "and" or "or" before it, or
/// "".
fn item(text: &str, end: usize) -> Option<(&str, usize)> {
    let has_comma = text[end..].starts_with(',');
    let at = spaced(text, end + usize::from(has_comma))?;
    let word = letters(text, at);
    let joint = if matches!(word, "and" | "or") { word } else { "" };
    let next = if joint.is_empty() { at } else { spaced(text, at + word.len())? };
    (has_comma || !joint.is_empty()).then_some((joint, next)).filter(|_| is_digit(text, next))
}
