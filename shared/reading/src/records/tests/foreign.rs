//! Properties that hold for the records of every text, whoever wrote it.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::damage::text;
use model::record::{About, BLOCK, RecordFile, write};
use text::secret;

fn read_any<'t>(name: &str, text: &'t str) -> Option<Records<'t>> {
    let format = crate::format::in_text(Format::of(name, "text/plain").ok()?, name, text);
    of_file(format, name, text, Near::Unknown)
}

/// Returns the number of lines up to and including that of this byte.
fn line(text: &str, byte: usize) -> u32 {
    u32::try_from(text[..byte].matches('\n').count() + 1).unwrap()
}

/// Checks that a record is a part of the text and has short values; returns its start. An entry of
/// settings may have no text, because a YAML parser may count more lines than there are.
fn check(text: &str, record: &Record<'_>) -> Result<usize, TestCaseError> {
    let start = record.text.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
    let part = text.get(start..start.saturating_add(record.text.len()));
    prop_assert!(part == Some(record.text) || record.text.is_empty());
    prop_assert!(1 <= record.lines.0 && record.lines.0 <= record.lines.1);
    for (name, value) in &record.cells {
        prop_assert!(!RESERVED.contains(&name.as_str()), "{}", name);
        prop_assert!(value.len() <= LONGEST_VALUE, "{}: {}", name, value);
    }
    Ok(start)
}

/// Checks that records of logs and tables follow each other without overlaps.
fn check_order(text: &str, records: &[Record<'_>]) -> Result<(), TestCaseError> {
    let mut end = 0;
    for record in records {
        let start = check(text, record)?;
        prop_assert!(start >= end && !record.text.is_empty() && !record.text.starts_with('\n'));
        end = start + record.text.len();
        prop_assert_eq!(record.lines, (line(text, start), line(text, end)));
    }
    Ok(())
}

fn check_templates(records: &Records<'_>) -> Result<(), TestCaseError> {
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for template in records.records.iter().filter_map(|record| record.template) {
        *counts.entry(template as usize).or_default() += 1;
    }
    let totals = records.templates.iter().map(|template| template.count).enumerate();
    prop_assert_eq!(counts, totals.collect::<BTreeMap<_, _>>());
    let is_there = |template: &Template| template.first < records.len() as u64;
    prop_assert!(records.templates.iter().all(is_there));
    Ok(())
}

/// Checks that a file returns what was written into it, except for secrets.
fn check_file(records: &Records<'_>) -> Result<(), TestCaseError> {
    let about = About { templates: records.templates.clone(), ..About::default() };
    let file = RecordFile::open(write(&records.records, about)).unwrap();
    prop_assert_eq!(file.header.records, records.len() as u64);
    for (block, batch) in file.blocks().zip(records.records.chunks(BLOCK)) {
        let lines: Vec<_> = batch.iter().map(|record| record.lines).collect();
        prop_assert_eq!(block.lines().unwrap(), lines);
        let moments: Vec<_> = batch.iter().map(|record| record.moment).collect();
        prop_assert_eq!(block.moments().unwrap(), moments);
        let texts: Vec<_> =
            batch.iter().map(|record| secret::mask(record.text).into_owned()).collect();
        prop_assert_eq!(block.texts().unwrap(), texts);
        for place in 0..file.header.columns.len() {
            let Some(column) = block.column(place).unwrap() else { continue };
            prop_assert_eq!(column.rows.len(), batch.len());
            prop_assert!(column.rows.iter().all(|row| *row as usize <= column.values.len()));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn records_stand_in_the_text_at_their_lines((name, text) in text()) {
        let Some(records) = read_any(name, &text) else { return Ok(()) };
        let is_settings = Format::of(name, "").map(|it| crate::format::in_text(it, name, &text)) == Ok(Format::Config);
        if is_settings {
            for record in &records.records {
                check(&text, record)?;
            }
        } else {
            check_order(&text, &records.records)?;
        }
        check_templates(&records)?;
        let mut columns: Vec<&str> =
            records.records.iter().flat_map(|record| &record.cells).map(|(name, _)| name.as_str()).collect();
        columns.sort_unstable();
        columns.dedup();
        prop_assert!(columns.len() <= COLUMNS);
    }

    #[test]
    fn a_record_file_gives_back_what_was_written((name, text) in text()) {
        if let Some(records) = read_any(name, &text) {
            check_file(&records)?;
        }
    }

    #[test]
    fn what_is_no_record_file_is_damaged_and_nothing_else(
        (name, text) in text(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let Some(records) = read_any(name, &text) else { return Ok(()) };
        let mut bytes = write(&records.records, About::default());
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let Ok(file) = RecordFile::open(bytes) else { return Ok(()) };
        for block in file.blocks() {
            let _ = (block.lines(), block.moments(), block.templates(), block.texts());
            for place in 0..file.header.columns.len() {
                let _ = block.column(place);
            }
        }
    }
}
