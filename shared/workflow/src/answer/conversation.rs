//! Follow-up questions: what the last turns were about.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moment;
use super::words::{names, parts, pattern};
use crate::topic::{is_common, telling};
use crate::{Error, Result};

/// The most turns that are taken.
const MOST: usize = 20;

/// How many of the last turns are read, and how many characters of each.
const READ: usize = 3;
const LONGEST: usize = 200;

/// Who spoke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Who asks.
    User,
    /// Who answers.
    Assistant,
}

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// By whom.
    pub role: Role,
    /// The words; only the first 200 characters are read.
    pub content: String,
}

/// The turns that are read: the last three before the question, the oldest first.
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
            |turn: &Turn| turn.role == Role::User && turn.content.trim() == question.trim();
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

    /// The question as it can stand alone; `None` where it can already, or where nothing was said before.
    pub(super) fn rewritten(&self, question: &str) -> Option<String> {
        let base = self.0.iter().rev().find(|turn| turn.role == Role::User)?;
        if stands_alone(question) {
            return None;
        }
        let base = base.content.trim_end_matches(['?', '.', '!', ' ']);
        let own = question.trim();
        let rest = LINK.replace(own, "");
        let rest = rest.trim().trim_end_matches(['?', '.', '!', ' ']);
        if is_fragment(rest) || telling_count(rest) <= 1 {
            return Some(swapped(base, rest).unwrap_or_else(|| format!("{base}, {rest}?")));
        }
        let whole = format!("{}{}?", capital(rest), self.about(base, own));
        (whole != own).then_some(whole)
    }

    /// What the pronouns stand for: the telling words of the last question, and of the last answer the names.
    fn about(&self, base: &str, question: &str) -> String {
        let mut words: Vec<&str> = telling(base);
        // "Broker 1" is one name.
        for found in NUMBERED.captures_iter(base) {
            let (Some(all), Some(noun)) = (found.get(0), found.get(1)) else { continue };
            for word in words.iter_mut().filter(|word| **word == noun.as_str()) {
                *word = all.as_str();
            }
        }
        let last = self.0.last().filter(|turn| turn.role == Role::Assistant);
        if let Some(answer) = last {
            let times = moment::read(&answer.content).map_or(Vec::new(), |(_, words)| words);
            let names = telling_names(&answer.content).into_iter();
            words.extend(names.filter(|name| !times.iter().any(|time| time.contains(name))));
        }
        let known = question.to_lowercase();
        words.retain(|word| !known.contains(&word.to_lowercase()));
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert(word.to_lowercase()));
        words.truncate(12);
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(" ")) }
    }
}

/// Words that tie a question to what was said before.
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^(?:(?:and|but|so|then|also|ok|okay|now|well|or|yes|no|thanks)\b[,.]?\s+)+")
});
/// A question that lacks its verb: "for Postgres", "what about the second one".
static FRAGMENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:what about|how about|what if|for|in|on|with|without|from|at|by|to|via|during|before|after)\b",
    )
});
/// What stands for something else; "that" only where no noun follows or precedes it as its own.
static PRONOUN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:it|its|they|them|their|theirs|he|she|him|her|this|these|those|there|that(?:\s*[?.!,]?$|'s|\s+(?:is|was|does|did|do|happen|happens|happened|mean|means|work|works|one|case|way|error|issue|problem|alert|command|step|file))|(?:the|an|any)?\s*(?:other|another|same|former|latter|previous|second|else|instead|again)(?:\s+ones?)?)\b",
    )
});
/// An "it" that stands for nothing: "is it possible", "how long does it take".
static EMPTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:(?:is|was) it (?:possible|ok|okay|safe|necessary|better|worth)|(?:does|did|will|would) it take|(?:is|are|was|were) there\b|there (?:is|are|was|were)\b|make sure it\b)",
    )
});

/// Whether a question says all that it means.
pub(super) fn stands_alone(question: &str) -> bool {
    let question = question.trim();
    if LINK.is_match(question) {
        return false;
    }
    let rest = EMPTY.replace_all(question, "");
    if let Some(pronoun) = PRONOUN.find(&rest) {
        // What was named before in the same question is what the pronoun stands for.
        return telling_count(&rest[..pronoun.start()]) >= 3;
    }
    let bare = question.trim_end_matches('?');
    let words = parts(bare).count();
    !(FRAGMENT.is_match(bare) && words <= 8) && (telling_count(question) >= 2 || words > 6)
}

/// Words with which a whole question asks.
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:what|when|where|which|who|whose|why|how|is|are|was|were|do|does|did|can|could|should|will|would|has|have|had|show|list|give|tell)\b",
    )
});
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b([a-z]{3,}) (\d{1,4})\b"));

/// Whether a question lacks what it asks: "for Postgres", "broker 2".
fn is_fragment(rest: &str) -> bool {
    FRAGMENT.is_match(rest) || (parts(rest).count() <= 4 && !ASKS.is_match(rest))
}

fn telling_count(text: &str) -> usize {
    parts(text).filter(|range| !is_common(&text[range.clone()])).count()
}

/// Puts the one name of a fragment into the place of the one name of `base`: "renew the Redis certificate"
/// and "for Kafka" make "renew the Kafka certificate".
fn swapped(base: &str, fragment: &str) -> Option<String> {
    if let Some(new) = NUMBERED.captures(fragment) {
        let mut old = NUMBERED.captures_iter(base);
        let old = old.find(|old| old[1].eq_ignore_ascii_case(&new[1]))?;
        return Some(format!("{}?", base.replace(&old[0], &new[0])));
    }
    let (old, new) = (telling_names(base), telling_names(fragment));
    match (old.as_slice(), new.as_slice()) {
        ([old], [new]) if !old.eq_ignore_ascii_case(new) => {
            Some(format!("{}?", base.replace(old, new)))
        }
        _ => None,
    }
}

fn telling_names(text: &str) -> Vec<&str> {
    names(text).into_iter().filter(|word| !is_common(word)).collect()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(turns: &[(Role, &str)], question: &str) -> Option<String> {
        let turn =
            |(role, content): &(Role, &str)| Turn { role: *role, content: (*content).into() };
        let turns: Vec<Turn> = turns.iter().map(turn).collect();
        Conversation::parse(&turns, question).unwrap().rewritten(question)
    }

    const ASKED: [(Role, &str); 2] = [
        (Role::User, "How do I renew the Redis certificate?"),
        (Role::Assistant, "Run renew.sh on the bastion, then restart the pods."),
    ];

    #[test]
    fn a_question_that_says_all_is_left_alone() {
        for question in [
            "How do I restart the gateway pods?",
            "How long does it take to drain a node?",
            "Is it safe to delete the payment queue?",
            "When a backup job fails twice, how do I restart it?",
            "disk pressure alert on workers",
        ] {
            assert_eq!(rewritten(&ASKED, question), None, "{question}");
        }
    }

    #[test]
    fn a_fragment_takes_the_last_question_and_its_own_name() {
        assert_eq!(
            rewritten(&ASKED, "And for Kafka?").as_deref(),
            Some("How do I renew the Kafka certificate?")
        );
        assert_eq!(
            rewritten(&ASKED, "what about in the staging cluster?").as_deref(),
            Some("How do I renew the Redis certificate, what about in the staging cluster?")
        );
    }

    #[test]
    fn a_pronoun_brings_what_was_spoken_of() {
        assert_eq!(
            rewritten(&ASKED, "How often does it expire?").as_deref(),
            Some("How often does it expire (renew Redis certificate)?")
        );
        assert_eq!(rewritten(&[], "How often does it expire?"), None);
    }

    #[test]
    fn only_the_last_three_turns_before_the_question_are_read() {
        let turn = |content: &str| Turn { role: Role::User, content: content.into() };
        let turns = ["a1", "a2", "a3", "a4", "q?"].map(turn);
        let read = Conversation::parse(&turns, "q?").unwrap();
        assert_eq!(read.turns().len(), 3);
        assert_eq!(read.turns()[0].content, "a2");
        let long = [turn(&"é".repeat(300))];
        assert_eq!(
            Conversation::parse(&long, "q").unwrap().turns()[0].content.chars().count(),
            200
        );
    }

    #[test]
    fn too_many_turns_and_empty_ones_are_refused_by_field() {
        let turn = |content: &str| Turn { role: Role::User, content: content.into() };
        let many = vec![turn("a"); 21];
        let refusal = |turns: &[Turn]| Conversation::parse(turns, "q").unwrap_err().to_string();
        assert_eq!(refusal(&many), "invalid `conversation`: must have at most 20 turns, not 21");
        let blank = [turn("a"), turn(" ")];
        assert_eq!(refusal(&blank), "invalid `conversation[1].content`: must not be empty");
    }
}
