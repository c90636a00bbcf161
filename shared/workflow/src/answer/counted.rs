//! Answers that were counted, and lines that were named.

use std::collections::BTreeSet;

use super::citation::file;
use super::compose::{Draft, Quote};
use super::intent::{Intent, Kind};
use super::minimal;
use super::tally::Tally;
use super::unit::Unit;
use super::wire::{Counted, Group};
use crate::document::DocumentType;
use crate::filter::Condition;

/// The most records that an answer quotes.
const QUOTED: usize = 50;

/// The most records that are listed as claims of their own.
const LISTED: usize = 30;

/// The groups of "most often" that are said, and that are counted out.
const SAID: usize = 3;
const GROUPS: usize = 10;

/// Of a record with more bytes only the first line is quoted where it is one of many, and no more than this of that.
const LONGEST: usize = 400;

/// What is said of a tally; where it is not `complete`, there may be more.
pub(super) fn drafts<'c>(tally: &Tally<'c>, intent: &Intent, complete: bool) -> Vec<Draft<'c>> {
    let fitting = &tally.fitting;
    match intent.kind {
        Kind::Lines => {
            fitting.iter().take(QUOTED).map(|own| Draft::verbatim(Quote::of(own))).collect()
        }
        Kind::Count => vec![count(tally, complete)],
        Kind::First => fitting.first().map(minimal::record_of).into_iter().collect(),
        Kind::Last => fitting.last().map(minimal::record_of).into_iter().collect(),
        Kind::Most => most(tally),
        Kind::List | Kind::Plain => fitting.iter().take(LISTED).map(listed).collect(),
    }
}

/// What was counted, for the caller's programs.
pub(super) fn counted(tally: &Tally<'_>, intent: &Intent, complete: bool) -> Counted {
    let what = match intent.kind {
        Kind::Plain | Kind::List => "list",
        Kind::Lines => "lines",
        Kind::Count => "count",
        Kind::First => "first",
        Kind::Last => "last",
        Kind::Most => "most",
    };
    let group = |(key, own): &(String, Vec<usize>)| Group { key: key.clone(), number: own.len() };
    Counted {
        what: what.into(),
        number: tally.fitting.len(),
        of: noun(&tally.fitting).into(),
        complete,
        groups: tally.groups.iter().take(GROUPS).map(group).collect(),
    }
}

fn noun(units: &[Unit<'_>]) -> &'static str {
    let is_log = |unit: &Unit<'_>| unit.chunk.document_type == DocumentType::Log;
    if !units.is_empty() && units.iter().all(is_log) { "records" } else { "lines" }
}

/// `12 records with severity ERROR with "lag" and "fetcher" in app.log`.
fn count<'c>(tally: &Tally<'c>, complete: bool) -> Draft<'c> {
    let fitting = &tally.fitting;
    let names: BTreeSet<&str> = fitting.iter().map(|unit| file(&unit.chunk.name)).collect();
    let place = match names.len() {
        0 => String::new(),
        1..=3 => format!(" in {}", names.into_iter().collect::<Vec<_>>().join(", ")),
        more => format!(" in {more} documents"),
    };
    let least = if complete { "" } else { "at least " };
    let noun = noun(fitting);
    let noun = if fitting.len() == 1 { noun.trim_end_matches('s') } else { noun };
    Draft {
        text: format!("{least}{} {noun}{}{place}", fitting.len(), conditions(tally)),
        quotes: fitting.iter().take(QUOTED).map(quote).collect(),
        shown: usize::MAX,
    }
}

/// What the records had to satisfy, in words.
fn conditions(tally: &Tally<'_>) -> String {
    let intent = &tally.by_words;
    let mut all: Vec<String> = Vec::new();
    for (condition, _) in &intent.conditions {
        match condition {
            Condition::AnyOf(field, values) => {
                all.push(format!("with {} {}", field.name(), values.join(" or ")));
            }
            Condition::Lines(_) | Condition::Times(_) => {}
        }
    }
    if let Some((values, _)) = &intent.left_out {
        all.push(format!("without {}", values.join(" or ")));
    }
    if let Some((_, words)) = &intent.moment {
        all.push(words.join(" "));
    }
    if !tally.words.is_empty() {
        let words: Vec<String> = tally.words.iter().map(|word| format!("\"{word}\"")).collect();
        all.push(format!("with {}", words.join(" and ")));
    }
    if all.is_empty() { String::new() } else { format!(" {}", all.join(" ")) }
}

/// "10.0.0.7: 31 of 420 records".
fn most<'c>(tally: &Tally<'c>) -> Vec<Draft<'c>> {
    let number: usize = tally.groups.iter().map(|(_, own)| own.len()).sum();
    let noun = noun(&tally.fitting);
    let said = tally.groups.iter().take(SAID).map(|(key, own)| Draft {
        text: format!("{key}: {} of {number} {noun}", own.len()),
        quotes: own.iter().take(SAID).map(|place| quote(&tally.fitting[*place])).collect(),
        shown: usize::MAX,
    });
    said.collect()
}

fn listed<'c>(unit: &Unit<'c>) -> Draft<'c> {
    if unit.chunk.document_type == DocumentType::Log {
        return Draft::verbatim(quote(unit));
    }
    minimal::record_of(unit)
}

/// A record, cut after its first line where it is long.
fn quote<'c>(unit: &Unit<'c>) -> Quote<'c> {
    let text = unit.text();
    let line = text.find('\n').unwrap_or(text.len());
    let end =
        if text.len() > LONGEST { text.floor_char_boundary(line.min(LONGEST)) } else { text.len() };
    Quote { range: unit.range.start..unit.range.start + end, ..Quote::of(unit) }
}
