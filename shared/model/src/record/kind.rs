//! What the values of a column are: texts, numbers, or dates.
//!
//! An ingest decides it once, from all values that a column has in its file, so that a filter, an order and a group never
//! disagree about a value.

use std::borrow::Cow;
use std::cmp::Ordering;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::date::{DateOrder, ORDERS, Written};
use super::exact::{Decimal, Exact, has_leading_zero, marks};
use super::{Amount, Moment};

/// The kind of value that all values of a column are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnKind {
    /// Whatever they are: `00123` is not `123`.
    #[default]
    Text,
    /// Numbers, with or without a unit.
    Number {
        /// The mark before their fractions.
        decimal: Decimal,
    },
    /// Dates, with or without a time of day.
    Date {
        /// The order of their parts.
        order: DateOrder,
    },
}

impl ColumnKind {
    /// The kind of a column that has these values, where nothing is known of the rest of the file; `usual` is the mark before
    /// a fraction where they can be read both ways.
    pub fn of<'v>(values: impl Iterator<Item = &'v str> + Clone, usual: Decimal) -> ColumnKind {
        of_columns(std::iter::once(values), usual).pop().unwrap_or_default()
    }

    /// The kind of a column of dates; `None` where a value is none, or they can be in more than one order.
    pub fn of_dates<'v>(values: impl Iterator<Item = &'v str>) -> Option<ColumnKind> {
        dates(values).map(|order| ColumnKind::Date { order })
    }

    /// A value as a number; `None` where it is none. In a column of texts a value may be one by itself.
    pub fn number(&self, text: &str) -> Option<Amount> {
        self.exact(text)?.amount()
    }

    /// A value as a moment, in microseconds since 1970 in UTC; a date is its midnight. A date whose parts can be in one order
    /// only, as in `2015-05-17`, is one for columns of any order. `None` where it is no date, or the column's are none.
    pub fn moment(&self, text: &str) -> Option<i64> {
        self.told(text).map(|moment| moment.micros)
    }

    /// A value as a moment, with what it tells of its zone; see [`ColumnKind::moment`].
    pub fn told(&self, text: &str) -> Option<Moment> {
        match self {
            ColumnKind::Date { order } => Written::parse(text)?.moment(*order),
            ColumnKind::Text | ColumnKind::Number { .. } => None,
        }
    }

    /// The one form of all values that equal this one: two values of a column are equal where theirs are, and only there.
    /// A text is itself, a number has no sign `+`, no zeros or marks that say nothing, and its base unit; a date is a moment.
    /// What is no value of the column's kind is itself.
    pub fn canonical<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let form = match self {
            ColumnKind::Text => None,
            ColumnKind::Number { .. } => self.exact(text).map(|exact| exact.to_string()),
            ColumnKind::Date { .. } => self.moment(text).and_then(shown),
        };
        form.filter(|form| form != text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Which of two values is more, digit by digit; `None` where one is no value of the column's kind, or their units are of
    /// two kinds. Texts have no order, but numbers among them do, and `5` is any `5 ms`.
    pub fn compare(&self, a: &str, b: &str) -> Option<Ordering> {
        match self {
            ColumnKind::Date { .. } => Some(self.moment(a)?.cmp(&self.moment(b)?)),
            ColumnKind::Text | ColumnKind::Number { .. } => self.exact(a)?.compare(&self.exact(b)?),
        }
    }

    fn exact(self, text: &str) -> Option<Exact> {
        match self {
            ColumnKind::Number { decimal } => Exact::parse(text, decimal),
            ColumnKind::Text if has_leading_zero(text) => None,
            ColumnKind::Text => Exact::parse(text, Decimal::Point),
            ColumnKind::Date { .. } => None,
        }
    }
}

/// A moment as a date, with its time of day unless that is midnight.
fn shown(micros: i64) -> Option<String> {
    let moment = Timestamp::from_microsecond(micros).ok()?.to_string();
    Some(moment.strip_suffix("T00:00:00Z").map_or_else(|| moment.clone(), str::to_owned))
}

/// What a column's numbers say about their marks.
#[derive(Debug, Clone, Copy)]
struct Marks {
    /// Whether all of them can be read with a point, and with a comma before a fraction.
    read: [bool; 2],
    /// Whether any of them has a comma, or a dot.
    has_comma: bool,
    has_dot: bool,
}

impl Marks {
    /// The only way that the column can be read.
    fn only(self) -> Option<Decimal> {
        match self.read {
            [true, false] => Some(Decimal::Point),
            [false, true] => Some(Decimal::Comma),
            _ => None,
        }
    }
}

/// The kinds of a file's columns, each given by its different values. Every value decides: one that is no number makes the
/// column a text.
///
/// `1,024` and `1.234` can be read both ways. They are read as the file's other columns write numbers, where these leave no
/// doubt and agree; else a comma is read as `usual` says, and a dot is before a fraction.
pub(super) fn of_columns<'v, C, V>(columns: C, usual: Decimal) -> Vec<ColumnKind>
where
    C: Iterator<Item = V>,
    V: Iterator<Item = &'v str> + Clone,
{
    let read = |values: V| match numbers(values.clone()) {
        Some(marks) => Ok(marks),
        None => Err(ColumnKind::of_dates(values).unwrap_or_default()),
    };
    let columns: Vec<Result<Marks, ColumnKind>> = columns.map(read).collect();
    let has = |decimal| columns.iter().flatten().any(|marks| marks.only() == Some(decimal));
    let file = match (has(Decimal::Point), has(Decimal::Comma)) {
        (true, false) => Some(Decimal::Point),
        (false, true) => Some(Decimal::Comma),
        _ => None,
    };
    let decimal = |marks: Marks| {
        let by_mark = if marks.has_comma { usual } else { Decimal::Point };
        let is_marked = marks.has_comma || marks.has_dot;
        marks.only().or(file.filter(|_| is_marked)).unwrap_or(by_mark)
    };
    let kind = |column: Result<Marks, ColumnKind>| match column {
        Ok(marks) => ColumnKind::Number { decimal: decimal(marks) },
        Err(kind) => kind,
    };
    columns.into_iter().map(kind).collect()
}

/// The marks of a column's numbers; `None` where a value is none.
fn numbers<'v>(values: impl Iterator<Item = &'v str>) -> Option<Marks> {
    let mut all = Marks { read: [true; 2], has_comma: false, has_dot: false };
    let mut is_any = false;
    for value in values {
        is_any = true;
        for (can, decimal) in all.read.iter_mut().zip([Decimal::Point, Decimal::Comma]) {
            *can = *can && Exact::parse(value, decimal).is_some();
        }
        if has_leading_zero(value) || all.read == [false; 2] {
            return None;
        }
        let (has_comma, has_dot) = marks(value);
        all.has_comma |= has_comma;
        all.has_dot |= has_dot;
    }
    is_any.then_some(all)
}

/// The order of a column's dates; `None` where a value is none, or they can be in more than one.
fn dates<'v>(values: impl Iterator<Item = &'v str>) -> Option<DateOrder> {
    let mut orders = ORDERS.to_vec();
    let mut is_any = false;
    for value in values {
        is_any = true;
        let written = Written::parse(value)?;
        orders.retain(|order| written.is_in(*order));
        if orders.is_empty() {
            return None;
        }
    }
    let is_one = is_any && orders.len() == 1;
    orders.first().copied().filter(|_| is_one)
}

#[cfg(test)]
mod tests;
