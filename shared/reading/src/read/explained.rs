//! The account of how a document was read.

use std::collections::{BTreeMap, BTreeSet};

use model::entry::{Entry, ReadAs};
use model::evidence::PointKind;
use model::format::Format;

use crate::chunk::{Extract, table};
use crate::limit::label;

/// Upper bounds for the parts that were left out, and for the bytes of one.
const PARTS: usize = 20;
const PART: usize = 200;

/// Returns the account. `records` is the number of records, `misfits` that of rows that are none.
pub(super) fn explained(
    format: Format,
    encoding: Option<&str>,
    entries: &[Entry],
    extract: &Extract,
    records: u64,
    misfits: u64,
) -> ReadAs {
    let passages = || {
        entries.iter().filter(|entry| entry.kind == PointKind::Passage).map(|entry| &entry.passage)
    };
    let sections: BTreeSet<&str> =
        passages().map(|passage| &*passage.section).filter(|section| !section.is_empty()).collect();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut facts: BTreeMap<String, u32> = BTreeMap::new();
    for entry in entries {
        let of = &entry.passage.facts;
        let kinds = [
            ("definitions", of.defines.len()),
            ("requirements", of.requires.len()),
            ("statements", of.statements.list.len()),
            ("symbols", of.symbols.len()),
            (
                "failure_report",
                usize::from(of.report.is_some() && entry.kind == PointKind::Document),
            ),
            ("decision", usize::from(of.decision.is_some() && entry.kind == PointKind::Document)),
        ];
        for (kind, number) in kinds.into_iter().filter(|(_, number)| *number > 0) {
            *facts.entry(kind.into()).or_default() += count(number);
        }
    }
    let mut left_out: Vec<String> = extract.left_out.iter().map(|part| label(part, PART)).collect();
    if misfits > 0 {
        left_out.push(format!("{misfits} rows that do not fit the columns"));
    }
    if left_out.len() > PARTS {
        let more = left_out.len() - PARTS + 1;
        left_out.truncate(PARTS - 1);
        left_out.push(format!("and {more} more"));
    }
    ReadAs {
        format: format.name().into(),
        owner: None,
        encoding: encoding.map(str::to_owned),
        sections: count(sections.len()),
        tables: count(table::count(format, &extract.text).max(extract.grids.len())),
        records,
        facts,
        left_out,
    }
}
