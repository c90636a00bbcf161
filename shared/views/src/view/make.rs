//! Makes the parts of views that several workflows share.

use std::borrow::Cow;

use model::document::Lifecycle;
use model::evidence::{PassageResult, Place, Quote};
use model::facts::Side;
use wire::common::{DocumentedDecision, Gap};

use super::{Block, Card, Depth, Field, Item, Reference, Section, Words};
use crate::wording::heading;

impl<'a> Block<'a> {
    /// A line in the background.
    pub fn remark(text: impl Into<Cow<'a, str>>) -> Block<'a> {
        Block::Remark(text.into())
    }

    /// A section; `None` where nothing is below it.
    pub fn section(
        title: impl Into<Cow<'a, str>>,
        remark: impl Into<String>,
        blocks: Vec<Block<'a>>,
    ) -> Option<Block<'a>> {
        let title = Words::Plain(title.into());
        let is_empty = blocks.iter().all(Block::is_empty);
        let depth = Depth::First;
        (!is_empty).then(|| Block::Section(Section { title, remark: remark.into(), depth, blocks }))
    }

    fn is_empty(&self) -> bool {
        match self {
            Block::Cards(cards) => cards.is_empty(),
            Block::Items(items) => items.is_empty(),
            Block::Table(table) => table.rows.is_empty(),
            _ => false,
        }
    }
}

impl<'a> Card<'a> {
    /// A place without its text.
    pub fn place(place: &'a Place) -> Card<'a> {
        Card { title: place.title.as_str().into(), place: Some(place), ..Card::default() }
    }

    /// A passage, whole.
    pub fn result(number: usize, result: &'a PassageResult) -> Card<'a> {
        Card {
            number: Some(number),
            strength: result.strength,
            text: Some(&result.text),
            score: Some(&result.score_parts),
            ..Card::place(&result.passage)
        }
    }

    /// Adds the names of the API under which a passage is found, too.
    #[must_use]
    pub fn also_in(mut self, label: &str, names: &[String]) -> Card<'a> {
        if !names.is_empty() {
            self.remarks.push(format!("{label}: {}", names.join(", ").replace('_', " ")));
        }
        self
    }

    /// The name of its document; empty where it has none.
    pub fn file(&self) -> &'a str {
        self.place.map_or("", |place| &place.file)
    }
}

impl<'a> Field<'a> {
    /// The quotes of the document with this name.
    pub fn quotes(
        label: impl Into<Cow<'a, str>>,
        depth: Depth,
        file: &'a str,
        quotes: impl IntoIterator<Item = &'a Quote>,
    ) -> Field<'a> {
        let items = quotes.into_iter().map(|quote| Item::quote(file, quote)).collect();
        Field { label: label.into(), items, depth }
    }
}

impl<'a> Item<'a> {
    /// A line with these words.
    pub fn of(words: Words<'a>) -> Item<'a> {
        let (label, remark) = (Cow::default(), String::new());
        Item { label, side: None, words, remark, place: None, of: Vec::new(), score: None }
    }

    /// A line in our words.
    pub fn plain(words: impl Into<Cow<'a, str>>) -> Item<'a> {
        Item::of(Words::Plain(words.into()))
    }

    /// Its side in a word: `pro`, `con`, or nothing.
    pub fn stance(&self) -> &'static str {
        match self.side {
            Some(Side::For) => "pro",
            Some(Side::Against) => "con",
            Some(Side::Either) | None => "",
        }
    }

    /// The words before those of the document: its side, then what it is about as `label` writes
    /// it.
    pub fn lead(&self, label: impl Fn(&str) -> String) -> String {
        let label = Some(self.label.as_ref()).filter(|text| !text.is_empty()).map(label);
        let label = label.map(|label| format!("{label}: ")).unwrap_or_default();
        match self.stance() {
            "" => label,
            stance => format!("{stance}: {label}"),
        }
    }

    /// A quote of the document with this name.
    pub fn quote(file: &'a str, quote: &'a Quote) -> Item<'a> {
        Item::of(Words::Quoted(file, quote))
    }
}

impl Words<'_> {
    /// The words alone.
    pub fn text(&self) -> &str {
        match self {
            Words::Plain(text) => text,
            Words::Quoted(_, quote) => &quote.text,
            Words::Verbatim(_, text) => text,
        }
    }
}

impl<'a> Reference<'a> {
    /// The result with this place and number.
    pub fn to(place: &'a Place, number: Option<usize>) -> Reference<'a> {
        Reference { number, place, words: None }
    }
}

/// The decisions in documents that settle the question.
pub fn settled(decided: &[DocumentedDecision]) -> Option<Block<'_>> {
    let cards = decided.iter().map(|decision| {
        let file = decision.passage.file.as_str();
        let about = [
            decision.option.as_deref(),
            decision.status.map(Lifecycle::name),
            decision.date.as_deref(),
        ];
        let quotes = |label: &'static str, quotes| Field::quotes(label, Depth::First, file, quotes);
        let fields = vec![
            quotes("", std::slice::from_ref(&decision.chosen)),
            quotes("For", decision.reasons_for.as_slice()),
            quotes("Against", decision.reasons_against.as_slice()),
        ];
        let tags = about.into_iter().flatten().map(Cow::from).collect();
        Card { tags, fields, ..Card::place(&decision.passage) }
    });
    Block::section(
        "Decided before, in the documents' words",
        "",
        vec![Block::Cards(cards.collect())],
    )
}

/// The subjects on which nothing was found.
pub fn not_covered(gaps: &[Gap]) -> Option<Block<'_>> {
    let items = gaps.iter().map(|gap| Item::plain(heading(&gap.facet)));
    Block::section("Not covered", "", vec![Block::Items(items.collect())])
}
