//! Tables that are drawn with bars, read cell by cell.

use std::ops::Range;

use text::block::cells;

use super::place::{Places, number};

/// The heads of the current table, as numbers of places. A split may have left them in an earlier
/// passage.
pub(super) struct Table {
    columns: Vec<usize>,
    /// The first cell of the last row that has one. A row without a first cell continues that row.
    row: usize,
}

impl Table {
    /// Reads the first row of a table as the heads of its columns.
    pub(super) fn new(text: &str, range: Range<usize>, places: &mut Places) -> Table {
        let columns = cells(text, range.clone()).into_iter();
        let columns = columns.map(|cell| places.add(text, cell, None)).collect();
        let empty = range.start..range.start;
        Table { columns, row: places.add(text, empty, None) }
    }

    /// Returns the cells of a row that have content, with the heads of their rows and columns.
    pub(super) fn row(
        &mut self,
        text: &str,
        range: &Range<usize>,
        places: &mut Places,
    ) -> Vec<(Range<usize>, (u16, u16))> {
        let cells = cells(text, range.clone());
        if let Some(head) = cells.first().filter(|cell| !cell.is_empty()) {
            self.row = places.add(text, head.clone(), None);
        }
        let below = |(cell, column): (Range<usize>, &usize)| {
            let says = text[cell.clone()].contains(char::is_alphanumeric);
            says.then_some((cell, (number(self.row)?, number(*column)?)))
        };
        cells.into_iter().zip(&self.columns).skip(1).filter_map(below).collect()
    }
}
