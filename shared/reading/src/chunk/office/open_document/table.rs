//! A table of `OpenDocument` while it is read.

use crate::chunk::office::CELLS;
use crate::chunk::office::sheet::{Cell, Row, Sheet};
use crate::chunk::table;

/// A table that is being read.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) sheet: Sheet,
    /// The number of rows before the current one.
    pub(super) above: u32,
    pub(super) row: Row,
    pub(super) row_repeats: u32,
    /// The column of the next cell.
    pub(super) column: u32,
    pub(super) cell: Cell,
    pub(super) cell_repeats: u32,
    /// Cells that cover rows below: the first column, how many rows are left, and the text.
    pub(super) spans: Vec<(u32, u32, Cell)>,
    pub(super) rows_spanned: u32,
    pub(super) columns_spanned: u32,
    /// The rows of a table that is in no sheet.
    pub(super) laid_out: Vec<Vec<table::Cell>>,
    pub(super) is_covered: bool,
}

impl Table {
    /// Ends a cell and returns the number of cells that it adds.
    pub(super) fn end_cell(&mut self) -> usize {
        let mut cell = std::mem::take(&mut self.cell);
        cell.shown = cell.shown.trim().to_owned();
        if !self.is_covered {
            let laid_out = table::Cell {
                text: cell.shown.clone(),
                columns: self.columns_spanned as usize,
                rows: self.rows_spanned as usize,
                is_head: false,
            };
            self.laid_out.last_mut().into_iter().for_each(|row| row.push(laid_out.clone()));
        }
        cell.value = cell.value.filter(|value| *value != cell.shown);
        let (first, repeats) = (self.column, self.cell_repeats);
        self.column = first.saturating_add(repeats);
        if self.is_covered && cell.shown.is_empty() {
            // A cell below the first one of a merged range has its value.
            if let Some((_, left, above)) =
                self.spans.iter_mut().find(|(column, left, _)| *column == first && *left > 0)
            {
                *left -= 1;
                let above = Cell { column: first, ..above.clone() };
                self.row.cells.push(above);
                return 1;
            }
            return 0;
        }
        if cell.shown.is_empty() {
            return 0;
        }
        if self.rows_spanned > 1 {
            self.spans.retain(|(column, left, _)| *left > 0 && *column != first);
            self.spans.push((first, self.rows_spanned - 1, cell.clone()));
        }
        let repeats = repeats.min(u32::try_from(CELLS).unwrap_or(u32::MAX));
        self.row
            .cells
            .extend((0..repeats).map(|n| Cell { column: first.saturating_add(n), ..cell.clone() }));
        repeats as usize
    }

    /// Ends a row and returns the number of cells that its repetitions add.
    pub(super) fn end_row(&mut self) -> usize {
        let row = std::mem::take(&mut self.row);
        let first = self.above + 1;
        self.above = self.above.saturating_add(self.row_repeats);
        if row.cells.is_empty() {
            return 0;
        }
        let added = (self.row_repeats as usize - 1).saturating_mul(row.cells.len());
        if added > CELLS {
            return added;
        }
        let rows = (0..self.row_repeats)
            .map(|n| Row { number: first.saturating_add(n), cells: row.cells.clone() });
        self.sheet.rows.extend(rows);
        added
    }
}
