//! Columns that a query takes out of the texts of records, such as `Took {} seconds`.

use std::collections::HashMap;

use model::record::Column;
use model::{Error, Result};
use regex::{Regex, RegexBuilder};

/// Stands for the wanted word in a pattern.
const WORD: &str = "{}";

/// Returns true if a name of a column is a pattern.
pub(super) fn is_one(name: &str) -> bool {
    name.contains(WORD)
}

/// Checks a pattern.
///
/// # Errors
/// [`Error::Invalid`] for a pattern with several words, or with nothing beside the word.
pub(super) fn check(name: &str, field: &'static str) -> Result<()> {
    let beside = name.replacen(WORD, "", 1);
    let is_fine = !beside.contains(WORD) && beside.contains(char::is_alphanumeric);
    let reason = format!("`{name}` must have one {{}}, with words before or behind it");
    if is_fine { Ok(()) } else { Err(Error::invalid(field, reason)) }
}

/// Returns the pattern as a regular expression whose first group is the word: letters and signs up
/// to what follows it in the pattern, else up to a blank and without a mark at its end. Case and
/// the kind of white space do not matter, and `*` stands for anything within a line.
fn compiled(name: &str) -> Option<Regex> {
    let (before, behind) = name.split_once(WORD)?;
    let part = |text: &str| {
        let words = text.split(' ').map(|word| regex::escape(word).replace(r"\*", ".*?"));
        words.collect::<Vec<_>>().join(r"\s+")
    };
    let word = if behind.trim().is_empty() { r"(\S*[\w%/])" } else { r"(\S+?)" };
    let pattern = format!("{}{word}{}", part(before), part(behind.trim_end()));
    RegexBuilder::new(&pattern).case_insensitive(true).build().ok()
}

/// Returns the words of the records with these texts, of each the first.
pub(super) fn column(name: &str, texts: &[impl AsRef<str>]) -> Option<Column> {
    let pattern = compiled(name)?;
    let mut places: HashMap<String, u32> = HashMap::new();
    let mut column = Column { values: Vec::new(), rows: Vec::with_capacity(texts.len()) };
    for text in texts {
        let Some(word) = pattern.captures(text.as_ref()).and_then(|found| found.get(1)) else {
            column.rows.push(0);
            continue;
        };
        let next = u32::try_from(places.len() + 1).ok()?;
        let place = *places.entry(word.as_str().to_owned()).or_insert(next);
        if place == next {
            column.values.push(word.as_str().to_owned());
        }
        column.rows.push(place);
    }
    Some(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(name: &str, text: &str) -> Option<String> {
        column(name, &[text])?.values.pop()
    }

    #[test]
    fn the_word_is_what_stands_in_its_place() {
        for (name, text, expected) in [
            ("Took {} seconds", "Instance spawned. took  19.84 seconds to build", Some("19.84")),
            (
                "from {} port",
                "Failed password for root from 10.0.0.7 port 22 ssh2",
                Some("10.0.0.7"),
            ),
            ("user {}", "invalid user admin, refused", Some("admin")),
            ("({} bytes", "close, 403 bytes sent (1,024 bytes received", Some("1,024")),
            ("user=* id={}", "user=ann group=ops id=7;", Some("7")),
            ("{} received", "403 bytes sent, 426 bytes received", Some("bytes")),
            ("Took {} seconds", "took several long seconds", None),
        ] {
            assert_eq!(word(name, text).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn equal_words_have_one_value_and_a_record_without_one_has_none() {
        let column = column("took {}", &["took 1", "idle", "took 2", "Took 1."]).unwrap();
        assert_eq!((column.values.join(" "), column.rows), ("1 2".into(), vec![1, 0, 2, 1]));
    }

    #[test]
    fn a_pattern_has_one_word_and_others_beside_it() {
        assert!(check("took {}", "of").is_ok());
        for name in ["{}", "* {}", "took {} of {}"] {
            let refused = check(name, "of").unwrap_err().to_string();
            assert!(refused.starts_with("invalid `of`: `"), "{refused}");
        }
    }
}
