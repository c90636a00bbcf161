//! Ranks: "#5", "5th place", "ranked 5th".

use super::edge::{after, back, before, digits, ends, letters, spaced, word_before};
use super::noun::holds;

/// Words after which "#5" is a rank, even one of three digits. After any other word it is the
/// number of an issue or a test.
const RANKED: &str = "\
    ranked ranks rank ranking place placed the at is was rated voted came finished position spot \
    number reached took hit remains still currently our its their as";

/// Returns the rank whose first digit is at `digit`, with its start and its end.
pub(super) fn read(text: &str, digit: usize, floor: usize) -> Option<(f64, usize, usize)> {
    let end = digits(text, digit);
    let number = text[digit..end]
        .parse::<u16>()
        .ok()
        .filter(|it| (1..1000).contains(it) && end - digit < 4)?;
    if digit > floor && before(text, digit) == Some('#') {
        let start = digit - 1;
        return is_rank(text, start, end, number).then_some((f64::from(number), start, end));
    }
    let suffix = letters(text, end);
    if !matches!(suffix, "st" | "nd" | "rd" | "th") || !super::edge::begins(text, digit) {
        return None;
    }
    let end = end + suffix.len();
    let place = spaced(text, end)
        .filter(|it| ends(text, end) && holds(" place rank position spot ", letters(text, *it)));
    if let Some(place) = place {
        let end = place + letters(text, place).len();
        return ends(text, end).then_some((f64::from(number), digit, end));
    }
    let ranked = holds(" ranked ranks placed finished ranking ", word_before(text, digit))
        && ends(text, end);
    (ranked && before(text, digit) != Some('-')).then_some((f64::from(number), digit, end))
}

/// Returns true if the number sign at `start` marks a rank; most often it marks an issue.
fn is_rank(text: &str, start: usize, end: usize, number: u16) -> bool {
    let previous = before(text, start);
    let open = previous
        .is_none_or(|it| it.is_whitespace() || matches!(it, '*' | '_' | '`' | '"' | '“' | '~'));
    let next = after(text, end);
    let plain = !matches!(next, Some(')' | ']' | '-' | '/' | ':')) && ends(text, end);
    let decimal = matches!(next, Some('.' | ',')) && super::edge::is_digit(text, end + 1);
    if !open || !plain || decimal {
        return false;
    }
    let word = word_before(text, start).to_ascii_lowercase();
    let alone = matches!(before(text, back(text, start)), None | Some('|' | ':'));
    holds(RANKED, &word) || (alone && number < 100)
}
