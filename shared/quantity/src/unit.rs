//! Units: what they measure and how they convert.

use super::edge::{snap, tidy};
use super::{Dimension, noun, table};

/// A unit of measurement, or a rate of such.
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
    /// A unit of the table: `(value + zero) * up / down` in `si`.
    pub(super) fn known(
        symbol: &str,
        dimension: Dimension,
        si: &str,
        (up, down): (f64, f64),
        zero: f64,
    ) -> Unit {
        Unit { symbol: symbol.to_owned(), dimension, si: Some(si.to_owned()), up, down, zero }
    }

    /// What counts `noun`, such as "pods": converts to nothing but itself.
    pub fn count(noun: &str) -> Unit {
        let symbol = noun.to_owned();
        Unit { symbol, dimension: Dimension::Count, si: None, up: 1.0, down: 1.0, zero: 0.0 }
    }

    /// One of something that things are counted by, as in "per user".
    pub(super) fn each(noun: &str) -> Unit {
        Unit { si: Some(noun::singular(noun)), ..Unit::count(noun) }
    }

    /// The unit of a difference, which has no zero of its own: "±0.5 °C".
    pub(super) fn difference(&self) -> Unit {
        Unit { zero: 0.0, ..self.clone() }
    }

    /// The rate of this per `other`.
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

    /// The product of both, as in "GB-month".
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

    /// `number` of them as one, as in "per 10M samples".
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

    /// The symbol as usually written: "ms", "%", "USD/mo".
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// What it measures.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The SI or base unit it converts to; `None` for counts.
    pub fn si(&self) -> Option<&str> {
        self.si.as_deref()
    }

    /// How many of [`Unit::si`] one of it is; of degrees, how large one is, wherever the scale has its zero.
    pub fn factor(&self) -> f64 {
        self.up / self.down
    }

    /// `value` of this unit in its SI unit.
    pub(super) fn to_si(&self, value: f64) -> f64 {
        snap((value + self.zero) * self.up / self.down)
    }

    /// `value` of `si` in this unit; `None` where it does not convert to that.
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

    /// Whether what is counted over time is the same in the unit called `symbol`, or left open in either.
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
