//! Times of several units: "1h30m", "1d 5h 47m", "1 hour and 30 minutes".

use super::edge::{back, byte, ends, is_digit, letters, spaced};
use super::number::{self, Number, Reading};
use super::prefix::{self, Prefix};
use super::{Dimension, Unit, comparison, symbol, table};

/// The short units of a compound time and the symbols that they stand for.
const SHORT: [(&str, &str); 6] =
    [("w", "wk"), ("d", "d"), ("h", "h"), ("m", "min"), ("s", "s"), ("ms", "ms")];

/// A time of several units.
pub(super) struct Compound {
    pub(super) prefix: Prefix,
    pub(super) end: usize,
    /// The number of `unit`s.
    pub(super) number: f64,
    /// The smallest of its units.
    pub(super) unit: Unit,
}

/// Reads the compound time whose first digit is at `digit`.
pub(super) fn read(text: &str, digit: usize, floor: usize) -> Option<Compound> {
    let mut part = part(text, digit)?;
    let prefix = prefix::read(text, digit, floor)
        .filter(|prefix| prefix.money.is_none() && !prefix.tolerance)?;
    // "Between 1 hour and 30 minutes" are two times.
    let is_range = comparison::phrase_before(text, back(text, prefix.start), "between").is_some();
    let (mut si, mut parts) = (0.0, 0);
    loop {
        si += part.unit.to_si(part.number);
        parts += 1;
        let next = next(text, &part).filter(|_| !is_range);
        match next.filter(|next| next.unit.factor() < part.unit.factor()) {
            Some(next) => part = next,
            None => break,
        }
    }
    let Part { unit, end, .. } = part;
    let number = unit.value_of(si, "s").filter(|_| parts > 1 && ends(text, end))?;
    let (unit, end) = symbol::per(text, end, unit);
    Some(Compound { prefix, end, number, unit })
}

/// A number with its unit.
struct Part {
    number: f64,
    unit: Unit,
    /// True if the unit is written as a word.
    is_spelled: bool,
    end: usize,
}

fn part(text: &str, at: usize) -> Option<Part> {
    if !is_digit(text, at) {
        return None;
    }
    let Reading::Number(Number { value: number, end, .. }) = number::read(text, at) else {
        return None;
    };
    let glued = letters(text, end);
    if let Some((word, symbol)) = SHORT.iter().find(|(word, _)| *word == glued) {
        let end = end + word.len();
        return Some(Part { number, unit: table::find(symbol)?, is_spelled: false, end });
    }
    let start = spaced(text, end).unwrap_or(end);
    let word = letters(text, start);
    let unit = table::find(&word.to_lowercase()).filter(|_| word.len() > "ms".len())?;
    let is_time = unit.dimension() == Dimension::Time;
    is_time.then_some(Part { number, unit, is_spelled: true, end: start + word.len() })
}

/// Returns the part after `part`. Only parts with a spelled unit may be joined by a comma or "and".
fn next(text: &str, part: &Part) -> Option<Part> {
    let is_spaced = byte(text, part.end) == b' ';
    let at = part.end + usize::from(is_spaced);
    if !part.is_spelled {
        return self::part(text, at).filter(|next| !next.is_spelled);
    }
    let comma = part.end + usize::from(byte(text, part.end) == b',');
    let at = spaced(text, comma)?;
    let at = if letters(text, at) == "and" { spaced(text, at + "and".len())? } else { at };
    self::part(text, at).filter(|next| next.is_spelled)
}
