//! Files of records: logs, access logs, JSON lines, tables and settings. Each record has typed
//! columns.
//!
//! A record is never cut: a long line is one record. Lines that do not begin a record, such as a
//! stack trace, belong to the record above. [`of_file`] separates the records, `fields` and
//! `object` read their columns, `template` groups the records that one statement of a program
//! wrote, and `setting` reads configuration files.

use std::borrow::Cow;

use model::format::Format;
use model::record::{Decimal, LONGEST_VALUE, Moment, Record, Template};
use smol_str::{SmolStr, format_smolstr};

use crate::chunk::{Near, log};

mod fields;
mod grid;
mod head;
mod object;
mod setting;
mod shape;
mod table;
mod template;

pub(crate) use grid::of_grids;
pub(crate) use shape::Shape;
pub(crate) use table::Layout;

/// Upper bound for the columns of a file. The columns that most records have are kept.
const COLUMNS: usize = 200;

/// The number of records or rows that are examined to find what they have in common.
const SAMPLE: usize = 1_000;

/// The records of a file in order, with their templates.
#[derive(Debug, Default)]
pub struct Records<'t> {
    /// The records.
    pub records: Vec<Record<'t>>,
    /// The templates that records of one statement share; settings and tables have none.
    pub templates: Vec<Template>,
    /// The assumptions about the records' times: the zone, the year, or both, as in `UTC, 2026`.
    pub assumed: Option<String>,
    /// The number of rows that do not fit the table's columns and are not records.
    pub misfits: u64,
    /// The decimal mark of the file's numbers, for numbers that can be read in two ways.
    pub decimal: Decimal,
}

impl Records<'_> {
    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns true if there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

/// The values of a record, each under the name of its column.
type Cells<'t> = Vec<(SmolStr, Cow<'t, str>)>;

/// Reads the records of a text; `None` for prose and source code, which have none.
pub fn of_file<'t>(format: Format, name: &str, text: &'t str, near: Near) -> Option<Records<'t>> {
    let mut found = match format {
        Format::Log => table::announced(text).unwrap_or_else(|| of_log(text, near)),
        Format::Config => Records { records: setting::records(name, text), ..Records::default() },
        Format::Plain => table::records(name, text)?,
        _ => return None,
    };
    rename_reserved(&mut found.records);
    keep_frequent_columns(&mut found.records);
    if format == Format::Log {
        found.templates = template::assign(&mut found.records);
    }
    Some(found)
}

/// Returns the format of a text that has records. A log whose lines are rows below a head is a
/// table, unless comments name its columns.
pub(crate) fn format_in(format: Format, name: &str, text: &str) -> Format {
    let is_table = || Layout::announced(text).is_none() && Layout::of(name, text).is_some();
    if format == Format::Log && is_table() { Format::Plain } else { format }
}

fn of_log(text: &str, near: Near) -> Records<'_> {
    let entries = log::entries(text, near);
    let assumed = log::assumed(&entries);
    Records { records: log_records(text, entries), assumed, ..Records::default() }
}

fn log_records(text: &str, entries: Vec<log::Entry>) -> Vec<Record<'_>> {
    let mut lines = Lines::default();
    let mut names = Names::default();
    let mut records = Vec::new();
    let has_hosts = has_hosts(text, &entries);
    for entry in entries {
        let part = &text[entry.record.range.clone()];
        let body = part.trim_end();
        let lines = lines.next(body, part);
        if body.trim_start().is_empty() {
            continue;
        }
        let moment = entry
            .record
            .time
            .map(|time| Moment { micros: time.as_microsecond(), ahead: entry.ahead() });
        let body = without_empty_lines(body);
        let mut cells = fields::cells(body, &entry, has_hosts);
        names.share(&mut cells);
        cells.shrink_to_fit();
        records.push(Record { lines, moment, cells, template: None, text: body });
    }
    records
}

/// Returns true if most records of a log have a host after their time, judged by the first records.
fn has_hosts(text: &str, entries: &[log::Entry]) -> bool {
    let first = &entries[..entries.len().min(SAMPLE)];
    let has_host =
        |entry: &&log::Entry| head::has_host(&text[entry.record.range.clone()], entry.stamp_at);
    2 * first.iter().filter(has_host).count() > first.len()
}

/// Returns a record without the empty lines above it, which belong to no record.
fn without_empty_lines(body: &str) -> &str {
    let blank = &body[..body.len() - body.trim_start().len()];
    &body[blank.rfind('\n').map_or(0, |at| at + 1)..]
}

/// The column names that need their own memory, each stored once: a million records share the same
/// names.
#[derive(Default)]
struct Names(std::collections::HashSet<SmolStr>);

/// Upper bound for these names; a value under any further name is dropped.
const NAMES: usize = 20_000;

impl Names {
    fn share(&mut self, cells: &mut Cells<'_>) {
        cells.retain_mut(|(name, _)| {
            if !name.is_heap_allocated() {
                return true;
            }
            if let Some(known) = self.0.get(name.as_str()) {
                *name = known.clone();
                return true;
            }
            self.0.len() < NAMES && self.0.insert(name.clone())
        });
    }
}

/// Counts the lines of a text that arrives in pieces.
#[derive(Default)]
struct Lines {
    before: u32,
}

impl Lines {
    /// Returns the first and last line of `body`, which is the beginning of `whole`.
    fn next(&mut self, body: &str, whole: &str) -> (u32, u32) {
        let breaks = |text: &str| {
            let count = text.bytes().filter(|byte| *byte == b'\n').count();
            u32::try_from(count).unwrap_or(u32::MAX)
        };
        // Empty lines above a record belong to no record.
        let above = breaks(&body[..body.len() - body.trim_start().len()]);
        let first = self.before + above + 1;
        let last = self.before + breaks(body) + 1;
        self.before += breaks(whole);
        (first, last)
    }
}

/// Returns a value in the form in which a column stores it, cut if it is too long; `None` if it is
/// empty or "-".
fn value(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    let is_none = text.is_empty() || text == "-";
    (!is_none).then(|| Cow::Borrowed(&text[..text.floor_char_boundary(LONGEST_VALUE)]))
}

/// Adds a value, unless its column already has one.
fn add<'t>(cells: &mut Cells<'t>, name: &str, text: Option<Cow<'t, str>>) {
    if let Some(text) = text
        && !cells.iter().any(|(cell, _)| cell == name)
    {
        cells.push((name.into(), text));
    }
}

/// Columns that every record has. A column of the file with such a name is renamed.
const RESERVED: [&str; 7] = ["file", "instance", "line", "time", "clock", "template", "text"];

fn rename_reserved(records: &mut [Record<'_>]) {
    for (name, _) in records.iter_mut().flat_map(|record| &mut record.cells) {
        if RESERVED.contains(&name.as_str()) {
            *name = format_smolstr!("field.{name}");
        }
    }
}

fn keep_frequent_columns(records: &mut [Record<'_>]) {
    let mut counts: std::collections::HashMap<SmolStr, usize> = std::collections::HashMap::new();
    for (name, _) in records.iter().flat_map(|record| &record.cells) {
        match counts.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(counts.insert(name.clone(), 1)),
        }
    }
    if counts.len() <= COLUMNS {
        return;
    }
    let mut counts: Vec<(SmolStr, usize)> = counts.into_iter().collect();
    counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.truncate(COLUMNS);
    let kept: std::collections::HashSet<SmolStr> =
        counts.into_iter().map(|(name, _)| name).collect();
    for record in records {
        record.cells.retain(|(name, _)| kept.contains(name));
    }
}

#[cfg(test)]
mod tests;
