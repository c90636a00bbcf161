//! The statements of a document: its sentences, items and cells, each with the places above it.

use std::ops::Range;

use model::document::{DocumentType, Passage};
use model::facts::{Side, Statement, Statements, Value, span};
use quantity::{Quantity, quantities};
use text::block::{Block, Form, blocks};
use text::sentence::sentences;

use place::Places;
use table::Table;

mod label;
mod place;
mod table;

/// Reads the statements of a document's passages, which are in order. Logs, settings and code have
/// none.
pub(super) fn read(document: &[&Passage]) -> Vec<Statements> {
    let none = [DocumentType::Log, DocumentType::Config, DocumentType::Code];
    let bytes: usize = document.iter().map(|d| d.text.len()).sum();
    let mut reader = Reader { left: Left::of(bytes), ..Reader::default() };
    let mut before: Option<&Passage> = None;
    let mut all = Vec::with_capacity(document.len());
    for passage in document {
        if none.contains(&passage.document_type) {
            all.push(Statements::default());
            continue;
        }
        let goes_on = before.is_some_and(|before| {
            before.section == passage.section && before.position + 1 == passage.position
        });
        before = Some(passage);
        all.push(reader.passage(passage, goes_on));
    }
    all
}

/// The places above the text that is being read, by their numbers in [`Places`].
#[derive(Default)]
struct Above {
    /// The side that the heading states.
    heading: Option<Side>,
    /// The side that the heading or the label states.
    side: Option<Side>,
    /// A line that ends with a colon, or one in bold.
    label: Option<usize>,
    /// The paragraph before a block of code.
    paragraph: Option<usize>,
    /// The outer items, each with its indent.
    items: Vec<(usize, usize)>,
}

impl Above {
    fn nearest(&self) -> Option<usize> {
        self.items.last().map(|(_, place)| *place).or(self.label)
    }
}

/// The number of statements and values that may still be read of a document. Later passages can be
/// found, but they have no statements to compare.
#[derive(Default)]
struct Left {
    statements: usize,
    values: usize,
}

impl Left {
    /// Returns the limits for a document of this size. They suffice for any prose, but not for
    /// millions of one-letter items, each of which takes a hundred bytes of memory, or of
    /// quantities, each of which takes three hundred.
    fn of(bytes: usize) -> Left {
        Left { statements: 50_000 + bytes / 100, values: 50_000 + bytes / 500 }
    }
}

#[derive(Default)]
struct Reader {
    left: Left,
    places: Places,
    above: Above,
    table: Option<Table>,
    list: Vec<Statement>,
}

impl Reader {
    fn passage(&mut self, passage: &Passage, goes_on: bool) -> Statements {
        if !goes_on {
            let side = label::side(passage.heading());
            self.above = Above { heading: side, side, ..Above::default() };
            self.table = None;
            self.places = Places::default();
        }
        self.places.next_passage();
        let mut row_end = 0;
        for block in blocks(&passage.text) {
            // A table ends at a blank line and at any block that is not a row.
            let is_apart = row_end > 0 && passage.text[row_end..block.range.start].contains("\n\n");
            if block.form != Form::Row || is_apart {
                self.table = None;
            }
            row_end = if block.form == Form::Row { block.range.end } else { 0 };
            self.block(&passage.text, block);
        }
        let mut list = std::mem::take(&mut self.list);
        list.shrink_to_fit();
        self.places.used_by(list)
    }

    fn block(&mut self, text: &str, block: Block) {
        let range = block.range;
        match block.form {
            Form::Heading => {
                self.above.label = None;
                self.above.items.clear();
            }
            Form::Row => self.row(text, range),
            Form::Item(indent) => {
                self.above.items.retain(|(outer, _)| *outer < indent);
                let below = self.above.nearest();
                self.prose(text, range.clone(), below, true);
                let place = self.places.add(text, range, below);
                self.above.items.push((indent, place));
            }
            Form::Paragraph => self.paragraph(text, range),
            Form::Code => {
                let item = self.above.items.last().map(|(_, place)| *place);
                let below = item.or(self.above.paragraph).or(self.above.label);
                let is_code = !label::is_prose(&text[range.clone()]);
                self.push(Statement { is_code, ..statement_at(text, range, below) });
            }
        }
    }

    fn paragraph(&mut self, text: &str, range: Range<usize>) {
        self.above.items.clear();
        let part = &text[range.clone()];
        let place = self.places.add(text, range.clone(), None);
        if label::is_label(part) {
            let side = label::side(part);
            // "Pros:" below "Kafka:" does not name its subject, so the label "Kafka:" stays in
            // force.
            let goes_on = side.is_some() && label::is_bare(part);
            self.above.label = if goes_on { self.above.label } else { Some(place) };
            self.above.side = side.or(self.above.heading);
        } else {
            self.above.label = None;
            self.above.side = self.above.heading;
        }
        self.above.paragraph = Some(place);
        let below = self.above.label.filter(|label| *label != place);
        self.prose(text, range, below, false);
    }

    fn prose(&mut self, text: &str, range: Range<usize>, below: Option<usize>, is_item: bool) {
        for (number, sentence) in sentences(&text[range.clone()]).enumerate() {
            let sentence = range.start + sentence.start..range.start + sentence.end;
            let listed = self.above.side.filter(|_| is_item || self.above.label.is_some());
            let side = label::opening(&text[sentence.clone()]).or(listed);
            let statement = statement_at(text, sentence, below);
            self.push(Statement { side, follows: number > 0, ..statement });
        }
    }

    fn row(&mut self, text: &str, range: Range<usize>) {
        let Some(table) = &mut self.table else {
            self.table = Some(Table::new(text, range, &mut self.places));
            return;
        };
        let below = self.above.nearest();
        for (cell, heads) in table.row(text, &range, &mut self.places) {
            let statement = statement_at(text, cell.clone(), below);
            let quote = span(&range);
            let (cell, heads) = (Some(span(&cell)), Some(heads));
            self.push(Statement { quote, cell, heads, ..statement });
        }
    }

    fn push(&mut self, mut statement: Statement) {
        if self.left.statements == 0 {
            return;
        }
        self.left.statements -= 1;
        statement.values.truncate(self.left.values);
        statement.values.shrink_to_fit();
        self.left.values -= statement.values.len();
        self.list.push(statement);
    }
}

/// Returns the statement for the text at `range`. Its place numbers are those of [`Places`], until
/// [`Places::used_by`] renumbers them.
fn statement_at(text: &str, range: Range<usize>, below: Option<usize>) -> Statement {
    let values = quantities(&text[range.clone()]).into_iter();
    let values = values.map(|value| Value {
        at: span(&(range.start + value.start..range.start + value.end)),
        quantity: Quantity { start: 0, end: 0, ..value },
    });
    Statement {
        quote: span(&range),
        cell: None,
        below: below.and_then(place::number),
        heads: None,
        follows: false,
        is_code: false,
        side: None,
        values: values.collect(),
    }
}

#[cfg(test)]
mod tests;
