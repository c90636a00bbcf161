//! The names that callers give, as parts of an address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that must be written otherwise in an address, for they would mean something
/// there.
const MEANING: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The text as one part of a path, or as a value of a query.
pub fn part(text: &str) -> String {
    utf8_percent_encode(text, MEANING).to_string()
}

/// The path and the values that are given.
pub(crate) fn with_query(path: &str, values: &[(&str, Option<&str>)]) -> String {
    let given = values.iter().filter_map(|(name, value)| Some((name, (*value)?)));
    let pairs: Vec<String> = given.map(|(name, value)| format!("{name}={}", part(value))).collect();
    if pairs.is_empty() { path.into() } else { format!("{path}?{}", pairs.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_in_an_address_is_written_otherwise() {
        assert_eq!(part("auth0|ana/b?c d%é"), "auth0%7Cana%2Fb%3Fc%20d%25%C3%A9");
        assert_eq!(part("01J-a.b_c~d"), "01J-a.b_c~d");
    }

    #[test]
    fn only_what_is_given_is_in_the_query() {
        let values = [("limit", Some("5")), ("cursor", None), ("as_of", Some("2026-01-01T00:00Z"))];
        assert_eq!(with_query("/v1/x", &values), "/v1/x?limit=5&as_of=2026-01-01T00%3A00Z");
        assert_eq!(with_query("/v1/x", &[("cursor", None)]), "/v1/x");
    }
}
