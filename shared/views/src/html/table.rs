//! A table on a page.

use maud::{Markup, html};

use super::blocks::list;
use crate::view::{Cell, Interval, Row, Table};

/// Draws a table. Where the window is narrow, each row becomes a list of its cells. The evidence of
/// a cell opens on demand.
pub(super) fn drawn(table: &Table<'_>) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label="Table" {
            table.stacks {
                thead { tr { @for head in &table.head { th scope="col" { (head) } } } }
                tbody { @for line in &table.rows { (row(line, table)) } }
            }
        }
    }
}

fn row(row: &Row<'_>, table: &Table<'_>) -> Markup {
    html! {
        tr {
            th scope="row" {
                (row.name)
                @if !row.remark.is_empty() { br; span.weight { (row.remark) } }
            }
            @for (content, head) in row.cells.iter().zip(table.head.iter().skip(1)) {
                td.unknown[content.is_unknown] data-label=(head) { (cell(content)) }
            }
        }
    }
}

fn cell(cell: &Cell<'_>) -> Markup {
    html! {
        @if let Some(range) = &cell.interval { (interval(range)) }
        @if cell.items.is_empty() { (cell.text) } @else {
            details { summary dir="auto" { (cell.text) } (list(&cell.items)) }
        }
    }
}

/// Draws the least, the most and the value on a scale from 0 to 1.
fn interval(interval: &Interval) -> Markup {
    let Interval { low, value, high, is_first, label } = interval;
    let at = |score: f64| format!("{:.1}", score.clamp(0.0, 1.0) * 100.0);
    let width = format!("{:.1}", (high - low).clamp(0.0, 1.0) * 100.0);
    let mark = if *is_first { "mark first" } else { "mark" };
    html! {
        svg.bar viewBox="-2 0 104 10" preserveAspectRatio="none" role="img" aria-label=(label) {
            rect.track x="0" y="4.5" width="100" height="1" {}
            rect.range x=(at(*low)) y="2.5" width=(width) height="5" {}
            rect class=(mark) x=(at(*value)) y="0.5" width="1.2" height="9" {}
        }
    }
}
