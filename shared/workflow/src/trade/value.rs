//! The names and values of a statement, by their bytes in its focus.

use super::read::Statement;
use crate::facts::{Value, range};
use crate::term::Mention;
use quantity::Quantity;

/// The alternatives that the statement is about by its own words, by their bytes in the focus.
pub(super) fn owners(statement: &Statement) -> Vec<Mention> {
    let begin = statement.focus.start;
    statement.named.iter().map(|own| shifted(*own, begin)).collect()
}

/// The statement's values, by their bytes in the focus.
pub(super) fn values(statement: &Statement) -> Vec<Quantity> {
    let begin = statement.focus.start;
    let value = |own: &Value| {
        let at = range(own.at);
        Quantity { start: at.start - begin, end: at.end - begin, ..own.quantity.clone() }
    };
    statement.values.iter().map(value).collect()
}

/// Of an equation only what it comes to: in "2 MB * 5000 = 10 GB" that is 10 GB.
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
