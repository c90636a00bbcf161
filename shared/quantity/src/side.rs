//! One number with its unit or noun; a range consists of two of them.

use super::edge::{back, byte, ends, gap, letters, marks, spaced, word_before};
use super::fit::{self, Joint, Place, Written};
use super::multiplier::{self, Kind, Multiplier, holds_many};
use super::noun::{self, Label};
use super::number::{self, Reading};
use super::prefix::{self, Prefix};
use super::symbol::{before_per, over, per, size_at, symbol_at};
use super::{Comparison, Dimension, Unit, comparison, table};

/// A number with its unit.
#[derive(Debug, Clone)]
pub(super) struct Side {
    pub(super) prefix: Prefix,
    /// The byte offset of its end.
    pub(super) end: usize,
    /// The number with its sign, without its multiplier.
    pub(super) bare: f64,
    /// The multiplier, 1 if there is none.
    pub(super) scale: f64,
    /// The unit, if there is one; in a range, one of the two may be without.
    pub(super) unit: Option<Unit>,
    /// The comparison in "5+" and "5 or more".
    pub(super) comparison: Option<Comparison>,
}

impl Side {
    /// Returns the number, including its multiplier.
    pub(super) fn value(&self) -> f64 {
        self.bare * self.scale
    }
}

/// The text after a number: its multiplier and its unit.
struct Tail {
    end: usize,
    scale: f64,
    unit: Option<Unit>,
}

/// Reads the number at `digit`. `Err` holds the place from which the search continues if there is
/// no number.
pub(super) fn read(text: &str, digit: usize, floor: usize) -> Result<Side, usize> {
    let Some(prefix) = prefix::read(text, digit, floor) else { return Err(past_word(text, digit)) };
    let (number, unit) = match number::read(text, prefix.number) {
        Reading::Chain(end) => return Err(end),
        Reading::Ratio(number) => {
            (number, table::find(":1").filter(|_| !prefix.joined && ends(text, number.end)))
        }
        Reading::Number(number) => (number, None),
    };
    if prefix.money.is_some() && is_formula(text, &prefix, number.end) {
        return Err(number.end);
    }
    let (comparison, at) = match comparison::after(text, number.end) {
        Some((comparison, end)) if unit.is_none() => (Some(comparison), end),
        _ => (None, number.end),
    };
    let place = Place { text, prefix: &prefix, number };
    let tail = match (unit, &prefix.money) {
        (Some(unit), _) => Tail { end: number.end, scale: 1.0, unit: Some(unit) },
        (None, Some(currency)) => place.money(currency),
        (None, None) => place.tail(at),
    };
    if tail.unit.is_some() && place.label() == Label::Name {
        return Err(number.end);
    }
    let comparison = comparison.filter(|_| tail.end > number.end);
    let bare = if prefix.negative { -number.value } else { number.value };
    Ok(Side { end: tail.end, bare, scale: tail.scale, unit: tail.unit, comparison, prefix })
}

/// Returns the end of the word or id that contains the digit at `at`.
fn past_word(text: &str, at: usize) -> usize {
    let bytes = &text.as_bytes()[at..];
    at + bytes.iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'_').count()
}

/// Returns true if the dollar sign before the number that ends at `end` opens a formula, or belongs
/// to a parameter: "$1".
fn is_formula(text: &str, prefix: &Prefix, end: usize) -> bool {
    if byte(text, prefix.number.saturating_sub(1)) != b'$' {
        return false;
    }
    let quoted = matches!(byte(text, prefix.start.saturating_sub(1)), b'=' | b'"' | b'\'');
    let closed = matches!(byte(text, end), b')' | b'}' | b'"' | b'\'' | b';')
        || text[end..].starts_with(" }");
    if end == prefix.number + 1 && (quoted || closed) && byte(text, end) != b'/' {
        return true;
    }
    let line = text[end..text.floor_char_boundary(end + 60)].split('\n').next().unwrap_or("");
    line.find('$').is_some_and(|at| {
        let opens =
            line[..at].ends_with([' ', '(', '-', '~', '–', 'S', '<', '>', '|', '*', '`', '/', '"']);
        !opens && !byte(line, at + 1).is_ascii_digit()
    })
}

impl Place<'_> {
    /// Returns the tail of a number that has a currency before it.
    fn money(&self, currency: &Unit) -> Tail {
        let multiplier = multiplier::read(self.text, self.number.end, false);
        let (scale, end) = multiplier.map_or((1.0, self.number.end), |it| (it.scale, it.end));
        if !ends(self.text, end) {
            return Tail { end, scale, unit: None };
        }
        let (unit, end) = per(self.text, end, currency.clone());
        Tail { end, scale, unit: Some(unit) }
    }

    /// Returns the tail of any other number; the tail begins at `at`.
    fn tail(&self, at: usize) -> Tail {
        if let Some(multiplier) = multiplier::read(self.text, at, false)
            && let Some(tail) = self.multiplied(multiplier)
        {
            return tail;
        }
        let found = self
            .measure(at)
            .or_else(|| self.rate(at))
            .or_else(|| self.count(at, self.number.grouped));
        let (unit, end) = found.map_or((None, self.number.end), |(unit, end)| (Some(unit), end));
        Tail { end, scale: 1.0, unit }
    }

    /// Returns the tail after a multiplier; `None` if the word or letter is not a multiplier here.
    fn multiplied(&self, multiplier: Multiplier) -> Option<Tail> {
        let Multiplier { scale, kind, .. } = multiplier;
        let at = match comparison::after(self.text, multiplier.end) {
            Some((_, end)) if byte(self.text, multiplier.end) == b'+' => end,
            _ => multiplier.end,
        };
        let next = gap(self.text, at);
        let found = symbol_at(self.text, next).filter(|(written, unit, _)| {
            let money = unit.dimension() == Dimension::Money;
            money
                || (kind != Kind::Money
                    && next > at
                    && (kind == Kind::Spelled || written.len() > 2))
        });
        let measured = found.map(|(_, unit, end)| per(self.text, end, unit));
        let tokens = || holds_many(self.text, next, multiplier);
        let counted = || self.count(at, true).filter(|_| kind != Kind::Money || tokens());
        let found = measured.or_else(|| self.rate(at)).or_else(counted);
        match (found, kind) {
            (Some((unit, end)), _) => Some(Tail { end, scale, unit: Some(unit) }),
            (None, Kind::Spelled) => {
                Some(Tail { end: multiplier.end, scale, unit: Some(Unit::count("")) })
            }
            (None, Kind::Letter)
                if spaced(self.text, self.number.end).is_none_or(|it| it >= multiplier.end) =>
            {
                Some(Tail { end: multiplier.end, scale, unit: None })
            }
            _ => None,
        }
    }

    /// Returns the unit after the number, joined by a space, a hyphen or nothing.
    fn measure(&self, at: usize) -> Option<(Unit, usize)> {
        let hyphen = byte(self.text, at) == b'-';
        let start = if hyphen { at + 1 } else { gap(self.text, at) };
        let is_spaced = self.text[at..start].contains(char::is_whitespace);
        let word = letters(self.text, start);
        if is_spaced && word == "times" && fit::compares(self.text, start + word.len()) {
            return Some((table::find("x")?, start + word.len()));
        }
        let (symbol, unit, end) =
            symbol_at(self.text, start).or_else(|| size_at(self.text, start))?;
        let joint = match is_spaced {
            _ if hyphen => Joint::Hyphen,
            true => Joint::Spaced,
            false => Joint::Glued,
        };
        fit::fits(self, Written { symbol, start, end, joint }).then(|| per(self.text, end, unit))
    }

    /// Returns the rate of a number without a noun: "500/month", "10 per second".
    fn rate(&self, at: usize) -> Option<(Unit, usize)> {
        let (time, end) =
            over(self.text, at).filter(|(it, _)| it.dimension() == Dimension::Time)?;
        let word = letters(self.text, gap(self.text, at));
        (self.label() == Label::No && !self.prefix.joined && word != "a" && word != "an")
            .then(|| (Unit::count("1").per(&time), end))
    }

    /// Returns the counted noun after `at` as a unit.
    fn count(&self, at: usize, amount: bool) -> Option<(Unit, usize)> {
        let next = spaced(self.text, at).filter(|_| !self.ends_code(at))?;
        let rate = before_per(self.text, next);
        let is_rate = rate.is_some();
        let is_one = self.number.value.total_cmp(&1.0).is_eq();
        let is_heading = noun::begins_heading(self.text, self.prefix.start, next, !is_one);
        let one = || noun::one(self.text, next).filter(|_| is_one);
        let counted = || noun::counted(self.text, next).or_else(one).filter(|_| !is_heading);
        let counted = rate.or_else(counted)?;
        if let Some(unit) = noun::measured(&counted.noun) {
            return Some(per(self.text, counted.end, unit)).filter(|_| self.label() == Label::No);
        }
        let whole = !self.number.decimal
            || amount
            || is_rate
            || noun::in_parts(&counted.noun)
            || self.is_compared();
        let sum = byte(self.text, back(self.text, self.prefix.start).saturating_sub(1)) == b'+';
        let id = sum
            || self.prefix.joined
            || self.prefix.negative
            || self.prefix.tolerance
            || self.number.padded;
        let name =
            self.label() != Label::No || noun::follows_name(self.text, self.prefix.start, amount);
        if !whole || id || name || self.is_year(amount || is_rate) {
            return None;
        }
        Some(per(self.text, counted.end, Unit::count(&counted.noun)))
    }

    /// Returns true if the number, which ends at `at`, is the end of a code span: "`limit = 1`
    /// directive".
    fn ends_code(&self, at: usize) -> bool {
        let before =
            self.text[..self.prefix.start].trim_end_matches([' ', '<', '>', '=', '~', '≤', '≥']);
        self.text[at..marks(self.text, at)].contains('`') && !before.ends_with('`')
    }

    /// Returns true if a comparison precedes the number, which makes it an amount.
    fn is_compared(&self) -> bool {
        comparison::before(self.text, self.prefix.start, 0).is_some()
    }

    /// Returns true if the number is more likely a year than an amount.
    fn is_year(&self, amount: bool) -> bool {
        let value = self.number.value;
        if amount || self.number.decimal || !(1900.0..2100.0).contains(&value) || self.is_compared()
        {
            return false;
        }
        let word = word_before(self.text, self.prefix.start).to_ascii_lowercase();
        value % 100.0 != 0.0
            || noun::holds(
                " in since by until from of during before after early late mid year ",
                &word,
            )
    }

    /// Returns the label that the word before gives to the number.
    pub(super) fn label(&self) -> Label {
        noun::label(self.text, self.prefix.start)
    }
}
