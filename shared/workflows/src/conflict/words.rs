//! The words that distinguish claims, or deny: `lexicons/en/conflict.toml` of the crate `text`.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;
use text::lexicon::{Lexicon, phrases};

const WORDS: &str = text::lexicon::CONFLICT;

/// A group of `conflict.toml`.
#[derive(Clone, Deserialize)]
struct Group {
    kind: Kind,
    is: String,
}

/// A kind of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// The word denies the word for which it stands.
    Opposite,
    /// The number after the word is a place.
    Place,
    /// The value is a bound, or advice.
    Bound,
    /// The value applied earlier.
    Time,
}

impl Kind {
    /// Returns true if two claims with different words of this kind are about different things.
    fn tells_apart(self) -> bool {
        !matches!(self, Kind::Opposite | Kind::Place)
    }
}

static APART: LazyLock<Lexicon<Group>> = LazyLock::new(|| Lexicon::new(WORDS));

/// The words that deny another one, or that precede a place; each is a single word.
static SINGLE: LazyLock<HashMap<String, Group>> = LazyLock::new(|| {
    let all = phrases::<Group>(WORDS);
    all.filter(|(_, group)| !group.kind.tells_apart()).collect()
});

/// Returns true if the word alone is of the kind.
pub(super) fn is_of(word: &str, kind: Kind) -> bool {
    SINGLE.get(&word.to_lowercase()).is_some_and(|group| group.kind == kind)
}

/// Returns the word that this one denies.
pub(super) fn opposite(word: &str) -> Option<&'static str> {
    let group = SINGLE.get(&word.to_lowercase()).filter(|group| group.kind == Kind::Opposite);
    group.map(|group| group.is.as_str())
}

/// Returns the words of a text that distinguish its subject from others, each after its kind.
pub(super) fn apart(text: &str) -> BTreeSet<(Kind, &'static str)> {
    let found = APART.find_all(&text.to_lowercase());
    let groups = found.into_iter().map(|found| found.class);
    let apart = groups.filter(|group| group.kind.tells_apart());
    apart.map(|group| (group.kind, group.is.as_str())).collect()
}
