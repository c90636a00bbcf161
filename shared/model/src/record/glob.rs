//! Text conditions: equality regardless of case, with `*` for any text.

/// A pattern that a value must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    /// The parts that the value must contain, in order and in lower case. Any text may separate two
    /// of them.
    parts: Vec<String>,
}

impl Glob {
    /// Parses the text of a condition.
    pub fn new(text: &str) -> Glob {
        Glob { parts: text.to_lowercase().split('*').map(str::to_owned).collect() }
    }

    /// Returns true if a value matches the pattern.
    pub fn is_like(&self, value: &str) -> bool {
        let value = value.to_lowercase();
        let Some((first, rest)) = self.parts.split_first() else { return value.is_empty() };
        let Some((last, middle)) = rest.split_last() else { return value == *first };
        let Some(mut left) = value.strip_prefix(first.as_str()) else { return false };
        for part in middle {
            let Some(at) = left.find(part.as_str()) else { return false };
            left = &left[at + part.len()..];
        }
        left.ends_with(last.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything_and_case_for_nothing() {
        for (glob, value, is_like) in [
            ("ERROR", "error", true),
            ("kafka1*", "kafka1-server.log", true),
            ("kafka1*", "kafka10", true),
            ("*.severity", "groups.0.labels.severity", true),
            ("*mozilla*4.0*", "Mozilla/4.0 (x)", true),
            ("a*a", "a", false),
            ("a*b*c", "abc", true),
            ("404", "1404", false),
            ("*", "", true),
        ] {
            assert_eq!(Glob::new(glob).is_like(value), is_like, "{glob} {value}");
        }
    }
}
