//! Words of a question as programs write them: `E1042`, `kafka1`, `ts-order-service`,
//! `NotLeaderException`.

use regex::Regex;
use text::exact::Exact;

use crate::{Loaded, scan};

/// Lower bound for the bytes of an id that begins with a digit.
const ID: usize = 8;

/// Upper bound for the words of a question that are looked for in the records.
pub(super) const MOST: usize = 6;

/// Returns true for a word that is hardly one of a language: with letters beside digits, with signs
/// or capitals inside, or a long number. "24h" is a time, and "read-only" a word.
pub(super) fn is_written(word: &str) -> bool {
    let begins_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
    if begins_with_digit && word.len() < ID || word.contains('*') {
        return false;
    }
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let has_sign = word.contains(['_', '.', ':', '@']) || word.matches(['-', '/']).count() > 1;
    let turns = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
    let has_capital = word.chars().collect::<Vec<_>>().windows(2).any(turns);
    has_digit || has_sign || has_capital
}

/// Returns true if some document is a file of the instance `word`, such as `kafka1`.
pub(super) fn is_instance(word: &str, loaded: &Loaded) -> bool {
    let word = word.to_lowercase();
    let mut names = loaded.documents.iter().map(|recorded| &recorded.document.name);
    names.any(|name| scan::instance(name).is_some_and(|instance| instance == word))
}

/// Returns true if some record has the word, and no record has it only as a part of a longer one.
/// It is false if time ran out or a file is damaged.
pub(super) fn is_of_records(
    word: &str,
    loaded: &Loaded,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> bool {
    let whole = Exact::of(word);
    let Ok(part) = Regex::new(&format!("(?i){}", regex::escape(word))) else { return false };
    let mut is_found = false;
    for block in loaded.documents.iter().flat_map(|recorded| recorded.file.blocks()) {
        let Some(texts) = may_go_on().then(|| block.texts().ok()).flatten() else { return false };
        for text in texts.iter().filter(|text| part.is_match(text)) {
            if !whole.is_in(text) {
                return false;
            }
            is_found = true;
        }
    }
    is_found
}
