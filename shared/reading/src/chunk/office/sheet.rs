//! Sheets: their tables as text and as records, each row with its place in the sheet.

use std::collections::BTreeMap;
use std::ops::Range;

use office_oxide::xlsx::cell::CellRef;

use crate::chunk::grid::{Grid, Row as GridRow, Tsv};
use crate::chunk::split::{LARGEST, split};
use crate::chunk::table::line;
use crate::chunk::{Extract, Piece};
use crate::limit::{NAME, label};

use self::block::{Block, joined};

mod block;

/// A cell that has content.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cell {
    /// Its column, counted from 0.
    pub(super) column: u32,
    /// The text that the program of the sheet displays.
    pub(super) shown: String,
    /// The value, if it is not `shown`: a number before it is rounded.
    pub(super) value: Option<String>,
}

impl Cell {
    /// Returns the bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Cell>() + self.shown.len() + self.value.as_ref().map_or(0, String::len)
    }
}

/// A row that has content.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Row {
    /// Its number, counted from 1.
    pub(super) number: u32,
    /// Its cells, from left to right.
    pub(super) cells: Vec<Cell>,
}

/// A sheet.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sheet {
    pub(super) name: String,
    /// Its rows, from above.
    pub(super) rows: Vec<Row>,
    /// Its comments, and the texts of its charts and shapes.
    pub(super) notes: Vec<String>,
}

/// Upper bound for the places of the tables in a file, of which many may be empty. Rows beyond it
/// are written cell by cell.
const PLACES: usize = 4_000_000;

/// Writes sheets as Markdown. Each passage is a part of one table below the table's head, and its
/// section is its range of cells, such as `Pumps!A2:F40`.
pub(super) fn written(sheets: &[Sheet]) -> Extract {
    let (mut extract, mut places) = (Extract::default(), PLACES);
    for sheet in sheets {
        let mut blocks = Vec::new();
        for rows in
            sheet.rows.chunk_by(|above, below| above.number.saturating_add(1) == below.number)
        {
            blocks.extend(Block::side_by_side(rows));
        }
        let blocks: Vec<Block<'_>> =
            joined(blocks).into_iter().flat_map(Block::without_notes).collect();
        for blocks in blocks.chunk_by(|one, next| one.head().is_none() && next.head().is_none()) {
            match blocks {
                [block] if block.head().is_some() && block.takes(&mut places) => {
                    Writer { sheet: &sheet.name, block, extract: &mut extract }.write();
                }
                blocks => write_loose(&sheet.name, blocks, &mut extract),
            }
        }
        let notes = sheet.notes.iter().filter(|note| !note.trim().is_empty());
        for note in notes {
            extract.add(&label(&sheet.name, NAME), note.trim());
        }
    }
    extract
}

/// Writes cells that are no table, such as titles and forms: one line for each row.
fn write_loose(sheet: &str, blocks: &[Block<'_>], extract: &mut Extract) {
    let mut rows: BTreeMap<u32, Vec<&Cell>> = BTreeMap::new();
    for (number, cells) in blocks.iter().flat_map(|block| &block.rows) {
        rows.entry(*number).or_default().extend(cells);
    }
    let mut rows = rows.into_iter().peekable();
    while let Some((first, cells)) = rows.next() {
        let (mut last, mut cells, mut text) = (first, cells, String::new());
        let mut columns = Range { start: u32::MAX, end: 0 };
        loop {
            cells.sort_by_key(|cell| cell.column);
            for cell in &cells {
                columns = columns.start.min(cell.column)..columns.end.max(cell.column + 1);
            }
            let shown: Vec<&str> = cells.iter().map(|cell| cell.shown.trim()).collect();
            text.push_str(&shown.join("  "));
            let length: usize = text.len();
            let fits = |(_, cells): &(u32, Vec<&Cell>)| {
                length + cells.iter().map(|cell| cell.shown.len() + 2).sum::<usize>() <= LARGEST
            };
            match rows.next_if(fits) {
                Some(next) => {
                    text.push('\n');
                    (last, cells) = next;
                }
                None => break,
            }
        }
        extract.add(&range(sheet, &columns, first, last), &text);
    }
}

/// Returns a range of cells as `Pumps!A2:F40`.
fn range(sheet: &str, columns: &Range<u32>, first: u32, last: u32) -> String {
    let sheet = label(sheet, NAME / 2);
    let (left, right) = (CellRef::col_name(columns.start), CellRef::col_name(columns.end - 1));
    if left == right && first == last {
        return format!("{sheet}!{left}{first}");
    }
    format!("{sheet}!{left}{first}:{right}{last}")
}

/// Writes a block of a sheet.
struct Writer<'w> {
    sheet: &'w str,
    block: &'w Block<'w>,
    extract: &'w mut Extract,
}

impl Writer<'_> {
    fn write(mut self) {
        let Some(place) = self.block.head() else { return };
        let (above, rows) = self.block.rows.split_at(place);
        let [(_, heads), rows @ ..] = rows else { return };
        let above = above.iter().flat_map(|(_, cells)| cells).map(|cell| cell.shown.trim());
        let caption = above.collect::<Vec<_>>().join(" ");
        let caption = if caption.is_empty() { caption } else { caption + "\n\n" };
        let rule = "---|".repeat(self.block.columns.len());
        let head = format!("{caption}{}\n|{rule}\n", self.line(heads));
        let mut tsv = Tsv::new(self.block.columns.len());
        tsv.push(self.values(heads));
        let mut placed = vec![GridRow::default()];
        let mut left = rows;
        let mut first = self.block.rows[0].0;
        while !left.is_empty() {
            let start = self.extract.begin();
            if placed.len() == 1 || head.len() <= LARGEST / 2 {
                self.extract.text.push_str(&head);
            }
            let taken = self.write_part(start, left, &mut placed, &mut tsv);
            let (part, rest) = left.split_at(taken);
            let last = part.last().map_or(first, |(number, _)| *number);
            let section = vec![range(self.sheet, &self.block.columns, first, last)];
            let ranges = split(&self.extract.text, start..self.extract.text.len());
            let pieces = ranges.into_iter().map(|range| Piece { range, section: section.clone() });
            self.extract.cut.pieces.extend(pieces);
            first = rest.first().map_or(last, |(number, _)| *number);
            left = rest;
        }
        let Range { start, end } = self.block.columns;
        let columns = Some((CellRef::col_name(start), CellRef::col_name(end - 1)));
        let name = label(self.sheet, NAME);
        self.extract.grids.push(Grid { name, columns, tsv: tsv.text(), rows: placed });
    }

    /// Writes as many rows as fit into the passage that begins at `start`, at least one, and
    /// returns their number.
    fn write_part(
        &mut self,
        start: usize,
        rows: &[(u32, Vec<&Cell>)],
        placed: &mut Vec<GridRow>,
        tsv: &mut Tsv,
    ) -> usize {
        for (taken, (number, cells)) in rows.iter().enumerate() {
            let line = self.line(cells);
            let at = self.extract.text.len();
            if taken > 0 && at - start + line.len() > LARGEST {
                return taken;
            }
            self.extract.text.extend([&line, "\n"]);
            placed.push(GridRow { range: at..at + line.len(), number: *number });
            tsv.push(self.values(cells));
        }
        rows.len()
    }

    fn line(&self, cells: &[&Cell]) -> String {
        line(&self.aligned(cells, |cell| &cell.shown))
    }

    fn values<'c>(&self, cells: &[&'c Cell]) -> Vec<&'c str> {
        self.aligned(cells, |cell| cell.value.as_ref().unwrap_or(&cell.shown))
    }

    /// Returns a text for each column, empty where there is no cell.
    fn aligned<'c>(
        &self,
        cells: &[&'c Cell],
        text: impl Fn(&'c Cell) -> &'c String,
    ) -> Vec<&'c str> {
        let mut texts = vec![""; self.block.columns.len()];
        for cell in cells {
            let place = (cell.column - self.block.columns.start) as usize;
            texts[place] = text(cell);
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Extract {
        let row = |(number, line): (u32, &&str)| {
            let cells = (0..).zip(line.split('|')).filter(|(_, shown)| !shown.is_empty());
            let cell = |(column, shown): (u32, &str)| Cell {
                column,
                shown: shown.into(),
                ..Cell::default()
            };
            Row { number, cells: cells.map(cell).collect() }
        };
        let rows = (1..).zip(lines).map(row).collect();
        written(&[Sheet { name: "Pump".into(), rows, notes: Vec::new() }])
    }

    #[test]
    fn titles_stand_above_a_table() {
        let read = read(&["Pumps of hall 7", "Name|Flow|State", "P1|3|dry", "P2|4|wet"]);
        assert!(
            read.text.starts_with("Pumps of hall 7\n\n| Name | Flow | State |"),
            "{}",
            read.text
        );
        assert_eq!(read.grids.len(), 1);
    }

    #[test]
    fn notes_around_a_table_are_no_head_and_no_rows() {
        let read = read(&[
            "Some|write||notes",
            "or|merge||",
            "Name|Flow|State|Since",
            "P1|3|dry|2024-01-05",
            "P2|4|wet|2024-01-06",
            "Some",
            "|notes",
        ]);
        assert!(read.text.contains("| Name | Flow | State | Since |\n|---"), "{}", read.text);
        assert!(read.text.contains("Some\nnotes"), "{}", read.text);
        assert_eq!(read.grids[0].rows.len(), 3, "{}", read.text);
    }

    #[test]
    fn a_form_is_written_line_by_line() {
        let read =
            read(&["1|Voltage|kV", "2|Phases|3", "3|Earthing|solid", "4|Arc|test|yes|no|note 2"]);
        assert!(read.text.starts_with("1  Voltage  kV\n2  Phases  3\n"), "{}", read.text);
        assert_eq!(read.grids.len(), 0);
    }
}
