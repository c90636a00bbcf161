//! Written units: symbols, words, and the denominators of rates.

use std::ops::RangeInclusive;

use super::edge::{after, byte, ends, gap, is_digit, letters, marks, spaced};
use super::multiplier;
use super::number::{self, Number, Reading};
use super::{Dimension, Unit, noun, table};

/// Reads a unit as a caller writes it: "ms", "USD", "GB/s", "$/month", "%", "requests/s". `None` if
/// the unit is unknown. A noun alone is not a unit, see [`Unit::count`].
pub fn unit(text: &str) -> Option<Unit> {
    let text = text.trim();
    let read = |text: &str| {
        let (unit, end) = numerator(text)?;
        let (unit, end) = per(text, end, unit);
        (end == text.len()).then_some(unit)
    };
    // In prose "5 ms/10 GB" is two quantities. Here the text is one unit, so its slash always means
    // "per".
    table::find(text).or_else(|| read(text)).or_else(|| read(&text.replacen('/', " per ", 1)))
}

/// Returns the numerator of a rate and its end: a symbol, a counted noun, "1" or nothing.
fn numerator(text: &str) -> Option<(Unit, usize)> {
    let one = usize::from(text.starts_with('1'));
    if text[one..].starts_with('/')
        || spaced(text, one).map_or(text, |at| &text[at..]).starts_with("per ")
    {
        return Some((Unit::count("1"), one)).filter(|_| over(text, one).is_some());
    }
    let symbol = symbol_at(text, 0).map(|(_, unit, end)| (unit, end));
    let size = || size_at(text, 0).map(|(_, unit, end)| (unit, end));
    symbol.or_else(|| size().filter(|(_, end)| over(text, *end).is_some())).or_else(|| {
        let counted = before_per(text, 0).or_else(|| noun::counted(text, 0))?;
        over(text, counted.end).map(|_| (Unit::count(&counted.noun), counted.end))
    })
}

/// Adds the denominator after `end` to `unit`, if there is one, and returns the new end.
pub(super) fn per(text: &str, end: usize, unit: Unit) -> (Unit, usize) {
    match over(text, end) {
        Some((other, end)) => (unit.per(&other), end),
        None => (unit, end),
    }
}

/// Returns the unit that begins at `at`, as written and parsed, and its end, without a denominator.
pub(super) fn symbol_at(text: &str, at: usize) -> Option<(&str, Unit, usize)> {
    let end = symbol_end(text, at);
    if end == at || !ends(text, end) {
        return None;
    }
    let written = &text[at..end];
    let bits = || {
        table::bits(written)
            .filter(|_| over(text, end).is_some_and(|(it, _)| it.dimension() == Dimension::Time))
    };
    if let Some((unit, end)) = in_two_words(text, written, end) {
        return Some((written, unit, end));
    }
    Some((written, bits().or_else(|| table::find(written))?, end))
}

/// Returns the symbol at `at` that may mean bits or bytes, as in "20 Gb", and its end.
pub(super) fn size_at(text: &str, at: usize) -> Option<(&str, Unit, usize)> {
    let end = symbol_end(text, at);
    let written = &text[at..end];
    let unit = table::bits_or_bytes(written).filter(|_| ends(text, end))?;
    Some((written, unit, end))
}

/// Returns the end of the symbol that begins at `at`: one sign, or letters with their raised
/// digits.
fn symbol_end(text: &str, at: usize) -> usize {
    let mut rest = text[at..].chars();
    let Some(first) = rest.next() else { return at };
    let next = at + first.len_utf8();
    match first {
        '"' | '″' | '%' | '‰' | '$' | '€' | '£' | '¥' | '₹' | '×' | '¢' | '℃' | '℉' => {
            next
        }
        ':' if byte(text, next) == b'1' => next + 1,
        '°' | 'º' => match rest.next() {
            Some('C' | 'F') => next + 1,
            Some(' ') if matches!(byte(text, next + 1), b'C' | b'F') && ends(text, next + 2) => {
                next + 2
            }
            _ => next,
        },
        _ => {
            let inner = |it: char| {
                it.is_ascii_alphabetic() || matches!(it, 'µ' | 'μ' | 'Ω' | '\u{2126}' | '·' | '⋅')
            };
            let length = text[at..]
                .chars()
                .take(16)
                .take_while(|it| inner(*it))
                .map(char::len_utf8)
                .sum::<usize>();
            let end = at + length;
            let raised = ["²", "³", "^2", "^3"].into_iter().find(|it| text[end..].starts_with(*it));
            if length == 0 { at } else { end + raised.map_or(0, str::len) }
        }
    }
}

/// Reads "degrees Celsius", "per cent", "percentage points" and "° C".
fn in_two_words(text: &str, first: &str, end: usize) -> Option<(Unit, usize)> {
    let degrees = matches!(first, "degrees" | "degree" | "deg" | "Degrees");
    if !(degrees || first == "per" || first == "percentage" || first.contains(' ')) {
        return None;
    }
    let next = gap(text, end);
    let second = letters(text, next);
    let symbol = match (degrees, second) {
        (true, "Celsius" | "celsius" | "C" | "centigrade") => "°C",
        (true, "Fahrenheit" | "fahrenheit" | "F") => "°F",
        (false, "cent") if first == "per" => "%",
        (false, "points" | "point") if first == "percentage" => "%",
        _ if first.contains(' ') => return Some((table::find(&first.replace(' ', ""))?, end)),
        _ => return None,
    };
    let end = next + second.len();
    Some((table::find(symbol)?, end)).filter(|_| ends(text, end))
}

/// Reads the denominator of a rate: "/s", " per 10M metric samples", " a month".
pub(super) fn over(text: &str, at: usize) -> Option<(Unit, usize)> {
    let slash = gap(text, marks(text, at));
    if byte(text, slash) == b'/' {
        let next = gap(text, slash + 1);
        return each(text, next, true);
    }
    let word = spaced(text, at)?;
    let joint = letters(text, word);
    let next = spaced(text, word + joint.len())?;
    match joint {
        "per" | "Per" => each(text, next, false),
        "a" | "an" | "each" | "every" => {
            each(text, next, false).filter(|(it, _)| it.dimension() == Dimension::Time)
        }
        _ => None,
    }
}

/// Returns the plural of the noun at `at` if a time follows it: "request per second", "req/s".
pub(super) fn before_per(text: &str, at: usize) -> Option<noun::Counted> {
    let word = noun::word(text, at)?;
    let end = at + word.len();
    let lower = word.to_lowercase();
    if noun::holds(noun::STOPS, &lower)
        || over(text, end).is_none_or(|(it, _)| it.dimension() != Dimension::Time)
    {
        return None;
    }
    let noun = match lower.as_str() {
        "req" | "reqs" => "requests".to_owned(),
        "op" | "ops" => "operations".to_owned(),
        "msg" | "msgs" => "messages".to_owned(),
        "tx" | "txn" | "txns" => "transactions".to_owned(),
        _ if noun::is_plural(word, &lower) => noun::plain(word, lower),
        _ if lower.len() < 3 => return None,
        _ => noun::plural(lower),
    };
    Some(noun::Counted { noun, end })
}

/// Reads a unit or a singular noun, or a number of them: "GB", "user", "million requests".
fn each(text: &str, at: usize, slash: bool) -> Option<(Unit, usize)> {
    if let Some((number, next)) = several(text, at, slash) {
        let symbol = symbol_at(text, next).map(|(_, unit, end)| (unit, end));
        let (unit, end) = symbol.or_else(|| {
            let noun = noun::counted(text, next)?;
            Some((Unit::each(&noun.noun), noun.end))
        })?;
        return Some((unit.by(number), end));
    }
    if let Some((written, unit, end)) = symbol_at(text, at) {
        let plural = written.len() > 3 && written.ends_with('s');
        let fits = !plural
            && unit.dimension() != Dimension::Share
            && unit.dimension() != Dimension::Rate
            && written != "A";
        return fits.then(|| product(text, unit, end));
    }
    let (noun, end) = noun::single(text, at)?;
    // A path continues after its slash; a rate does not.
    let path =
        slash && (byte(text, end) == b'/' || byte(text, end) == b'-' || byte(text, end) == b'(');
    (!path && ends(text, end)).then(|| (Unit::each(noun), end))
}

/// Multiplies a unit by the time after it, as in "GB-month".
fn product(text: &str, unit: Unit, end: usize) -> (Unit, usize) {
    let time = (byte(text, end) == b'-').then(|| symbol_at(text, end + 1)).flatten();
    match time {
        Some((_, time, end)) if time.dimension() == Dimension::Time => (unit.times(&time), end),
        _ => (unit, end),
    }
}

/// The range of numbers in a denominator: prices are per million, but not per quintillion.
const SEVERAL: RangeInclusive<f64> = 1e-3..=1e12;

/// Reads the number in "per 10M samples" or "per million requests". Also returns the start of the
/// text after it.
fn several(text: &str, at: usize, slash: bool) -> Option<(f64, usize)> {
    let (number, end) = if is_digit(text, at) {
        match number::read(text, at) {
            Reading::Number(Number { value, end, .. }) => (value, end),
            _ => return None,
        }
    } else if after(text, at).is_some_and(char::is_alphabetic) {
        (1.0, at)
    } else {
        return None;
    };
    let scaled = multiplier::read(text, end, end == at);
    let (number, end) = scaled.map_or((number, end), |it| (number * it.scale, it.end));
    // "5 ms/10 ms" is two quantities, "$5/1M tokens" is one.
    if end == at || !SEVERAL.contains(&number) || (slash && scaled.is_none() && number < 1000.0) {
        return None;
    }
    Some((number, spaced(text, end)?))
}
