//! Finds the names and values of a statement, by their bytes in its focus.

use super::read::Statement;
use crate::facts::{Value, range};
use crate::term::Mention;
use quantity::Quantity;

/// Returns the alternatives that the statement itself names as its subject, by their bytes in the focus.
pub(super) fn owners(statement: &Statement) -> Vec<Mention> {
    let begin = statement.focus.start;
    statement.named.iter().map(|mention| shifted(*mention, begin)).collect()
}

/// Returns the statement's values, by their bytes in the focus.
pub(super) fn values(statement: &Statement) -> Vec<Quantity> {
    let begin = statement.focus.start;
    let quantity = |value: &Value| {
        let at = range(value.at);
        Quantity { start: at.start - begin, end: at.end - begin, ..value.quantity.clone() }
    };
    statement.values.iter().map(quantity).collect()
}

/// Keeps, of an equation, only what it comes to: in "2 MB * 5000 = 10 GB" that is 10 GB.
pub(super) fn results(focus: &str, mut values: Vec<Quantity>) -> Vec<Quantity> {
    if let Some(equals) = focus.rfind(" = ")
        && values.iter().any(|value| value.start > equals)
    {
        values.retain(|value| value.start > equals);
    }
    values
}

fn shifted(mention: Mention, by: usize) -> Mention {
    Mention { start: mention.start - by, end: mention.end - by, ..mention }
}
