//! Removes the endings of words, and caches the stems.

use std::cell::RefCell;
use std::collections::HashMap;

use super::SHORT;
use crate::abbreviation::singular;
use crate::language::Language;

/// Returns an English word without its ending, see [`stem_in`].
pub fn stem(word: &str) -> String {
    stem_in(word, Language::English)
}

/// Returns a word without its ending. Suffixes of product names count as endings ("Postgres",
/// "Postgre-SQL").
pub fn stem_in(word: &str, language: Language) -> String {
    with_stem(word, language, str::to_owned)
}

thread_local! {
    /// The stems by word. Texts repeat their words, and stemming takes a hundred times as long as a
    /// lookup.
    static STEMS: RefCell<HashMap<Language, HashMap<String, String>>> = RefCell::default();
}

/// Upper bound for the cached stems of a language, about 2 MB.
const REMEMBERED: usize = 8_192;

/// Upper bound for the bytes of a word whose stem is cached.
const LONGEST: usize = 64;

/// Calls `then` with the stem of a word.
pub(super) fn with_stem<T>(word: &str, language: Language, then: impl FnOnce(&str) -> T) -> T {
    if word.len() > LONGEST {
        return then(&stemmed(word, language));
    }
    STEMS.with_borrow_mut(|stems| {
        let stems = stems.entry(language).or_default();
        if let Some(stem) = stems.get(word) {
            return then(stem);
        }
        if stems.len() >= REMEMBERED {
            stems.clear();
        }
        then(stems.entry(word.to_owned()).or_insert_with(|| stemmed(word, language)))
    })
}

fn stemmed(word: &str, language: Language) -> String {
    let word = singular(word).to_lowercase();
    if word.chars().count() <= SHORT {
        return word;
    }
    let product = ["sql", "db", "js"].iter().find_map(|ending| word.strip_suffix(ending));
    let root = product.filter(|root| root.chars().count() > SHORT).unwrap_or(&word);
    language.stem(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_is_the_same_again_after_many_others_and_in_each_language() {
        let long = format!("{}ing", "pump".repeat(50));
        for _ in 0..2 {
            assert_eq!(
                [stem("Pumping"), stem("pumps"), stem("PostgreSQL")],
                ["pump", "pump", "postgr"]
            );
            assert_eq!([stem("GPUs"), stem("GPU")], ["gpu", "gpu"]);
            assert_eq!(stem_in("Pumpen", Language::German), stem_in("pumpe", Language::German));
            assert_ne!(stem("pumping"), stem_in("pumping", Language::German));
            assert_eq!(stem(&long), "pump".repeat(50));
            for number in 0..=REMEMBERED {
                stem(&format!("valve{number}"));
            }
        }
    }
}
