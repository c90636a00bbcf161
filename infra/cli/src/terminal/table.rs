//! A table on a terminal, and below it the evidence of its cells.

use console::style;
use views::{Cell, Item, Row, Table};

use super::{Form, grid};
use crate::wording::flat;

/// The columns that a cell takes at least; where there are more options, they stand in several
/// tables.
const LEAST: usize = 20;

impl Form {
    /// Draws a table. A cell with evidence has its number, and the evidence is listed below: in
    /// short those that say what it says.
    pub(super) fn table(self, table: &Table<'_>) -> Vec<String> {
        let at_once = (self.width / LEAST).saturating_sub(1).max(1);
        let columns = table.head.len().saturating_sub(1);
        let mut lines = Vec::new();
        let mut number = 0;
        let mut evidence = Vec::new();
        for first in (0..columns).step_by(at_once) {
            let shown = first..columns.min(first + at_once);
            let mut head = vec![flat(&table.head[0])];
            head.extend(table.head[1..][shown.clone()].iter().map(|name| flat(name)));
            let mut rows = Vec::new();
            for row in &table.rows {
                let mut cells = vec![named(row)];
                for cell in row.cells.iter().take(shown.end).skip(shown.start) {
                    let mark = self.note(cell, &mut number, &mut evidence);
                    cells.push(format!("{}{mark}", flat(&cell.text)));
                }
                rows.push(cells);
            }
            lines.push(String::new());
            lines.extend(grid::table(&head, &rows, self.width));
        }
        lines.push(String::new());
        lines.extend(evidence);
        lines
    }

    /// Lists the evidence of a cell, and returns its numbers.
    fn note(self, cell: &Cell<'_>, number: &mut usize, evidence: &mut Vec<String>) -> String {
        let items = cell.items.iter().take(self.detail.most(cell.backing));
        let marks = items.map(|item: &Item<'_>| {
            *number += 1;
            let mark = format!("[{number}]");
            let first = format!("  {} ", style(&mark).cyan());
            evidence.extend(self.item(item, &first, "      "));
            mark
        });
        let marks = marks.collect::<String>();
        if marks.is_empty() { marks } else { format!(" {marks}") }
    }
}

fn named(row: &Row<'_>) -> String {
    match row.remark.as_str() {
        "" => flat(&row.name),
        remark => format!("{}, {remark}", flat(&row.name)),
    }
}
