//! What the API answers, as far as it is shown or judged.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::wording::printable;

pub(crate) mod case;
pub mod cited;
pub mod explore;
pub(crate) mod matrix;
pub mod plan;
pub mod project;
pub mod trade;

/// Where a passage stands.
#[derive(Debug, Deserialize)]
pub struct Source {
    /// The passage's id.
    pub chunk_id: String,
    /// The document's name.
    pub name: String,
    pub(crate) document_title: String,
    /// Its headings, outermost first.
    pub section_title: Option<String>,
    pub(crate) lines: Option<(u32, u32)>,
}

impl Source {
    /// `pumps/pump-7.md:3-9, "Cause"`.
    pub(crate) fn place(&self) -> String {
        let lines = self.lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
        let section = self.section_title.as_ref().map(|section| format!(", \"{section}\""));
        format!("{}{lines}{}", self.name, section.unwrap_or_default())
    }
}

/// How a score comes about, as far as people are told.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ScoreParts {
    /// `strong`, `fair` or `weak`; absent where it is not known.
    pub(crate) strength: Option<String>,
}

impl ScoreParts {
    /// Behind a title.
    pub(crate) fn shown(&self) -> String {
        self.strength.as_ref().map(|own| format!("  {own}")).unwrap_or_default()
    }
}

/// A verbatim part of a passage.
#[derive(Debug, Deserialize)]
pub(crate) struct Passage {
    pub(crate) text: String,
    pub(crate) section: Option<String>,
}

/// A decision in a document that settles what is asked.
#[derive(Debug, Deserialize)]
pub(crate) struct Settled {
    pub(crate) text: String,
    /// The option that was chosen, by the name that was asked for.
    pub(crate) option: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) date: Option<String>,
    #[serde(default)]
    pub(crate) reasons_for: Vec<Quoted>,
    #[serde(default)]
    pub(crate) reasons_against: Vec<Quoted>,
    pub(crate) source: Source,
}

/// A document's own words.
#[derive(Debug, Deserialize)]
pub(crate) struct Quoted {
    pub(crate) text: String,
}

/// A facet on which nothing was found.
#[derive(Debug, Deserialize)]
pub(crate) struct Gap {
    pub(crate) facet: String,
    pub(crate) suggested_question: String,
}

/// Reads an answer; a field that is `null` counts as absent.
pub fn read<T: DeserializeOwned>(mut answer: Value) -> Result<T> {
    drop_nulls(&mut answer);
    serde_json::from_value(answer).context("the answer has another form than expected")
}

/// Reads an answer that is to be shown: no text in it can steer the terminal.
pub(crate) fn read_printable<T: DeserializeOwned>(mut answer: Value) -> Result<T> {
    make_printable(&mut answer);
    read(answer)
}

fn make_printable(value: &mut Value) {
    match value {
        Value::String(text) => *text = printable(text),
        Value::Object(fields) => fields.values_mut().for_each(make_printable),
        Value::Array(items) => items.iter_mut().for_each(make_printable),
        _ => {}
    }
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_shown_cannot_steer_the_terminal() {
        let gap =
            json!({"facet": "a\u{1b}]0;b", "suggested_question": "c\nd", "more": [{"e": null}]});
        let gap: Gap = read_printable(gap).unwrap();
        assert_eq!(
            (gap.facet.as_str(), gap.suggested_question.as_str()),
            ("a\u{fffd}]0;b", "c\nd")
        );
    }
}
