//! Tables: one record for each row, one column for each head. Commas, semicolons, tabs or bars
//! separate the cells.
//!
//! Text above the head and below the rows, such as a title, notes or a total, is neither. A row
//! with more or fewer cells than the table is not a record, since nobody knows to which columns its
//! values belong; such rows are counted.

use std::borrow::Cow;
use std::collections::HashSet;

use csv::StringRecord;
use model::record::Record;
use smol_str::{SmolStr, format_smolstr};

use super::{Cells, RESERVED, Records, value};

mod layout;
mod time;
mod total;

pub(crate) use layout::Layout;

/// Upper bound for the columns of a table.
const HEADS: usize = 1_000;

/// The rows that were read, and what is known about the last ones.
#[derive(Default)]
struct Rows<'t> {
    records: Vec<Record<'t>>,
    misfits: u64,
    /// The number of one-cell rows after the last record. They are notes, unless another record
    /// follows.
    notes: u64,
    /// The number of records with a single value, and how many of them come last.
    lone: usize,
    lone_last: usize,
}

/// Reads a table; `None` if the text is not a table.
pub(super) fn records<'t>(name: &str, text: &'t str) -> Option<Records<'t>> {
    of_layout(&Layout::of(name, text)?, text)
}

/// Reads a log whose comments name its columns; `None` if none do.
pub(super) fn announced(text: &str) -> Option<Records<'_>> {
    of_layout(&Layout::announced(text)?, text)
}

/// Reads a table whose cells are separated by tabs; `None` if it has no columns.
pub(super) fn of_tabs(text: &str) -> Option<Records<'_>> {
    of_layout(&Layout::of_tabs(text)?, text)
}

fn of_layout<'t>(layout: &Layout, text: &'t str) -> Option<Records<'t>> {
    let mut reader = layout.reader(text);
    let mut row = StringRecord::new();
    let mut heads = names(&layout.announced, layout.width);
    let mut rows = Rows::default();
    let mut place = 0;
    while reader.read_record(&mut row).ok()? {
        if Some(place) == layout.head {
            heads = names(&row, layout.width);
        } else if layout.head.is_none_or(|head| place > head) && layout::is_row(&row) {
            let end = usize::try_from(reader.position().byte()).ok()?;
            rows.add(layout, &heads, &row, text.get(..end)?)?;
        }
        place += 1;
    }
    let Rows { mut records, misfits, .. } = rows.without_notes(layout);
    if !layout.has_comments() && total::is_last(&records, layout.decimal()) {
        records.pop();
    }
    let assumed = time::assign(&mut records, &heads, layout).then(|| "UTC".to_owned());
    let decimal = layout.decimal();
    Some(Records { records, templates: Vec::new(), assumed, misfits, decimal })
}

impl<'t> Rows<'t> {
    /// Adds a row. `read` ends with its line break. `None` if the place of the row is unknown.
    fn add(
        &mut self,
        layout: &Layout,
        heads: &[SmolStr],
        row: &StringRecord,
        read: &'t str,
    ) -> Option<()> {
        let filled = layout::filled(row);
        if !layout.has(row) {
            match filled {
                1 => self.notes += 1,
                _ => self.misfits += 1,
            }
            return Some(());
        }
        self.misfits += std::mem::take(&mut self.notes);
        let is_lone = filled == 1;
        self.lone += usize::from(is_lone);
        self.lone_last = if is_lone { self.lone_last + 1 } else { 0 };
        let (lines, text) = lines(row, read, layout.has_comments())?;
        let cells = cells(heads, row, text);
        self.records.push(Record { lines, cells, text, ..Record::default() });
        Some(())
    }

    /// Removes notes that are filled up with empty cells. They are not records, unless a row above
    /// has a single value, too.
    fn without_notes(mut self, layout: &Layout) -> Rows<'t> {
        if layout.width > 2 && self.lone == self.lone_last && self.lone < self.records.len() {
            self.records.truncate(self.records.len() - self.lone);
        }
        self
    }
}

/// Returns a row's first and last line and its text, without the line breaks around it.
fn lines<'t>(
    row: &StringRecord,
    read: &'t str,
    has_comments: bool,
) -> Option<((u32, u32), &'t str)> {
    let position = row.position()?;
    let whole = read.get(usize::try_from(position.byte()).ok()?..)?;
    // A row may begin after the line break of the row before, after empty lines and comments.
    let is_above = |line: &&str| line.trim().is_empty() || has_comments && line.starts_with('#');
    let above = whole.split_inclusive('\n').take_while(is_above).map(str::len).sum();
    let (above, rest) = whole.split_at(above);
    let trimmed = rest.trim_matches(['\r', '\n']);
    let breaks = |text: &str| u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count());
    let first = u32::try_from(position.line()).ok()? + breaks(above).ok()?;
    Some(((first, first + breaks(trimmed).ok()?), trimmed))
}

/// Returns the names of the columns, without duplicates. A repeated name becomes `name_2`; a column
/// without a name is named by its place.
fn names(row: &StringRecord, width: usize) -> Vec<SmolStr> {
    let mut seen: HashSet<SmolStr> = HashSet::new();
    let name = |(place, cell): (usize, &str)| {
        let words = cell.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        let name = match words.as_str() {
            "" => format_smolstr!("column_{place}"),
            "time" => "time".into(),
            name if RESERVED.contains(&name) => format_smolstr!("field.{name}"),
            name => name.into(),
        };
        let others = (2..).map(|number| format_smolstr!("{name}_{number}"));
        let unique = std::iter::once(name.clone()).chain(others).find(|name| !seen.contains(name));
        let unique = unique.unwrap_or(name);
        seen.insert(unique.clone());
        unique
    };
    (1..).zip(row.iter()).take(width.min(HEADS)).map(name).collect()
}

/// Returns the values of a row whose text is `text`. Nearly all of them occur in the text unchanged
/// and need no memory of their own.
fn cells<'t>(heads: &[SmolStr], row: &StringRecord, text: &'t str) -> Cells<'t> {
    let mut cells = Cells::new();
    let mut rest = text;
    let has_level = heads.iter().any(|head| head == "level");
    for (head, field) in heads.iter().zip(row) {
        let Some(cell) = value(field) else { continue };
        let found = rest.find(cell.as_ref()).map(|at| rest.split_at(at).1);
        rest = found.map_or(rest, |from| &from[cell.len()..]);
        // The column keeps the file's own word. Records of all files have a level.
        if head == "severity" && !has_level {
            let level = model::level::severity(&cell);
            cells.extend(level.map(|level| ("level".into(), Cow::Borrowed(level))));
        }
        let text = match found {
            Some(from) => Cow::Borrowed(&from[..cell.len()]),
            None => Cow::Owned(cell.into_owned()),
        };
        cells.push((head.clone(), text));
    }
    cells.shrink_to_fit();
    cells
}
