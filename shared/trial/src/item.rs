//! The items, from the files in `items`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The files.
pub(super) const FILES: [&str; 4] = [
    include_str!("../items/find.toml"),
    include_str!("../items/check.toml"),
    include_str!("../items/sort.toml"),
    include_str!("../items/assign.toml"),
];

/// A question, and passages of which one answers.
#[derive(Deserialize)]
pub(crate) struct Find {
    /// The question.
    pub question: String,
    passages: Vec<String>,
    /// The place of the passage that answers, which no model may learn: it changes from item to item.
    #[serde(skip)]
    pub right: usize,
}

impl Find {
    /// The passages as they are shown.
    pub(crate) fn passages(&self) -> Vec<&str> {
        let mut shown: Vec<&str> = self.passages.iter().map(String::as_str).collect();
        shown.rotate_right(self.right);
        shown
    }
}

/// Claims with the passage that they cite.
#[derive(Deserialize)]
pub(crate) struct Claims {
    pub passage: String,
    pub claim: String,
    /// Whether the passage says all of the claim.
    pub stands: bool,
}

/// Passages of one call, each with its facet.
#[derive(Deserialize)]
pub(super) struct Sort {
    /// The subject of all calls.
    #[serde(skip)]
    pub subject: String,
    /// How many of them the rules put under their facet alone.
    pub rules: u32,
    pub items: Vec<Served>,
}

#[derive(Deserialize)]
pub(super) struct Served {
    pub text: String,
    /// The facet's name; empty where the passage is about something else.
    pub facet: String,
}

/// A document that compares options.
#[derive(Deserialize)]
pub(super) struct Assign {
    pub question: String,
    pub options: Vec<String>,
    /// How many of its sentences the rules put under their options alone.
    pub rules: u32,
    /// Each sentence with the options that it is about, by their places.
    pub sentences: Vec<(String, Vec<usize>)>,
}

#[derive(Deserialize)]
struct Items<T> {
    items: Vec<T>,
}

#[derive(Deserialize)]
struct Sorting {
    subject: String,
    calls: Vec<Sort>,
}

#[derive(Deserialize)]
struct Documents {
    documents: Vec<Assign>,
}

pub(super) fn find() -> &'static [Find] {
    static ALL: LazyLock<Vec<Find>> = LazyLock::new(|| {
        let mut all = read::<Items<Find>>(FILES[0]).items;
        all.iter_mut()
            .enumerate()
            .for_each(|(place, find)| find.right = place % find.passages.len());
        all
    });
    &ALL
}

pub(super) fn check() -> &'static [Claims] {
    static ALL: LazyLock<Vec<Claims>> = LazyLock::new(|| read::<Items<Claims>>(FILES[1]).items);
    &ALL
}

/// Calls of ten passages, as a question's are.
pub(super) fn sort() -> &'static [Sort] {
    static ALL: LazyLock<Vec<Sort>> = LazyLock::new(|| {
        let Sorting { subject, mut calls } = read(FILES[2]);
        for call in &mut calls {
            call.subject.clone_from(&subject);
        }
        calls
    });
    &ALL
}

pub(super) fn assign() -> &'static [Assign] {
    static ALL: LazyLock<Vec<Assign>> = LazyLock::new(|| read::<Documents>(FILES[3]).documents);
    &ALL
}

#[expect(clippy::expect_used, reason = "the files are compiled in, and tests read them")]
fn read<T: DeserializeOwned>(text: &str) -> T {
    toml::from_str(text).expect("a file of infra/trial has another form")
}
