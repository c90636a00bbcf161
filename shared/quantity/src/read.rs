//! Whole quantities: one number with its unit, or two numbers that form a range or a tolerance.

use super::compound::{self, Compound};
use super::edge::{back, ends, gap, letters, marks, spaced, tidy, word_before};
use super::noun::{self, Label};
use super::side::{self, Side};
use super::words::{self, Worded};
use super::{Comparison, Dimension, Quantity, Si, Unit, comparison, rank, series, symbol, table};

/// Upper bound for the bytes of currency and sign before the first digit of a range's second part.
const LONGEST_PREFIX: usize = 8;

/// Finds every quantity in `text`, in order.
pub(super) fn all(text: &str) -> Vec<Quantity> {
    let mut found = in_digits(text);
    for Worded { start, end, number, unit } in words::all(text) {
        let draft = Draft { start, end, number, span: None, unit, comparison: None };
        let is_free = |found: &Quantity| found.end <= start || end <= found.start;
        if found.iter().all(is_free) {
            let before = found.iter().map(|found| found.end).filter(|end| *end <= start);
            let floor = before.max().unwrap_or_default();
            let compared = draft.compared(text, floor).finish(text);
            let (start, end) = compared.as_ref().map_or((start, end), |it| (it.start, it.end));
            let is_free = |found: &Quantity| found.end <= start || end <= found.start;
            found.extend(compared.filter(|_| found.iter().all(is_free)));
        }
    }
    found.sort_by_key(|quantity| quantity.start);
    found
}

fn in_digits(text: &str) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.as_bytes()[at..].iter().position(u8::is_ascii_digit) {
        let floor = found.last().map_or(0, |it| it.end);
        let (quantity, next) = one(text, at + offset, floor);
        found.extend(quantity);
        at = next;
    }
    found
}

/// Reads the quantity whose first digit is at `digit`, if there is one. Also returns the place from
/// which the search continues.
fn one(text: &str, digit: usize, floor: usize) -> (Option<Quantity>, usize) {
    if let Some((number, start, end)) = rank::read(text, digit, floor) {
        let draft =
            Draft { start, end, number, span: None, unit: Unit::count("rank"), comparison: None };
        return (draft.finish(text), end);
    }
    if let Some(Compound { prefix, end, number, unit }) = compound::read(text, digit, floor) {
        let number = if prefix.negative { -number } else { number };
        let draft = Draft { start: prefix.start, end, number, span: None, unit, comparison: None };
        return (draft.compared(text, floor).finish(text), end);
    }
    let side = match side::read(text, digit, floor) {
        Ok(side) => side,
        Err(next) => return (None, next),
    };
    let draft = pair(text, &side).or_else(|| single(&side)).or_else(|| series::draft(text, &side));
    match draft.map(|it| it.compared(text, floor)).and_then(|it| it.finish(text)) {
        Some(quantity) => (Some(quantity.clone()), quantity.end),
        None => (None, side.end),
    }
}

/// A quantity whose text is not extracted yet.
pub(super) struct Draft {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) number: f64,
    pub(super) span: Option<(f64, f64)>,
    pub(super) unit: Unit,
    pub(super) comparison: Option<Comparison>,
}

impl Draft {
    /// Adds the comparison around the quantity.
    fn compared(self, text: &str, floor: usize) -> Draft {
        let before = comparison::before(text, self.start, floor);
        if let Some((comparison, start)) = before {
            return Draft { start, comparison: Some(comparison), ..self };
        }
        match comparison::after(text, self.end).filter(|_| self.comparison.is_none()) {
            Some((comparison, end)) => Draft { end, comparison: Some(comparison), ..self },
            None => self,
        }
    }

    /// Returns the quantity; `None` if its number is not finite.
    fn finish(self, text: &str) -> Option<Quantity> {
        let (low, high) = self.span.unzip();
        let si = self.unit.si().map(|unit| Si {
            number: self.unit.to_si(self.number),
            low: low.map(|it| self.unit.to_si(it)),
            high: high.map(|it| self.unit.to_si(it)),
            unit: unit.to_owned(),
        });
        let finite = self.number.is_finite() && si.as_ref().is_none_or(|it| it.number.is_finite());
        finite.then(|| Quantity {
            text: text[self.start..self.end].to_owned(),
            number: self.number,
            low,
            high,
            unit: self.unit.symbol().to_owned(),
            si,
            comparison: self.comparison,
            start: self.start,
            end: self.end,
        })
    }
}

/// Returns the quantity that one number forms.
fn single(side: &Side) -> Option<Draft> {
    let unit = side.unit.clone()?;
    let (start, end, comparison) = (side.prefix.start, side.end, side.comparison);
    if !side.prefix.tolerance {
        return Some(Draft { start, end, number: side.value(), span: None, unit, comparison });
    }
    let delta = unit.difference();
    let (number, unit) = if delta == unit {
        (side.value(), unit)
    } else {
        (delta.to_si(side.value()), table::find("K")?)
    };
    Some(Draft { start, end, number, span: Some((0.0 - number, number)), unit, comparison })
}

/// The sign or word that joins two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Dash,
    To,
    And,
    Tolerance,
}

/// Returns the quantity that two numbers form.
fn pair(text: &str, first: &Side) -> Option<Draft> {
    let (join, next) = join(text, first.end)?;
    let digit =
        next + text.as_bytes()[next..].iter().take(LONGEST_PREFIX).position(u8::is_ascii_digit)?;
    let second = side::read(text, digit, next).ok().filter(|it| it.prefix.start == next)?;
    if first.unit.is_none() && noun::label(text, first.prefix.start) != Label::No
        || first.prefix.tolerance
    {
        return None;
    }
    if join == Join::Tolerance {
        tolerance(text, first, &second)
    } else {
        range(text, join, first, &second)
    }
}

/// Returns the join after the number that ends at `end`, and the start of the second number.
fn join(text: &str, end: usize) -> Option<(Join, usize)> {
    let at = gap(text, end);
    let signs = ["±", "+/-", "+/−", "+-"];
    if let Some(sign) = signs.into_iter().find(|it| text[at..].starts_with(it)) {
        return Some((Join::Tolerance, gap(text, at + sign.len())));
    }
    let is_spaced = spaced(text, end).is_some();
    let dashes = ["-", "–", "—", "−", "...", "…", ".."];
    if let Some(dash) = dashes.into_iter().find(|it| text[at..].starts_with(it)) {
        let past = at + dash.len();
        return Some((Join::Dash, if is_spaced { spaced(text, past)? } else { marks(text, past) }));
    }
    let word = letters(text, at);
    let join = match word {
        "to" if is_spaced => Join::To,
        "and" if is_spaced => Join::And,
        _ => return None,
    };
    Some((join, spaced(text, at + word.len())?))
}

/// Words before "from" that announce a range. Without such a word, "from ... to" is a change.
const RANGING: &str =
    " range ranges ranged ranging vary varies varied varying anywhere values span spans spanning ";

/// Returns a range. Of a change such as "from 150 to 30 MB/min", it returns only the first part.
fn range(text: &str, join: Join, first: &Side, second: &Side) -> Option<Draft> {
    let between = comparison::phrase_before(text, back(text, first.prefix.start), "between");
    let start = match join {
        Join::And => between?,
        _ => first.prefix.start,
    };
    let (unit, given, end) = common(text, first, second)?;
    let is_change = join == Join::To && changes(text, first);
    if is_change {
        let unit = first.unit.clone().unwrap_or(unit);
        return Some(Draft {
            start,
            end: first.end,
            number: first.value(),
            span: None,
            unit,
            comparison: None,
        });
    }
    let high = second.value();
    // In "$10-20k" both numbers share the multiplier; in "$10-$20k" they do not.
    let bare = first.prefix.money.is_some() && second.prefix.money.is_none();
    let open = first.scale <= 1.0 && (first.unit.is_none() || bare);
    let shared = open && first.bare * second.scale <= high;
    let low = match given {
        Some(low) => low,
        None if shared => first.bare * second.scale,
        None => first.value(),
    };
    let number = tidy(f64::midpoint(low, high)).max(low).min(high);
    let comparison = second.comparison;
    (low <= high).then_some(Draft { start, end, number, span: Some((low, high)), unit, comparison })
}

fn changes(text: &str, first: &Side) -> bool {
    let from = back(text, first.prefix.start);
    word_before(text, first.prefix.start).eq_ignore_ascii_case("from")
        && !noun::holds(RANGING, &word_before(text, from - "from".len()).to_ascii_lowercase())
}

/// Returns the unit that both parts share, the first number converted to it if the first had
/// another unit, and the end of the second part.
fn common(text: &str, first: &Side, second: &Side) -> Option<(Unit, Option<f64>, usize)> {
    let end = second.end;
    let money = first.unit.as_ref().filter(|it| it.dimension() == Dimension::Money);
    let per = |money: &Unit, two: &Unit| {
        let joint = if second.prefix.money.is_some() { money.symbol() } else { "1" };
        let over = two.symbol().strip_prefix(joint).filter(|it| it.starts_with('/'))?;
        symbol::unit(&format!("{}{over}", money.symbol()))
    };
    match (&first.unit, &second.unit) {
        (None, Some(unit)) => Some((unit.clone(), None, end)),
        (Some(one), Some(two)) if one == two || one.symbol().is_empty() => {
            Some((two.clone(), None, end))
        }
        (Some(one), Some(two)) if money.is_some() => Some((per(one, two)?, None, end)),
        (Some(one), Some(two)) if two.counts_like(one.symbol()) => {
            let low = two.value_of(one.to_si(first.value()), one.si()?)?;
            Some((two.clone(), Some(low), end))
        }
        (Some(one), None) if first.prefix.money.is_some() && ends(text, end) => {
            let (unit, end) = symbol::per(text, end, one.clone());
            Some((unit, None, end))
        }
        _ => None,
    }
}

/// Returns a number with its tolerance, given in the same unit or in percent of the number.
fn tolerance(text: &str, first: &Side, second: &Side) -> Option<Draft> {
    let (number, by) = (first.value(), second.value());
    let (unit, by) = match (&first.unit, &second.unit) {
        (Some(unit), None) => (unit, Some(by).filter(|_| ends(text, second.end))?),
        // "102k ± 0%" has no unit yet. In "5 ± 2%" the percentage may refer to five or to a
        // hundred.
        (None, Some(unit)) if unit.symbol() != "%" => (unit, by),
        (Some(unit), Some(other)) if unit == other => (unit, by),
        (Some(unit), Some(share))
            if share.symbol() == "%" && unit.dimension() != Dimension::Share =>
        {
            (unit, number.abs() * by / 100.0)
        }
        (Some(unit), Some(other)) => {
            (unit, unit.difference().value_of(other.difference().to_si(by), other.si()?)?)
        }
        (None, _) => return None,
    };
    let span = Some((tidy(number - by).min(number), tidy(number + by).max(number)));
    let (start, end) = (first.prefix.start, second.end);
    (by >= 0.0).then(|| Draft { start, end, number, span, unit: unit.clone(), comparison: None })
}
