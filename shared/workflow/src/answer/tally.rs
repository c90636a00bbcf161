//! Answers from all records that fit, not from the nearest few: how many, the first, the last, the most frequent, all.

use std::collections::{BTreeSet, HashSet};

use super::extract::place;
use super::group;
use super::intent::{Intent, Kind};
use super::item;
use super::mention::Mentioned;
use super::unit::{self, Unit};
use super::words::{Words, stems};
use crate::document::{Chunk, DocumentType};
use crate::filter::{Condition, Field};
use crate::term::stem;

mod sought;

pub(super) use sought::sought;
use sought::{by_method, by_name, having, is_idle, leave_place};

/// What came of going through all records.
#[derive(Debug, Default)]
pub(super) struct Tally<'c> {
    /// The records that fit: by time where they have one, else by place.
    pub fitting: Vec<Unit<'c>>,
    /// What "most often" groups them by: each group's name and its records' places in `fitting`, the largest first.
    pub groups: Vec<(String, Vec<usize>)>,
    /// What the records had to satisfy in the end.
    pub by_words: Intent,
    /// The question's words that each of them has, or words that say the same.
    pub words: Vec<String>,
}

impl Tally<'_> {
    /// Whether no record says anything of what is asked.
    pub(super) fn is_empty_for(&self, intent: &Intent) -> bool {
        match intent.kind {
            Kind::Most => self.groups.is_empty(),
            _ => self.fitting.is_empty(),
        }
    }
}

/// Goes through the records of `chunks`. `known` are words that need not stand in a record: those of the documents'
/// names. Where documents are `named`, theirs come before others'.
pub(super) fn tally<'c>(
    chunks: &'c [Chunk],
    intent: &Intent,
    (question, known, mentioned): (&str, &HashSet<String>, &Mentioned),
) -> Tally<'c> {
    let chunks: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.lines.is_some()).collect();
    if intent.kind == Kind::Lines {
        return lines(&chunks, intent, mentioned);
    }
    let all = unit::by_document(&chunks, unit::records);
    if let Some(tally) = listed(&all, intent, question) {
        return tally;
    }
    let intent = &intent.by_words(|field| match field {
        Field::Severity => all.iter().all(|unit| unit.severity.is_none()),
        _ => all.iter().all(|unit| unit.code.is_empty()),
    });
    let mut fitting: Vec<Unit<'c>> =
        all.into_iter().filter(|unit| unit.begins && fits(unit, intent)).collect();
    // The first and the last are so in time.
    if matches!(intent.kind, Kind::First | Kind::Last)
        && fitting.iter().any(|own| own.time.is_some())
    {
        fitting.retain(|own| own.time.is_some());
    }
    let mut tally = Tally { by_words: intent.clone(), ..Tally::default() };
    let mut sought = sought(intent, known, !mentioned.named.is_empty());
    prefer(&mut fitting, mentioned, &chunks);
    tally.words = by_method(&mut fitting, &mut sought);
    tally.words.extend(by_name(&mut fitting, &mut sought, &intent.rest));
    leave_place(&mut sought, question, &chunks);
    if !sought.is_empty() {
        let words = Words::of(&sought.join(" "));
        let is_filtered = !intent.conditions.is_empty() || intent.moment.is_some();
        let may_be_all = is_filtered || intent.kind == Kind::Most;
        let is_number = intent.kind == Kind::Count;
        tally.words.extend(having(&mut fitting, &words, (is_number, may_be_all)));
    }
    fitting.sort_by_key(|unit| (unit.time.is_none(), unit.time, place(unit)));
    if intent.kind == Kind::Most {
        tally.groups = group::groups(&fitting, intent.counted.as_deref());
    }
    tally.fitting = fitting;
    tally
}

/// The lines that a question names, as they stand; of documents that are `named` alone, where there are any.
fn lines<'c>(chunks: &[&'c Chunk], intent: &Intent, mentioned: &Mentioned) -> Tally<'c> {
    let of = |chunk: &&'c Chunk| match chunk.document_type {
        DocumentType::Log => unit::lines_of(&[chunk]),
        _ => unit::numbered(chunk).collect(),
    };
    let mut fitting: Vec<Unit<'c>> = chunks.iter().flat_map(of).collect();
    fitting.retain(|unit| fits(unit, intent));
    prefer(&mut fitting, mentioned, chunks);
    fitting.sort_by(|a, b| {
        let by_name = a.chunk.name.cmp(&b.chunk.name);
        by_name.then_with(|| place(a).cmp(&place(b)))
    });
    Tally { fitting, by_words: intent.clone(), ..Tally::default() }
}

/// What settings list under the noun that is asked for.
fn listed<'c>(all: &[Unit<'c>], intent: &Intent, question: &str) -> Option<Tally<'c>> {
    if !matches!(intent.kind, Kind::Count | Kind::List) {
        return None;
    }
    let words = intent.by_words(|_| true);
    let sought: Vec<String> = Words::of(&words.rest).own;
    let sought: Vec<String> = sought.into_iter().filter(|word| !is_idle(word)).collect();
    let titles: BTreeSet<&str> = all.iter().map(|unit| unit.chunk.title.as_str()).collect();
    let known: HashSet<String> = titles.iter().flat_map(|own| stems(own)).collect();
    let is_known = |word: &String| known.contains(&stem(word));
    let without: Vec<String> = sought.iter().filter(|word| !is_known(word)).cloned().collect();
    let fitting = item::items(all, question, &without);
    (!fitting.is_empty()).then(|| Tally { fitting, by_words: words, ..Tally::default() })
}

/// Leaves only the records of documents that are named, where there are any, or where these are logs by their names.
fn prefer(fitting: &mut Vec<Unit<'_>>, mentioned: &Mentioned, chunks: &[&Chunk]) {
    let is_named = |unit: &Unit<'_>| mentioned.named.contains(&unit.chunk.name);
    let is_meant = |chunk: &&Chunk| {
        chunk.document_type == DocumentType::Log && mentioned.meant.contains(&chunk.name)
    };
    if fitting.iter().any(is_named) || chunks.iter().any(is_meant) {
        fitting.retain(is_named);
    }
}

/// Whether a record itself satisfies what the question says: severities and codes are of records alone.
pub(super) fn fits(unit: &Unit<'_>, intent: &Intent) -> bool {
    let is_in_time = intent.moment.as_ref().is_none_or(|(moment, _)| {
        unit.time.or(unit.chunk.time.map(|(first, _)| first)).is_some_and(|time| moment.has(time))
    });
    let read = intent.conditions.iter().map(|(condition, _)| condition);
    let is_left_out = |own| intent.left_out.iter().any(|(values, _)| values.contains(own));
    let is_meant = !unit.code.iter().chain(&unit.severity).any(is_left_out);
    is_in_time && is_meant && read.chain(&intent.own).all(|condition| satisfies(unit, condition))
}

/// Whether a record itself satisfies a condition that its passage does.
pub(super) fn satisfies(unit: &Unit<'_>, condition: &Condition) -> bool {
    let is_log = unit.chunk.document_type == DocumentType::Log;
    match condition {
        Condition::AnyOf(Field::Severity, wanted) => {
            is_log && unit.severity.as_ref().is_some_and(|own| wanted.contains(own))
        }
        Condition::AnyOf(Field::Code, wanted) => {
            is_log && unit.code.iter().any(|own| wanted.contains(own))
        }
        Condition::Lines(ranges) => unit.lines.is_some_and(|(first, last)| {
            ranges.iter().any(|(from, to)| *from <= last && first <= *to)
        }),
        Condition::Times(ranges) => unit
            .time
            .is_none_or(|time| ranges.iter().any(|(from, to)| *from <= time && time <= *to)),
        Condition::AnyOf(..) => true,
    }
}
