//! Symbols of source code: the place of each definition, and the words in the names.

use std::collections::BTreeSet;

use model::entry::Entry;
use model::facts::Symbol;

use crate::chunk::Definition;
use crate::content::{Content, LineCounter};

/// Removes the symbols that the text defines from the content and returns them with their lines.
pub(super) fn symbols(content: &mut Content) -> Vec<Symbol> {
    let definitions = std::mem::take(&mut content.extract.cut.definitions);
    let mut counter = LineCounter::new(content);
    let symbol = |Definition { name, kind, start }| {
        let line = counter.at(start)?;
        Some(Symbol { name, kind: kind.into(), line })
    };
    definitions.into_iter().filter_map(symbol).collect()
}

/// Upper bound for the symbols of a passage.
const MOST: usize = 40;

/// Assigns each symbol to the passage that contains its line.
pub(super) fn place(symbols: Vec<Symbol>, passages: &mut [Entry]) {
    for symbol in symbols {
        let has =
            |entry: &&mut Entry| entry.passage.lines.is_some_and(|(first, _)| first <= symbol.line);
        if let Some(passage) = passages.iter_mut().rev().find(has)
            && passage.passage.facts.symbols.len() < MOST
        {
            passage.passage.facts.symbols.push(symbol);
        }
    }
}

/// Lists the words of names that join them by capitals, without duplicates: "rate Limiter" for
/// `rateLimiter`. The index itself splits names with underscores.
pub(super) fn parts(text: &str) -> String {
    let names = text.split(|c: char| !c.is_alphanumeric());
    let parts: BTreeSet<String> = names.filter_map(split).collect();
    parts.into_iter().fold(String::new(), |all, part| all + "\n" + &part)
}

/// Splits a name before each capital that follows a lower-case letter, and before the last of
/// several capitals; `None` for a single word.
fn split(name: &str) -> Option<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = String::with_capacity(name.len() + 4);
    for (place, letter) in letters.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| letters[before]);
        let is_next_small = letters.get(place + 1).is_some_and(|next| next.is_lowercase());
        let is_start = letter.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || before.is_uppercase() && is_next_small
            });
        if is_start {
            words.push(' ');
        }
        words.push(*letter);
    }
    words.contains(' ').then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_their_capitals() {
        assert_eq!(split("rateLimiter").as_deref(), Some("rate Limiter"));
        assert_eq!(split("HTTPServer").as_deref(), Some("HTTP Server"));
        assert_eq!(split("findContactsById").as_deref(), Some("find Contacts By Id"));
        assert_eq!(split("RETRY"), None);
        assert_eq!(
            parts("let rateLimiter = RateLimiter::new(rateLimiter);"),
            "\nRate Limiter\nrate Limiter"
        );
    }
}
