//! Texts in conditions: equal whatever their case, or with `*` for anything.

/// A text that a value must be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    /// The parts that must stand in the value, in order and in small letters; between two of them anything may stand.
    parts: Vec<String>,
}

impl Glob {
    /// Takes a text from a condition.
    pub fn new(text: &str) -> Glob {
        Glob { parts: text.to_lowercase().split('*').map(str::to_owned).collect() }
    }

    /// True if a value is like the text.
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
