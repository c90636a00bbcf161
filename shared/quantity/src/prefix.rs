//! Reads the text before a number: its sign, its currency, or a sign which shows that it is not a
//! number.

use super::edge::{back, before, begins, is_mark, letters_before};
use super::table;
use super::{Dimension, Unit};

/// The text directly before a number. The prefixes of units, such as "k", are in `table`.
#[derive(Debug, Clone)]
pub(super) struct Prefix {
    /// The byte offset at which the quantity begins.
    pub(super) start: usize,
    /// The byte offset at which the number begins: its first digit, or its decimal point.
    pub(super) number: usize,
    /// True if the number is negative.
    pub(super) negative: bool,
    /// True if the number is a tolerance on its own: "±5%".
    pub(super) tolerance: bool,
    /// True if a colon joins the number to a word, as in "port:8080" and "timeout:5ms".
    pub(super) joined: bool,
    /// The currency before the number.
    pub(super) money: Option<Unit>,
}

/// Reads backwards from the first digit, no further than `floor`. `None` if the digit belongs to a
/// word or an id.
pub(super) fn read(text: &str, digit: usize, floor: usize) -> Option<Prefix> {
    let number = point(text, digit, floor)?;
    let (money, at) = currency(text, number, floor)?;
    let prefix =
        Prefix { start: at, number, negative: false, tolerance: false, joined: false, money };
    sign(text, at, floor, prefix)
}

/// Returns the start of the number whose first digit is at `digit`. It is one byte earlier for a
/// number such as ".5".
fn point(text: &str, digit: usize, floor: usize) -> Option<usize> {
    if digit == floor || before(text, digit) != Some('.') {
        return Some(digit);
    }
    let plain = before(text, digit - 1)
        .is_none_or(|it| !it.is_alphanumeric() && !matches!(it, '.' | ')' | ']' | '/'));
    plain.then_some(digit - 1)
}

/// Returns the currency before `at` and its start; `None` if the number is glued to other text.
fn currency(text: &str, at: usize, floor: usize) -> Option<(Option<Unit>, usize)> {
    if at == floor {
        return Some((None, at));
    }
    // A space may follow the sign: "€ 20".
    let end = at - usize::from(before(text, at) == Some(' '));
    match before(text, end).filter(|_| end > floor) {
        Some(sign @ ('$' | '€' | '£' | '¥' | '₹')) => {
            let start = end - sign.len_utf8();
            let country = if sign == '$' { letters_before(text, start) } else { "" };
            let start = start - country.len();
            let known = begins(text, start) && start >= floor;
            let unit = table::find(&text[start..end]).filter(|_| known)?;
            Some((Some(unit), start))
        }
        Some(last) if last.is_alphanumeric() && end == at => {
            let (unit, start) = code(text, at, floor)?;
            Some((Some(unit), start))
        }
        _ => Some(match code(text, back(text, at), floor) {
            Some((unit, start)) => (Some(unit), start),
            None => (None, at),
        }),
    }
}

/// Returns the currency code that ends at `end`, such as "EUR".
fn code(text: &str, end: usize, floor: usize) -> Option<(Unit, usize)> {
    let code = letters_before(text, end);
    let start = end - code.len();
    let capital = code.len() == 3 && code.bytes().all(|it| it.is_ascii_uppercase());
    let unit = table::find(code).filter(|it| capital && it.dimension() == Dimension::Money)?;
    (start >= floor && begins(text, start)).then_some((unit, start))
}

/// Adds the sign before `at` to the prefix. `None` if the number is a part of something else.
fn sign(text: &str, at: usize, floor: usize, prefix: Prefix) -> Option<Prefix> {
    let Some(sign) = before(text, at).filter(|_| at > floor) else { return Some(prefix) };
    let start = at - sign.len_utf8();
    let previous = before(text, start);
    let open =
        start <= floor && start > 0 || previous.is_none_or(|it| it.is_whitespace() || is_open(it));
    match sign {
        '-' | '−' | '–' if open && start > floor || start == 0 && matches!(sign, '-' | '−') => {
            Some(Prefix { start, negative: true, ..prefix })
        }
        '-' | '−' | '–' => (open || ends_with_sub(text, start)).then_some(prefix),
        '+' if open && start >= floor => Some(Prefix { start, ..prefix }),
        '+' if start == floor => Some(prefix),
        '±' if !follows_digits(text, start) => Some(Prefix { start, tolerance: true, ..prefix }),
        ' ' | '\u{a0}'
            if previous == Some('±') && !follows_digits(text, start - '±'.len_utf8()) =>
        {
            Some(Prefix { start: start - '±'.len_utf8(), tolerance: true, ..prefix })
        }
        '/' => (start == floor && start > 0).then_some(prefix),
        '*' | '_' => (!previous.is_some_and(char::is_alphanumeric)).then_some(prefix),
        ',' | '.' => (!previous.is_some_and(|it| it.is_ascii_digit())).then_some(prefix),
        ':' => Some(Prefix { joined: previous.is_some_and(|it| !it.is_whitespace()), ..prefix }),
        _ => (!"+±#@%^\\&'’?".contains(sign)).then_some(prefix),
    }
}

/// Returns true if a sign may stand after `it`.
fn is_open(it: char) -> bool {
    is_mark(it) || "([{\"'=:<>≤≥≈~|,".contains(it)
}

/// Returns true if "sub" ends at `end`, as in "sub-10 ms".
pub(super) fn ends_with_sub(text: &str, end: usize) -> bool {
    letters_before(text, end).eq_ignore_ascii_case("sub") && begins(text, end - 3)
}

/// Returns true if the word before `end` contains digits. A tolerance after it belongs to that
/// word.
fn follows_digits(text: &str, end: usize) -> bool {
    let head = text[..end].trim_end();
    head.bytes().rev().take(16).take_while(u8::is_ascii_alphanumeric).any(|it| it.is_ascii_digit())
}
