//! Finds the names and values of a statement, with their bytes in its focus.

use std::ops::Range;

use super::read::Statement;
use model::facts::{Value, range};
use quantity::Quantity;
use text::term::Mention;

/// A value of a statement.
pub(super) struct Placed<'e> {
    /// The value. Its own `start` and `end` are 0.
    pub quantity: &'e Quantity,
    /// The bytes in the focus.
    pub at: Range<usize>,
}

/// Returns the alternatives that the statement names as its subject, with their bytes in the focus.
pub(super) fn owners(statement: &Statement) -> Vec<Mention> {
    let begin = statement.focus.start;
    statement.named.iter().map(|mention| shifted(*mention, begin)).collect()
}

/// Returns the statement's values. Of an equation it returns only the result: for "2 MB * 5000 = 10
/// GB" that is 10 GB.
pub(super) fn values<'e>(focus: &str, statement: &Statement<'e>) -> Vec<Placed<'e>> {
    let begin = statement.focus.start;
    let placed = |value: &'e Value| {
        let at = range(value.at);
        Placed { quantity: &value.quantity, at: at.start - begin..at.end - begin }
    };
    let mut values: Vec<Placed<'e>> = statement.values.iter().map(placed).collect();
    if let Some(equals) = focus.rfind(" = ")
        && values.iter().any(|value| value.at.start > equals)
    {
        values.retain(|value| value.at.start > equals);
    }
    values
}

fn shifted(mention: Mention, by: usize) -> Mention {
    Mention { start: mention.start - by, end: mention.end - by, ..mention }
}
