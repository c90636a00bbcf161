//! Questions with known answers, and the forms in which they are asked.

use serde::Deserialize;
use wire::answer::{Speaker, Turn};

use crate::Quote;

/// A question and its known answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Known {
    pub(super) id: String,
    pub(super) question: String,
    #[serde(default = "yes")]
    pub(super) answerable: bool,
    pub(super) case_id: Option<String>,
    pub(super) user_id: Option<String>,
    pub(super) docs: Vec<String>,
    pub(super) expected: Vec<Stand>,
    pub(super) steps: Vec<Quote>,
    pub(super) facts: Vec<Quote>,
    pub(super) answer_contains: Vec<String>,
    pub(super) count: Option<u64>,
    pub(super) all_lines: Vec<u32>,
    pub(super) conversation: Vec<FileTurn>,
    pub(super) resolved_question: Option<String>,
}

fn yes() -> bool {
    true
}

/// The place of a part of the answer.
#[derive(Debug, Deserialize)]
pub(super) struct Stand {
    pub(super) doc: String,
    pub(super) line: Option<u32>,
    pub(super) quote: String,
}

/// One turn of the conversation before the question, in the form of these files.
#[derive(Debug, Deserialize)]
pub(crate) struct FileTurn {
    role: String,
    #[serde(alias = "content")]
    text: String,
}

/// The form in which a question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The question on its own.
    Whole,
    /// A follow-up without the conversation before it.
    Alone,
    /// A follow-up with the conversation before it.
    Conversation,
    /// A follow-up in a form that a stranger would understand.
    Resolved,
}

/// Upper bound for the turns that the API accepts.
const TURNS: usize = 20;

/// Returns the turns before the last one, with the API's names for the speakers. The last turn is
/// the question itself.
pub(crate) fn turns(conversation: &[FileTurn]) -> Vec<Turn> {
    let before = match conversation.split_last() {
        Some((last, before)) if last.role == "user" => before,
        _ => conversation,
    };
    let recent = &before[before.len().saturating_sub(TURNS)..];
    let role = |role: &str| if role == "user" { Speaker::User } else { Speaker::Assistant };
    recent.iter().map(|turn| Turn { role: role(&turn.role), content: turn.text.clone() }).collect()
}

impl Form {
    pub(super) const ALL: [Form; 4] =
        [Form::Whole, Form::Alone, Form::Conversation, Form::Resolved];

    /// Returns the remark that distinguishes this form from the others.
    pub(super) fn remark(self) -> &'static str {
        match self {
            Form::Whole => "",
            Form::Alone => " (without the conversation)",
            Form::Conversation => " (with the conversation)",
            Form::Resolved => " (as resolved by a person)",
        }
    }
}

impl Known {
    pub(super) fn forms(&self) -> &'static [Form] {
        match (&self.conversation[..], &self.resolved_question) {
            ([], _) => &[Form::Whole],
            (_, None) => &[Form::Alone, Form::Conversation],
            (_, Some(_)) => &[Form::Alone, Form::Conversation, Form::Resolved],
        }
    }

    /// Returns the question in this form, and the turns before it.
    pub(super) fn put(&self, form: Form) -> (&str, Vec<Turn>) {
        match (form, &self.resolved_question) {
            (Form::Resolved, Some(resolved)) => (resolved, Vec::new()),
            (Form::Conversation, _) => (&self.question, turns(&self.conversation)),
            _ => (&self.question, Vec::new()),
        }
    }

    /// Returns the documents that answer the question.
    pub(super) fn right(&self) -> impl Iterator<Item = &str> {
        self.docs.iter().chain(self.expected.iter().map(|stand| &stand.doc)).map(String::as_str)
    }

    /// Returns the texts that an answer must quote.
    pub(super) fn quotes(&self) -> impl Iterator<Item = &str> {
        let expected = self.expected.iter().map(|stand| &stand.quote);
        let others = self.steps.iter().chain(&self.facts).map(|quote| &quote.quote);
        expected.chain(others).map(String::as_str)
    }

    /// Returns the lines that answer the question, each with its document.
    pub(super) fn places(&self) -> impl Iterator<Item = (&str, u32)> {
        let expected = self.expected.iter();
        let in_each_doc = |line: u32| self.right().map(move |doc| (doc, line));
        let counted = self.all_lines.iter().flat_map(move |line| in_each_doc(*line));
        expected.filter_map(|stand| Some((stand.doc.as_str(), stand.line?))).chain(counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_follow_up_is_asked_in_three_forms_and_never_says_its_question_twice() {
        let known: Known = serde_json::from_value(json!({
            "question": "And why?", "resolved_question": "Why did pump 7 stop?",
            "conversation": [
                {"role": "user", "text": "When did pump 7 stop?"}, {"role": "agent", "text": "At noon."},
                {"role": "user", "text": "And why?"},
            ],
        }))
        .unwrap();
        assert_eq!(known.forms(), [Form::Alone, Form::Conversation, Form::Resolved]);
        let turn = |role: Speaker, content: &str| Turn { role, content: content.into() };
        let turns = vec![
            turn(Speaker::User, "When did pump 7 stop?"),
            turn(Speaker::Assistant, "At noon."),
        ];
        assert_eq!(known.put(Form::Conversation), ("And why?", turns));
        assert_eq!(known.put(Form::Alone), ("And why?", Vec::new()));
        assert_eq!(known.put(Form::Resolved), ("Why did pump 7 stop?", Vec::new()));
    }

    #[test]
    fn no_more_is_said_before_than_the_api_takes() {
        let conversation: Vec<FileTurn> = (0..30)
            .map(|turn| FileTurn { role: "assistant".into(), text: turn.to_string() })
            .collect();
        let turns = turns(&conversation);
        assert_eq!((turns.len(), turns[0].content.as_str()), (20, "10"));
    }

    #[test]
    fn a_question_is_answerable_unless_it_is_said_not_to_be() {
        let known = |line| serde_json::from_value::<Known>(line).unwrap();
        assert!(known(json!({"question": "why?"})).answerable);
        assert!(!known(json!({"question": "why?", "answerable": false})).answerable);
        assert_eq!(known(json!({"question": "why?"})).forms(), [Form::Whole]);
    }
}
