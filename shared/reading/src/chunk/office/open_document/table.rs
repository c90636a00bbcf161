//! A table of `OpenDocument` while it is read.

use std::collections::BTreeMap;

use crate::chunk::office::CELL_BYTES;
use crate::chunk::office::sheet::{Cell, Row, Sheet};
use crate::chunk::table;

/// Upper bounds for the place of a cell: four times the columns of a sheet, 16 times its rows.
const COLUMNS: u32 = 1 << 16;
const ROWS: u32 = 1 << 24;

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
    /// Cells that cover rows below, by column, with the number of rows that are left.
    pub(super) spans: BTreeMap<u32, (u32, Cell)>,
    pub(super) rows_spanned: u32,
    pub(super) columns_spanned: u32,
    /// The rows of a table that is in no sheet.
    pub(super) laid_out: Vec<Vec<table::Cell>>,
    pub(super) is_covered: bool,
}

impl Table {
    /// Ends a cell. `left` are the bytes that the cells of the file may still take.
    ///
    /// # Errors
    /// Says that there are too many cells.
    pub(super) fn end_cell(&mut self, left: &mut usize) -> Result<(), String> {
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
        let (first, mut repeats) = (self.column, self.cell_repeats);
        self.column = first.saturating_add(repeats);
        if self.is_covered && cell.shown.is_empty() {
            // A cell below the first one of a merged range has its value.
            let Some((rows, above)) = self.spans.get_mut(&first).filter(|(rows, _)| *rows > 0)
            else {
                return Ok(());
            };
            *rows -= 1;
            (cell, repeats) = (above.clone(), 1);
        } else if cell.shown.is_empty() {
            return Ok(());
        } else if self.rows_spanned > 1 {
            self.spans.insert(first, (self.rows_spanned - 1, cell.clone()));
        }
        if self.column > COLUMNS {
            return Err(format!("limit exceeded: it has a cell beyond the {COLUMNS}th column"));
        }
        spend(left, repeats as usize, cell.bytes())?;
        let placed = |n| Cell { column: first.saturating_add(n), ..cell.clone() };
        self.row.cells.extend((0..repeats).map(placed));
        Ok(())
    }

    /// Ends a row.
    ///
    /// # Errors
    /// Says that there are too many cells.
    pub(super) fn end_row(&mut self, left: &mut usize) -> Result<(), String> {
        let row = std::mem::take(&mut self.row);
        let first = self.above.saturating_add(1);
        self.above = self.above.saturating_add(self.row_repeats);
        if row.cells.is_empty() {
            return Ok(());
        }
        if self.above > ROWS {
            return Err(format!("limit exceeded: it has a row beyond the {ROWS}th"));
        }
        let bytes: usize = row.cells.iter().map(Cell::bytes).sum();
        spend(left, self.row_repeats as usize - 1, bytes)?;
        let rows =
            (0..self.row_repeats).map(|n| Row { number: first + n, cells: row.cells.clone() });
        self.sheet.rows.extend(rows);
        Ok(())
    }
}

fn spend(left: &mut usize, times: usize, bytes: usize) -> Result<(), String> {
    *left = times
        .checked_mul(bytes)
        .and_then(|bytes| left.checked_sub(bytes))
        .ok_or_else(|| format!("limit exceeded: its cells take more than {CELL_BYTES} bytes"))?;
    Ok(())
}
