//! The question of a caller, parsed, and the time of the request.

use jiff::Timestamp;

use model::{Error, Result};

/// The time and the id of a request; the crate `lambda` sets both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// The id, a ULID.
    pub id: String,
    /// The time, to the millisecond.
    pub time: Timestamp,
}

/// A question: not blank, at most [`Question::LIMIT`] characters, and without control characters
/// except line breaks and tabs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question(String);

impl Question {
    /// Upper bound for the characters of a question.
    pub const LIMIT: usize = 2_000;

    /// Parses a question and removes the white space around it.
    pub fn parse(text: &str) -> Result<Question> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Error::invalid("question", "must not be empty"));
        }
        if text.chars().count() > Question::LIMIT {
            return Err(Error::invalid(
                "question",
                format!("must have at most {} characters", Question::LIMIT),
            ));
        }
        if let Some(control) =
            text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        {
            return Err(Error::invalid(
                "question",
                format!("must not hold the control character U+{:04X}", u32::from(control)),
            ));
        }
        if text.contains(char::REPLACEMENT_CHARACTER) {
            return Err(Error::invalid(
                "question",
                "must be UTF-8; U+FFFD stands for bytes that were not",
            ));
        }
        Ok(Question(text.into()))
    }

    /// Returns the question's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The number of results that a caller wants, 1 to 50.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopK(usize);

impl TopK {
    /// The default number of results.
    pub const DEFAULT: TopK = TopK(10);

    /// Parses the wanted number; the default if it is absent.
    pub fn parse(wanted: Option<u32>) -> Result<TopK> {
        match wanted {
            None => Ok(TopK::DEFAULT),
            Some(count @ 1..=50) => Ok(TopK(count as usize)),
            Some(_) => Err(Error::invalid("top_k", "must be between 1 and 50")),
        }
    }

    /// Returns the number.
    pub fn value(self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        Question::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_question_is_refused_by_name_and_reason() {
        assert_eq!(refusal(""), "invalid `question`: must not be empty");
        assert_eq!(refusal(" \n\t "), "invalid `question`: must not be empty");
        assert_eq!(
            refusal(&"é".repeat(2_001)),
            "invalid `question`: must have at most 2000 characters"
        );
        assert_eq!(
            refusal("a\0b"),
            "invalid `question`: must not hold the control character U+0000"
        );
        assert_eq!(
            refusal("a\u{1b}[31mb"),
            "invalid `question`: must not hold the control character U+001B"
        );
    }

    #[test]
    fn a_question_of_the_full_length_and_several_lines_is_taken() {
        assert!(Question::parse(&"é".repeat(2_000)).is_ok());
        assert_eq!(Question::parse(" pump\n\tfailed ").unwrap().as_str(), "pump\n\tfailed");
    }

    #[test]
    fn top_k_is_between_one_and_fifty() {
        assert_eq!(TopK::parse(None).unwrap().value(), 10);
        assert_eq!(TopK::parse(Some(50)).unwrap().value(), 50);
        assert!(TopK::parse(Some(0)).is_err());
        assert!(TopK::parse(Some(51)).is_err());
    }
}
