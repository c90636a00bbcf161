//! Values in conditions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A value in a condition. A number keeps the digits that it was sent with, up to
/// 18446744073709551615 and down to -9223372036854775808; send a longer one as a text, which is
/// compared digit by digit, too.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Scalar {
    /// A number.
    Number(Number),
    /// True or false, as texts.
    Flag(bool),
    /// A text, a number with its unit, or a date.
    Text(String),
}

impl Scalar {
    /// The value as a text; whole numbers have no point: `3` and not `3.0`.
    pub fn text(&self) -> String {
        match self {
            // A float's own form has no point where it is whole.
            Scalar::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(float) => float.to_string(),
                None => number.to_string(),
            },
            Scalar::Flag(flag) => flag.to_string(),
            Scalar::Text(text) => text.clone(),
        }
    }

    /// True for a number that JSON has rounded, since it is beyond what a whole number of 64 bits
    /// can be.
    pub fn is_rounded(&self) -> bool {
        /// From here on the neighbor of a float is not the next whole number.
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        let Scalar::Number(number) = self else { return false };
        number.is_f64() && number.as_f64().is_some_and(|float| float.abs() > LARGEST)
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Scalar {
        Scalar::Text(text.into())
    }
}

impl From<u32> for Scalar {
    fn from(number: u32) -> Scalar {
        Scalar::Number(number.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_twenty_digits_keeps_them_and_a_longer_one_is_known_to_be_rounded() {
        let read = |json: &str| serde_json::from_str::<Scalar>(json).unwrap();
        for (sent, text, is_rounded) in [
            ("12345678901234567891", "12345678901234567891", false),
            ("-9007199254740993", "-9007199254740993", false),
            ("1e30", "1000000000000000000000000000000", true),
            ("\"123456789012345678912\"", "123456789012345678912", false),
            ("3.0", "3", false),
            ("0.1", "0.1", false),
        ] {
            assert_eq!((read(sent).text().as_str(), read(sent).is_rounded()), (text, is_rounded));
        }
    }
}
