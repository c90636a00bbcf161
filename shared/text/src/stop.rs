//! Stop words: they say nothing of what a text is about.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::lexicon::phrases;

/// A group of `stop.toml`.
#[derive(Clone, Deserialize)]
struct Stop {
    of: Texts,
}

/// The texts in which a word says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Texts {
    /// Any.
    Any,
    /// Questions.
    Questions,
    /// Sentences that tell a cause.
    Causes,
    /// The beginnings of questions.
    Beginnings,
}

static STOP_WORDS: LazyLock<HashMap<String, Texts>> = LazyLock::new(|| {
    let all = phrases(crate::lexicon::STOP);
    all.map(|(word, stop): (String, Stop)| (word, stop.of)).collect()
});

/// Whether a word says nothing of a question's subject.
pub fn is_common(word: &str) -> bool {
    is_common_in(word, Texts::Questions)
}

/// Whether a word says nothing in such texts.
pub fn is_common_in(word: &str, texts: Texts) -> bool {
    let of = STOP_WORDS.get(word.to_lowercase().as_str());
    of.is_some_and(|of| *of == Texts::Any || *of == texts)
}
