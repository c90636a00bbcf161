//! Resolves follow-up questions by the last turns of a conversation.

use wire::answer::{Speaker, Turn};

use model::{Error, Result};
use text::cjk;
use text::question::telling;
use text::stop::is_common;
use text::term::stems;
use text::words::{names, parts};

/// Upper bound for the turns of a request.
const MOST: usize = 20;

/// Upper bounds for the last turns that are read, and for the characters of each.
const READ: usize = 6;
const LONGEST: usize = 200;

/// A question in a form that stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rewritten {
    /// The text.
    pub text: String,
    /// The words in it that repeat the earlier subject.
    pub about: Vec<String>,
}

/// The turns that are read: the last six before the question, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Conversation(Vec<Turn>);

impl Conversation {
    /// Parses the turns before `question`. If the last turn is the question itself, it is left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] for more than 20 turns, and for a turn without words.
    pub(super) fn parse(turns: &[Turn], question: &str) -> Result<Conversation> {
        if turns.len() > MOST {
            let reason = format!("must have at most {MOST} turns, not {}", turns.len());
            return Err(Error::invalid("conversation", reason));
        }
        if let Some(at) = turns.iter().position(|turn| turn.content.trim().is_empty()) {
            let field = format!("conversation[{at}].content");
            return Err(Error::invalid(field, "must not be empty"));
        }
        let is_question =
            |turn: &Turn| turn.role == Speaker::User && turn.content.trim() == question.trim();
        let earlier = match turns {
            [earlier @ .., last] if is_question(last) => earlier,
            all => all,
        };
        let read = earlier.iter().skip(earlier.len().saturating_sub(READ));
        let cut = |turn: &Turn| Turn {
            role: turn.role,
            content: turn.content.trim().chars().take(LONGEST).collect(),
        };
        Ok(Conversation(read.map(cut).collect()))
    }

    /// Returns the turns, the oldest first.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.0
    }

    /// Returns the question followed by the words on which it depends, in brackets; `None` if the
    /// question stands alone or has no earlier subject. This form is searched beside the question,
    /// and states no conditions.
    pub(super) fn rewritten(&self, question: &str) -> Option<Rewritten> {
        let base = self.base()?;
        if stands_alone(question) {
            return None;
        }
        let about = self.about(bare(&base), question);
        let text = format!("{} ({})?", bare(question), about.join(" "));
        (!about.is_empty()).then_some(Rewritten { text, about })
    }

    /// Returns the last question in a form that stands alone.
    fn base(&self) -> Option<String> {
        let at = self.0.iter().rposition(|turn| turn.role == Speaker::User)?;
        let content = &self.0[at].content;
        let before = Conversation(self.0[..at].to_vec());
        Some(before.rewritten(content).map_or_else(|| content.clone(), |rewritten| rewritten.text))
    }

    /// Returns the subject to which the pronouns refer: the meaningful words of the last question
    /// and the names in the last answer.
    fn about(&self, base: &str, question: &str) -> Vec<String> {
        // A single digit or letter tells little without the word beside it, which may be another
        // one's now.
        let mut words: Vec<&str> = telling(base);
        words.retain(|word| word.len() > 1);
        let last = self.0.last().filter(|turn| turn.role == Speaker::Assistant);
        let names = last.map_or(Vec::new(), |answer| telling_names(&answer.content));
        // A time in an answer is not its subject.
        words.extend(names.into_iter().filter(|name| name.contains(char::is_alphabetic)));
        let known = question.to_lowercase();
        let known_stems = stems(question);
        words.retain(|word| {
            !known.contains(&word.to_lowercase())
                && !stems(word).iter().all(|stem| known_stems.contains(stem))
        });
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert(word.to_lowercase()));
        words.truncate(12);
        words.into_iter().map(str::to_owned).collect()
    }
}

fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['?', '.', '!', ',', ' '])
}

/// Words that refer to something named before.
const PRONOUNS: [&str; 19] = [
    "it", "its", "they", "them", "their", "he", "him", "she", "her", "this", "that", "these",
    "those", "there", "same", "other", "one", "ones", "again",
];

/// Lower bound for the meaningful words of a question that stands alone; "and for Postgres?" has
/// fewer.
const LEAST: usize = 3;

/// Returns true if a question stands alone: it has enough meaningful words, and no word that refers
/// to an earlier one.
pub(super) fn stands_alone(question: &str) -> bool {
    let words = || {
        cjk::words(question).flat_map(|word| {
            let is_pair = word.starts_with(cjk::is_letter);
            let parts = parts(word).filter(move |_| !is_pair).map(|range| &word[range]);
            parts.chain(Some(word).filter(|_| is_pair))
        })
    };
    let is_telling = |word: &&str| !is_common(word) && !cjk::is_common(word);
    let points_back = |word: &str| PRONOUNS.contains(&word.to_lowercase().as_str());
    words().filter(is_telling).count() >= LEAST && !words().any(points_back)
}

fn telling_names(text: &str) -> Vec<&str> {
    names(text).into_iter().filter(|word| !is_common(word)).collect()
}

#[cfg(test)]
mod tests;
