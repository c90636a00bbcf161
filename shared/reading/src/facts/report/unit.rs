//! Cuts passages into sentences, items, rows and lines of code, each with the heading or label
//! above it.

use std::ops::Range;

use super::kind::Kind;
use super::label::{Label, label};
use super::line::{has_columns, is_fence, is_heading, is_title};
use model::document::{DocumentType, Passage, SECTION_SEPARATOR};
use text::sentence;
use text::sentence::{after_marker, after_time};

/// The form of a unit on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A sentence of a paragraph.
    Prose,
    /// A list item or a sentence of one.
    Item,
    /// A cell of a table.
    Cell,
    /// A line of code or of a log.
    Code,
}

/// The smallest piece of text that is scored.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// The passage, and the bytes in it.
    pub passage: usize,
    pub range: Range<usize>,
    /// The number that the sentences of one paragraph, item or cell share.
    pub block: u32,
    /// The number that the items of one list and the sentences of one paragraph share.
    pub group: u32,
    pub kind: Kind,
    pub form: Form,
    /// The bytes of the time before or beside the first unit of a block.
    pub time: Option<Range<usize>>,
}

/// Cuts a whole document into units, in order.
pub(super) fn read(document: &[&Passage]) -> Vec<Unit> {
    let mut reader = Reader::default();
    let mut section: Option<&str> = None;
    let has_sections = document.iter().any(|passage| !passage.section.is_empty());
    for (number, passage) in document.iter().enumerate() {
        reader.passage = number;
        // Two passages share a section only if it was split. A label or a code block then
        // continues.
        if section != Some(&passage.section) {
            section = Some(&passage.section);
            reader.heading = Kind::of_section(&passage.section, SECTION_SEPARATOR);
            if passage.section.is_empty() && has_sections {
                reader.heading = Kind::Summary; // the text above the first heading is a summary
            }
            reader.label = None;
            reader.in_code = false;
        }
        if let Some(kind) = reader
            .tail
            .take()
            .filter(|_| number > 0 && section == Some(&document[number - 1].section))
        {
            reader.label = Some(Scope { kind, filled: true });
        }
        reader.group += 1;
        reader.read(&passage.text, passage.document_type == DocumentType::Log);
    }
    reader.units
}

#[derive(Default)]
struct Reader {
    units: Vec<Unit>,
    passage: usize,
    heading: Kind,
    label: Option<Scope>,
    in_code: bool,
    open: Option<Open>,
    block: u32,
    group: u32,
    row: Option<usize>,
    /// The time that was read before the next unit.
    time: Option<Range<usize>>,
    /// The kind that a label in the last block gave to its rest, which may be in the next passage.
    tail: Option<Kind>,
}

/// The scope of a label.
#[derive(Clone, Copy)]
struct Scope {
    kind: Kind,
    /// True if the label's own line has text. The label then ends with that paragraph.
    filled: bool,
}

/// The block that is being read.
struct Open {
    range: Range<usize>,
    form: Form,
}

impl Reader {
    fn read(&mut self, text: &str, log: bool) {
        let mut at = 0;
        let mut blank = true;
        for line in text.split_inclusive('\n') {
            let range = at..at + line.len();
            at = range.end;
            if line.trim().is_empty() {
                self.close(text);
                blank = true;
                continue;
            }
            if log || self.in_code || is_fence(line) {
                self.code(text, range, log);
            } else if is_heading(line) {
                let is_title = |range: &Range<usize>| is_title(&text[range.clone()], line);
                self.open.take_if(|open| open.form == Form::Prose && is_title(&open.range));
                self.close(text);
                self.group += 1;
            } else if line.trim_start().starts_with('|') {
                self.row(text, range);
            } else {
                self.line(text, range, blank);
            }
            blank = false;
        }
        self.close(text);
        self.row = None;
    }

    fn kind(&self) -> Kind {
        self.label.map_or(self.heading, |label| label.kind)
    }

    fn code(&mut self, text: &str, range: Range<usize>, log: bool) {
        self.close(text);
        if !log && is_fence(&text[range.clone()]) {
            self.in_code = !self.in_code;
            return;
        }
        self.open = Some(Open { range, form: Form::Code });
        self.close(text);
    }

    /// Reads a line of prose or of a list, which begins a block or continues one.
    fn line(&mut self, text: &str, range: Range<usize>, blank: bool) {
        let quoted = text[range.clone()].trim_start_matches([' ', '\t', '>']);
        let start = range.end - quoted.len();
        let content = start + after_marker(quoted);
        let is_item = content > start;
        let found = label(&text[content..range.end]);
        let goes_on = !is_item && !blank && found.is_none() && !has_columns(quoted);
        if let Some(open) = self.open.as_mut().filter(|_| goes_on) {
            open.range.end = range.end;
            return;
        }
        self.close(text);
        let indented = start > range.start;
        if blank && !is_item {
            self.group += 1;
            if !indented && self.label.is_some_and(|label| label.filled) {
                self.label = None;
            }
        }
        let content = self.enter(text, content..range.end, found, is_item);
        if has_columns(&text[content.clone()]) {
            return self.columns(text, content);
        }
        let form = if is_item { Form::Item } else { Form::Prose };
        self.open = Some(Open { range: content, form });
    }

    /// Reads a row of a table drawn with spaces as a unit of its own.
    fn columns(&mut self, text: &str, range: Range<usize>) {
        self.open = Some(Open { range, form: Form::Cell });
        self.close(text);
        self.group += 1;
    }

    /// Applies a label's kind to the text after it and returns the rest of the line.
    fn enter(
        &mut self,
        text: &str,
        range: Range<usize>,
        found: Option<Label>,
        is_item: bool,
    ) -> Range<usize> {
        let Some(found) = found else { return range };
        let rest = range.start + found.end..range.end;
        let filled = !text[rest.clone()].trim().is_empty();
        // "- Repaired: at noon" is no label for the next item, nor for text that is excluded.
        if !found.is_marked && ((is_item && filled) || self.kind() == Kind::Excluded) {
            return range;
        }
        self.label = found.kind.map(|kind| Scope { kind, filled });
        if found.kind != Some(self.heading) {
            self.group += 1;
        }
        // An unknown label is part of its sentence: "**Lock the door**: it blew open".
        if found.kind.is_some() { rest } else { range }
    }

    /// Scores a row of a table by its longest cell; its first cell may be a label.
    fn row(&mut self, text: &str, range: Range<usize>) {
        self.close(text);
        let line = text[range.clone()].trim_end();
        if line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' ' | b'\t')) {
            if let Some(header) = self.row.take() {
                self.units.truncate(header); // the row above the rule names the columns
            }
            return;
        }
        self.row = Some(self.units.len());
        let mut start = range.start;
        let mut longest = start..start;
        for cell in line.split('|') {
            let whole = start..start + cell.len();
            start = whole.end + 1;
            let content = sentence::trimmed(text, whole);
            if sentence::is_time(&text[content.clone()]) {
                self.time = Some(content);
            } else if content.len() > longest.len() {
                longest = content;
            }
        }
        let above = self.label;
        let name = line.trim_matches([' ', '|']).split('|').next().unwrap_or_default();
        let named = Kind::of(name.trim_matches([' ', '*', '_', ':']));
        if let Some(kind) = named.filter(|_| name.len() < longest.len()) {
            self.label = Some(Scope { kind, filled: true });
        }
        self.open = Some(Open { range: longest, form: Form::Cell });
        self.close(text);
        self.label = above;
        self.group += 1;
    }

    /// Cuts the open block into sentences.
    fn close(&mut self, text: &str) {
        let Some(Open { range, form }) = self.open.take() else { return };
        self.block += 1;
        let kind = self.kind();
        let range = sentence::trimmed(text, range);
        let range = self.after_time(text, range);
        if form == Form::Code {
            return self.push(range, kind, form);
        }
        // A label may also precede a later sentence: "... It burned. Recommendation: use steel."
        let mut kind = kind;
        let is_excluded = kind == Kind::Excluded;
        for sentence in sentence::sentences(&text[range.clone()]) {
            let mut sentence = range.start + sentence.start..range.start + sentence.end;
            while let Some(Label { kind: Some(named), end, .. }) = label(&text[sentence.clone()]) {
                kind = if is_excluded { kind } else { named };
                sentence = sentence::trimmed(text, sentence.start + end..sentence.end);
            }
            let sentence = self.after_time(text, sentence);
            self.push(sentence, kind, form);
        }
        self.tail = Some(kind).filter(|kind| form == Form::Prose && *kind != self.kind());
    }

    /// Returns the text without the time before it. The next unit gets the time.
    fn after_time(&mut self, text: &str, range: Range<usize>) -> Range<usize> {
        let end = range.start + after_time(&text[range.clone()]);
        if end > range.start {
            let is_mark = |c: char| matches!(c, ' ' | ':' | '-' | '–' | '[' | ']' | '.');
            let stamp = text[range.start..end].trim_end_matches(is_mark);
            self.time = Some(range.start..range.start + stamp.len());
        }
        end..range.end
    }

    fn push(&mut self, range: Range<usize>, kind: Kind, form: Form) {
        if range.is_empty() {
            return;
        }
        let (passage, block, group) = (self.passage, self.block, self.group);
        let time = self.time.take();
        self.units.push(Unit { passage, range, block, group, kind, form, time });
    }
}
