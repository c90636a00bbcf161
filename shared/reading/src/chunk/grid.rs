//! Tables of documents whose rows are records: of sheets, pages, slides, and of Markdown.

use std::ops::Range;

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// The name of the sheet, or the caption of the table.
    pub name: String,
    /// The letters of its first and last column, if it is a table of a sheet.
    pub columns: Option<(String, String)>,
    /// Its rows as tab-separated values, one line each, with the values as they are stored.
    pub tsv: String,
    /// The places of these lines.
    pub rows: Vec<Row>,
}

/// The place of a row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// The bytes of the row in the text of the document.
    pub range: Range<usize>,
    /// Its number, counted from 1: in the sheet, in the file, else in the table.
    pub number: u32,
}

impl Grid {
    /// Returns the place of the row below the heads with this number, counted from 1:
    /// `Pumps!A14:F14`, or `Pumps, row 7`.
    pub(crate) fn place(&self, number: usize, row: &Row) -> String {
        let (name, Row { number: in_sheet, .. }) = (&self.name, row);
        match &self.columns {
            Some((first, last)) => format!("{name}!{first}{in_sheet}:{last}{in_sheet}"),
            None => format!("{name}, row {number}"),
        }
    }
}

/// Tab-separated values that are being written.
pub(super) struct Tsv(csv::Writer<Vec<u8>>, usize);

impl Tsv {
    pub(super) fn new(width: usize) -> Tsv {
        let mut builder = csv::WriterBuilder::new();
        Tsv(builder.delimiter(b'\t').flexible(true).from_writer(Vec::new()), width)
    }

    /// Adds a row on one line. Line breaks and tabs in its cells become spaces.
    pub(super) fn push<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        let on_one_line = |cell: &str| cell.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut cells: Vec<String> = cells.into_iter().map(on_one_line).collect();
        cells.resize(self.1, String::new());
        // Writing to memory does not fail.
        let _ = self.0.write_record(&cells);
    }

    pub(super) fn text(self) -> String {
        let bytes = self.0.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}
