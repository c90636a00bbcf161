//! The tables of a sheet, told apart by empty rows and columns.

use std::ops::Range;

use super::{Cell, Row};

/// Rows of a sheet between empty rows and empty columns.
pub(super) struct Block<'s> {
    pub(super) columns: Range<u32>,
    pub(super) rows: Vec<(u32, Vec<&'s Cell>)>,
}

/// Upper bound for the rows below a possible head among which the head is looked for.
const NEAR: usize = 10;

impl<'s> Block<'s> {
    /// Returns the tables that stand side by side in some rows. Where one of them is no table,
    /// all are one: a form, whose values stand away from their names.
    pub(super) fn side_by_side(rows: &'s [Row]) -> Vec<Block<'s>> {
        let mut columns: Vec<u32> =
            rows.iter().flat_map(|row| &row.cells).map(|cell| cell.column).collect();
        columns.sort_unstable();
        columns.dedup();
        let block = |group: &[u32]| {
            let columns = *group.first()?..group.last()? + 1;
            let within = |row: &'s Row| {
                let cells = row.cells.iter().filter(|cell| columns.contains(&cell.column));
                let cells: Vec<&Cell> = cells.collect();
                (!cells.is_empty()).then_some((row.number, cells))
            };
            let rows = rows.iter().filter_map(within).collect();
            Some(Block { rows, columns: columns.clone() })
        };
        let groups = columns.chunk_by(|left, right| left + 1 == *right);
        let blocks: Vec<Block<'_>> = groups.filter_map(block).collect();
        if blocks.iter().all(|block| block.head().is_some()) {
            return blocks;
        }
        block(&columns).into_iter().collect()
    }

    /// Takes the places of its cells from `left`, also those that are empty; false if they are too
    /// many.
    pub(super) fn takes(&self, left: &mut usize) -> bool {
        let rest = left.checked_sub(self.columns.len() * self.rows.len());
        *left = rest.unwrap_or(*left);
        rest.is_some()
    }

    /// Returns the place of the head of a table: the first row that fills most columns. If that has
    /// a gap amid its cells, as a note may have, it is the row above the first number near below,
    /// if that one fills more columns. Above the head stand titles. Where more rows of several
    /// cells stand above it than below, it is none: they are a form.
    pub(super) fn head(&self) -> Option<usize> {
        let width = self.columns.len();
        let is_table = width > 1 && self.rows.len() > 1;
        let is_name = |cell: &&Cell| cell.shown.contains(char::is_alphanumeric);
        let is_head = |(_, cells): &(u32, Vec<&Cell>)| {
            2 * cells.iter().filter(|cell| is_name(cell)).count() > width
        };
        let is_above_most = |place: &usize| {
            let above = self.rows[..*place].iter().filter(|(_, cells)| cells.len() > 1);
            above.count() < self.rows.len() - place
        };
        let first = self.rows.iter().position(is_head).filter(|_| is_table)?;
        let length = |place: usize| self.rows[place].1.len();
        let has_number = |(_, cells): &(u32, Vec<&Cell>)| {
            cells.iter().any(|cell| begins_with_number(&cell.shown))
        };
        let has_gap = |(_, cells): &(u32, Vec<&Cell>)| {
            cells.windows(2).any(|pair| pair[0].column + 1 < pair[1].column)
        };
        let below = if has_gap(&self.rows[first]) { NEAR } else { 0 };
        let rows = self.rows.iter().enumerate().skip(first + 1).take(below);
        let above_numbers =
            rows.filter(|(_, row)| has_number(row)).map(|(place, _)| place - 1).next();
        let fuller = above_numbers.filter(|place| length(*place) > length(first));
        Some(fuller.unwrap_or(first)).filter(is_above_most)
    }

    /// Parts a table from the notes below it: its last rows, if they fill less than half of the
    /// columns, and no row above them does. A single one, unless it has one cell, may be a total.
    pub(super) fn without_notes(mut self) -> impl Iterator<Item = Block<'s>> {
        let width = self.columns.len();
        let is_note = |(_, cells): &&(u32, Vec<&Cell>)| 2 * cells.len() < width;
        let body = self.head().map_or(self.rows.len(), |head| head + 1);
        let body = &self.rows[body..];
        let notes = body.iter().rev().take_while(is_note).count();
        let is_alone = notes == 1 && body.last().is_some_and(|(_, cells)| cells.len() > 1);
        let is_clear =
            body.iter().filter(is_note).count() == notes && notes < body.len() && !is_alone;
        let rows = self.rows.split_off(self.rows.len() - if is_clear { notes } else { 0 });
        let notes = Block { columns: self.columns.clone(), rows };
        std::iter::once(self).chain(Some(notes).filter(|notes| !notes.rows.is_empty()))
    }

    /// Returns true if the first row of `below` is like the last row here, and not a head of its
    /// own: an empty row stands between rows of one table.
    pub(super) fn goes_on_in(&self, below: &Block<'_>) -> bool {
        let (Some((_, last)), Some((_, first))) = (self.rows.last(), below.rows.first()) else {
            return false;
        };
        let kinds = |cells: &[&Cell]| -> Vec<(u32, bool)> {
            cells.iter().map(|cell| (cell.column, begins_with_number(&cell.shown))).collect()
        };
        if self.rows.len() <= 2 || self.columns != below.columns || kinds(last) != kinds(first) {
            return false;
        }
        let heads = self.head().map(|place| &self.rows[place].1);
        let same = |heads: &Vec<&Cell>| {
            first.iter().filter(|cell| heads.iter().any(|head| head.shown == cell.shown)).count()
        };
        let has_heads_again = heads.is_some_and(|heads| 2 * same(heads) > self.columns.len());
        heads.is_some() && !has_heads_again
    }
}

fn begins_with_number(text: &str) -> bool {
    text.trim_start_matches(['-', '+', '(']).starts_with(|c: char| c.is_ascii_digit())
}

/// Joins the blocks of one table.
pub(super) fn joined(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let mut all: Vec<Block<'_>> = Vec::new();
    for block in blocks {
        match all.last_mut().filter(|above| above.goes_on_in(&block)) {
            Some(above) => above.rows.extend(block.rows),
            None => all.push(block),
        }
    }
    all
}
