//! Tables as texts draw them: rows between bars in Markdown and Org, blocks in `AsciiDoc`.

use std::collections::HashSet;
use std::ops::Range;

use model::format::{Format, Markup};

use super::{RECORDS, asciidoc};
use crate::chunk::grid::{Grid, Row, Tsv};
use crate::chunk::lines;
use crate::limit::{NAME, label};

/// Upper bound for the bytes of a line of heads.
const HEAD: usize = 16 * 1024;

/// A table of a text.
#[derive(Debug, PartialEq)]
pub(crate) struct Drawn<'t> {
    /// The caption in `AsciiDoc`, else the heading above it.
    pub(crate) name: &'t str,
    /// The bytes of the whole table.
    pub(crate) range: Range<usize>,
    /// The bytes of the heads of the columns.
    pub(crate) head: Range<usize>,
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<DrawnRow>,
}

/// A row of a table.
#[derive(Debug, PartialEq)]
pub(crate) struct DrawnRow {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// Its cells; `None` if the bytes are one line with bars between the cells.
    pub(crate) cells: Option<Vec<String>>,
}

impl DrawnRow {
    /// Returns the cells of the row, whose text is `text`.
    pub(crate) fn cells(&self, text: &str) -> Vec<String> {
        self.cells.clone().unwrap_or_else(|| cells(&text[self.range.clone()]))
    }
}

/// Returns the tables of a text, in order; none of those in blocks of code.
pub(crate) fn drawn(format: Format, text: &str) -> Vec<Drawn<'_>> {
    match format {
        Format::Markup(Markup::AsciiDoc) => asciidoc::tables(text),
        Format::Markup(Markup::Org) => between_bars(text, '*', "#+begin_", "#+end_"),
        _ => between_bars(text, '#', "```", "```"),
    }
}

/// Returns the tables whose rows stand between bars. `mark` begins a heading, and `opens` and
/// `closes` a block of code.
fn between_bars<'t>(text: &'t str, mark: char, opens: &str, closes: &str) -> Vec<Drawn<'t>> {
    let (mut tables, mut name, mut is_code) = (Vec::new(), "", false);
    let mut lines = lines(text).peekable();
    while let Some(head) = lines.next() {
        let line = text[head.clone()].trim();
        let begins =
            |with: &str| line.get(..with.len()).is_some_and(|l| l.eq_ignore_ascii_case(with));
        is_code = if is_code { !begins(closes) } else { begins(opens) };
        let title = text[head.clone()].trim_start_matches(mark);
        if title.len() < head.len() && title.starts_with(' ') && !is_code {
            name = title.trim_matches([mark, ' ', '\r', '\n']);
        }
        let is_head = !is_code && line.starts_with('|') && line.len() <= HEAD;
        let Some(rule) = lines.next_if(|next| is_head && is_rule(&text[next.clone()])) else {
            continue;
        };
        let (mut rows, mut end) = (Vec::new(), rule.end);
        while let Some(row) = lines.next_if(|next| text[next.clone()].trim_start().starts_with('|'))
        {
            end = row.end;
            // Org may part rows by such a line, too.
            if mark != '*' || !is_rule(&text[row.clone()]) {
                let range = row.start..row.start + text[row].trim_end().len();
                rows.push(DrawnRow { range, cells: None });
            }
        }
        let heads = cells(&text[head.clone()]);
        tables.push(Drawn { name, range: head.start..end, head, heads, rows });
    }
    tables
}

/// Returns the number of tables that a text draws. Parts of one below a heading have the same
/// heads.
pub(crate) fn count(format: Format, text: &str) -> usize {
    let tables = drawn(format, text).into_iter().map(|table| (table.name, table.heads));
    tables.collect::<HashSet<_>>().len()
}

/// Returns the tables of a text file that have records. The number of a row is its line, of which
/// `first_line` is that of the text.
pub(in super::super) fn of_file(format: Format, text: &str, first_line: u32) -> Vec<Grid> {
    let (mut line, mut counted) = (first_line, 0);
    let grid = |Drawn { name, heads, rows, .. }: Drawn<'_>| {
        let mut tsv = Tsv::new(heads.len());
        tsv.push(heads.iter().map(String::as_str));
        let mut placed = vec![Row::default()];
        for row in rows {
            tsv.push(row.cells(text).iter().map(String::as_str));
            let breaks = text[counted..row.range.start].matches('\n').count();
            line = line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
            counted = row.range.start;
            placed.push(Row { range: row.range, number: line });
        }
        Grid { name: label(name, NAME), columns: None, tsv: tsv.text(), rows: placed }
    };
    let large = drawn(format, text).into_iter().filter(|table| table.rows.len() >= RECORDS);
    large.map(grid).collect()
}

/// Returns true for the row of marks below the heads of a table.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.contains("---") && line.chars().all(|c| matches!(c, '|' | '-' | '+' | ':' | ' '))
}

/// Returns the cells between the bars of a line. A bar behind a backslash is a part of its cell.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(line);
    let (mut cells, mut cell, mut is_escaped) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            '|' if !is_escaped => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            '|' => cell.push('|'),
            c if is_escaped => cell.extend(['\\', c]),
            c => cell.push(c),
        }
        is_escaped = false;
    }
    cells.push(cell.trim().to_owned());
    cells
}
