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

/// Upper bound for the bytes of a pattern.
const LONGEST: usize = 200;

/// Checks a pattern.
///
/// # Errors
/// [`Error::Invalid`] for a pattern with several words, with nothing beside the word, or with more
/// than 200 bytes.
pub(super) fn check(name: &str, field: &'static str) -> Result<()> {
    let beside = name.replacen(WORD, "", 1);
    let has_one = !beside.contains(WORD) && beside.contains(char::is_alphanumeric);
    if has_one && name.len() <= LONGEST && compiled(name).is_some() {
        return Ok(());
    }
    let reason = format!(
        "`{name}` must have one {{}}, with words before or behind it, and at most {LONGEST} bytes"
    );
    Err(Error::invalid(field, reason))
}

/// Returns the pattern as a regular expression whose first group is the word: letters and signs up
/// to what follows it in the pattern, else up to a blank and without marks around it. The pattern
/// begins and ends where a word of the text does. Case and the kind of white space do not matter,
/// and `*` stands for anything within a line.
fn compiled(name: &str) -> Option<Regex> {
    let (before, behind) = name.split_once(WORD)?;
    let behind = behind.trim_end();
    let begin = if before.starts_with(char::is_alphanumeric) { r"\b" } else { "" };
    let end = if behind.ends_with(char::is_alphanumeric) { r"\b" } else { "" };
    let word = if behind.is_empty() { r#"["'(\[]?(\S*[\w%/])"# } else { r"(\S+?)" };
    let pattern = format!("{begin}{}{word}{}{end}", escaped(before), escaped(behind));
    RegexBuilder::new(&pattern).case_insensitive(true).build().ok()
}

/// Returns a part of a pattern as a regular expression.
fn escaped(part: &str) -> String {
    let words = part.split_whitespace().map(|word| regex::escape(word).replace(r"\*", ".*?"));
    let words = words.collect::<Vec<_>>().join(r"\s+");
    let blank = |is_there: bool| if is_there { r"\s+" } else { "" };
    let (first, last) = (part.starts_with(' '), part.ends_with(' ') && !words.is_empty());
    format!("{}{words}{}", blank(first), blank(last))
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
            ("{} ms", "read 12 msgs in 5 ms", Some("5")),
            ("port {}", "report 12 sent on port 22", Some("22")),
            ("user={}", "user=\"ann\" id=7", Some("ann")),
            ("took  {}", "took 5", Some("5")),
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
        for name in ["{}", "* {}", "took {} of {}", &format!("{}{{}}", "a*".repeat(100))] {
            let refused = check(name, "of").unwrap_err().to_string();
            assert!(refused.starts_with("invalid `of`: `"), "{refused}");
        }
    }
}
