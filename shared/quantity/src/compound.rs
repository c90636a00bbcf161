//! Times of several units: "1h30m", "1d 5h 47m", "2m30.5s".

use super::edge::{byte, ends, is_digit, letters};
use super::number::{self, Number, Reading};
use super::prefix::{self, Prefix};
use super::{Unit, table};

/// The units of a compound time and what they mean, the longest first.
const UNITS: [(&str, &str); 8] = [
    ("w", "wk"),
    ("d", "d"),
    ("h", "h"),
    ("hr", "h"),
    ("m", "min"),
    ("min", "min"),
    ("s", "s"),
    ("ms", "ms"),
];

/// A time of several units.
pub(super) struct Compound {
    pub(super) prefix: Prefix,
    pub(super) end: usize,
    /// How many of `unit` it is.
    pub(super) number: f64,
    /// Its smallest unit.
    pub(super) unit: Unit,
}

/// Reads the compound time whose first digit is at `digit`.
pub(super) fn read(text: &str, digit: usize, floor: usize) -> Option<Compound> {
    let mut part = part(text, digit)?;
    let prefix = prefix::read(text, digit, floor).filter(|prefix| prefix.money.is_none())?;
    let (mut si, mut parts) = (0.0, 0);
    loop {
        si += part.unit.to_si(part.number);
        parts += 1;
        let is_spaced = byte(text, part.end) == b' ';
        let next = part.end + usize::from(is_spaced);
        match self::part(text, next).filter(|next| next.unit.factor() < part.unit.factor()) {
            Some(next) => part = next,
            None => break,
        }
    }
    let Part { unit, end, .. } = part;
    let number = unit.value_of(si, "s").filter(|_| parts > 1 && ends(text, end))?;
    Some(Compound { prefix, end, number, unit })
}

/// A number and a unit without a blank between.
struct Part {
    number: f64,
    unit: Unit,
    end: usize,
}

fn part(text: &str, at: usize) -> Option<Part> {
    if !is_digit(text, at) {
        return None;
    }
    let Reading::Number(Number { value: number, end, .. }) = number::read(text, at) else {
        return None;
    };
    let word = letters(text, end);
    let (_, symbol) = UNITS.iter().find(|(written, _)| *written == word)?;
    Some(Part { number, unit: table::find(symbol)?, end: end + word.len() })
}
