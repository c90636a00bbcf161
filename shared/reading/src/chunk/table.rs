//! Tables of pages and documents: written as Markdown in parts that fit a passage, each below the
//! heads of its columns.

use std::ops::Range;

use model::format::Format;

use super::Extract;
use super::grid::{Grid, Row, Tsv};
use super::split::LARGEST;
use crate::limit::{NAME, label};

mod asciidoc;
mod drawn;

use drawn::DrawnRow;
pub(super) use drawn::of_file;
pub(crate) use drawn::{Drawn, count, drawn};

/// Upper bound for the bytes of a part. A caption still fits into its passage.
const PART: usize = LARGEST * 4 / 5;

/// The number of rows from which a table has records.
const RECORDS: usize = 20;

/// Upper bound for the bytes that the tables of a document may take beyond those of their cells: a
/// cell stands in each place that it covers, and short rows are filled up.
pub(super) const FILLED: usize = 4 << 20;

/// The bytes of an empty cell.
const EMPTY: usize = size_of::<Option<String>>();

/// Upper bound for the rows or columns that a cell covers.
const SPAN: usize = 100;

/// A cell of a table that is being read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// The number of columns and rows that it covers.
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// True if it is a head.
    pub(super) is_head: bool,
}

/// A table with a text for each row and column.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// Lays out cells that may cover several places; each of these has its text. Rows of heads at
    /// the top become one. `left` is the rest of [`FILLED`]. `None` if a column or a row is all
    /// there is, or if too much is filled.
    pub(super) fn of(caption: &str, cells: &[Vec<Cell>], left: &mut usize) -> Option<Table> {
        let mut rows: Vec<Vec<Option<String>>> = vec![Vec::new(); cells.len()];
        let height_of_all = cells.len();
        for (number, cells) in cells.iter().enumerate() {
            let (mut column, rows_below) = (0, height_of_all - number);
            for cell in cells {
                while rows[number].get(column).is_some_and(Option::is_some) {
                    column += 1;
                }
                let (width, height) = (cell.columns.clamp(1, SPAN), cell.rows.clamp(1, SPAN));
                let height = height.min(rows_below);
                let places = width * height - 1;
                *left = left.checked_sub(places * (cell.text.len() + EMPTY))?;
                for row in rows.iter_mut().skip(number).take(height) {
                    row.resize((column + width).max(row.len()), None);
                    row[column..column + width].fill(Some(cell.text.clone()));
                }
                column += width;
            }
        }
        let width = rows.iter().map(Vec::len).max()?;
        let missing: usize = rows.iter().map(|row| width - row.len()).sum();
        *left = left.checked_sub(missing * EMPTY)?;
        // A row of cells that all cover the next one, too, is no row of its own.
        let is_full =
            |row: &[Option<String>]| row.len() == width && row.iter().all(Option::is_some);
        let is_row = |(row, cells): &(Vec<Option<String>>, &Vec<Cell>)| {
            is_full(row) || cells.is_empty() || cells.iter().any(|cell| cell.rows < 2)
        };
        let rows: Vec<(Vec<Option<String>>, &Vec<Cell>)> =
            rows.into_iter().zip(cells).filter(is_row).collect();
        if width < 2 || rows.len() < 2 {
            return None;
        }
        let is_head = |(row, cells): &&(Vec<Option<String>>, &Vec<Cell>)| {
            is_full(row) && cells.iter().all(|cell| cell.is_head)
        };
        let heads = rows.iter().take_while(is_head).count().clamp(1, rows.len() - 1);
        let mut texts = rows.into_iter().map(|(row, _)| {
            let mut row: Vec<String> = row.into_iter().map(Option::unwrap_or_default).collect();
            row.resize(width, String::new());
            row
        });
        let heads = texts.by_ref().take(heads).reduce(joined)?;
        Some(Table { caption: caption.into(), heads, rows: texts.collect() })
    }

    /// Writes the table below what is there, and adds its rows to the records if they are many.
    /// `place` is the table's name among records.
    pub(super) fn write(&self, place: &str, extract: &mut Extract) {
        let rows = self.write_text(PART, &mut extract.text);
        if self.rows.len() < RECORDS {
            return;
        }
        let mut tsv = Tsv::new(self.heads.len());
        for row in std::iter::once(&self.heads).chain(&self.rows) {
            tsv.push(row.iter().map(String::as_str));
        }
        let rows = (1..).zip(rows).map(|(number, range)| Row { range, number });
        let rows = std::iter::once(Row::default()).chain(rows).collect();
        let name = if self.caption.is_empty() { place } else { &self.caption };
        extract.grids.push(Grid { name: label(name, NAME), columns: None, tsv: tsv.text(), rows });
    }

    /// Returns the table as Markdown, in one part.
    pub(super) fn markdown(&self) -> String {
        let mut text = String::new();
        self.write_text(usize::MAX, &mut text);
        text
    }

    /// Writes the table in parts of at most `part` bytes and returns the places of its rows.
    fn write_text(&self, part: usize, text: &mut String) -> Vec<Range<usize>> {
        let caption = self.caption.trim();
        if !caption.is_empty() {
            text.push_str(caption);
            text.push_str("\n\n");
        }
        let head = format!("{}\n|{}\n", line(&self.heads), "---|".repeat(self.heads.len()));
        let mut ranges = Vec::with_capacity(self.rows.len());
        let mut start = text.len();
        text.push_str(&head);
        for row in &self.rows {
            let line = line(row);
            if text.len() - start + line.len() > part && !ranges.is_empty() && head.len() < part / 2
            {
                text.push('\n');
                start = text.len();
                text.push_str(&head);
            }
            let at = text.len();
            text.push_str(&line);
            ranges.push(at..at + line.len());
            text.push('\n');
        }
        text.push('\n');
        ranges
    }
}

/// Joins the heads of two rows, which differ where a cell does not cover both.
fn joined(above: Vec<String>, below: Vec<String>) -> Vec<String> {
    let join = |(above, below): (String, String)| match (above.is_empty(), below.is_empty()) {
        (true, _) => below,
        (_, true) => above,
        _ if above == below || above.ends_with(&format!(" {below}")) => above,
        _ => format!("{above} {below}"),
    };
    above.into_iter().zip(below).map(join).collect()
}

/// Returns a row of Markdown.
pub(super) fn line(cells: &[impl AsRef<str>]) -> String {
    let mut line = String::from("|");
    for cell in cells {
        let words: Vec<&str> = cell.as_ref().split_whitespace().collect();
        line.extend([" ", &words.join(" ").replace('|', "\\|"), " |"]);
    }
    line
}

/// Returns a text that was written as Markdown with its tables in parts, and their records. The
/// name of a table is the heading above it.
pub(super) fn with_heads(markdown: &str) -> Extract {
    let (mut extract, mut at, mut left) = (Extract::default(), 0, FILLED);
    for Drawn { name, range, heads, rows, .. } in drawn(Format::Markdown, markdown) {
        extract.text.push_str(&markdown[at..range.start]);
        let width = heads.len();
        let row = |row: DrawnRow| {
            let mut row = row.cells(markdown);
            let missing = width.saturating_sub(row.len());
            if let Some(rest) = left.checked_sub(missing * EMPTY) {
                left = rest;
                row.resize(width, String::new());
            }
            row
        };
        let rows = rows.into_iter().map(row).collect();
        Table { caption: String::new(), heads, rows }.write(name, &mut extract);
        at = range.end;
    }
    extract.text.push_str(&markdown[at..]);
    extract
}

#[cfg(test)]
mod tests;
