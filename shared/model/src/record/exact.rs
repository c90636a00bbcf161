//! Numbers with all of their digits: two numbers that differ only in the last of twenty digits are
//! different.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::quantity::{Amount, UNITS, Unit};

/// The decimal mark of numbers. The other of the two marks groups thousands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decimal {
    /// The point, as in `1,024.5`.
    #[default]
    Point,
    /// The comma, as in `1.024,5`.
    Comma,
}

impl Decimal {
    /// Returns the decimal mark, and the mark that groups thousands.
    fn marks(self) -> (char, char) {
        match self {
            Decimal::Point => ('.', ','),
            Decimal::Comma => (',', '.'),
        }
    }
}

/// A number in its base unit, with all of its digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exact {
    is_negative: bool,
    /// The digits of the whole part without leading zeros; empty if it is 0.
    whole: String,
    /// The digits of the fraction without trailing zeros.
    fraction: String,
    unit: Unit,
}

impl Exact {
    /// Parses a whole value, such as `3001ms`, `1,024` or `0.5 KiB`; `None` if it is not a number
    /// with a known unit or none.
    pub(super) fn parse(text: &str, decimal: Decimal) -> Option<Exact> {
        let (number, unit) = split(text);
        let (is_negative, number) = match number.strip_prefix('-') {
            Some(number) => (true, number),
            None => (false, number.strip_prefix('+').unwrap_or(number)),
        };
        let (mark, group) = decimal.marks();
        let (whole, fraction) = match number.split_once(mark) {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (number, ""),
        };
        let whole = ungrouped(whole, group)?;
        if !is_all_digits(fraction) || whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let lower = unit.to_lowercase();
        let (_, factor, power, unit) = UNITS.iter().find(|(name, ..)| *name == lower)?;
        let digits = times(&format!("{whole}{fraction}"), *factor);
        let (whole, fraction) =
            shifted(digits, i64::try_from(fraction.len()).ok()? - i64::from(*power));
        let is_zero = whole.is_empty() && fraction.is_empty();
        Some(Exact { is_negative: is_negative && !is_zero, whole, fraction, unit: *unit })
    }

    /// Returns the nearest floating-point number.
    pub(super) fn amount(&self) -> Option<Amount> {
        let sign = if self.is_negative { "-" } else { "" };
        let value = format!("{sign}0{}.{}0", self.whole, self.fraction).parse().ok()?;
        Some(Amount { value, unit: self.unit })
    }

    /// Compares two numbers. `None` if their units are of different kinds. A number without a unit
    /// compares with any.
    pub(super) fn compare(&self, other: &Exact) -> Option<Ordering> {
        let sizes = self.whole.len().cmp(&other.whole.len());
        let sizes = sizes.then_with(|| self.whole.cmp(&other.whole));
        let sizes = sizes.then_with(|| self.fraction.cmp(&other.fraction));
        self.unit.is_comparable(other.unit).then_some(match (self.is_negative, other.is_negative) {
            (false, false) => sizes,
            (true, true) => sizes.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        let whole = if self.whole.is_empty() { "0" } else { &self.whole };
        let dot = if self.fraction.is_empty() { "" } else { "." };
        let unit = self.unit.name().unwrap_or_default();
        write!(f, "{sign}{whole}{dot}{}{unit}", self.fraction)
    }
}

/// Returns the digits and marks at the beginning of a text, and the unit after them.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | ',');
    let (number, unit) = text.split_at(text.find(|c| !is_number(c)).unwrap_or(text.len()));
    (number, unit.trim())
}

/// Returns true if a number begins with a zero before another digit, as names made of digits do:
/// `00123`.
pub(super) fn has_leading_zero(text: &str) -> bool {
    let digits = text.trim_start().trim_start_matches(['+', '-']).as_bytes();
    digits.first() == Some(&b'0') && digits.get(1).is_some_and(u8::is_ascii_digit)
}

/// Returns two flags: true if the number contains a comma, and true if it contains a dot.
pub(super) fn marks(text: &str) -> (bool, bool) {
    let (number, _) = split(text);
    (number.contains(','), number.contains('.'))
}

fn is_all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the digits without the marks between thousands; `None` if the groups are not thousands.
fn ungrouped(text: &str, mark: char) -> Option<String> {
    let (first, rest) = text.split_once(mark).map_or((text, None), |(a, b)| (a, Some(b)));
    let Some(rest) = rest else {
        return is_all_digits(first).then(|| first.to_owned());
    };
    let is_first =
        (1..=3).contains(&first.len()) && is_all_digits(first) && !first.starts_with('0');
    let is_group = |group: &str| group.len() == 3 && is_all_digits(group);
    (is_first && rest.split(mark).all(is_group))
        .then(|| format!("{first}{}", rest.replace(mark, "")))
}

/// Multiplies digits by a factor.
fn times(digits: &str, factor: u32) -> String {
    if factor == 1 {
        return digits.to_owned();
    }
    let mut carry = 0_u64;
    let mut product = Vec::with_capacity(digits.len() + 10);
    let mut digits = digits.bytes().rev().peekable();
    while carry > 0 || digits.peek().is_some() {
        let digit = digits.next().map_or(0, |digit| u64::from(digit - b'0'));
        carry += digit * u64::from(factor);
        let last = u32::try_from(carry % 10).unwrap_or_default();
        product.extend(char::from_digit(last, 10));
        carry /= 10;
    }
    product.into_iter().rev().collect()
}

/// Returns the whole part and the fraction of digits of which the last `places` follow the decimal
/// mark. A negative number of places adds zeros.
fn shifted(mut digits: String, places: i64) -> (String, String) {
    digits.extend((places..0).map(|_| '0'));
    let places = usize::try_from(places).unwrap_or_default();
    let zeros = (places + 1).saturating_sub(digits.len());
    let digits = format!("{}{digits}", "0".repeat(zeros));
    let (whole, fraction) = digits.split_at(digits.len() - places);
    (whole.trim_start_matches('0').to_owned(), fraction.trim_end_matches('0').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, decimal: Decimal) -> Option<String> {
        Exact::parse(text, decimal).map(|exact| exact.to_string())
    }

    #[test]
    fn a_number_has_one_form_in_its_base_unit() {
        for (text, expected) in [
            ("+007.50", "7.5"),
            ("-0", "0"),
            ("-.5", "-0.5"),
            ("1,024", "1024"),
            ("12345678901234567891", "12345678901234567891"),
            ("68 micros", "0.068ms"),
            ("1.5 h", "5400000ms"),
            ("0.5 KiB", "512bytes"),
            ("9007199254740993 GiB", "9671406556917034471391232bytes"),
            ("40%", "40%"),
        ] {
            assert_eq!(shown(text, Decimal::Point).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_comma_is_a_decimal_mark_only_where_it_is_said_to_be() {
        assert_eq!(shown("1,7", Decimal::Point), None);
        assert_eq!(shown("1,7", Decimal::Comma).as_deref(), Some("1.7"));
        assert_eq!(shown("1.234,50", Decimal::Comma).as_deref(), Some("1234.5"));
        assert_eq!(shown("1,024", Decimal::Comma).as_deref(), Some("1.024"));
        for text in ["1,2,3", "0,512", "1,0245", ",512", "1.", "1.2.3", "1,024,5"] {
            assert_eq!(shown(text, Decimal::Point), None, "{text}");
        }
    }
}
