//! Answers from all records that fit, not from the nearest few: how many, the first, the last, the most frequent, all.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::extract::place;
use super::group;
use super::intent::{Intent, Kind};
use super::item;
use super::unit::{self, Unit};
use super::words::{Mask, Words, pattern, stems};
use crate::document::{Chunk, DocumentType};
use crate::filter::{Condition, Field};
use crate::term::stem;
use crate::topic::is_common;

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

/// A record must have this share of the question's words, weighed by how rare they are.
const ENOUGH: f64 = 0.5;

/// Words for what is searched and not for what is sought there.
const OF_THE_PLACE: [&str; 40] = [
    "sent", "send", "request", "requests", "made", "make", "asked", "called", "visited",
    "accessed", "issued", "server", "defined", "produced", "log", "logs", "file", "files", "case",
    "evidence", "system", "occurred", "appear", "value", "entries", "there", "happened", "happen",
    "occur", "seen", "written", "total", "whole", "between", "time", "day", "see", "find",
    "present", "contain",
];

/// Goes through the records of `chunks`. `known` are words that need not stand in a record: those of the documents'
/// names. Where documents are `named`, theirs come before others'.
pub(super) fn tally<'c>(
    chunks: &'c [Chunk],
    intent: &Intent,
    (question, known, named): (&str, &HashSet<String>, &[String]),
) -> Tally<'c> {
    let chunks: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.lines.is_some()).collect();
    if intent.kind == Kind::Lines {
        return lines(&chunks, intent, named);
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
    let sought = sought(intent, known, !named.is_empty());
    prefer(&mut fitting, named);
    if !sought.is_empty() {
        let words = Words::of(&sought.join(" "));
        let is_filtered = !intent.conditions.is_empty() || intent.moment.is_some();
        let may_be_all = is_filtered || intent.kind == Kind::Most;
        (fitting, tally.words) = having(fitting, &words, may_be_all);
    }
    fitting.sort_by_key(|unit| (unit.time.is_none(), unit.time, place(unit)));
    if intent.kind == Kind::Most {
        tally.groups = group::groups(&fitting, intent.counted.as_deref());
    }
    tally.fitting = fitting;
    tally
}

/// The lines that a question names, as they stand; of documents that are `named` alone, where there are any.
fn lines<'c>(chunks: &[&'c Chunk], intent: &Intent, named: &[String]) -> Tally<'c> {
    let of = |chunk: &&'c Chunk| match chunk.document_type {
        DocumentType::Log => unit::lines_of(&[chunk]),
        _ => unit::numbered(chunk).collect(),
    };
    let mut fitting: Vec<Unit<'c>> = chunks.iter().flat_map(of).collect();
    fitting.retain(|unit| fits(unit, intent));
    prefer(&mut fitting, named);
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

/// Leaves only the records of documents that are named, where there are any.
fn prefer(fitting: &mut Vec<Unit<'_>>, named: &[String]) {
    let is_named = |unit: &Unit<'_>| named.contains(&unit.chunk.name);
    if fitting.iter().any(is_named) {
        fitting.retain(is_named);
    }
}

/// The words that a record must have.
pub(super) fn sought(intent: &Intent, known: &HashSet<String>, is_named: bool) -> Vec<String> {
    let rest = CLOCK.replace_all(&intent.rest, " ");
    let counted = intent.counted.as_deref().unwrap_or_default();
    let counted: HashSet<String> = stems(counted).collect();
    let words = Words::of(&rest).own.into_iter();
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    words
        .filter(|word| is_sought(word, known) && !counted.contains(&stem(word)))
        .filter(|word| {
            !(is_named && (is_number(word) || NUMBERED.contains(&word.to_lowercase().as_str())))
        })
        .collect()
}

/// A time of day in a name of something: "the log of 10:20".
static CLOCK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b"));

/// What is told apart by a number.
const NUMBERED: [&str; 8] =
    ["broker", "node", "server", "controller", "host", "replica", "instance", "worker"];

fn is_sought(word: &str, known: &HashSet<String>) -> bool {
    !is_idle(word) && !known.contains(&stem(word))
}

/// Whether a word says where is searched and not what.
fn is_idle(word: &str) -> bool {
    let lower = word.to_lowercase();
    is_common(&lower) || OF_THE_PLACE.contains(&lower.as_str())
}

/// Whether a record itself satisfies what the question says: severities and codes are of records alone.
pub(super) fn fits(unit: &Unit<'_>, intent: &Intent) -> bool {
    let is_in_time = intent.moment.as_ref().is_none_or(|(moment, _)| {
        unit.time.or(unit.chunk.time.map(|(first, _)| first)).is_some_and(|time| moment.has(time))
    });
    let read = intent.conditions.iter().map(|(condition, _)| condition);
    is_in_time && read.chain(&intent.own).all(|condition| satisfies(unit, condition))
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

/// The units that have the words which the best of them has, and these words. Where they are told apart by more than
/// words, `may_be_all` of them.
fn having<'c>(
    units: Vec<Unit<'c>>,
    words: &Words,
    may_be_all: bool,
) -> (Vec<Unit<'c>>, Vec<String>) {
    let mut seen = HashMap::new();
    let masks: Vec<Mask> = units.iter().map(|unit| words.mask(unit.text(), &mut seen)).collect();
    let found = masks.iter().fold(Mask::default(), |all, own| all.with(*own));
    // What stands nowhere tells no record from another.
    let mut weights = words.weights(&masks);
    for (word, weight) in weights.iter_mut().enumerate() {
        if !found.has(word) {
            *weight = 0.0;
        }
    }
    let share = |mask: &Mask| Words::share(*mask, &weights);
    let best = masks.iter().max_by(|a, b| share(a).total_cmp(&share(b))).copied();
    let best = best.unwrap_or_default();
    if share(&best) < ENOUGH {
        return (if may_be_all { units } else { Vec::new() }, Vec::new());
    }
    let has = |own: &Mask| {
        let either = own.own | own.alike;
        own.own & best.own == best.own && either & best.alike == best.alike
    };
    let fitting = units.into_iter().zip(masks).filter(|(_, mask)| has(mask));
    let held = (0..words.own.len()).filter(|word| best.has(*word));
    (fitting.map(|(unit, _)| unit).collect(), held.map(|word| words.own[word].clone()).collect())
}
