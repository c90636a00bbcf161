//! Files of `OpenDocument` (OASIS `OpenDocument` 1.3): texts, sheets and slides of `LibreOffice`.

use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use self::note::Interrupted;
use self::table::Table;
use super::sheet::{Cell, Row, Sheet};
use super::{CELL_BYTES, LETTERS, PARTS, SHEET};

mod note;
mod table;
use crate::chunk::table as layout;

/// Elements whose text is no text of the document: what a tracked change deleted, and the names and
/// dates of comments.
const LEFT_OUT: [&str; 8] = [
    "text:note-citation",
    "text:tracked-changes",
    "dc:creator",
    "dc:date",
    "meta:date-string",
    "meta:creator-initials",
    "text:index-title-template",
    "office:scripts",
];

/// The content of a file.
#[derive(Debug, Default)]
pub(super) struct OpenDocument {
    /// The text as Markdown, with its tables; empty for sheets.
    pub(super) text: String,
    /// The sheets.
    pub(super) sheets: Vec<Sheet>,
}

/// Reads a file.
///
/// # Errors
/// Says why it cannot be read.
pub(super) fn read(bytes: &[u8], has_sheets: bool) -> Result<OpenDocument, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    if archive.len() > PARTS {
        return Err(format!("it has {} parts; at most {PARTS} are read", archive.len()));
    }
    let part = archive.by_name("content.xml").map_err(|error| error.to_string())?;
    let mut content = String::new();
    // One byte more shows that there is more.
    let read = part.take(SHEET + 1).read_to_string(&mut content);
    read.map_err(|error| format!("its text is damaged: {error}"))?;
    if content.len() as u64 > SHEET {
        return Err(format!("limit exceeded: its text has more than {SHEET} bytes"));
    }
    Parser { has_sheets, left: layout::FILLED, cell_bytes: CELL_BYTES, ..Parser::default() }
        .read(&content)
}

#[derive(Debug, Default)]
struct Parser {
    document: OpenDocument,
    has_sheets: bool,
    /// The text of the current paragraph.
    paragraph: String,
    /// The number of open lists.
    lists: usize,
    /// True at the first paragraph of an item.
    is_item: bool,
    heading: Option<usize>,
    tables: Vec<Table>,
    /// True within a paragraph or a heading.
    is_paragraph: bool,
    /// The open boxes; true for one that is a note.
    boxes: Vec<bool>,
    /// The notes that are open, each with what it interrupts.
    notes: Vec<Interrupted>,
    /// The texts of comments and boxes that wait for the end of the paragraph.
    waiting: Vec<String>,
    letters: usize,
    /// The bytes that cells may still take.
    cell_bytes: usize,
    /// The bytes that tables may still be filled with.
    left: usize,
}

impl Parser {
    fn read(mut self, content: &str) -> Result<OpenDocument, String> {
        let mut reader = Reader::from_str(content);
        let mut left_out: usize = 0;
        loop {
            match reader.read_event().map_err(|error| error.to_string())? {
                Event::Eof => break,
                Event::Start(tag) => {
                    let is_left_out = LEFT_OUT.contains(&tag.name().as_ref());
                    if left_out > 0 || is_left_out {
                        left_out += 1;
                    } else {
                        self.start(&tag);
                    }
                }
                Event::End(_) if left_out > 0 => left_out -= 1,
                Event::End(tag) => self.end(tag.name().as_ref())?,
                Event::Empty(tag) if left_out == 0 => {
                    self.start(&tag);
                    self.end(tag.name().as_ref())?;
                }
                Event::Text(text) if left_out == 0 => self.add(&text)?,
                Event::CData(text) if left_out == 0 => self.add(&text)?,
                Event::GeneralRef(reference) if left_out == 0 => {
                    let letter = reference.resolve_char_ref().ok().flatten();
                    let known =
                        quick_xml::escape::resolve_xml_entity(&reference).map(str::to_owned);
                    let text = letter.map(String::from).or(known);
                    self.add(&text.unwrap_or_default())?;
                }
                _ => {}
            }
        }
        Ok(self.document)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        self.letters += text.len();
        if self.letters > LETTERS {
            return Err(format!("limit exceeded: it has more than {LETTERS} letters"));
        }
        for c in text.chars() {
            match c {
                _ if !c.is_whitespace() => self.paragraph.push(c),
                _ if !self.paragraph.ends_with([' ', '\n']) => self.paragraph.push(' '),
                _ => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        let number = |name: &str| value(tag, name).and_then(|value| value.parse::<u32>().ok());
        match tag.name().as_ref() {
            "text:h" => {
                self.is_paragraph = true;
                let level = number("text:outline-level").unwrap_or(1) as usize;
                self.heading = Some(level.clamp(1, 6));
            }
            "text:note" | "office:annotation" => self.begin_note(),
            "draw:text-box" => self.begin_box(),
            "text:p" => self.is_paragraph = true,
            "text:list" => self.lists += 1,
            "text:list-item" => self.is_item = true,
            "text:s" => self.paragraph.push(' '),
            "text:tab" => self.paragraph.push('\t'),
            "text:line-break" => self.paragraph.push('\n'),
            "draw:page" => {
                let name = value(tag, "draw:name").unwrap_or_default();
                self.document.text.extend(["## ", &name, "\n\n"]);
            }
            "table:table" => {
                let name = value(tag, "table:name").unwrap_or_default();
                let sheet = Sheet { name, ..Sheet::default() };
                self.tables.push(Table { sheet, ..Table::default() });
            }
            "table:table-row" => {
                if let Some(table) = self.tables.last_mut() {
                    table.row_repeats = number("table:number-rows-repeated").unwrap_or(1).max(1);
                    table.column = 0;
                    table.row = Row::default();
                    table.laid_out.push(Vec::new());
                }
            }
            "table:table-cell" | "table:covered-table-cell" => {
                if let Some(table) = self.tables.last_mut() {
                    table.cell_repeats =
                        number("table:number-columns-repeated").unwrap_or(1).max(1);
                    table.rows_spanned = number("table:number-rows-spanned").unwrap_or(1);
                    table.columns_spanned = number("table:number-columns-spanned").unwrap_or(1);
                    table.is_covered = tag.name().as_ref() == "table:covered-table-cell";
                    let value =
                        value(tag, "office:date-value").or_else(|| value(tag, "office:value"));
                    table.cell = Cell { value, ..Cell::default() };
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) -> Result<(), String> {
        match name {
            "text:p" | "text:h" => self.end_paragraph(),
            "text:note" | "office:annotation" => self.end_note(name),
            "draw:text-box" if self.boxes.pop() == Some(true) => self.end_note(name),
            "text:list" => self.lists = self.lists.saturating_sub(1),
            "table:table-cell" | "table:covered-table-cell" => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_cell(&mut self.cell_bytes)?;
                }
            }
            "table:table-row" => {
                if let Some(table) = self.tables.last_mut() {
                    table.end_row(&mut self.cell_bytes)?;
                }
            }
            "table:table" => self.end_table(),
            _ => {}
        }
        Ok(())
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let (paragraph, heading) = (paragraph.trim(), self.heading.take());
        let is_item = std::mem::take(&mut self.is_item);
        self.is_paragraph = false;
        if paragraph.is_empty() {
            return;
        }
        if let Some(Interrupted { note, .. }) = self.notes.last_mut() {
            note.extend([if note.is_empty() { "" } else { " " }, paragraph]);
            return;
        }
        if let Some(table) = self.tables.last_mut() {
            let shown = &mut table.cell.shown;
            if !shown.is_empty() {
                shown.push(' ');
            }
            shown.push_str(paragraph);
            return;
        }
        let text = &mut self.document.text;
        match (heading, is_item) {
            (Some(level), _) => text.extend(["#".repeat(level).as_str(), " "]),
            (None, true) => {
                text.extend(["  ".repeat(self.lists.clamp(1, 9) - 1).as_str(), "- "]);
            }
            (None, false) => {}
        }
        text.push_str(paragraph);
        text.push_str(if is_item { "\n" } else { "\n\n" });
        for note in self.waiting.drain(..) {
            text.extend([note.as_str(), "\n\n"]);
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        if self.has_sheets {
            self.document.sheets.push(table.sheet);
            return;
        }
        let cells = table.laid_out;
        if let Some(outer) = self.tables.last_mut() {
            // A table within a cell.
            let texts: Vec<&str> = cells.iter().flatten().map(|cell| cell.text.as_str()).collect();
            outer.cell.shown.extend([" ", &texts.join(" ")]);
            return;
        }
        let text = &mut self.document.text;
        text.push('\n');
        match layout::Table::of("", &cells, &mut self.left) {
            Some(table) => text.push_str(&table.markdown()),
            None => {
                for cell in cells.iter().flatten().filter(|cell| !cell.text.is_empty()) {
                    text.extend([&cell.text, "\n\n"]);
                }
            }
        }
    }
}

fn value(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = tag.try_get_attribute(name).ok()??;
    let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).ok()?;
    Some(value.into_owned())
}
