//! What passages say of which alternative: sentences, items and cells, each with what it stands below.

use std::ops::Range;

use super::label::{argues, is_label, is_prose, lists_arguments};
use crate::block::{Block, Form, blocks, cells};
use crate::document::{Chunk, SECTION_SEPARATOR};
use crate::sentence::sentences;
use crate::strategy::Evidence;
use crate::term::{Mention, Terms};

/// The smallest part of a passage that is judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement {
    /// The passage, by its place among the evidence.
    pub passage: usize,
    /// What is quoted: a sentence, an item, a row.
    pub quote: Range<usize>,
    /// Where its values stand: the quote, or one cell of it.
    pub focus: Range<usize>,
    /// The alternatives named in the focus.
    pub named: Vec<Mention>,
    /// The alternative that it stands with where it names none itself.
    pub under: Option<usize>,
    /// The one alternative that the document's title names, where nothing nearer names any.
    pub titled: Option<usize>,
    /// Whether it is a line of code, which is no evidence unless it tells a value or is prose after all.
    pub is_code: bool,
    /// Whether it is a pro or a con.
    pub argues: bool,
    /// What says by which criterion a cell is judged: the head of its column or row.
    pub head: Option<String>,
}

impl Statement {
    /// Whether it stands with any alternative.
    pub(super) fn has_alternative(&self) -> bool {
        !self.named.is_empty() || self.under.is_some() || self.titled.is_some()
    }
}

/// Reads the passages, each document's in order.
pub(super) fn statements(evidence: &[Evidence], alternatives: &Terms) -> Vec<Statement> {
    let mut reader = Reader {
        alternatives,
        mentions: Vec::new(),
        statements: Vec::new(),
        above: Above::default(),
        table: None,
    };
    for (place, own) in evidence.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| &evidence[before].chunk);
        reader.passage(place, &own.chunk, before);
    }
    reader.statements
}

/// The alternatives that what is being read stands below.
#[derive(Default)]
struct Above {
    heading: Option<usize>,
    title: Option<usize>,
    /// Whether pros and cons are listed.
    argues: bool,
    /// Whether the heading says so.
    heading_argues: bool,
    /// By a line that ends with a colon, or one in bold.
    label: Option<usize>,
    /// By the paragraph before a block of code.
    paragraph: Option<usize>,
    /// By outer items, each with its indent.
    items: Vec<(usize, Option<usize>)>,
}

/// The head of the table that is being read, which a split may have left in the passage before.
struct Table {
    heads: Vec<String>,
    columns: Vec<Option<usize>>,
    /// What the last row says that has a label; an empty one goes on with it.
    label: String,
}

struct Reader<'t> {
    alternatives: &'t Terms,
    /// Those named in the passage that is being read.
    mentions: Vec<Mention>,
    statements: Vec<Statement>,
    above: Above,
    table: Option<Table>,
}

impl Reader<'_> {
    fn passage(&mut self, place: usize, chunk: &Chunk, before: Option<&Chunk>) {
        let goes_on = before.is_some_and(|before| {
            before.document_id == chunk.document_id
                && before.section == chunk.section
                && before.position + 1 == chunk.position
        });
        if !goes_on {
            let (heading, title) = (self.heading(&chunk.section), self.subject(&chunk.title));
            let argues = lists_arguments(chunk.heading());
            let heading_argues = argues;
            self.above = Above { heading, title, argues, heading_argues, ..Above::default() };
            self.table = None;
        }
        self.mentions = self.alternatives.find(&chunk.text);
        let mut row_end = 0;
        for block in blocks(&chunk.text) {
            // What is no row ends a table, and so does a blank line.
            let is_apart = row_end > 0 && chunk.text[row_end..block.range.start].contains("\n\n");
            if block.form != Form::Row || is_apart {
                self.table = None;
            }
            row_end = if block.form == Form::Row { block.range.end } else { 0 };
            self.block(place, &chunk.text, &block);
        }
    }

    /// The alternative that the innermost telling heading is about.
    fn heading(&self, section: &str) -> Option<usize> {
        let mut headings = section.rsplit(SECTION_SEPARATOR);
        let telling = headings.find(|heading| self.alternatives.are_in(heading))?;
        self.subject(telling)
    }

    /// The one alternative that a heading names, or the one that it names instead of others.
    fn subject(&self, heading: &str) -> Option<usize> {
        let mentions = self.alternatives.find(heading);
        let first = mentions.first()?;
        let behind = &heading[first.end..];
        let is_instead = [" instead of ", " rather than ", " over ", " without "]
            .iter()
            .any(|word| behind.contains(word));
        let is_alone = mentions.iter().all(|own| own.number == first.number);
        (is_alone || is_instead).then_some(first.number)
    }

    /// The alternatives named within a part of the passage.
    fn within(&self, range: &Range<usize>) -> &[Mention] {
        let first = self.mentions.partition_point(|own| own.start < range.start);
        let behind = self.mentions.partition_point(|own| own.start < range.end);
        &self.mentions[first..behind]
    }

    fn block(&mut self, place: usize, text: &str, block: &Block) {
        let range = block.range.clone();
        match block.form {
            Form::Heading => {
                self.above.label = None;
                self.above.items.clear();
            }
            Form::Row => self.row(place, text, range),
            Form::Item(indent) => {
                self.above.items.retain(|(outer, _)| *outer < indent);
                self.above.items.push((indent, None));
                let under = self.above.items.iter().rev().find_map(|(_, own)| *own);
                let under = under.or(self.above.label).or(self.above.heading);
                let own = self.prose(place, text, range, under);
                if let Some(last) = self.above.items.last_mut() {
                    last.1 = own;
                }
            }
            Form::Paragraph => {
                self.above.items.clear();
                let names = self.within(&range).to_vec();
                let own = &text[range.clone()];
                if is_label(own) {
                    self.above.argues = lists_arguments(own);
                    // "Pros:" says nothing of whose they are.
                    if !self.above.argues || !names.is_empty() {
                        self.above.label = only(&names);
                    }
                } else {
                    self.above.label = None;
                    self.above.argues = self.above.heading_argues;
                }
                self.above.paragraph = only(&names);
                let under = self.above.label.or(self.above.heading);
                self.prose(place, text, range, under);
            }
            Form::Code => {
                let item = self.above.items.last().and_then(|(_, own)| *own);
                let under = item.or(self.above.paragraph);
                let under = under.or(self.above.label).or(self.above.heading);
                let is_code = !is_prose(&text[range.clone()]);
                self.say(place, text, range, under);
                if let Some(last) = self.statements.last_mut() {
                    last.is_code = is_code;
                }
            }
        }
    }

    /// Takes a block's sentences; gives the one alternative that the block names. A sentence that names none goes on
    /// about the one before it.
    fn prose(
        &mut self,
        place: usize,
        text: &str,
        range: Range<usize>,
        under: Option<usize>,
    ) -> Option<usize> {
        let mut last = under;
        for sentence in sentences(&text[range.clone()]) {
            let sentence = range.start + sentence.start..range.start + sentence.end;
            let names = self.within(&sentence);
            let next = if names.is_empty() { last } else { only(names) };
            self.say(place, text, sentence, last);
            last = next;
        }
        only(self.within(&range))
    }

    /// A row of a table: its cells stand with the alternative of their row, or else of their column.
    fn row(&mut self, place: usize, text: &str, range: Range<usize>) {
        let cells = cells(text, range.clone());
        let Some(table) = &mut self.table else {
            let heads: Vec<String> =
                cells.iter().map(|cell| text[cell.clone()].to_owned()).collect();
            let columns = heads.iter().map(|head| only(&self.alternatives.find(head))).collect();
            self.table = Some(Table { heads, columns, label: String::new() });
            return;
        };
        if let Some(own) = cells.first().filter(|own| !own.is_empty()) {
            text[own.clone()].clone_into(&mut table.label);
        }
        let (label, heads, columns) =
            (table.label.clone(), table.heads.clone(), table.columns.clone());
        let of_row = only(&self.alternatives.find(&label));
        let mut found = Vec::new();
        for (column, cell) in cells.into_iter().enumerate().skip(1) {
            let of_column = columns.get(column).copied().flatten();
            let (under, head) = match (of_row, of_column) {
                (Some(row), _) => (Some(row), heads.get(column).cloned()),
                (None, Some(alternative)) => (Some(alternative), Some(label.clone())),
                (None, None) => {
                    (self.above.label.or(self.above.heading), heads.get(column).cloned())
                }
            };
            if text[cell.clone()].contains(char::is_alphanumeric) {
                found.push((cell, under, head));
            }
        }
        for (cell, under, head) in found {
            let named = self.within(&cell);
            let named = if under.is_some() { Vec::new() } else { named.to_vec() };
            let quote = range.clone();
            self.statements.push(Statement {
                passage: place,
                quote,
                focus: cell,
                // A row without one of the alternatives is about another.
                titled: None,
                named,
                under,
                is_code: false,
                argues: false,
                head,
            });
        }
    }

    fn say(&mut self, place: usize, text: &str, range: Range<usize>, under: Option<usize>) {
        let own = &text[range.clone()];
        let named = self.within(&range).to_vec();
        let is_item = !self.above.items.is_empty() || self.above.label.is_some();
        let is_argument = argues(own) || (self.above.argues && is_item);
        let under = under.filter(|_| named.is_empty() || is_argument);
        self.statements.push(Statement {
            passage: place,
            quote: range.clone(),
            focus: range,
            titled: self.above.title.filter(|_| named.is_empty() && under.is_none()),
            named,
            under,
            is_code: false,
            argues: is_argument,
            head: None,
        });
    }
}

/// The one alternative that all mentions are of.
fn only(mentions: &[Mention]) -> Option<usize> {
    let first = mentions.first()?.number;
    mentions.iter().all(|own| own.number == first).then_some(first)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
