//! What is searched and read for a question.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use uuid::Uuid;

use super::Services;
use super::citation::file;
use super::key;
use super::knowledge::{KnowledgeBase, Style};
use super::words::{Mask, Words};
use crate::document::Chunk;
use crate::evidence::round3;
use crate::ports::{Look, Purpose, Record, Status};
use crate::retrieve::Retriever;
use crate::scope::{Grant, Scope};
use crate::strategy::{self, Evidence, Probe, Reading};
use crate::topic::is_common;
use crate::{Error, Result};

/// A search brings three times as many passages as are read, and never less than this.
const OVERSAMPLING: usize = 3;
const LEAST_DEPTH: usize = 30;

/// How much the question as it was asked counts beside the one that stands alone.
const ASKED: f64 = 0.4;

/// How many documents are read whole for their steps.
const WHOLE: usize = 1;

/// The most documents that are listed.
const LISTED: u32 = 100;

/// How much of the gap it closes that the question names the passage's document.
const NAMED: f64 = 0.25;

/// The embeddings of `texts`: those that were kept, and new ones, which are to be kept by their keys.
pub(super) async fn embed(
    services: &Services<'_>,
    texts: &[String],
    look: &mut Look,
) -> Result<(Vec<Vec<f32>>, Vec<(String, Vec<f32>)>)> {
    let keys: Vec<String> =
        texts.iter().map(|text| key::embedding(services.embed_model, text)).collect();
    let is_new = |key: &&String| !look.vectors.contains_key(*key);
    let new: Vec<String> = keys.iter().filter(is_new).cloned().collect();
    if new.is_empty() {
        return Ok((keys.iter().filter_map(|key| look.vectors.remove(key)).collect(), Vec::new()));
    }
    let wanted = texts.iter().zip(&keys).filter(|(_, key)| new.contains(key));
    let wanted: Vec<String> = wanted.map(|(text, _)| text.clone()).collect();
    let made = services.embedder.embed(&wanted, Purpose::Question).await?;
    if made.len() != wanted.len() {
        let cause = "it gave another number of vectors than of texts";
        return Err(Error::unavailable("the embedding model", cause));
    }
    let made: Vec<(String, Vec<f32>)> = new.into_iter().zip(made).collect();
    let find = |key: &String| {
        let own = made.iter().find(|(own, _)| own == key).map(|(_, vector)| vector.clone());
        own.or_else(|| look.vectors.get(key).cloned())
    };
    Ok((keys.iter().filter_map(find).collect(), made))
}

/// The passages nearest to `texts`, best first: the question as asked, and as it stands alone.
pub(super) async fn passages(
    services: &Services<'_>,
    base: &KnowledgeBase,
    texts: &[String],
    vectors: Vec<Vec<f32>>,
    request: &strategy::Request,
) -> Result<Vec<Evidence>> {
    let depth = LEAST_DEPTH.max(OVERSAMPLING * request.top_k.value());
    let probe = |(place, text): (usize, &String)| {
        let counts = if place == 0 && texts.len() > 1 { ASKED } else { 1.0 };
        let legs = base.legs.iter().map(|(kind, of, weight)| (*kind, *of, weight * counts));
        Probe { text: text.clone(), legs: legs.collect(), depth }
    };
    let probes = texts.iter().enumerate().map(probe).zip(vectors).collect();
    let retriever = Retriever { embedder: services.embedder, index: services.index };
    let found = retriever.retrieve(probes, request, Reading::Passages, None).await?;
    let mut evidence = found.evidence;
    strategy::best_first(&mut evidence);
    Ok(evidence)
}

/// How much of a passage's score are the searches that found it, and how much of the rest is its title: what remains is
/// the share of the question's words that it has, by how rare they are among what was found.
const BY_SEARCH: f64 = 0.4;
const BY_TITLE: f64 = 0.2;

/// Scores passages by the searches and by the question's words. Reciprocal ranks lie so near to each other that what a
/// passage says tells more (measured in `tests/bench/README.md`).
pub(super) fn rank(evidence: &mut [Evidence], question: &str) {
    let words = Words::of(question);
    let mut seen = HashMap::new();
    let titles: Vec<Mask> = evidence
        .iter()
        .map(|own| {
            words.mask(&format!("{}\n{}", own.chunk.title, file(&own.chunk.name)), &mut seen)
        })
        .collect();
    let text = |own: &Evidence| format!("{}\n{}", own.chunk.section, own.chunk.text);
    let masks: Vec<Mask> = evidence
        .iter()
        .zip(&titles)
        .map(|(own, title)| words.mask(&text(own), &mut seen).with(*title))
        .collect();
    let weights = words.weights(&masks);
    for ((own, mask), title) in evidence.iter_mut().zip(masks).zip(titles) {
        let (all, title) = (Words::share(mask, &weights), Words::share(title, &weights));
        let share = (1.0 - BY_TITLE) * all + BY_TITLE * title;
        own.parts.total = round3(BY_SEARCH * own.parts.total + (1.0 - BY_SEARCH) * share);
    }
    strategy::best_first(evidence);
}

/// Raises the passages of documents that the question names.
pub(super) fn weigh(evidence: &mut [Evidence], named: &[String]) {
    for own in evidence.iter_mut() {
        if named.contains(&own.chunk.name) {
            own.parts.boost("named in the question", NAMED);
        }
    }
    strategy::best_first(evidence);
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
        let having = names.iter().filter(|name| parts(name).any(|own| own == part)).count();
        count > 2 && having * 3 <= count && words.iter().any(|word| word.starts_with(part))
    };
    let is_named = |name: &&str| {
        let file = file(name).to_lowercase();
        let stem = file.split_once('.').map_or(file.as_str(), |(stem, _)| stem);
        has_word(&question, &file)
            || (stem.len() > 2 && has_word(&question, stem))
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
    let is_name = |own: &regex::Captures<'_>| {
        let is_clock = own.get(0).is_some_and(|all| question[all.end()..].starts_with([':', '.']));
        !is_clock && !is_common(&own[1])
    };
    let numbers: Vec<&str> = NUMBERED
        .captures_iter(question)
        .filter(is_name)
        .filter_map(|own| own.get(2))
        .map(|own| own.as_str())
        .collect();
    let [number] = numbers.as_slice() else { return Vec::new() };
    let own: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| family(name).is_some_and(|(_, own)| own == *number))
        .collect();
    let Some((letters, _)) = own.first().and_then(|name| family(name)) else { return Vec::new() };
    let is_other = |(other, own): (&str, &str)| other == letters && own != *number;
    let has_others = names.iter().any(|name| family(name).is_some_and(is_other));
    if has_others { own.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// The letters that a file's name begins with, and the digits after them.
fn family(name: &str) -> Option<(&str, &str)> {
    let file = file(name);
    let letters = file.find(|c: char| !c.is_ascii_alphabetic())?;
    let rest = &file[letters..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (letters > 1 && digits > 0).then(|| (&file[..letters], &rest[..digits]))
}

#[expect(clippy::unwrap_used, reason = "the pattern is a constant, and the tests compile it")]
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([a-z]{3,})[ -]?(\d{1,2})\b").unwrap());

/// Whether `word` stands in `text` with no letter or digit at its sides.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        is_end(text[..at].chars().next_back()) && is_end(text[at + word.len()..].chars().next())
    })
}

/// The documents of a scope, at most the first hundred.
pub(super) async fn documents(services: &Services<'_>, scope: &Scope) -> Result<Vec<Record>> {
    Ok(services.documents.documents(scope, LISTED, None).await?.items)
}

/// The names of the documents whose whole file name the question has.
pub(super) fn files_named(records: &[Record], question: &str) -> Vec<String> {
    let question = question.to_lowercase();
    let is_named = |record: &&Record| {
        let file = file(&record.name).to_lowercase();
        file.contains('.') && has_word(&question, &file)
    };
    records.iter().filter(is_named).map(|record| record.name.clone()).collect()
}

/// The question without the names of files.
pub(super) fn without_files(records: &[Record], question: &str) -> String {
    let files = files_named(records, question);
    files.iter().fold(question.to_owned(), |text, name| {
        let lower = text.to_lowercase();
        match lower.find(&file(name).to_lowercase()) {
            Some(at) if lower.len() == text.len() => {
                let end = at + file(name).len();
                // A line may be named right behind its file: `app.log:42`.
                let rest = &text[end..];
                let is_place = rest
                    .strip_prefix(':')
                    .is_some_and(|own| own.starts_with(|c: char| c.is_ascii_digit()));
                let kept = if is_place { "file.x" } else { " " };
                format!("{}{kept}{rest}", &text[..at])
            }
            _ => text,
        }
    })
}

/// Whether documents are still to be read, and whether some could not be.
pub(super) fn unread(records: &[Record]) -> (bool, bool) {
    let is = |check: fn(&Status) -> bool| records.iter().any(|own| check(&own.status));
    let waits = |own: &Status| matches!(own, Status::Waiting | Status::Indexing);
    (is(waits), is(|own| matches!(own, Status::Failed { .. })))
}

/// The best documents, each with all of its passages, for steps that go on beyond the passage that was found.
pub(super) async fn whole(
    services: &Services<'_>,
    grant: &Grant,
    (style, evidence): (Style, &[Evidence]),
) -> Result<Vec<Chunk>> {
    if style != Style::Procedural {
        return Ok(Vec::new());
    }
    let mut documents: Vec<Uuid> = Vec::new();
    for own in evidence {
        if documents.len() < WHOLE && !documents.contains(&own.chunk.document_id) {
            documents.push(own.chunk.document_id);
        }
    }
    let chunks: Vec<Uuid> = evidence.iter().map(|own| own.chunk.id).collect();
    let mut whole = services.index.documents(grant, &documents, &chunks).await?;
    let latest = whole.iter().map(|chunk| chunk.version.clone()).max().unwrap_or_default();
    whole.retain(|chunk| chunk.version == latest);
    whole.sort_by_key(|chunk| chunk.position);
    Ok(whole)
}
