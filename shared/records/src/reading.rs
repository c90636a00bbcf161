//! The meaning of a column's values: texts, levels, numbers or dates.

use std::borrow::Cow;

use model::level::{rank, severity};
use model::record::{ColumnHead, ColumnKind, Decimal};

use super::when::{self, Span};

/// The name of the column of levels.
pub(super) const LEVEL: &str = "level";

/// The meaning of the values of one column in one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) kind: ColumnKind,
    is_level: bool,
}

impl Reading {
    /// The reading of names, such as those of files.
    pub(super) const TEXT: Reading = Reading { kind: ColumnKind::Text, is_level: false };

    /// The reading of whole numbers, such as those of lines.
    pub(super) const NUMBER: Reading =
        Reading { kind: ColumnKind::Number { decimal: Decimal::Point }, is_level: false };

    /// The reading of levels if no record has one.
    pub(super) const NO_LEVEL: Reading = Reading { kind: ColumnKind::Text, is_level: true };

    pub(super) fn of(head: &ColumnHead) -> Reading {
        Reading { kind: head.kind, is_level: head.name == LEVEL }
    }

    pub(super) fn is_of_texts(self) -> bool {
        matches!(self.kind, ColumnKind::Text)
    }

    pub(super) fn is_of_dates(self) -> bool {
        matches!(self.kind, ColumnKind::Date { .. })
    }

    /// Returns the canonical form, which all equal values share.
    pub(super) fn canonical(self, value: &str) -> Cow<'_, str> {
        match severity(value).filter(|_| self.is_level) {
            Some(level) => Cow::Borrowed(level),
            None => self.kind.canonical(value),
        }
    }

    /// Returns the place of a value in the order of its column: the number, or the moment in
    /// microseconds.
    pub(super) fn place(self, value: &str) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "microseconds of this era are below 2^53")]
        let moment = self.kind.moment(value).map(|micros| micros as f64);
        moment.or_else(|| self.kind.number(value).map(|amount| amount.value))
    }

    /// Reads the value of a condition.
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
            // A text may be a number. It is then ordered as a number, but equal only as a text.
            ColumnKind::Text => match self.kind.number(text) {
                Some(_) => Sought::AmongTexts(text),
                None => Sought::Text,
            },
        }
    }

    /// Returns a number of a query as the column would write it, where a dot may separate
    /// thousands.
    fn own_form(self, text: &str, decimal: Decimal, is_number: bool) -> Cow<'_, str> {
        let is_other = decimal == Decimal::Comma && (is_number || self.kind.number(text).is_none());
        if is_other { Cow::Owned(text.replace('.', ",")) } else { Cow::Borrowed(text) }
    }

    /// Returns the day, month, year or instant of a text, in a common form or in that of the
    /// column.
    fn span(self, text: &str) -> Option<Span> {
        when::moment(text).or_else(|| when::around(self.kind.moment(text)?, text))
    }
}

/// The value of a condition, as its column reads it.
#[derive(Debug, Clone)]
pub(super) enum Sought<'t> {
    /// A value that is not of the column's kind.
    Text,
    /// A number in a column of texts.
    AmongTexts(&'t str),
    /// A number as the column writes it, and its canonical form.
    Number { own: Cow<'t, str>, form: String },
    /// A level as its rank.
    Level(usize),
    /// A span from the first moment up to, but not including, the second.
    Dates(Span),
}
