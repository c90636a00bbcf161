//! The form of a question about records: how many, the first, the last, a list, per what, the
//! largest.

use std::sync::LazyLock;

use regex::Regex;
use wire::records::{RecordsRequest, Select};

use super::column::Columns;
use super::{Conditions, SHOWN};
use text::words::pattern;

static FORMS: LazyLock<[(Regex, Select); 4]> = LazyLock::new(|| {
    [
        (
            r"(?i)\b(?:how many(?: times)?|how often|(?:the )?number of|count(?: of)?)\b",
            Select::Count,
        ),
        (r"(?i)\b(?:the )?(?:first|earliest)\b", Select::First),
        (r"(?i)\b(?:the )?(?:last|latest)\b", Select::Last),
        (r"(?i)\b(?:list|show)\b", Select::List),
    ]
    .map(|(form, select)| (pattern(form), select))
});

/// The form of a question.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// The selections that are wanted; two for "the first and the last".
    selects: Vec<Select>,
    group_by: Vec<String>,
    /// The column of numbers that is wanted, and which of its numbers.
    number: Option<(Select, String)>,
}

impl Form {
    /// Removes the words for the form from a question and returns the form.
    pub(super) fn take(question: &mut String) -> Form {
        let mut form = Form::default();
        for (words, select) in FORMS.iter() {
            if words.is_match(question) {
                *question = words.replace_all(question, " ").into_owned();
                form.selects.push(*select);
            }
        }
        form
    }

    /// Adds the statements about columns.
    pub(super) fn of_columns(&mut self, columns: &Columns) {
        self.group_by.clone_from(&columns.group_by);
        self.number.clone_from(&columns.number);
    }

    /// Returns true if the question states a form.
    pub(super) fn is_told(&self) -> bool {
        !self.selects.is_empty() || !self.group_by.is_empty() || self.number.is_some()
    }

    /// Returns true if the question asks for the first or the last of something in the singular.
    pub(super) fn is_of_one(&self) -> bool {
        self.selects.iter().any(|select| matches!(select, Select::First | Select::Last))
    }

    /// Returns true if the question asks how many, per what, or for a number in a column.
    pub(super) fn is_of_a_number(&self) -> bool {
        self.selects.contains(&Select::Count) || !self.group_by.is_empty() || self.number.is_some()
    }

    /// Returns the queries for records that satisfy `conditions`, one for each wanted thing; none
    /// if too many are wanted.
    pub(super) fn queries(&self, conditions: &Conditions) -> Vec<RecordsRequest> {
        let query = |select: Select, of: Option<String>| RecordsRequest {
            conditions: conditions.clone(),
            group_by: self.group_by.clone(),
            select,
            of,
            limit: (select == Select::List).then_some(SHOWN),
            ..RecordsRequest::default()
        };
        match (&self.number, self.selects.as_slice()) {
            (Some((select, of)), [] | [Select::List]) => vec![query(*select, Some(of.clone()))],
            (None, []) if self.group_by.is_empty() => vec![query(Select::List, None)],
            (None, [] | [Select::Count | Select::List]) if !self.group_by.is_empty() => {
                vec![query(Select::Count, None)]
            }
            (None, [select] | [select, Select::List]) => vec![query(*select, None)],
            (None, [Select::First, Select::Last]) => {
                vec![query(Select::First, None), query(Select::Last, None)]
            }
            _ => Vec::new(),
        }
    }
}
