//! Tables of `AsciiDoc`: blocks between `|===`, whose cells begin with a bar and fill rows of as
//! many columns as the block states or its first line has (docs.asciidoctor.org, "Build a Basic
//! Table").

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use text::words::pattern;

use super::drawn::DrawnRow;
use super::{Cell, Drawn, FILLED, SPAN, Table};
use crate::chunk::lines;

/// Upper bound for the cells of a table, with their copies; a larger one stays text.
const MOST: usize = 200_000;

/// Upper bound for the columns of a table.
const WIDEST: usize = 1_000;

/// The fences of blocks that hold no tables.
const CODE: [&str; 4] = ["----", "....", "++++", "////"];

/// The bar before a cell, with the numbers of columns and rows that the cell covers, or of its
/// copies, and with its alignment and style.
static BAR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)(?:(?:^|[ \t])[ \t]*(?:(?<columns>\d*)(?:\.(?<rows>\d+))?(?<sign>[+*]))?[<^>]?(?:\.[<^>])?[adehlmsv]?)?\|",
    )
});

/// The list of columns among the attributes of a table.
static COLUMNS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bcols\s*=\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^,\]]*))"#));

/// A cell with its bytes.
struct Placed {
    range: Range<usize>,
    cell: Cell,
}

/// Returns the tables of a text that have heads, in order; none of those in blocks of code.
pub(super) fn tables(text: &str) -> Vec<Drawn<'_>> {
    let (mut tables, mut heading, mut caption, mut attributes) = (Vec::new(), "", "", "");
    let mut left = FILLED;
    let mut fence: Option<&str> = None;
    let mut lines = lines(text);
    while let Some(range) = lines.next() {
        let line = text[range.clone()].trim_end();
        if let Some(opened) = fence {
            fence = Some(opened).filter(|opened| *opened != line);
        } else if CODE.iter().any(|code| line.starts_with(code)) {
            fence = Some(line);
        } else if line.starts_with("|===") {
            let end = lines.find(|next| text[next.clone()].trim_end() == line);
            let end = end.unwrap_or(text.len()..text.len());
            let name = if caption.is_empty() { heading } else { caption };
            let inner = range.end..end.start;
            tables.extend(table(text, inner, attributes, &mut left).map(|table| Drawn {
                name,
                range: range.start..end.end,
                ..table
            }));
            (caption, attributes) = ("", "");
        } else if line.starts_with('=') && line.trim_start_matches('=').starts_with(' ') {
            (heading, caption, attributes) = (line.trim_matches(['=', ' ']), "", "");
        } else if line.starts_with('[') && line.ends_with(']') {
            // An anchor or a role in a line of its own changes nothing.
            attributes =
                if line.contains("cols") || line.contains("header") { line } else { attributes };
        } else if line.strip_prefix('.').is_some_and(|title| !title.starts_with([' ', '.'])) {
            caption = line.trim_start_matches('.');
        } else {
            (caption, attributes) = ("", "");
        }
    }
    tables
}

/// Returns the table within `inner`; `None` if it has no heads or is too large.
fn table<'t>(
    text: &'t str,
    inner: Range<usize>,
    attributes: &str,
    left: &mut usize,
) -> Option<Drawn<'t>> {
    let cells = cells(text, &inner, left)?;
    let first = cells.first()?.range.start;
    let line_end = text[first..inner.end].find('\n').map_or(inner.end, |end| first + end);
    let in_first = cells.iter().take_while(|cell| cell.range.start < line_end);
    let in_first: usize = in_first.map(|placed| placed.cell.columns).sum();
    let width = columns(attributes).unwrap_or(in_first);
    let is_apart = text[line_end..inner.end].lines().nth(1).is_some_and(|l| l.trim().is_empty());
    let has_none = attributes.contains("noheader");
    let is_stated = attributes.contains("header");
    let has_heads = !has_none && (is_stated || is_apart && in_first == width);
    if !has_heads || !(2..=WIDEST).contains(&width) {
        return None;
    }
    let (ranges, mut rows): (Vec<Range<usize>>, Vec<Vec<Cell>>) =
        rows(cells, width).into_iter().unzip();
    rows.first_mut()?.iter_mut().for_each(|cell| cell.is_head = true);
    let Table { heads, rows, .. } = Table::of("", &rows, left)?;
    let (head, ranges) = ranges.split_first()?;
    let row = |(range, cells): (Range<usize>, Vec<String>)| DrawnRow { range, cells: Some(cells) };
    // A row whose cells all cover the next one has no place of its own.
    (ranges.len() == rows.len()).then(|| Drawn {
        name: "",
        range: inner,
        head: head.clone(),
        heads,
        rows: ranges.iter().cloned().zip(rows).map(row).collect(),
    })
}

/// Returns the number of columns that the attributes of a table state.
fn columns(attributes: &str) -> Option<usize> {
    let found = COLUMNS.captures(attributes)?;
    let list = found.name("quoted").or_else(|| found.name("bare"))?.as_str();
    let times = |column: &str| {
        let count = column.trim().split_once('*').map_or(Ok(1), |(count, _)| count.parse());
        count.unwrap_or(1).min(WIDEST)
    };
    let count = list.split([',', ';']).map(times).fold(0_usize, usize::saturating_add);
    Some(count).filter(|count| *count > 0)
}

/// Returns the cells within `inner`; `None` if they are too many. A bar behind a backslash is a
/// part of its cell. Copies of a cell take from `left`.
fn cells(text: &str, inner: &Range<usize>, left: &mut usize) -> Option<Vec<Placed>> {
    let within = &text[inner.clone()];
    let is_bar = |found: &Captures<'_>| !within[..found.get_match().end() - 1].ends_with('\\');
    let mut bars = BAR.captures_iter(within).filter(is_bar).peekable();
    let mut cells = Vec::new();
    while let Some(bar) = bars.next() {
        let (start, from) = (bar.get_match().start(), bar.get_match().end());
        let to = bars.peek().map_or(within.len(), |next| next.get_match().start());
        let number = |name| {
            let number = bar.name(name).and_then(|found| found.as_str().parse::<usize>().ok());
            number.unwrap_or(1).clamp(1, SPAN)
        };
        let is_copied = bar.name("sign").is_some_and(|sign| sign.as_str() == "*");
        let (columns, copies) =
            if is_copied { (1, number("columns")) } else { (number("columns"), 1) };
        let words = within[from..to].trim();
        *left = left.checked_sub((copies - 1) * words.len())?;
        if cells.len() + copies > MOST {
            return None;
        }
        let cell =
            Cell { text: words.replace("\\|", "|"), columns, rows: number("rows"), is_head: false };
        let start = start + within[start..from].len() - within[start..from].trim_start().len();
        let end = within[..to].trim_end().len().max(from);
        let range = inner.start + start..inner.start + end;
        cells.extend((0..copies).map(|_| Placed { range: range.clone(), cell: cell.clone() }));
    }
    Some(cells)
}

/// Fills rows of `width` columns with cells; the last row goes if it is not full.
fn rows(cells: Vec<Placed>, width: usize) -> Vec<(Range<usize>, Vec<Cell>)> {
    let mut rows = Vec::new();
    // For each column, the number of rows that a cell above still covers.
    let mut covered = vec![0_usize; width];
    let mut row: Vec<Cell> = Vec::new();
    let mut range: Option<Range<usize>> = None;
    let mut free = width;
    for Placed { range: own, cell } in cells {
        let columns = cell.columns.clamp(1, free.max(1));
        let at = covered.iter().position(|rows| *rows == 0).unwrap_or_default();
        let end = (at + columns).min(width);
        covered[at..end].fill(cell.rows.max(1));
        free = free.saturating_sub(columns);
        range = Some(range.map_or(own.clone(), |range| range.start..own.end));
        row.push(Cell { columns, ..cell });
        if free == 0 {
            rows.extend(range.take().map(|range| (range, std::mem::take(&mut row))));
            for rows in &mut covered {
                *rows = rows.saturating_sub(1);
            }
            free = covered.iter().filter(|rows| **rows == 0).count();
        }
    }
    rows
}
