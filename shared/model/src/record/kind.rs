//! The kind of a column's values: texts, numbers, or dates.
//!
//! An ingest determines it once, from all values that a column has in its file. A filter, an order
//! and a group therefore never disagree about a value.

use std::borrow::Cow;
use std::cmp::Ordering;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::date::{DateOrder, ORDERS, Written};
use super::exact::{Decimal, Exact, has_leading_zero, marks};
use super::{Amount, Moment};

/// The kind of all values of a column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnKind {
    /// Values of any form: `00123` is not `123`.
    #[default]
    Text,
    /// Numbers, with or without a unit.
    Number {
        /// The decimal mark.
        decimal: Decimal,
    },
    /// Dates, with or without a time of day.
    Date {
        /// The order of the parts of a date.
        order: DateOrder,
    },
}

impl ColumnKind {
    /// Returns the kind of a column with these values, without knowledge of the rest of the file.
    /// `usual` is the decimal mark for numbers that can be read in two ways.
    pub fn of<'v>(values: impl Iterator<Item = &'v str> + Clone, usual: Decimal) -> ColumnKind {
        of_columns(std::iter::once(values), usual).pop().unwrap_or_default()
    }

    /// Returns the kind of a column of dates; `None` if a value is not a date, or if more than one
    /// order is possible.
    pub fn of_dates<'v>(values: impl Iterator<Item = &'v str>) -> Option<ColumnKind> {
        dates(values).map(|order| ColumnKind::Date { order })
    }

    /// Returns a value as a number; `None` if it is not one. In a column of texts, a single value
    /// may be a number.
    pub fn number(&self, text: &str) -> Option<Amount> {
        self.exact(text)?.amount()
    }

    /// Returns a value as a moment, in microseconds since 1970 in UTC; a date without a time is its
    /// midnight. A date that is valid in one order only, such as `2015-05-17`, counts in columns of
    /// any order. `None` if the value is not a date, or if the column does not contain dates.
    pub fn moment(&self, text: &str) -> Option<i64> {
        self.told(text).map(|moment| moment.micros)
    }

    /// Returns a value as a moment, with its zone if it states one; see [`ColumnKind::moment`].
    pub fn told(&self, text: &str) -> Option<Moment> {
        match self {
            ColumnKind::Date { order } => Written::parse(text)?.moment(*order),
            ColumnKind::Text | ColumnKind::Number { .. } => None,
        }
    }

    /// Returns the canonical form of a value: two values of a column are equal if and only if their
    /// canonical forms are. For a text it is the text itself; for a number the number without a
    /// plus sign and without redundant zeros and marks, in its base unit; for a date a moment. A
    /// value that is not of the column's kind is returned unchanged.
    pub fn canonical<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let form = match self {
            ColumnKind::Text => None,
            ColumnKind::Number { .. } => self.exact(text).map(|exact| exact.to_string()),
            ColumnKind::Date { .. } => self.moment(text).and_then(shown),
        };
        form.filter(|form| form != text).map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Compares two values, digit by digit. `None` if one is not of the column's kind, or if their
    /// units are of different kinds. Texts have no order, but numbers among them do, and `5` equals
    /// `5 ms`.
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

/// Returns a moment as a date, with its time of day unless that is midnight.
fn shown(micros: i64) -> Option<String> {
    let moment = Timestamp::from_microsecond(micros).ok()?.to_string();
    Some(moment.strip_suffix("T00:00:00Z").map_or_else(|| moment.clone(), str::to_owned))
}

/// The decimal marks that a column's numbers allow.
#[derive(Debug, Clone, Copy)]
struct Marks {
    /// True for a decimal point, and for a decimal comma, if all numbers can be read with it.
    read: [bool; 2],
    /// True if any number contains a comma, or a dot.
    has_comma: bool,
    has_dot: bool,
}

impl Marks {
    /// Returns the decimal mark if the column can be read in only one way.
    fn only(self) -> Option<Decimal> {
        match self.read {
            [true, false] => Some(Decimal::Point),
            [false, true] => Some(Decimal::Comma),
            _ => None,
        }
    }
}

/// Returns the kinds of a file's columns, each given by its distinct values. Every value decides:
/// one that is not a number makes the column a text.
///
/// `1,024` and `1.234` can be read in two ways. They are read in the way of the file's other
/// columns, if those are unambiguous and agree. Otherwise a comma is read as `usual` says, and a
/// dot is a decimal point.
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

/// Returns the marks of a column's numbers; `None` if a value is not a number.
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

/// Returns the order of a column's dates; `None` if a value is not a date, or if more than one
/// order is possible.
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
