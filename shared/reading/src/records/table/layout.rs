//! The layout of a text as a table: the delimiter, the number of cells in a row, and the head.

use std::collections::{BTreeMap, HashSet};

use csv::StringRecord;
use model::record::{ColumnKind, Decimal};

use crate::chunk::log;
use crate::limit;
use crate::records::SAMPLE;

/// The possible delimiters of cells.
const DELIMITERS: [u8; 4] = *b",;\t|";

/// The layout of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The byte between two cells.
    delimiter: u8,
    /// The number of cells of a row.
    pub(super) width: usize,
    /// The place of the head among the rows, counted from 0; `None` if a comment names the columns.
    pub(super) head: Option<usize>,
    /// The columns that a comment names.
    pub(super) announced: StringRecord,
    /// The columns that contain only dates, as far as they were examined.
    pub(super) dates: Vec<usize>,
    /// The columns that contain only times of day.
    pub(super) clocks: Vec<usize>,
}

/// The columns that comments of a log name: `#Fields: date time c-ip`. Blanks or tabs separate the
/// cells of a row, and values have no quotes, as `IIS` and `CloudFront` write them.
struct Announced {
    delimiter: u8,
    names: StringRecord,
}

impl Announced {
    /// Returns the columns; `None` if no comment names any, or if two name different ones.
    fn of(text: &str) -> Option<Announced> {
        if !text.starts_with('#') {
            return None;
        }
        let mut fields = text.lines().filter_map(|line| line.strip_prefix("#Fields:"));
        let names = fields.next()?;
        if fields.any(|others| others != names) {
            return None;
        }
        let names: StringRecord = names.split_whitespace().collect();
        let first = text.lines().find(|line| !line.starts_with('#'))?;
        let delimiter = if first.contains('\t') { b'\t' } else { b' ' };
        (names.len() > 1).then_some(Announced { delimiter, names })
    }
}

/// A text, cut by one delimiter.
struct Cut {
    delimiter: u8,
    width: usize,
    /// The rows that contain a letter or a digit, each with its place among all rows.
    rows: Vec<(usize, StringRecord)>,
    /// The number of rows that fit.
    fits: usize,
    /// True if the row after the first consists only of marks.
    is_ruled: bool,
}

impl Layout {
    /// Reads a text's layout; `None` if the text is not a table. A file that is named as a table is
    /// one if it has columns. Any other file is one if most of its lines are rows of the same width
    /// below a head.
    pub(crate) fn of(name: &str, text: &str) -> Option<Layout> {
        let named = delimiter(name);
        let cuts = DELIMITERS.into_iter().filter_map(|delimiter| Cut::of(text, delimiter, false));
        let cuts = cuts.filter(|cut| named.is_some() || cut.is_surely_table(text));
        // The delimiter with the larger share of fitting rows wins, then the one with more cells.
        let best = cuts.max_by_key(|cut| {
            (cut.fits * SAMPLE / cut.rows.len(), cut.width, Some(cut.delimiter) == named)
        })?;
        best.layout()
    }

    /// Reads the layout of a log whose comments name the columns (W3C, Extended Log File Format);
    /// `None` if they name several sets, if most rows do not fit, or if no column has dates.
    pub(crate) fn announced(text: &str) -> Option<Layout> {
        let announced = Announced::of(text)?;
        let layout = Cut::of(text, announced.delimiter, true)?.below(announced)?;
        (!layout.dates.is_empty()).then_some(layout)
    }

    /// Reads the layout of a text whose cells are separated by tabs.
    pub(crate) fn of_tabs(text: &str) -> Option<Layout> {
        Cut::of(text, b'\t', false)?.layout()
    }

    /// Refuses a file that is named a table and has too many values, before it is read.
    pub(crate) fn check(name: &str, text: &str) -> Result<(), String> {
        match delimiter(name) {
            Some(_) => DELIMITERS.into_iter().try_for_each(|mark| limit::check_values(text, mark)),
            None => Ok(()),
        }
    }

    /// Returns a reader of all rows, including the head and the rows before it.
    pub(super) fn reader<'t>(&self, text: &'t str) -> csv::Reader<&'t [u8]> {
        reader(text, self.delimiter, self.has_comments())
    }

    /// Returns true if lines that begin with `#` are comments.
    pub(super) fn has_comments(&self) -> bool {
        self.head.is_none()
    }

    /// Returns true if a row has as many cells as the table. Additional empty cells at the end are
    /// ignored.
    pub(super) fn has(&self, row: &StringRecord) -> bool {
        fits(row, self.width)
    }

    /// Returns the usual decimal mark. Tables with decimal commas use another delimiter.
    pub(super) fn decimal(&self) -> Decimal {
        decimal(self.delimiter)
    }
}

impl Cut {
    /// Cuts a text. `None` if all rows have only one cell, or if the text has more cells than
    /// allowed.
    fn of(text: &str, delimiter: u8, has_comments: bool) -> Option<Cut> {
        limit::check_values(text, delimiter).ok()?;
        let rows = reader(text, delimiter, has_comments).into_records().take(SAMPLE);
        let all: Vec<StringRecord> = rows.collect::<Result<_, _>>().ok()?;
        let is_ruled = all.iter().skip(1).any(|row| !is_row(row) && row.len() > 1);
        let rows: Vec<(usize, StringRecord)> =
            all.into_iter().enumerate().filter(|(_, row)| is_row(row)).collect();
        let width = width(&rows)?;
        let fits = rows.iter().filter(|(_, row)| fits(row, width)).count();
        Some(Cut { delimiter, width, rows, fits, is_ruled })
    }

    /// Returns the place of the head among the rows: the first row that names most of its columns.
    /// A title does not.
    fn head(&self) -> Option<usize> {
        let is_head = |row: &StringRecord| fits(row, self.width) && 2 * filled(row) > self.width;
        self.rows.iter().position(|(_, row)| is_head(row))
    }

    /// Returns the non-empty cells of a column below the head.
    fn values(&self, head: usize, column: usize) -> impl Iterator<Item = &str> + Clone {
        self.values_from(head + 1, column)
    }

    /// Returns the non-empty cells of a column, from one of the rows on.
    fn values_from(&self, first: usize, column: usize) -> impl Iterator<Item = &str> + Clone {
        let rows = self.rows.iter().skip(first).map(|(_, row)| row);
        let rows = rows.filter(|row| fits(row, self.width));
        rows.filter_map(move |row| row.get(column)).map(str::trim).filter(|cell| !cell.is_empty())
    }

    fn layout(&self) -> Option<Layout> {
        let head = self.head()?;
        let place = self.rows.get(head)?.0;
        Some(self.layout_of(Some(place), StringRecord::new(), head + 1))
    }

    /// Returns the layout of rows below a comment that names their columns.
    fn below(mut self, announced: Announced) -> Option<Layout> {
        self.width = announced.names.len();
        let fits = self.rows.iter().filter(|(_, row)| fits(row, self.width)).count();
        (2 * fits > self.rows.len()).then(|| self.layout_of(None, announced.names, 0))
    }

    /// Returns the layout of rows that begin with the one at `first`.
    fn layout_of(&self, head: Option<usize>, announced: StringRecord, first: usize) -> Layout {
        let values = |column: &usize| self.values_from(first, *column);
        let is_of_clocks = |column: &usize| {
            let mut values = values(column).peekable();
            values.peek().is_some() && values.all(super::time::is_clock)
        };
        let all = || 0..self.width;
        Layout {
            delimiter: self.delimiter,
            width: self.width,
            head,
            announced,
            dates: all().filter(|place| ColumnKind::of_dates(values(place)).is_some()).collect(),
            clocks: all().filter(is_of_clocks).collect(),
        }
    }

    /// Returns true if a text without a table's name is a table: most of its lines are rows, and
    /// its head differs from the rows below it.
    fn is_surely_table(&self, text: &str) -> bool {
        let Some(head) = self.head() else { return false };
        let below = self.rows.iter().skip(head + 1).filter(|(_, row)| fits(row, self.width));
        below.count() >= 2
            && 2 * self.fits > self.rows.len()
            && !(self.delimiter == b',' && has_prose_commas(text))
            && !text.lines().find(|line| !line.trim().is_empty()).is_some_and(log::begins)
            && self.has_names(head)
            && (self.is_ruled || self.is_unlike(head))
    }

    /// Returns true if the cells of the head are distinct names.
    fn has_names(&self, head: usize) -> bool {
        let (_, row) = &self.rows[head];
        let mut seen = HashSet::new();
        row.iter().map(str::trim).filter(|cell| !cell.is_empty()).all(|cell| {
            let kind = ColumnKind::of(std::iter::once(cell), decimal(self.delimiter));
            kind == ColumnKind::Text && !super::time::is_clock(cell) && seen.insert(cell)
        })
    }

    /// Returns true if the head differs in kind from the rows below it: names above numbers or
    /// dates, or words that do not recur in a table whose words do.
    fn is_unlike(&self, head: usize) -> bool {
        let kind = |column| ColumnKind::of(self.values(head, column), decimal(self.delimiter));
        if (0..self.width).any(|column| kind(column) != ColumnKind::Text) {
            return true;
        }
        let (_, row) = &self.rows[head];
        let comes_again = |column: usize| {
            let name = row.get(column).unwrap_or_default().trim();
            self.values(head, column).any(|value| value == name)
        };
        let has_repeats = |column| {
            let mut seen = HashSet::new();
            self.values(head, column).any(|value| !seen.insert(value))
        };
        (0..self.width).any(has_repeats) && !(0..self.width).any(comes_again)
    }
}

/// Returns the delimiter for a table's file name; `None` if the name is not that of a table.
fn delimiter(name: &str) -> Option<u8> {
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "csv" => Some(b','),
        "tsv" => Some(b'\t'),
        _ => None,
    }
}

/// Returns a reader of rows. Values have no quotes in a file with comments, see [`Announced`].
fn reader(text: &str, delimiter: u8, has_comments: bool) -> csv::Reader<&[u8]> {
    let mut builder = csv::ReaderBuilder::new();
    builder.delimiter(delimiter).flexible(true).has_headers(false);
    builder.comment(has_comments.then_some(b'#')).quoting(!has_comments);
    builder.from_reader(text.as_bytes())
}

fn decimal(delimiter: u8) -> Decimal {
    if delimiter == b';' { Decimal::Comma } else { Decimal::Point }
}

/// Returns the most frequent number of cells, if it is at least two. A last column that is empty
/// everywhere does not count.
fn width(rows: &[(usize, StringRecord)]) -> Option<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, row) in rows.iter().filter(|(_, row)| row.len() > 1) {
        *counts.entry(row.len()).or_default() += 1;
    }
    let (most, _) = counts.into_iter().max_by_key(|(width, count)| (*count, *width))?;
    let of_most = || rows.iter().map(|(_, row)| row).filter(|row| row.len() == most);
    let last = |row: &StringRecord| (0..row.len()).rfind(|place| !row[*place].trim().is_empty());
    let width = of_most().filter_map(last).max()? + 1;
    (width > 1).then_some(width)
}

fn fits(row: &StringRecord, width: usize) -> bool {
    row.len() >= width && row.iter().skip(width).all(|cell| cell.trim().is_empty())
}

/// Returns the number of non-empty cells of a row.
pub(super) fn filled(row: &StringRecord) -> usize {
    row.iter().filter(|cell| !cell.trim().is_empty()).count()
}

/// Returns true if a row has content. Rules between rows and rows of empty cells have none.
pub(super) fn is_row(row: &StringRecord) -> bool {
    row.iter().any(|cell| cell.contains(char::is_alphanumeric))
}

/// Returns true if a space follows most commas, as in sentences.
fn has_prose_commas(text: &str) -> bool {
    let (mut commas, mut blanks) = (0, 0);
    for pair in text.as_bytes().windows(2).filter(|pair| pair[0] == b',') {
        commas += 1;
        blanks += usize::from(pair[1].is_ascii_whitespace());
    }
    2 * blanks > commas
}
