//! Finds pairs of statements that may contradict each other, for a language model to judge.
//!
//! The rules of `compare` decide by themselves and are strict. Here a pair only needs similar
//! words, and figures that differ or a denial in one of the two; the model decides which pairs are
//! about one subject.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ask::claim::first_clause;
use model::document::Passage;
use model::facts::{Statement, range};

use super::claim::{self, Heads};

/// Lower bound for the likeness of a pair that is shown to a model.
const ALIKE: f64 = 0.3;

/// Lower bound for the words of each statement of a pair that the other statement has, too.
const SHARED: usize = 2;

/// The number of words by which a statement finds others, which are its rarest ones; and the number
/// of statements that each word finds before it and after it.
const KEYS: usize = 3;
const NEIGHBORS: usize = 50;

/// Upper bound for the pairs of one statement. Otherwise a field that each document of a kind fills
/// in for itself would displace all other pairs.
const PAIRS: usize = 5;

/// Upper bound for the statements of a passage.
const STATEMENTS: usize = 60;

/// A statement with the parts that are compared.
pub(super) struct Candidate<'a> {
    pub passage: &'a Passage,
    /// The statement, verbatim.
    pub text: &'a str,
    /// For a table row, the heads of the columns except the first.
    pub columns: Vec<&'a str>,
    /// The values and numbers, as they are written, sorted.
    pub figures: Vec<&'a str>,
    /// The word that denies, in any place of the statement.
    pub denial: Option<String>,
    /// True if the first clause denies. A denial in another clause may be about another thing.
    denies_first: bool,
    /// The words, including those of a cell's heads, each after its stem, in order.
    pub words: Vec<(String, &'a str)>,
    /// The same stems, and those of the headings above the statement.
    known: BTreeSet<String>,
}

impl Candidate<'_> {
    /// Returns true if the statement or a heading above it has the word.
    pub(super) fn has(&self, stem: &str) -> bool {
        self.known.contains(stem)
    }

    /// Returns true if each of the two has enough words in common with the other.
    pub(super) fn is_alike(&self, other: &Candidate<'_>) -> bool {
        let has_some = |one: &Candidate<'_>, other: &Candidate<'_>| {
            one.words.iter().filter(|(stem, _)| other.has(stem)).count() >= SHARED
        };
        has_some(self, other) && has_some(other, self)
    }
}

/// Returns the statements of passages that can be compared.
pub(super) fn candidates<'a>(passages: &[&'a Passage]) -> Vec<Candidate<'a>> {
    passages.iter().flat_map(|passage| of_passage(passage)).collect()
}

fn of_passage(passage: &Passage) -> Vec<Candidate<'_>> {
    let statements: Vec<&Statement> =
        passage.facts.statements.list.iter().filter(|statement| !statement.is_code).collect();
    // The cells of a row form one statement.
    let of_row = |a: &&Statement, b: &&Statement| a.cell.is_some() && a.quote == b.quote;
    let rows = statements.chunk_by(of_row);
    rows.filter_map(|statements| of_statements(passage, statements)).take(STATEMENTS).collect()
}

/// Reads a sentence, an item, or the cells of a row.
fn of_statements<'a>(passage: &'a Passage, statements: &[&Statement]) -> Option<Candidate<'a>> {
    let first = statements.first()?;
    let is_row = first.cell.is_some();
    let text = passage.text.get(range(first.quote))?;
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
        let Heads { of_cell, stems } = claim::heads(passage, statement);
        // The first head is that of the row, which is a part of the row.
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
    let candidate =
        Candidate { passage, text, columns, figures, denial, denies_first, words, known };
    (!candidate.words.is_empty()).then_some(candidate)
}

/// Returns the values of a text, which begins at byte `at`, and its other numbers.
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

/// Returns pairs of different documents that may contradict each other, the most similar ones
/// first, at most `most`; with true if these are all.
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
        // A word that no other statement has finds nothing.
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

/// The likeness of a pair, and the pair.
type Pair = (f64, (usize, usize));

/// The factor by which collected pairs may exceed the wanted number before the best are chosen.
const ROOM: usize = 20;

/// Returns the places nearest to `number` on both sides of it.
fn around(places: &[usize], number: usize) -> impl Iterator<Item = usize> {
    let (before, rest) = places.split_at(places.partition_point(|place| *place < number));
    let behind = rest.iter().filter(move |place| **place != number);
    before.iter().rev().take(NEIGHBORS).chain(behind.take(NEIGHBORS)).copied()
}

/// Keeps the most similar pairs, each once and only a few of each statement. Returns true if no
/// pair was left out by that.
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

/// Returns true for statements of different documents that differ in their figures or in their
/// denial.
fn may_contradict(one: &Candidate<'_>, other: &Candidate<'_>) -> bool {
    one.passage.document_id != other.passage.document_id
        && (one.denial.is_some() != other.denial.is_some()
            || one.denies_first != other.denies_first
            || one.figures != other.figures)
}

/// Returns the weight of a word that `having` of `all` statements have: Robertson, Understanding
/// Inverse Document Frequency, 2004.
#[expect(clippy::cast_precision_loss, reason = "counts of statements")]
fn weight(all: usize, having: usize) -> f64 {
    (1.0 + all as f64 / having.max(1) as f64).ln()
}

/// Returns the likeness of two statements, from the weighted share of each one's words that the
/// other has, in itself or in its headings. The higher share counts two thirds, because one
/// statement may say more than the other. Returns zero if they have too few words in common.
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
