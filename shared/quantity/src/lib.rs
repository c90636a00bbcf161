//! Quantities in English technical text: "up to 1,200 ms", "$199/mo", "20-50%", "500 Fargate pods".
//!
//! The units are a small table of this crate. The crate `uom` does not fit: it fixes a dimension at
//! compile time, while the unit here is known only after the text is read. The SI also lacks most
//! of what the texts contain: money, bytes, counted nouns and the many spellings of prose.
//!
//! Reading order: the text around a number (`edge`), the number (`number`), the text before it
//! (`prefix`), its unit (`unit`, `table`, `symbol`, `fit`) or noun (`noun`), a number with its unit
//! or noun (`side`), numbers that share a unit (`series`), times of several units (`compound`),
//! numbers in words (`words`), and whole quantities (`read`).

mod comparison;
mod compound;
mod edge;
mod fit;
mod multiplier;
mod noun;
mod number;
mod prefix;
mod rank;
mod read;
mod series;
mod side;
mod symbol;
mod table;
mod unit;
mod words;

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use symbol::unit;
pub use unit::Unit;

/// A quantity as it stands in a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quantity {
    /// The quantity verbatim, with its comparison and its unit, such as "up to 1,200 ms".
    pub text: String,
    /// The number, or the middle of a range; "450k events" is 450000. Of a bare "±5%", the 5.
    pub number: f64,
    /// The low end of a range or tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The high end of a range or tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The unit as usually written ("ms", "%", "USD/mo"), the noun counted ("pods"), "rank", or ""
    /// for "50 million".
    pub unit: String,
    /// The same in SI or base units; absent for counts, ranks, and sizes in what may be bits or
    /// bytes ("20 Gb").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub si: Option<Si>,
    /// How the text compares with the number; absent where it states it outright.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Where it begins, in bytes of the text searched.
    #[serde(skip)]
    pub start: usize,
    /// Where it ends, in bytes of the text searched.
    #[serde(skip)]
    pub end: usize,
}

/// A quantity in SI units, or in B, bit, 1 (shares and factors) and currencies where the SI has
/// none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Si {
    /// The number, or the middle of a range.
    pub number: f64,
    /// The low end of a range or tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The high end of a range or tolerance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The unit, such as "s", "B/s" or "USD/s"; a month is 2,629,746 s and a year twelve of them.
    pub unit: String,
}

/// How a text compares something with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Less: "<", "under", "below", "fewer than".
    Lt,
    /// At most: "<=", "up to", "no more than", "max".
    Le,
    /// More: ">", "over", "more than".
    Gt,
    /// At least: ">=", "minimum of", "or more", "5+".
    Ge,
    /// Near: "~", "about", "nearly".
    About,
}

/// What a unit measures, for telling whether a value fits a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// An amount of a currency.
    Money,
    /// A duration.
    Time,
    /// Bytes or bits.
    Size,
    /// Anything per something: "MB/s", "USD/mo", "pods/node".
    Rate,
    /// A percentage, ratio or factor.
    Share,
    /// A temperature.
    Temperature,
    /// A length.
    Length,
    /// An area.
    Area,
    /// A volume.
    Volume,
    /// A mass.
    Mass,
    /// A power.
    Power,
    /// An energy.
    Energy,
    /// A voltage.
    Voltage,
    /// A current.
    Current,
    /// A resistance.
    Resistance,
    /// A capacitance.
    Capacitance,
    /// An inductance.
    Inductance,
    /// An electric charge.
    Charge,
    /// A frequency or rotational speed.
    Frequency,
    /// A pressure.
    Pressure,
    /// A force.
    Force,
    /// A torque.
    Torque,
    /// An angle.
    Angle,
    /// A level in decibels.
    Level,
    /// So many of something, or a bare "50 million".
    Count,
    /// A place in an order: "#5", "5th place".
    Rank,
}

impl Quantity {
    /// Returns the dimension of the quantity's unit.
    pub fn dimension(&self) -> Dimension {
        match (self.unit.as_str(), &self.si) {
            ("rank", _) => Dimension::Rank,
            (symbol, None) if symbol.contains('/') => Dimension::Rate,
            (symbol, None) if table::bits_or_bytes(symbol).is_some() => Dimension::Size,
            (_, None) => Dimension::Count,
            (symbol, Some(_)) => unit(symbol).map_or(Dimension::Count, |it| it.dimension()),
        }
    }

    /// Returns the low and the high end in the unit `target`; without a range, both are the number
    /// itself. `None` if the two units do not measure the same: other dimensions, currencies or
    /// nouns.
    pub fn in_unit(&self, target: &Unit) -> Option<(f64, f64)> {
        if self.unit == target.symbol() {
            return Some((self.low.unwrap_or(self.number), self.high.unwrap_or(self.number)));
        }
        if !target.counts_like(&self.unit) {
            return None;
        }
        let si = self.si.as_ref()?;
        let low = target.value_of(si.low.unwrap_or(si.number), &si.unit)?;
        let high = target.value_of(si.high.unwrap_or(si.number), &si.unit)?;
        Some((low, high))
    }
}

/// Finds every quantity in `text`, in order and without overlaps.
pub fn quantities(text: &str) -> Vec<Quantity> {
    read::all(text)
}
