//! Stop words, which say nothing about the subject of a text.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::lexicon::phrases;

/// A group of `stop.toml`.
#[derive(Clone, Deserialize)]
struct Stop {
    of: Texts,
}

/// The texts in which a word says nothing about the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Texts {
    /// All texts.
    Any,
    /// Questions.
    Questions,
    /// Sentences that state a cause.
    Causes,
    /// The beginnings of questions.
    Beginnings,
}

static STOP_WORDS: LazyLock<HashMap<String, Texts>> = LazyLock::new(|| {
    let all = phrases(crate::lexicon::STOP);
    all.map(|(word, stop): (String, Stop)| (word, stop.of)).collect()
});

/// Returns true if a word says nothing about a question's subject.
pub fn is_common(word: &str) -> bool {
    is_common_in(word, Texts::Questions)
}

/// Returns true if a word says nothing about the subject of such texts.
pub fn is_common_in(word: &str, texts: Texts) -> bool {
    let of = STOP_WORDS.get(word.to_lowercase().as_str());
    of.is_some_and(|of| *of == Texts::Any || *of == texts)
}
