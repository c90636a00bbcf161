//! How the values of a column are read: as texts, levels, numbers or dates.

use std::borrow::Cow;

use model::level::{rank, severity};
use model::record::{ColumnHead, ColumnKind, Decimal};

use super::when::{self, Span};

/// The column of levels.
pub(super) const LEVEL: &str = "level";

/// How the values of one column of one file are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) kind: ColumnKind,
    is_level: bool,
}

impl Reading {
    /// Of names, such as those of files.
    pub(super) const TEXT: Reading = Reading { kind: ColumnKind::Text, is_level: false };

    /// Of whole numbers, such as those of lines.
    pub(super) const NUMBER: Reading =
        Reading { kind: ColumnKind::Number { decimal: Decimal::Point }, is_level: false };

    /// Of levels where no record has one.
    pub(super) const NO_LEVEL: Reading = Reading { kind: ColumnKind::Text, is_level: true };

    pub(super) fn of(head: &ColumnHead) -> Reading {
        Reading { kind: head.kind, is_level: head.name == LEVEL }
    }

    pub(super) fn is_of_dates(self) -> bool {
        matches!(self.kind, ColumnKind::Date { .. })
    }

    /// Returns the one form of all values that equal this one.
    pub(super) fn canonical(self, value: &str) -> Cow<'_, str> {
        match severity(value).filter(|_| self.is_level) {
            Some(level) => Cow::Borrowed(level),
            None => self.kind.canonical(value),
        }
    }

    /// Returns the place of a value among those of the column: its number, or its moment in microseconds.
    pub(super) fn place(self, value: &str) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of this era are below 2^53")]
        let moment = self.kind.moment(value).map(|micros| micros as f64);
        moment.or_else(|| self.kind.number(value).map(|amount| amount.value))
    }

    /// Reads what a value is compared with.
    pub(super) fn sought(self, text: &str, is_number: bool) -> Sought<'_> {
        if self.is_level
            && let Some(level) = rank(text)
        {
            return Sought::Level(level);
        }
        match self.kind {
            ColumnKind::Date { .. } => self.span(text).map_or(Sought::Text, Sought::Dates),
            ColumnKind::Number { decimal } => {
                let own = self.own_form(text, decimal, is_number);
                if self.kind.number(&own).is_none() {
                    return Sought::Text;
                }
                let form = self.kind.canonical(&own).into_owned();
                Sought::Number { own, form }
            }
            // Texts may have numbers among them: these have an order, but are equal as texts only.
            ColumnKind::Text => match self.kind.number(text) {
                Some(_) => Sought::AmongTexts(text),
                None => Sought::Text,
            },
        }
    }

    /// Returns a number of a query as the column writes it: there a dot may be a mark between thousands.
    fn own_form(self, text: &str, decimal: Decimal, is_number: bool) -> Cow<'_, str> {
        let is_other = decimal == Decimal::Comma && (is_number || self.kind.number(text).is_none());
        if is_other { Cow::Owned(text.replace('.', ",")) } else { Cow::Borrowed(text) }
    }

    /// Returns the day, month, year or instant that a text means, in a usual form or in that of the column.
    fn span(self, text: &str) -> Option<Span> {
        when::moment(text).or_else(|| when::around(self.kind.moment(text)?, text))
    }
}

/// What a value is compared with, as its column reads it.
#[derive(Debug, Clone)]
pub(super) enum Sought<'t> {
    /// No value of the column's kind.
    Text,
    /// A number in a column of texts.
    AmongTexts(&'t str),
    /// A number as the column writes it, and the one form of all that equal it.
    Number { own: Cow<'t, str>, form: String },
    /// A level, by its rank.
    Level(usize),
    /// From this moment on, until before that one.
    Dates(Span),
}
