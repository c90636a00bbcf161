//! Statements: the sentences, items and cells of a passage, each with the places above it.

use std::ops::Range;

use quantity::Quantity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The statements of a passage, in order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statements {
    /// The places above the statements, outer places before inner ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The statements.
    #[serde(rename = "all", skip_serializing_if = "Vec::is_empty")]
    pub list: Vec<Statement>,
}

/// A sentence of a paragraph or an item, a line of code, or a cell of a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// The bytes to quote: the sentence, the line, or the whole row of a cell.
    #[serde(rename = "q")]
    pub quote: (u32, u32),
    /// The bytes of the cell, if the statement is one.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<(u32, u32)>,
    /// The number of the place directly above it.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub below: Option<u16>,
    /// The numbers of the heads of a cell's row and column.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub heads: Option<(u16, u16)>,
    /// True if it follows another statement in the same paragraph or item.
    #[serde(rename = "f", default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// True for a line of code.
    #[serde(rename = "k", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_code: bool,
    /// The side that it takes, if it is an argument.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The quantities in it, in order.
    #[serde(rename = "v", default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
}

/// A label, an item, the paragraph before a block of code, or the head of a table's row or column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The bytes of the place in the passage; absent if it is in an earlier passage.
    #[serde(rename = "q", default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(u32, u32)>,
    /// The text of the place, if it is in an earlier passage.
    #[serde(rename = "t", default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The number of the place above it.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub below: Option<u16>,
}

/// The side that an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// It speaks for an option.
    For,
    /// It speaks against one.
    Against,
    /// It is listed among pros and cons, and does not say which of them it is.
    Either,
}

/// A quantity of a statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The bytes of the quantity in the passage.
    #[serde(rename = "q")]
    pub at: (u32, u32),
    /// The quantity; its fields `start` and `end` are 0.
    #[serde(rename = "n")]
    pub quantity: Quantity,
}

impl Statement {
    /// Returns the bytes that make the statement: its cell, or all of it.
    pub fn focus(&self) -> Range<usize> {
        range(self.cell.unwrap_or(self.quote))
    }
}

/// Returns a span as a range of bytes.
pub fn range((start, end): (u32, u32)) -> Range<usize> {
    start as usize..end as usize
}

/// Returns a range of bytes as a span.
pub fn span(range: &Range<usize>) -> (u32, u32) {
    let byte = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
    (byte(range.start), byte(range.end))
}

impl Statements {
    /// Returns true if there are no statements.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the text of a place, and the number of the place above it. `text` is that of the
    /// passage.
    pub fn place<'t>(&'t self, number: u16, text: &'t str) -> (&'t str, Option<u16>) {
        let Some(place) = self.places.get(usize::from(number)) else { return ("", None) };
        let label = place.at.and_then(|at| text.get(range(at))).unwrap_or(&place.text);
        (label, place.below)
    }
}
