//! Follow-up questions: what the last turns were about.

use wire::answer::{Speaker, Turn};

use model::{Error, Result};
use text::question::telling;
use text::stop::is_common;
use text::term::stems;
use text::words::{names, parts};

/// The most turns that are taken.
const MOST: usize = 20;

/// How many of the last turns are read, and how many characters of each.
const READ: usize = 6;
const LONGEST: usize = 200;

/// A question as it stands alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rewritten {
    /// Its text.
    pub text: String,
    /// The words in it that only say what was spoken of before.
    pub about: Vec<String>,
}

/// The turns that are read: the last six before the question, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Conversation(Vec<Turn>);

impl Conversation {
    /// Takes the turns before `question`. Where the last one is the question itself it is left out.
    ///
    /// # Errors
    /// [`Error::Invalid`] above 20 turns, and for a turn without words.
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

    /// The turns, the oldest first.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.0
    }

    /// The question with what it leans on behind it, in brackets; `None` where it stands alone, or where nothing was said before. It
    /// is searched beside the question as asked, and states nothing of its own.
    pub(super) fn rewritten(&self, question: &str) -> Option<Rewritten> {
        let base = self.base()?;
        if stands_alone(question) {
            return None;
        }
        let about = self.about(bare(&base), question);
        let text = format!("{} ({})?", bare(question), about.join(" "));
        (!about.is_empty()).then_some(Rewritten { text, about })
    }

    /// The last question, as it stands alone.
    fn base(&self) -> Option<String> {
        let at = self.0.iter().rposition(|turn| turn.role == Speaker::User)?;
        let content = &self.0[at].content;
        let before = Conversation(self.0[..at].to_vec());
        Some(before.rewritten(content).map_or_else(|| content.clone(), |rewritten| rewritten.text))
    }

    /// What the pronouns stand for: the telling words of the last question, and of the last answer the names.
    fn about(&self, base: &str, question: &str) -> Vec<String> {
        // A number tells little without the word beside it, which may be another one's now.
        let mut words: Vec<&str> = telling(base);
        words.retain(|word| word.len() > 1);
        let last = self.0.last().filter(|turn| turn.role == Speaker::Assistant);
        let names = last.map_or(Vec::new(), |answer| telling_names(&answer.content));
        // A time that an answer gave is not what it was about.
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

/// Words that stand for something that was named before.
const PRONOUNS: [&str; 19] = [
    "it", "its", "they", "them", "their", "he", "him", "she", "her", "this", "that", "these",
    "those", "there", "same", "other", "one", "ones", "again",
];

/// With fewer telling words a question leans on what was said before: "and for Postgres?"
const LEAST: usize = 3;

/// Whether a question says all that it means: it has enough telling words, and none that stands for something else.
pub(super) fn stands_alone(question: &str) -> bool {
    let words = || parts(question).map(|range| &question[range]);
    let is_telling = |word: &&str| !is_common(word);
    let points_back = |word: &str| PRONOUNS.contains(&word.to_lowercase().as_str());
    words().filter(is_telling).count() >= LEAST && !words().any(points_back)
}

fn telling_names(text: &str) -> Vec<&str> {
    names(text).into_iter().filter(|word| !is_common(word)).collect()
}

#[cfg(test)]
mod tests;
