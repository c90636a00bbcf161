//! Compares the numbers of claims with the numbers of passages.

use std::ops::Range;
use std::sync::LazyLock;

use quantity::{Comparison, Quantity, quantities};
use regex::Regex;

use text::words::pattern;

/// A number with its separators.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern("[0-9][0-9.,:]*[0-9]|[0-9]"));

/// A number written as a word.
static WORDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")
});

const WORDS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// A number in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// The digits, without thousands separators.
    digits: String,
    quantity: Option<Quantity>,
    /// The byte range of the number in the sentence.
    pub range: Range<usize>,
}

/// Returns the numbers of a sentence, in order.
pub(super) fn values(text: &str) -> Vec<Value> {
    let quantities = quantities(text);
    let within =
        |at: usize| quantities.iter().find(|quantity| (quantity.start..quantity.end).contains(&at));
    let value = |found: regex::Match<'_>, digits: String| Value {
        digits,
        quantity: within(found.start()).cloned(),
        range: found.range(),
    };
    let digits = |text: &str| text.trim_end_matches(|c: char| !c.is_ascii_digit()).replace(',', "");
    let mut values: Vec<Value> =
        NUMBER.find_iter(text).map(|found| value(found, digits(found.as_str()))).collect();
    let number = |text: &str| WORDS.iter().position(|word| text.eq_ignore_ascii_case(word));
    values.extend(WORDED.find_iter(text).filter_map(|found| {
        let number = number(found.as_str())? + 1;
        // The word "one" is usually not a number.
        (number > 1).then(|| value(found, number.to_string()))
    }));
    values.sort_by_key(|value| value.range.start);
    values
}

impl Value {
    /// Returns true if `other`, which is from a passage, is the same number with the same unit.
    pub(super) fn is(&self, other: &Value) -> bool {
        let is_time = self.digits.contains(':');
        if is_time || other.digits.contains(':') {
            // "At 14:32" includes 14:32:15, and "at 14:32:15" includes 14:32:15.123.
            let rest = other.digits.strip_prefix(&self.digits);
            return is_time
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '.']));
        }
        match (&self.quantity, &other.quantity) {
            (Some(claimed), Some(found)) if claimed.unit.is_empty() || found.unit.is_empty() => {
                near(claimed.number, found.number)
            }
            (Some(claimed), Some(found)) => {
                !are_opposite(claimed, found) && is_same(claimed, found)
            }
            _ => self.digits == other.digits,
        }
    }

    /// Returns true if both values are of one kind, so that one may be mistaken for the other.
    pub(super) fn is_like(&self, other: &Value) -> bool {
        let unit = |value: &Value| {
            let si = value.quantity.as_ref().and_then(|value| value.si.as_ref());
            si.map(|si| si.unit.clone())
        };
        unit(self) == unit(other) && self.digits.contains(':') == other.digits.contains(':')
    }
}

fn is_same(quantity: &Quantity, found: &Quantity) -> bool {
    match (&quantity.si, &found.si) {
        (Some(quantity), Some(found)) => {
            quantity.unit == found.unit && near(quantity.number, found.number)
        }
        // Counts have no SI unit. Whether "three nodes" and "3 brokers" are the same depends on the
        // words.
        (None, None) => near(quantity.number, found.number),
        _ => false,
    }
}

fn are_opposite(claimed: &Quantity, found: &Quantity) -> bool {
    use Comparison::{Ge, Gt, Le, Lt};
    let is_upper = |quantity: &Quantity| match quantity.comparison {
        Some(Lt | Le) => Some(true),
        Some(Gt | Ge) => Some(false),
        _ => None,
    };
    is_upper(claimed).zip(is_upper(found)).is_some_and(|(claimed, found)| claimed != found)
}

fn near(value: f64, found: f64) -> bool {
    (value - found).abs() <= 1e-9 * value.abs().max(found.abs()).max(1.0)
}
