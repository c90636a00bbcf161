//! The items of a trial, from the files in `items`.

use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The texts of the files.
pub(super) const FILES: [&str; 4] = [
    include_str!("../items/find.toml"),
    include_str!("../items/check.toml"),
    include_str!("../items/sort.toml"),
    include_str!("../items/assign.toml"),
];

/// A question, and passages one of which answers it.
#[derive(Deserialize)]
pub(crate) struct Find {
    /// The question.
    pub question: String,
    passages: Vec<String>,
    /// The place of the passage that answers. It changes from item to item, so that no model can
    /// learn it.
    #[serde(skip)]
    pub right: usize,
}

impl Find {
    /// Returns the passages as they are shown.
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
    /// True if the passage supports all of the claim.
    pub stands: bool,
}

/// The passages of one call, each with its facet.
#[derive(Deserialize)]
pub(super) struct Sort {
    /// The subject of all calls.
    #[serde(skip)]
    pub subject: String,
    /// The number of passages that the rules alone assign to the right facet.
    pub rules: u32,
    pub items: Vec<Served>,
}

#[derive(Deserialize)]
pub(super) struct Served {
    pub text: String,
    /// The name of the facet; empty if the passage is about something else.
    pub facet: String,
}

/// A document that compares options.
#[derive(Deserialize)]
pub(super) struct Assign {
    pub question: String,
    pub options: Vec<String>,
    /// The number of sentences that the rules alone assign to the right options.
    pub rules: u32,
    /// The sentences, each with the places of the options that it is about.
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

/// Returns calls of ten passages each, the usual number for a question.
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
