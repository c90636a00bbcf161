//! Numbers in columns, with the units that logs write after them.

use super::exact::{Decimal, Exact};

/// The kind of quantity that a number measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A count, or whatever the column's name says.
    Plain,
    /// A duration, in milliseconds.
    Milliseconds,
    /// A size, in bytes.
    Bytes,
    /// A percentage.
    Percent,
}

impl Unit {
    /// Returns true if numbers in these units are of the same kind. A number without a unit
    /// compares with any.
    pub(super) fn is_comparable(self, other: Unit) -> bool {
        self == other || self == Unit::Plain || other == Unit::Plain
    }

    /// Returns the unit as it is shown; `None` for a plain number.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Unit::Plain => None,
            Unit::Milliseconds => Some("ms"),
            Unit::Bytes => Some("bytes"),
            Unit::Percent => Some("%"),
        }
    }
}

/// A number in its base unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: Unit,
}

/// Units by name: the factor to the base unit, the number of zeros after it, and the base unit.
pub(super) const UNITS: [(&str, u32, i8, Unit); 38] = [
    ("", 1, 0, Unit::Plain),
    ("ns", 1, -6, Unit::Milliseconds),
    ("nanos", 1, -6, Unit::Milliseconds),
    ("us", 1, -3, Unit::Milliseconds),
    ("µs", 1, -3, Unit::Milliseconds),
    ("μs", 1, -3, Unit::Milliseconds),
    ("micros", 1, -3, Unit::Milliseconds),
    ("microseconds", 1, -3, Unit::Milliseconds),
    ("ms", 1, 0, Unit::Milliseconds),
    ("msec", 1, 0, Unit::Milliseconds),
    ("msecs", 1, 0, Unit::Milliseconds),
    ("millis", 1, 0, Unit::Milliseconds),
    ("milliseconds", 1, 0, Unit::Milliseconds),
    ("s", 1, 3, Unit::Milliseconds),
    ("sec", 1, 3, Unit::Milliseconds),
    ("secs", 1, 3, Unit::Milliseconds),
    ("second", 1, 3, Unit::Milliseconds),
    ("seconds", 1, 3, Unit::Milliseconds),
    ("m", 6, 4, Unit::Milliseconds),
    ("min", 6, 4, Unit::Milliseconds),
    ("minute", 6, 4, Unit::Milliseconds),
    ("minutes", 6, 4, Unit::Milliseconds),
    ("h", 36, 5, Unit::Milliseconds),
    ("hours", 36, 5, Unit::Milliseconds),
    ("b", 1, 0, Unit::Bytes),
    ("byte", 1, 0, Unit::Bytes),
    ("bytes", 1, 0, Unit::Bytes),
    ("k", 1024, 0, Unit::Bytes),
    ("kb", 1, 3, Unit::Bytes),
    ("kib", 1024, 0, Unit::Bytes),
    ("ki", 1024, 0, Unit::Bytes),
    ("mb", 1, 6, Unit::Bytes),
    ("mib", 1_048_576, 0, Unit::Bytes),
    ("mi", 1_048_576, 0, Unit::Bytes),
    ("gb", 1, 9, Unit::Bytes),
    ("gib", 1_073_741_824, 0, Unit::Bytes),
    ("gi", 1_073_741_824, 0, Unit::Bytes),
    ("%", 1, 0, Unit::Percent),
];

impl Amount {
    /// Returns true if two numbers are of the same kind. A number without a unit compares with any.
    pub fn is_comparable(self, other: Amount) -> bool {
        self.unit.is_comparable(other.unit)
    }

    /// Parses a whole value, such as `3001ms`, `12 KiB`, `0.011857` or `1,024`; `None` if it is not
    /// a number with a known unit or none.
    pub fn parse(text: &str) -> Option<Amount> {
        Exact::parse(text, Decimal::Point)?.amount()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_in_their_base_unit() {
        for (text, value, unit) in [
            ("3001ms", 3001.0, Some("ms")),
            ("3 s", 3000.0, Some("ms")),
            ("68 micros", 0.068, Some("ms")),
            ("12 KiB", 12288.0, Some("bytes")),
            ("0.011857", 0.011_857, None),
            ("1,024", 1024.0, None),
            ("40%", 40.0, Some("%")),
        ] {
            let amount = Amount::parse(text).unwrap();
            assert!((amount.value - value).abs() < 1e-9, "{text}");
            assert_eq!(amount.unit.name(), unit, "{text}");
        }
        for text in ["", "-", "ms", "10.0.0.1", "5 apples", "v1.2", "1,7", "2026-11-20"] {
            assert_eq!(Amount::parse(text), None, "{text}");
        }
    }
}
