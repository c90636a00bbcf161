//! Splits texts into words as systems write them, and finds the names among them.

use std::ops::Range;

use regex::Regex;

use crate::cjk;

/// Returns the parts of a text that are words or numbers. A word ends where lower case turns into
/// upper case or letters into digits: `findContactsById` has "find", "Contacts", "By" and "Id". A
/// letter of [`cjk`] is a part of its own.
pub fn parts(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, first) = rest.find(|(_, c)| c.is_alphanumeric())?;
        let mut last = first;
        let mut end = start + first.len_utf8();
        let mut length = 1;
        while let Some((at, next)) = rest.peek().copied() {
            let turns = last.is_lowercase() && next.is_uppercase() || are_apart(last, next);
            // "OOMKilled" is "OOM" and "Killed".
            let after = text[at + next.len_utf8()..].chars().take(2);
            let is_word = after.filter(|c| c.is_lowercase()).count() == 2;
            let begins = last.is_uppercase() && next.is_uppercase() && length > 1 && is_word;
            if !next.is_alphanumeric() || turns || begins {
                break;
            }
            rest.next();
            (last, length) = (next, length + 1);
            end = at + next.len_utf8();
        }
        Some(start..end)
    })
}

/// Returns true if a word begins here: behind no letter or digit, or where letters and digits
/// meet, or at a letter of [`cjk`].
pub(crate) fn begins_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let first = text[at..].chars().next();
    let is_apart =
        |(before, first): (char, char)| !before.is_alphanumeric() || are_apart(before, first);
    before.zip(first).is_none_or(is_apart)
}

/// Returns true for two letters or digits, side by side, that are of two words.
pub(crate) fn are_apart(before: char, next: char) -> bool {
    before.is_numeric() != next.is_numeric() || cjk::is_letter(before) || cjk::is_letter(next)
}

/// Returns true if [`parts`] begins a part with the capital at this place, which stands behind
/// another letter: at "Contacts" of `findContactsById`. It looks at the letters around it alone.
pub(crate) fn begins_part(text: &str, at: usize) -> bool {
    let (mut before, mut after) = (text[..at].chars().rev(), text[at..].chars());
    let (last, is_capital) = (before.next(), after.next().is_some_and(char::is_uppercase));
    let follows_capitals = [last, before.next()].iter().all(|c| c.is_some_and(char::is_uppercase));
    let is_word = after.take(2).filter(|c| c.is_lowercase()).count() == 2;
    is_capital && (last.is_some_and(char::is_lowercase) || follows_capitals && is_word)
}

/// Returns names of things: words with a capital or a digit inside, or with a leading capital that
/// does not begin a sentence.
pub fn names(text: &str) -> Vec<&str> {
    // A word amid letters of other scripts begins no sentence.
    let is_amid = text.contains(cjk::is_letter);
    let mut begins = !is_amid;
    let mut found = Vec::new();
    let ends =
        |c: char| c.is_whitespace() || "!,;()\"'’".contains(c) || is_amid && cjk::is_letter(c);
    for word in text.split(ends) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let inner = bare.chars().skip(1).any(|c| c.is_uppercase() || c.is_numeric());
        let capital = !begins && bare.starts_with(char::is_uppercase);
        let has_letters = bare.contains(char::is_alphabetic);
        if has_letters && bare.chars().count() > 1 && (inner || capital) {
            found.push(bare);
        }
        if !word.is_empty() {
            begins = !is_amid && word.ends_with(['.', '?', ':']);
        }
    }
    found
}

/// Compiles a pattern that is part of the program.
///
/// # Panics
/// Panics for an invalid pattern.
#[expect(clippy::unwrap_used, reason = "patterns are constants, and the tests compile them")]
pub fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<&str> {
        parts(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn names_are_read_by_their_parts() {
        assert_eq!(read("ts-contacts-service"), ["ts", "contacts", "service"]);
        assert_eq!(read("findContactsById kafka1"), ["find", "Contacts", "By", "Id", "kafka", "1"]);
        assert_eq!(read("OOMKilled ERROR"), ["OOM", "Killed", "ERROR"]);
    }

    #[test]
    fn a_part_begins_where_the_parts_of_a_text_do() {
        for text in ["findContactsById", "OOMKilled", "theRabbitMQBroker", "HTTPServer2Go", "ABcd"]
        {
            let capital = |at: &usize| text[*at..].starts_with(char::is_uppercase);
            let begins: Vec<usize> =
                parts(text).map(|part| part.start).filter(|at| *at > 0).collect();
            let begins: Vec<usize> = begins.into_iter().filter(capital).collect();
            let found = (1..text.len()).filter(|at| begins_part(text, *at));
            let behind_digits = |at: &usize| text[..*at].ends_with(char::is_numeric);
            let expected: Vec<usize> = begins.into_iter().filter(|at| !behind_digits(at)).collect();
            assert_eq!(found.collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn names_are_told_from_words() {
        let text = "Which OutOfMemoryError did Kafka report? Please tell me of E1042.";
        assert_eq!(names(text), ["OutOfMemoryError", "Kafka", "E1042"]);
        assert!(names("What do I do when a job fails?").is_empty());
        assert_eq!(names("在Kubernetes集群中API网关的日志保存多久？"), ["Kubernetes", "API"]);
    }
}
