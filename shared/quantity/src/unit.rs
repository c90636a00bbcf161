//! Units: their dimensions and conversions.

use super::edge::{snap, tidy};
use super::{Dimension, noun, table};

/// A unit of measurement, or a rate of units.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    symbol: String,
    dimension: Dimension,
    si: Option<String>,
    up: f64,
    down: f64,
    zero: f64,
}

impl Unit {
    /// Returns a unit of the table; its value in `si` is `(value + zero) * up / down`.
    pub(super) fn known(
        symbol: &str,
        dimension: Dimension,
        si: &str,
        up: f64,
        down: f64,
        zero: f64,
    ) -> Unit {
        Unit { symbol: symbol.to_owned(), dimension, si: Some(si.to_owned()), up, down, zero }
    }

    /// Returns the unit that counts `noun`, such as "pods". It converts only to itself.
    pub fn count(noun: &str) -> Unit {
        let symbol = noun.to_owned();
        Unit { symbol, dimension: Dimension::Count, si: None, up: 1.0, down: 1.0, zero: 0.0 }
    }

    /// Returns the unit for one thing in a denominator, as in "per user".
    pub(super) fn each(noun: &str) -> Unit {
        Unit { si: Some(noun::singular(noun)), ..Unit::count(noun) }
    }

    /// Returns the unit of a difference, which has no zero point: "±0.5 °C".
    pub(super) fn difference(&self) -> Unit {
        Unit { zero: 0.0, ..self.clone() }
    }

    /// Returns the rate of this unit per `other`.
    pub(super) fn per(&self, other: &Unit) -> Unit {
        let both_counted = self.si.is_none() && other.dimension == Dimension::Count;
        let si = other.si.as_ref().filter(|_| !both_counted);
        Unit {
            symbol: format!("{}/{}", self.symbol, other.symbol),
            dimension: Dimension::Rate,
            si: si.map(|it| format!("{}/{it}", self.si.as_deref().unwrap_or("1"))),
            up: self.up * other.down,
            down: self.down * other.up,
            zero: 0.0,
        }
    }

    /// Returns the product of the two units, as in "GB-month".
    pub(super) fn times(&self, other: &Unit) -> Unit {
        Unit {
            symbol: format!("{}-{}", self.symbol, other.symbol),
            dimension: self.dimension,
            si: self.si.as_ref().zip(other.si.as_ref()).map(|(one, two)| format!("{one}·{two}")),
            up: self.up * other.up,
            down: self.down * other.down,
            zero: 0.0,
        }
    }

    /// Returns the unit that stands for `number` of this one, as in "per 10M samples".
    pub(super) fn by(&self, number: f64) -> Unit {
        let short = [(1e9, "B"), (1e6, "M"), (1e3, "k")]
            .into_iter()
            .find(|(of, _)| number >= *of && number % of == 0.0);
        let number_text = short
            .map_or_else(|| number.to_string(), |(of, letter)| format!("{}{letter}", number / of));
        Unit {
            symbol: format!("{number_text} {}", self.symbol),
            up: self.up * number,
            ..self.clone()
        }
    }

    /// Returns the usual symbol: "ms", "%", "USD/mo".
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// Returns the dimension that the unit measures.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Returns the SI or base unit that this unit converts to; `None` for counts.
    pub fn si(&self) -> Option<&str> {
        self.si.as_deref()
    }

    /// Returns the size of one unit in [`Unit::si`]; for temperatures, the size of one degree,
    /// regardless of the zero point of the scale.
    pub fn factor(&self) -> f64 {
        self.up / self.down
    }

    /// Converts `value` from this unit to its SI unit.
    pub(super) fn to_si(&self, value: f64) -> f64 {
        snap((value + self.zero) * self.up / self.down)
    }

    /// Converts `value` from `si` to this unit; `None` if the two do not convert.
    pub(super) fn value_of(&self, value: f64, si: &str) -> Option<f64> {
        let base = self.si.as_deref()?;
        let bits = |unit: &str| unit.strip_prefix("bit").map(|rest| format!("B{rest}"));
        let value = match (bits(si), bits(base)) {
            _ if si == base => value,
            (Some(bytes), None) if bytes == base => value / 8.0,
            (None, Some(bytes)) if bytes == si => value * 8.0,
            _ => return None,
        };
        Some(tidy(value * self.down / self.up - self.zero))
    }

    /// Returns true if a rate of this unit counts the same things as a rate of the unit called
    /// `symbol`, or if one of the two does not name what it counts.
    pub(super) fn counts_like(&self, symbol: &str) -> bool {
        let counted = |unit: &str| unit.split('/').next().unwrap_or("").to_owned();
        let (noun, other) = (counted(&self.symbol), counted(symbol));
        let open = !self.si().is_some_and(|si| si.starts_with("1/"));
        let measured =
            |noun: &str| table::find(noun).is_some_and(|unit| unit.dimension == Dimension::Share);
        open || noun == other
            || noun == "1"
            || other == "1"
            || (measured(&noun) && measured(&other))
    }
}
