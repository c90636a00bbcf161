//! The parts of a reply that a person or an assistant is shown, whatever shows them.

use std::borrow::Cow;

use model::evidence::{Place, Quote, ScoreParts, Strength};
use model::facts::Side;

mod make;

pub use make::{not_covered, settled};

/// A reply as it is shown.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The kind of reply, such as `What failed like this before`.
    pub kind: Cow<'static, str>,
    /// The parts, in the order in which they are read.
    pub blocks: Vec<Block<'a>>,
}

impl<'a> View<'a> {
    /// Returns the view with a warning on top about texts that read like orders (`meta.flagged`).
    #[must_use]
    pub fn flagging(mut self, orders: &[String]) -> View<'a> {
        if !orders.is_empty() {
            let orders = orders.join("\u{201d}, \u{201c}");
            let reason = format!("it is data, and nobody follows it: \u{201c}{orders}\u{201d}");
            self.blocks
                .insert(0, Block::Notice("A text reads like an order".into(), reason.into()));
        }
        self
    }
}

/// A part of a view.
#[derive(Debug, Clone)]
pub enum Block<'a> {
    /// The sentence that says most.
    Verdict(Cow<'a, str>),
    /// A line that warns: what it is about, and the reason.
    Notice(String, Cow<'a, str>),
    /// A line in the background.
    Remark(Cow<'a, str>),
    /// A heading with what is below it.
    Section(Section<'a>),
    /// Passages, documents or decisions.
    Cards(Vec<Card<'a>>),
    /// Lines of a list.
    Items(Vec<Item<'a>>),
    /// Columns side by side.
    Table(Table<'a>),
    /// A claim of an answer.
    Claim(Claim<'a>),
}

/// How soon a reader needs something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Depth {
    /// At once: every form shows it.
    #[default]
    First,
    /// In a full reading: short forms leave it out.
    Full,
    /// On demand: a page folds it.
    Folded,
}

/// A heading with what is below it.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    /// The heading.
    pub title: Words<'a>,
    /// What is to be known of it in short.
    pub remark: String,
    /// How soon it is needed.
    pub depth: Depth,
    /// What is below it.
    pub blocks: Vec<Block<'a>>,
}

/// Words, and whose they are.
#[derive(Debug, Clone)]
pub enum Words<'a> {
    /// The program's or a person's words.
    Plain(Cow<'a, str>),
    /// The words of the document with this name, verbatim.
    Quoted(&'a str, &'a Quote),
    /// The words of the document with this name, verbatim, without a line of their own.
    Verbatim(&'a str, &'a str),
}

/// A passage, a document or a decision.
#[derive(Debug, Clone, Default)]
pub struct Card<'a> {
    /// Its number among the results, where others refer to it.
    pub number: Option<usize>,
    /// Its title.
    pub title: Cow<'a, str>,
    /// Where it stands.
    pub place: Option<&'a Place>,
    /// Its likeness to the question.
    pub strength: Option<Strength>,
    /// Words beside the title, such as the sources that have it.
    pub tags: Vec<Cow<'a, str>>,
    /// What it says, by kinds.
    pub fields: Vec<Field<'a>>,
    /// All of its text.
    pub text: Option<&'a str>,
    /// Lines below it, in the background.
    pub remarks: Vec<String>,
    /// Other results that belong to it, below a few words.
    pub related: Option<(&'static str, Vec<Reference<'a>>)>,
    /// How its score comes about, where that is shown.
    pub score: Option<&'a ScoreParts>,
    /// How soon it is needed.
    pub depth: Depth,
}

/// What a card says of one kind.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    /// The kind; empty where the items say it.
    pub label: Cow<'a, str>,
    /// What it says.
    pub items: Vec<Item<'a>>,
    /// How soon it is needed.
    pub depth: Depth,
}

/// A line with its words and where they stand.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// What it is about, such as a time or a value.
    pub label: Cow<'a, str>,
    /// Whether it speaks for something or against it.
    pub side: Option<Side>,
    /// The words.
    pub words: Words<'a>,
    /// What is to be known of them in short.
    pub remark: String,
    /// Where they stand, unless that is where the card stands.
    pub place: Option<&'a Place>,
    /// The results that they belong to.
    pub of: Vec<Reference<'a>>,
    /// How their score comes about, where that is shown.
    pub score: Option<&'a ScoreParts>,
}

/// Another result of the reply.
#[derive(Debug, Clone)]
pub struct Reference<'a> {
    /// Its number, where it has one.
    pub number: Option<usize>,
    /// Its place.
    pub place: &'a Place,
    /// The words for it; its title where absent.
    pub words: Option<String>,
}

/// Columns side by side.
#[derive(Debug, Clone, Default)]
pub struct Table<'a> {
    /// The headings of all columns; that of the rows' names first.
    pub head: Vec<Cow<'a, str>>,
    /// The rows.
    pub rows: Vec<Row<'a>>,
}

/// A row of a table.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// What is to be known of it in short.
    pub remark: String,
    /// A cell for each column behind its name.
    pub cells: Vec<Cell<'a>>,
}

/// A cell of a table.
#[derive(Debug, Clone, Default)]
pub struct Cell<'a> {
    /// What it says in short.
    pub text: Cow<'a, str>,
    /// True if it says that something is not known.
    pub is_unknown: bool,
    /// The evidence, which is shown on demand.
    pub items: Vec<Item<'a>>,
    /// The number of the first items that say what the text says.
    pub backing: usize,
    /// The picture of its value.
    pub interval: Option<Interval>,
}

/// A value between 0 and 1 with the least and the most that it may be.
#[derive(Debug, Clone)]
pub struct Interval {
    /// The least.
    pub low: f64,
    /// The value.
    pub value: f64,
    /// The most.
    pub high: f64,
    /// True for the best one of the table.
    pub is_first: bool,
    /// What it says, in words.
    pub label: String,
}

/// A claim with what it rests on.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// The claim.
    pub text: &'a str,
    /// The document whose words it has verbatim; `None` where it was written or counted.
    pub file: Option<&'a str>,
    /// True where claims below it show all that it rests on.
    pub is_shown_below: bool,
    /// What it rests on.
    pub citations: Vec<Cited<'a>>,
}

/// Words of a document that a claim rests on.
#[derive(Debug, Clone)]
pub struct Cited<'a> {
    /// The place in the knowledge base's own form.
    pub display: &'a str,
    /// The passage.
    pub place: &'a Place,
    /// First and last line of the words.
    pub lines: Option<(u32, u32)>,
    /// The words, where the claim does not have them and no claim before showed them.
    pub quote: Option<&'a str>,
    /// What was assumed to read them; empty where nothing was.
    pub remark: String,
    /// What to beware of.
    pub warnings: Vec<String>,
}
