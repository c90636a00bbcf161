//! The tables of a page while it is read.

use html5gum::StartTag;

use crate::chunk::table::{Cell, FILLED, Table};

/// Upper bound for the rows and cells of a table, which take about 70 bytes each.
const CELLS: usize = 200_000;

/// The open tables of a page, the innermost last. `None` is a table that lays out the page, and
/// whose cells are paragraphs.
#[derive(Debug, Default)]
pub(super) struct Tables(Vec<Option<Rows>>, Left);

/// The bytes that may still be filled.
#[derive(Debug)]
struct Left(usize);

impl Default for Left {
    fn default() -> Left {
        Left(FILLED)
    }
}

/// The rows of an open table.
#[derive(Debug, Default)]
pub(super) struct Rows {
    list: Vec<Vec<Cell>>,
    cells: usize,
    caption: String,
    is_caption: bool,
    is_head: bool,
}

impl Tables {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the innermost table, unless it lays out the page.
    pub(super) fn open(&mut self) -> Option<&mut Rows> {
        self.0.last_mut()?.as_mut()
    }

    /// Returns true if the innermost table has more cells than a table may have.
    pub(super) fn is_full(&mut self) -> bool {
        self.open().is_some_and(|table| table.cells >= CELLS)
    }

    /// Begins a table and returns the texts of the one that it is in, which lays out the page.
    pub(super) fn begin(&mut self) -> Option<String> {
        let outer = self.lay_out();
        self.0.push(Some(Rows::default()));
        outer
    }

    /// Makes the innermost table one that lays out the page, and returns its texts.
    pub(super) fn lay_out(&mut self) -> Option<String> {
        self.0.last_mut()?.take().map(Rows::texts)
    }

    /// Ends the innermost table and returns it, or its texts if it has one row or one column.
    /// `None` if it lays out the page.
    pub(super) fn end(&mut self) -> Option<Result<Table, String>> {
        let rows = self.0.pop()??;
        Some(rows.table(&mut self.1.0))
    }
}

impl Rows {
    /// Begins a row, a cell, or a part of the table. `is_break` is true for an element that begins
    /// a line.
    pub(super) fn start(&mut self, name: &str, tag: &StartTag<()>, is_break: bool) {
        let number = |name: &str| {
            let value = tag.attributes.get(name.as_bytes())?;
            String::from_utf8_lossy(value).trim().parse().ok()
        };
        match name {
            "caption" => self.is_caption = true,
            "thead" => self.is_head = true,
            "tbody" | "tfoot" => self.is_head = false,
            "tr" => {
                self.cells += 1;
                self.list.push(Vec::new());
            }
            "td" | "th" => {
                if self.list.is_empty() {
                    self.list.push(Vec::new());
                }
                let cell = Cell {
                    text: String::new(),
                    columns: number("colspan").unwrap_or(1),
                    rows: number("rowspan").unwrap_or(1),
                    is_head: self.is_head || name == "th",
                };
                self.cells += 1;
                self.list.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            _ if is_break => self.text(" "),
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &str, is_break: bool) {
        match name {
            "caption" => self.is_caption = false,
            "thead" => self.is_head = false,
            _ if is_break => self.text(" "),
            _ => {}
        }
    }

    /// Adds a text to the open cell or to the caption.
    pub(super) fn text(&mut self, text: &str) {
        let cell = self.list.last_mut().and_then(|row| row.last_mut()).map(|cell| &mut cell.text);
        let into = if self.is_caption { Some(&mut self.caption) } else { cell };
        let Some(into) = into else { return };
        for c in text.chars() {
            match c {
                c if !c.is_whitespace() => into.push(c),
                _ if !into.is_empty() && !into.ends_with(' ') => into.push(' '),
                _ => {}
            }
        }
    }

    fn table(mut self, left: &mut usize) -> Result<Table, String> {
        for cell in self.list.iter_mut().flatten() {
            cell.text.truncate(cell.text.trim_end().len());
        }
        self.list.retain(|row| row.iter().any(|cell| !cell.text.is_empty()));
        Table::of(self.caption.trim(), &self.list, left).ok_or_else(|| self.texts())
    }

    fn texts(self) -> String {
        let cells = self.list.into_iter().flatten().map(|cell| cell.text.trim().to_owned());
        let texts = std::iter::once(self.caption.trim().to_owned()).chain(cells);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}
