//! Pairs of statements that may contradict each other, for a language model to judge.
//!
//! The rules of `compare` decide by themselves and are strict. Here a pair only has to speak of like things and differ in its figures
//! or its denial; the model decides which of them are of one subject.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ask::claim::first_clause;
use model::document::Chunk;
use model::facts::{Statement, range};

use super::claim::{self, Heads};

/// From this likeness on a pair is shown to a model.
const ALIKE: f64 = 0.3;

/// The fewest words of its own that each of a pair has in common with the other.
const SHARED: usize = 2;

/// The words by which a statement finds others: its rarest ones; and the most statements before and behind it to which each of them
/// leads.
const KEYS: usize = 3;
const NEIGHBORS: usize = 50;

/// The most pairs of one statement: what each document of a kind fills in for itself would take the places of all others.
const PAIRS: usize = 5;

/// The most statements of a passage.
const STATEMENTS: usize = 60;

/// A statement with what can be compared of it.
pub(super) struct Candidate<'a> {
    pub chunk: &'a Chunk,
    /// The statement, verbatim.
    pub text: &'a str,
    /// Of a row, the heads of the columns of its other cells.
    pub columns: Vec<&'a str>,
    /// Its values and numbers, as they stand, sorted.
    pub figures: Vec<&'a str>,
    /// The word that denies, wherever it stands.
    pub denial: Option<String>,
    /// Whether its first clause denies: another one may deny something else.
    denies_first: bool,
    /// The stems of its words, those of the heads of a cell among them, and the words themselves, in order.
    pub words: Vec<(String, &'a str)>,
    /// The same stems, and those of the headings above it.
    known: BTreeSet<String>,
}

impl Candidate<'_> {
    /// Returns true if it has the word, or stands below it.
    pub(super) fn has(&self, stem: &str) -> bool {
        self.known.contains(stem)
    }

    /// Returns true if each of the two has enough words of its own in common with the other.
    pub(super) fn is_alike(&self, other: &Candidate<'_>) -> bool {
        let has_some = |one: &Candidate<'_>, other: &Candidate<'_>| {
            one.words.iter().filter(|(stem, _)| other.has(stem)).count() >= SHARED
        };
        has_some(self, other) && has_some(other, self)
    }
}

/// The statements of passages that can be compared.
pub(super) fn candidates<'a>(chunks: &[&'a Chunk]) -> Vec<Candidate<'a>> {
    chunks.iter().flat_map(|chunk| of_chunk(chunk)).collect()
}

fn of_chunk(chunk: &Chunk) -> Vec<Candidate<'_>> {
    let statements: Vec<&Statement> =
        chunk.facts.statements.list.iter().filter(|statement| !statement.is_code).collect();
    // The cells of a row tell of one thing together.
    let of_row = |a: &&Statement, b: &&Statement| a.cell.is_some() && a.quote == b.quote;
    let rows = statements.chunk_by(of_row);
    rows.filter_map(|statements| of_statements(chunk, statements)).take(STATEMENTS).collect()
}

/// A sentence or item, or the cells of a row.
fn of_statements<'a>(chunk: &'a Chunk, statements: &[&Statement]) -> Option<Candidate<'a>> {
    let first = statements.first()?;
    let is_row = first.cell.is_some();
    let text = chunk.text.get(range(first.quote))?;
    if !is_row && (text.contains('?') || claim::is_of_links(text)) {
        return None;
    }
    let values = statements.iter().flat_map(|statement| &statement.values);
    let values: Vec<Range<usize>> = values.map(|value| range(value.at)).collect();
    let at = range(first.quote).start;
    let mut words = claim::words(text, at, &values);
    let mut columns = Vec::new();
    let mut known = BTreeSet::new();
    for statement in statements {
        let Heads { of_cell, stems } = claim::heads(chunk, statement);
        // The first is the head of the row, which stands in it.
        for head in of_cell.into_iter().skip(1) {
            words.extend(claim::words(head, usize::MAX / 2, &[]));
            columns.push(head);
        }
        known.extend(stems);
    }
    let mut seen = BTreeSet::new();
    words.retain(|(stem, _)| seen.insert(stem.clone()));
    known.extend(seen);
    let figures = figures(text, at, &values);
    // A cell or a part in brackets may deny by itself.
    let mut parts = text.split(['|', '(', ';']).map(first_clause);
    let denial = parts.find_map(|(clause, denies)| claim::denial(clause, denies));
    let (clause, denies) = first_clause(text);
    let denies_first = claim::denial(clause, denies).is_some();
    let candidate = Candidate { chunk, text, columns, figures, denial, denies_first, words, known };
    (!candidate.words.is_empty()).then_some(candidate)
}

/// The values of a text, which begins at byte `at`, and its numbers beside them.
fn figures<'a>(text: &'a str, at: usize, values: &[Range<usize>]) -> Vec<&'a str> {
    let quantities = values
        .iter()
        .filter_map(|value| text.get(value.start.checked_sub(at)?..value.end.checked_sub(at)?));
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '.');
    let words = words.map(|word| word.trim_matches('.'));
    let numbers = words.filter(|word| {
        let start = at + (word.as_ptr() as usize - text.as_ptr() as usize);
        word.contains(|c: char| c.is_ascii_digit())
            && !values.iter().any(|value| value.contains(&start))
    });
    let all: BTreeSet<&str> = quantities.chain(numbers).collect();
    all.into_iter().collect()
}

/// Pairs of different documents that may contradict each other, most alike first, at most `most`; and whether these are all.
pub(super) fn pairs(candidates: &[Candidate<'_>], most: usize) -> (Vec<(usize, usize)>, bool) {
    let mut having: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, candidate) in candidates.iter().enumerate() {
        for (stem, _) in &candidate.words {
            having.entry(stem).or_default().push(number);
        }
    }
    let weight = |stem: &str| weight(candidates.len(), having.get(stem).map_or(1, Vec::len));
    let (mut found, mut are_all): (Vec<Pair>, bool) = (Vec::new(), true);
    for (number, candidate) in candidates.iter().enumerate() {
        let mut keys: Vec<&Vec<usize>> =
            candidate.words.iter().filter_map(|(stem, _)| having.get(stem.as_str())).collect();
        // A word that no other statement has leads nowhere.
        keys.retain(|places| places.len() > 1);
        keys.sort_by_key(|places| places.len());
        let near = keys.into_iter().take(KEYS).flat_map(|places| around(places, number));
        let near: BTreeSet<usize> = near.collect();
        for other in near.into_iter().filter(|other| may_contradict(candidate, &candidates[*other]))
        {
            let likeness = likeness(candidate, &candidates[other], weight);
            if likeness >= ALIKE {
                found.push((likeness, (number.min(other), number.max(other))));
            }
        }
        if found.len() > ROOM * most.max(1) {
            are_all &= keep_best(&mut found, most);
        }
    }
    are_all &= keep_best(&mut found, most);
    (found.into_iter().map(|(_, pair)| pair).collect(), are_all)
}

/// A pair, with its likeness before it.
type Pair = (f64, (usize, usize));

/// So many times the wanted pairs are held before the best are chosen.
const ROOM: usize = 20;

/// The places nearest to `number` on both sides of it.
fn around(places: &[usize], number: usize) -> impl Iterator<Item = usize> {
    let (before, rest) = places.split_at(places.partition_point(|place| *place < number));
    let behind = rest.iter().filter(move |place| **place != number);
    before.iter().rev().take(NEIGHBORS).chain(behind.take(NEIGHBORS)).copied()
}

/// Keeps the pairs that are most alike, each once and few of each statement; returns true if that left none out.
fn keep_best(pairs: &mut Vec<Pair>, most: usize) -> bool {
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    pairs.dedup_by_key(|(_, pair)| *pair);
    let all = pairs.len();
    let mut of_statement: BTreeMap<usize, usize> = BTreeMap::new();
    pairs.retain(|(_, (a, b))| {
        let has_room = [a, b].iter().all(|n| of_statement.get(n).is_none_or(|n| *n < PAIRS));
        if has_room {
            for number in [*a, *b] {
                *of_statement.entry(number).or_default() += 1;
            }
        }
        has_room
    });
    pairs.truncate(most);
    pairs.len() == all
}

/// Returns true for statements of different documents that differ in their figures or in their denial.
fn may_contradict(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    one.chunk.document_id != other.chunk.document_id
        && (one.denial.is_some() != other.denial.is_some()
            || one.denies_first != other.denies_first
            || one.figures != other.figures)
}

/// The weight of a word that `having` of `all` statements have: Robertson, Understanding Inverse Document Frequency, 2004.
#[expect(clippy::cast_precision_loss, reason = "counts of statements")]
fn weight(all: usize, having: usize) -> f64 {
    (1.0 + all as f64 / having.max(1) as f64).ln()
}

/// The share of both statements' words, by their weight, that the other has, there or in its headings: two thirds of it the higher
/// share, since one statement may say more than the other. Zero where they have too few words in common.
fn likeness(one: &Candidate<'_>, other: &Candidate<'_>, weight: impl Fn(&str) -> f64) -> f64 {
    let share = |one: &Candidate<'_>, other: &Candidate<'_>| {
        let (mut had, mut all) = (0.0, 0.0);
        for (stem, _) in &one.words {
            let weight = weight(stem);
            all += weight;
            had += if other.has(stem) { weight } else { 0.0 };
        }
        had / all
    };
    if !one.is_alike(other) {
        return 0.0;
    }
    let (a, b) = (share(one, other), share(other, one));
    (2.0 * a.max(b) + a.min(b)) / 3.0
}
