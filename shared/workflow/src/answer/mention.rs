//! Documents that a question names.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::citation::file;
use crate::ports::Record;
use crate::topic::is_common;
use crate::words::pattern;

/// What a question names of a scope's documents.
#[derive(Debug, Default)]
pub(crate) struct Mentioned {
    /// The documents whose whole file name it has.
    pub files: Vec<String>,
    /// The documents that it names in any way.
    pub named: Vec<String>,
    /// The files that it names, where they are none of the documents.
    pub unknown: Vec<String>,
}

impl Mentioned {
    /// What `question` names among `records`.
    pub(crate) fn of(records: &[Record], question: &str) -> Mentioned {
        let names: Vec<&str> = records.iter().map(|record| record.name.as_str()).collect();
        let files = files(&names, question);
        let all = named(&names, question);
        Mentioned { files, named: all, unknown: unknown(&names, question) }
    }

    /// The question without the names of files: of `app.log:42` "line 42" is left.
    pub(crate) fn without_files(&self, question: &str) -> String {
        self.files.iter().fold(question.to_owned(), |text, name| {
            let name = regex::escape(file(name));
            let Ok(named) = Regex::new(&format!(r"(?i){name}(?::(\d))?")) else { return text };
            let bare = |found: &Captures<'_>| {
                found.get(1).map_or(" ".into(), |line| format!(" line {}", line.as_str()))
            };
            named.replace(&text, bare).into_owned()
        })
    }
}

/// The names of the documents that the question names: by their file, with or without its ending, or by a number that
/// tells them apart ("broker 1" and `kafka1-server.log`).
pub(super) fn named(names: &[&str], question: &str) -> Vec<String> {
    let question = question.to_lowercase();
    let words: Vec<&str> =
        question.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3).collect();
    let joined: String = question.split_whitespace().collect();
    let count = names.len();
    let is_telling = |part: &str| {
        let having = names.iter().filter(|name| parts(name).any(|p| p == part)).count();
        let is_kind = || [" log", " file"].iter().any(|a| question.contains(&format!("{part}{a}")));
        let is_few = having * 3 <= count && words.iter().any(|word| word.starts_with(part));
        count > 2 && having < count && (is_few || is_kind())
    };
    let is_named = |name: &&str| {
        let file = file(name).to_lowercase();
        let stem = file.split_once('.').map_or(file.as_str(), |(stem, _)| stem);
        is_called(name, &question)
            || (stem.len() > 5 && joined.contains(stem))
            || parts(&file).any(|part| is_telling(&part))
    };
    let by_words: Vec<String> = names.iter().copied().filter(is_named).map(str::to_owned).collect();
    let by_number = numbered(names, &question);
    let both: Vec<String> =
        by_words.iter().filter(|name| by_number.contains(name)).cloned().collect();
    match (by_words.is_empty(), both.is_empty()) {
        (true, _) => by_number,
        (false, true) => by_words,
        (false, false) => both,
    }
}

/// Whether the question, in small letters, has the file's name, with or without its ending.
fn is_called(name: &str, question: &str) -> bool {
    let file = file(name).to_lowercase();
    let stem = file.split_once('.').map_or(file.as_str(), |(stem, _)| stem);
    has_word(question, &file) || (stem.len() > 2 && has_word(question, stem))
}

/// The longer words of a file's name.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let file = file(name).to_lowercase();
    let parts = file.split(|c: char| !c.is_alphabetic()).filter(|part| part.len() > 3);
    let parts: Vec<String> = parts
        .filter(|part| !matches!(*part, "yaml" | "json" | "values"))
        .map(str::to_owned)
        .collect();
    parts.into_iter()
}

/// The names that begin with letters and the one number that follows a noun in the question, where others begin with
/// the same letters and another number.
fn numbered(names: &[&str], question: &str) -> Vec<String> {
    let is_name = |captures: &regex::Captures<'_>| {
        let is_clock =
            captures.get(0).is_some_and(|all| question[all.end()..].starts_with([':', '.']));
        !is_clock && !is_common(&captures[1])
    };
    let numbers: Vec<&str> = NUMBERED
        .captures_iter(question)
        .filter(is_name)
        .filter_map(|parts| parts.get(2))
        .map(|f| f.as_str())
        .collect();
    let [number] = numbers.as_slice() else { return Vec::new() };
    let texts: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| family(name).is_some_and(|(_, family)| family == *number))
        .collect();
    let Some((letters, _)) = texts.first().and_then(|name| family(name)) else { return Vec::new() };
    let is_other = |(other, x): (&str, &str)| other == letters && x != *number;
    let has_others = names.iter().any(|name| family(name).is_some_and(is_other));
    if has_others { texts.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// The letters that a file's name begins with, and the digits after them.
pub(super) fn family(name: &str) -> Option<(&str, &str)> {
    let file = file(name);
    let letters = file.find(|c: char| !c.is_ascii_alphabetic())?;
    let rest = &file[letters..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (letters > 1 && digits > 0).then(|| (&file[..letters], &rest[..digits]))
}

static NUMBERED: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b([a-z]{3,})[ -]?(\d{1,2})\b"));

/// Whether `word` stands in `text` with no letter or digit at its sides.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        is_end(text[..at].chars().next_back()) && is_end(text[at + word.len()..].chars().next())
    })
}

/// The names of the documents whose whole file name the question has.
fn files(names: &[&str], question: &str) -> Vec<String> {
    let question = question.to_lowercase();
    let is_named = |name: &&str| {
        let file = file(name).to_lowercase();
        file.contains('.') && has_word(&question, &file)
    };
    names.iter().copied().filter(is_named).map(str::to_owned).collect()
}

fn unknown(names: &[&str], question: &str) -> Vec<String> {
    let known: Vec<String> = names.iter().map(|name| file(name).to_lowercase()).collect();
    // A rotated log may be meant by its first name: "app.log" for "app.log.2026-11-20".
    let is_known = |found: &str| known.iter().any(|k| k.starts_with(&file(found).to_lowercase()));
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
