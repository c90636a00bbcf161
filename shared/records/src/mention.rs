//! Documents that a question mentions.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use model::document::file_name;
use ports::Record;
use text::words::pattern;

/// The documents of a scope that a question mentions.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// The documents whose whole file name is in the question.
    pub files: Vec<String>,
    /// The documents that the question mentions, with or without their extension.
    pub named: Vec<String>,
    /// The file names in the question that belong to none of the documents.
    pub unknown: Vec<String>,
}

impl Mentioned {
    /// Returns the names in `question` that belong to `records`.
    pub(crate) fn of(records: &[Record], question: &str) -> Mentioned {
        let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
        let lower = question.to_lowercase();
        let is_whole = |name: &&str| {
            let file = file_name(name).to_lowercase();
            file.contains('.') && has_word(&lower, &file)
        };
        let files = names.iter().copied().filter(is_whole).map(str::to_owned).collect();
        Mentioned { files, named: named(&names, question), unknown: unknown(&names, question) }
    }

    /// Returns the question without file names: "line 42" remains of `app.log:42`.
    pub(crate) fn without_files(&self, question: &str) -> String {
        self.files.iter().fold(question.to_owned(), |text, name| {
            let name = regex::escape(file_name(name));
            let Ok(named) = Regex::new(&format!(r"(?i){name}(?::(\d))?")) else { return text };
            let bare = |found: &Captures<'_>| {
                found.get(1).map_or(" ".into(), |line| format!(" line {}", line.as_str()))
            };
            named.replace(&text, bare).into_owned()
        })
    }
}

/// Returns the names of the documents whose file the question mentions, with or without its
/// extension.
pub fn named(names: &[&str], question: &str) -> Vec<String> {
    let question = question.to_lowercase();
    let is_named = |name: &&str| {
        let file = file_name(name).to_lowercase();
        let stem = file.split_once('.').map_or(file.as_str(), |(stem, _)| stem);
        has_word(&question, &file) || (stem.len() > 2 && has_word(&question, stem))
    };
    names.iter().copied().filter(is_named).map(str::to_owned).collect()
}

/// Returns true if `text` contains `word` as a whole word, without a letter or digit next to it.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        is_end(text[..at].chars().next_back()) && is_end(text[at + word.len()..].chars().next())
    })
}

fn unknown(names: &[&str], question: &str) -> Vec<String> {
    let known: Vec<String> = names.iter().map(|name| file_name(name).to_lowercase()).collect();
    // A rotated log may be called by its first name: "app.log" for "app.log.2026-11-20".
    let is_known =
        |found: &str| known.iter().any(|k| k.starts_with(&file_name(found).to_lowercase()));
    let found: Vec<&str> = FILE.find_iter(question).map(|found| found.as_str()).collect();
    if found.iter().any(|name| is_known(name)) {
        return Vec::new();
    }
    found.into_iter().map(str::to_owned).collect()
}

static FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b[\w./-]*\w\.(?:log|txt|out|err|ya?ml|jsonl?|conf|cfg|ini|toml|properties|md|csv|xml)(?:\.\d{1,4})?\b",
    )
});
