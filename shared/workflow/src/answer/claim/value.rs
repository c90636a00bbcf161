//! Numbers of claims and of passages: whether they are the same, and of the same.

use std::ops::Range;
use std::sync::LazyLock;

use quantity::{Comparison, Quantity, quantities};
use regex::Regex;

use super::sentence::{Clause, Sentence};
use crate::words::pattern;

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

/// Words before a number that tell its part: "from 5 to 7".
const PARTS: [&str; 6] = ["from", "to", "before", "after", "until", "since"];

/// A number in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// The digits, without separators of thousands.
    digits: String,
    quantity: Option<Quantity>,
    /// Its part, see [`PARTS`].
    part: Option<usize>,
    /// The name that it may end: "MQTT 5".
    pub name: Option<String>,
    /// Its bytes in the sentence.
    pub range: Range<usize>,
}

/// The numbers of a sentence, in order.
pub(super) fn values(text: &str) -> Vec<Value> {
    let quantities = quantities(text);
    let within =
        |at: usize| quantities.iter().find(|quantity| (quantity.start..quantity.end).contains(&at));
    let value = |found: regex::Match<'_>, digits: String| Value {
        digits,
        quantity: within(found.start()).cloned(),
        part: part(&text[..found.start()]),
        name: name(&text[..found.start()], found.as_str()),
        range: found.range(),
    };
    let digits = |text: &str| text.trim_end_matches(|c: char| !c.is_ascii_digit()).replace(',', "");
    let mut values: Vec<Value> =
        NUMBER.find_iter(text).map(|found| value(found, digits(found.as_str()))).collect();
    let number = |text: &str| WORDS.iter().position(|word| text.eq_ignore_ascii_case(word));
    values.extend(WORDED.find_iter(text).filter_map(|found| {
        let number = number(found.as_str())? + 1;
        // "One" is more often no number.
        (number > 1).then(|| value(found, number.to_string()))
    }));
    values.sort_by_key(|value| value.range.start);
    values
}

fn part(before: &str) -> Option<usize> {
    let last = before.split_whitespace().next_back()?;
    PARTS.iter().position(|part| last.eq_ignore_ascii_case(part))
}

/// A number with the word before it, where that has a capital and does not begin the sentence.
fn name(before: &str, number: &str) -> Option<String> {
    let mut words = before.trim_end_matches(' ').rsplit(' ');
    let word = words.next().filter(|word| {
        word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric)
    })?;
    words.next().map(|_| format!("{word} {number}"))
}

impl Value {
    /// Whether `other`, which a passage has, is the same number of the same unit.
    pub(super) fn is(&self, other: &Value) -> bool {
        let is_time = self.digits.contains(':');
        if is_time || other.digits.contains(':') {
            // "At 14:32" holds of 14:32:15, and "at 14:32:15" of 14:32:15.123.
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

    fn is_same_part(&self, other: &Value) -> bool {
        self.part.zip(other.part).is_none_or(|(part, found)| part == found)
    }

    /// Whether both are of one kind, so that one may be taken for the other.
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
        // Counts: "three nodes" of "3 brokers" is a matter of words.
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

/// Whether each number of a claim's sentence stands in one of the sentences that it is drawn from, of the same.
pub(super) fn stand_in(
    sentence: &Sentence,
    near: &[&Sentence],
    above: &Sentence,
    is_name: impl Fn(&Value) -> bool,
) -> bool {
    let stands = |clause: &Clause, value: &Value| {
        // A header has numbers of lines, and none of anything measured.
        let is_plain = value.quantity.is_none() && value.name.is_none();
        let is_above = is_plain && above.values().any(|found| value.is(found));
        is_name(value) || is_above || stands_in(clause, value, near)
    };
    sentence.clauses.iter().all(|clause| clause.values.iter().all(|value| stands(clause, value)))
}

/// A number is of something else where the words of its clause rather stand with another number of its kind.
fn stands_in(claim: &Clause, value: &Value, near: &[&Sentence]) -> bool {
    let all = || {
        let clauses = near.iter().flat_map(|sentence| &sentence.clauses);
        clauses.flat_map(|clause| {
            clause.values.iter().map(move |found| (claim.share_in(clause), found))
        })
    };
    let same = all().filter(|(_, found)| value.is(found) && value.is_same_part(found));
    let Some(same) = same.map(|(share, _)| share).reduce(f64::max) else { return false };
    let is_in_claim = |found: &Value| claim.values.iter().any(|value| value.is(found));
    let mut others = all().filter(|(_, found)| value.is_like(found) && !is_in_claim(found));
    others.all(|(share, _)| share <= same)
}
