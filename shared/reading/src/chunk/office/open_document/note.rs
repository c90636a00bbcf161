//! Footnotes, comments and boxes of `OpenDocument`.

use office_oxide::xlsx::cell::CellRef;

use super::Parser;

/// A paragraph in the middle of which a footnote, a comment or a box stands.
#[derive(Debug, Default)]
pub(super) struct Interrupted {
    pub(super) paragraph: String,
    pub(super) heading: Option<usize>,
    pub(super) is_item: bool,
    /// The text of the note.
    pub(super) note: String,
}

impl Parser {
    /// Begins a box, which is a note within a paragraph only. Boxes of slides are none.
    pub(super) fn begin_box(&mut self) {
        self.boxes.push(self.is_paragraph);
        if self.is_paragraph {
            self.begin_note();
        }
    }

    /// Begins a note, which interrupts the open paragraph.
    pub(super) fn begin_note(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let (heading, is_item) = (self.heading.take(), std::mem::take(&mut self.is_item));
        self.is_paragraph = false;
        self.notes.push(Interrupted { paragraph, heading, is_item, note: String::new() });
    }

    /// Ends a note. A footnote stands in the paragraph, the others behind it, and a comment on a
    /// cell among the notes of the sheet.
    pub(super) fn end_note(&mut self, name: &str) {
        let Some(Interrupted { paragraph, heading, is_item, note }) = self.notes.pop() else {
            return;
        };
        self.paragraph = paragraph;
        self.is_paragraph = !self.paragraph.is_empty() || heading.is_some();
        (self.heading, self.is_item) = (heading, is_item);
        if note.is_empty() {
            return;
        }
        match (self.notes.last_mut(), self.tables.last_mut()) {
            (Some(outer), _) => outer.note.extend([" ", &note]),
            (None, Some(table)) if self.has_sheets => {
                let cell = CellRef { col: table.column, row: table.above };
                table.sheet.notes.push(format!("{cell}: {note}"));
            }
            _ if name == "text:note" => self.paragraph.extend([" (", &note, ")"]),
            (None, Some(table)) => table.cell.shown.extend([" ", &note]),
            (None, None) => self.waiting.push(note),
        }
    }
}
