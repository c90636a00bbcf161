//! Phrases of questions that tell their purpose, and their sources.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use model::lexicon::Lexicon;
use serde::Deserialize;
use wire::search::Intent;

/// A group of `route.toml`.
#[derive(Deserialize)]
struct Cue {
    intent: Option<Intent>,
    source: Option<String>,
}

static CUES: LazyLock<Lexicon<Cue>> =
    LazyLock::new(|| Lexicon::new(include_str!("../../../../../infra/lexicons/en/route.toml")));

/// The most words of a question without a cue that may be of anything.
const VAGUE: usize = 3;

/// The phrases of a question that tell its purpose.
pub(super) struct Cues {
    pub(super) intents: Vec<Intent>,
    pub(super) sources: Vec<String>,
    pub(super) phrases: BTreeSet<String>,
    pub(super) is_vague: bool,
}

impl Cues {
    pub(super) fn of(question: &str) -> Cues {
        let lower = question.to_lowercase();
        let (mut intents, mut sources, mut phrases) = (Vec::new(), Vec::new(), BTreeSet::new());
        let mut seen = BTreeSet::new();
        for found in CUES.find_all(&lower) {
            let phrase = &lower[found.start..found.end];
            let is_new = seen.insert((found.group, phrase.to_owned()));
            phrases.insert(phrase.to_owned());
            intents.extend(found.class.intent.filter(|_| is_new));
            sources.extend(found.class.source.clone().filter(|f| !sources.contains(f)));
        }
        if is_error(question) {
            intents.push(Intent::Troubleshoot);
            sources.push("forum".into());
        }
        let words = question.split(|c: char| !c.is_alphanumeric() && c != '_');
        let words = words.filter(|word| !word.is_empty()).count();
        let has_identifier = question.contains(['`', '_']) || question.contains("()");
        let is_vague =
            words <= VAGUE && intents.is_empty() && sources.is_empty() && !has_identifier;
        Cues { intents, sources, phrases, is_vague }
    }

    /// The kinds of cues for a source: phrases, and an error.
    #[expect(clippy::cast_precision_loss, reason = "two")]
    pub(super) fn of_source(&self, name: &str) -> f64 {
        self.sources.iter().filter(|source| *source == name).count() as f64
    }

    /// The phrases for an intent: the root of their number, up to two.
    pub(super) fn of_intent(&self, intent: Intent) -> f64 {
        let count = self.intents.iter().filter(|i| **i == intent).count();
        if count == 0 {
            0.0
        } else if count == 1 {
            1.0
        } else {
            std::f64::consts::SQRT_2
        }
    }
}

/// Tells the name or the beginning of an error as programs print them.
fn is_error(question: &str) -> bool {
    let is_name = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_class = (bare.ends_with("Error") || bare.ends_with("Exception")) && bare.len() > 9;
        let is_number =
            bare.len() > 4 && bare.starts_with('E') && bare.chars().all(|c| c.is_ascii_uppercase());
        is_class || is_number || word.starts_with("error[") || word == "ERR!"
    };
    question.split_whitespace().any(is_name) || question.contains(": error:")
}
