//! Reads which alternative each statement of the evidence is about.

use std::collections::HashMap;
use std::ops::Range;

use super::assigned::Assignments;
use super::names::{Found, Names};
use ask::evidence::Evidence;
use model::document::{Passage, SECTION_SEPARATOR};
use model::facts;
use model::facts::{Side, Value, range};
use text::subject::subjects;
use text::term::Mention;

/// The smallest part of a passage that is judged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement<'e> {
    /// The passage, by its place among the evidence.
    pub passage: usize,
    /// The bytes that are quoted: a sentence, an item, a row.
    pub quote: Range<usize>,
    /// The bytes with its values: the quote, or one cell of it.
    pub focus: Range<usize>,
    /// The alternatives that it names as its subject.
    pub named: Vec<Mention>,
    /// The alternative to which its position assigns it, if it names none.
    pub under: Option<usize>,
    /// True for a line of code, which is evidence only if it states a value or is prose after all.
    pub is_code: bool,
    /// The side of the argument, if it is one.
    pub side: Option<Side>,
    /// The head of its column or row, by whose criterion a cell is judged.
    pub head: Option<&'e str>,
    /// The values.
    pub values: &'e [Value],
    /// True for a cell whose row or column is about an alternative.
    pub is_of_head: bool,
    /// True if a language model decided which alternatives it is about.
    pub is_assigned: bool,
}

impl Statement<'_> {
    /// Returns true if it is about any alternative.
    pub(super) fn has_alternative(&self) -> bool {
        !self.named.is_empty() || self.under.is_some()
    }

    /// Replaces the alternatives that rules read by those that a language model assigned. A cell
    /// keeps the alternative of its row or column, because its row may be about several. A value is
    /// assigned to one of several alternatives only if rules see that one, too.
    fn assigned(self, options: &[usize]) -> Self {
        if self.head.is_some() && (self.is_of_head || options.len() != 1) {
            return self;
        }
        let is_seen = |option: &&usize| self.named.iter().any(|mention| mention.number == **option);
        let seen: Vec<usize> = options.iter().filter(is_seen).copied().collect();
        let options = if self.values.is_empty() || options.len() < 2 { options } else { &seen };
        let begin = self.focus.start;
        let by_rules = |option: &usize| self.named.iter().find(|mention| mention.number == *option);
        let mention = |option: &usize| match by_rules(option) {
            Some(mention) => *mention,
            None => Mention { number: *option, start: begin, end: begin },
        };
        let mut named: Vec<Mention> = options.iter().map(mention).collect();
        named.sort_by_key(|mention| mention.start);
        let is_side = self.under.is_none_or(|under| options == [under]);
        let side = self.side.filter(|_| is_side);
        Statement { named, side, under: None, is_assigned: true, ..self }
    }
}

/// Reads the statements of the evidence, in its order.
pub(super) fn statements<'e>(
    evidence: &'e [Evidence],
    names: &Names,
    assignments: &Assignments,
) -> Vec<Statement<'e>> {
    let mut statements = Vec::new();
    let mut headings: HashMap<&str, Option<usize>> = HashMap::new();
    for (place, passage) in evidence.iter().enumerate() {
        let section = passage.passage.section.as_str();
        let heading = *headings.entry(section).or_insert_with(|| {
            section.rsplit(SECTION_SEPARATOR).find_map(|heading| about(heading, names))
        });
        let read = Reader::new(&passage.passage, heading, names, place).read(place);
        match assignments.get(&passage.passage.id) {
            Some(options) => {
                let both = read.into_iter().zip(options);
                statements.extend(both.map(|(statement, options)| statement.assigned(options)));
            }
            None => statements.extend(read),
        }
    }
    statements
}

/// Returns the one alternative that a heading, a title or a sentence is about, apart from mere
/// comparisons.
pub(super) fn about(text: &str, names: &Names) -> Option<usize> {
    let found = names.find(text);
    let whole = 0..text.len();
    let mentions = found.within(&whole);
    if mentions.is_empty() {
        return names.above(&found, &whole);
    }
    only(&subjects(text, 0, mentions).named)
}

struct Reader<'e, 'n> {
    passage: &'e Passage,
    names: &'n Names,
    /// The alternatives that the passage names.
    found: &'n Found,
    /// The alternative that the headings are about.
    heading: Option<usize>,
    /// The alternative for each place of the passage: its own, or that of the place above it.
    places: Vec<Option<usize>>,
}

impl<'e, 'n> Reader<'e, 'n> {
    fn new(
        passage: &'e Passage,
        heading: Option<usize>,
        names: &'n Names,
        place: usize,
    ) -> Reader<'e, 'n> {
        let found = names.passage(place);
        let mut reader = Reader { passage, names, found, heading, places: Vec::new() };
        for place in &passage.facts.statements.places {
            let above = reader.above(place.below);
            let itself = match place.at {
                Some(at) => names.above(reader.found, &range(at)),
                None => names.above(&names.find(&place.text), &(0..place.text.len())),
            };
            reader.places.push(itself.or(above));
        }
        reader
    }

    fn read(&self, passage: usize) -> Vec<Statement<'e>> {
        let mut last = None;
        let mut all = Vec::new();
        for fact in &self.passage.facts.statements.list {
            let statement = match fact.heads {
                Some(heads) => self.cell(passage, fact, heads),
                None => self.sentence(passage, fact, last),
            };
            last =
                if statement.named.is_empty() { statement.under } else { only(&statement.named) };
            all.push(statement);
        }
        all
    }

    /// Reads a sentence. If it names no alternative, it continues the sentence before it, or is
    /// about the place above it.
    fn sentence(
        &self,
        passage: usize,
        fact: &'e facts::Statement,
        last: Option<usize>,
    ) -> Statement<'e> {
        let focus = fact.focus();
        let below = self.above(fact.below);
        let under = if fact.follows { last.or(below) } else { below };
        let subjects =
            subjects(&self.passage.text[focus.clone()], focus.start, self.found.within(&focus));
        // An argument is about the place above it, unless it begins with another alternative.
        let is_argument = fact.side.is_some() && under.is_some();
        let named = match (is_argument && !subjects.is_opening, fact.values.is_empty()) {
            (true, _) => Vec::new(),
            (false, true) => subjects.of_quality(),
            (false, false) => subjects.named,
        };
        let is_other = named.iter().any(|mention| Some(mention.number) != under);
        Statement {
            passage,
            quote: range(fact.quote),
            focus,
            under: under.filter(|_| named.is_empty()),
            named,
            is_code: fact.is_code,
            side: fact.side.filter(|_| !(is_argument && is_other)),
            head: None,
            values: &fact.values,
            is_of_head: false,
            is_assigned: false,
        }
    }

    /// Reads a cell. It is about the alternative of its row, or else of its column.
    fn cell(
        &self,
        passage: usize,
        fact: &'e facts::Statement,
        (row, column): (u16, u16),
    ) -> Statement<'e> {
        let statements = &self.passage.facts.statements;
        let text = |place| statements.place(place, &self.passage.text).0;
        let (row, column) = (text(row), text(column));
        let (of_row, of_column) = (about(row, self.names), about(column, self.names));
        let above = self.above(fact.below);
        let (under, head) = match (of_row, of_column) {
            (None, Some(alternative)) => (Some(alternative), row),
            (of_row, _) => (of_row.or(above), column),
        };
        let focus = fact.focus();
        let named = if under.is_some() { Vec::new() } else { self.found.within(&focus).to_vec() };
        Statement {
            passage,
            quote: range(fact.quote),
            focus,
            named,
            under,
            is_code: false,
            side: None,
            head: Some(head),
            values: &fact.values,
            is_of_head: of_row.or(of_column).is_some(),
            is_assigned: false,
        }
    }

    /// Returns the alternative of the place with this number; without a number, that of the
    /// headings.
    fn above(&self, number: Option<u16>) -> Option<usize> {
        match number {
            Some(number) => self.places.get(usize::from(number)).copied().flatten(),
            None => self.heading,
        }
    }
}

/// Returns the alternative of all mentions, if they have only one.
fn only(mentions: &[Mention]) -> Option<usize> {
    let first = mentions.first()?.number;
    mentions.iter().all(|mention| mention.number == first).then_some(first)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
