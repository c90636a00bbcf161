//! The existing columns, and the queries that each allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use model::record::ColumnHead;

use super::by::By;
use super::reading::{LEVEL, Reading, Sought};
use super::test::Test;
use super::when::Part;
use super::{Loaded, pattern};
use model::{Error, Result};

/// Columns that every record has in addition to its own.
pub(super) const BUILT_IN: [&str; 7] =
    ["file", "instance", "line", "time", "clock", "template", "text"];

/// Columns that a query may use even if no record has them.
pub(super) const OF_LOGS: [&str; 2] = [LEVEL, "code"];

/// Other common names of columns.
const ALIASES: [(&str, &str); 16] = [
    ("status", "code"),
    ("status_code", "code"),
    ("ip", "client"),
    ("client_ip", "client"),
    ("url", "path"),
    ("uri", "path"),
    ("user_agent", "agent"),
    ("size", "bytes"),
    ("severity", LEVEL),
    ("broker", "instance"),
    ("node", "instance"),
    ("msg", "message"),
    ("trace_id", "id"),
    ("latency", "duration"),
    ("setting", "key"),
    ("name", "key"),
];

/// Upper bound for the similar names that are listed for an unknown one.
const NEAREST: usize = 5;

/// The existing columns by name.
pub(super) struct Names<'l>(BTreeMap<&'l str, Vec<&'l ColumnHead>>);

impl<'l> Names<'l> {
    pub(super) fn of(loaded: &'l Loaded) -> Names<'l> {
        let mut names: BTreeMap<&str, Vec<&ColumnHead>> = BTreeMap::new();
        for head in loaded.documents.iter().flat_map(|recorded| &recorded.file.header.columns) {
            names.entry(&head.name).or_default().push(head);
        }
        Names(names)
    }

    /// Returns the column for a name, if there is one. A pattern is a column of its own.
    pub(super) fn known(&self, name: &str) -> Option<String> {
        if pattern::is_one(name) {
            return Some(name.to_owned());
        }
        let name = name.trim().to_lowercase();
        let is_known = |name: &str| {
            BUILT_IN.contains(&name) || OF_LOGS.contains(&name) || self.0.contains_key(name)
        };
        if is_known(&name) {
            return Some(name);
        }
        let alias = ALIASES.iter().find(|(alias, column)| *alias == name && is_known(column));
        alias.map(|(_, column)| (*column).to_owned())
    }

    /// Returns the column for a name.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown column, with the most similar names.
    pub(super) fn resolve(&self, name: &str, field: &'static str) -> Result<String> {
        if pattern::is_one(name) {
            pattern::check(name, field)?;
        }
        self.known(name).ok_or_else(|| {
            let nearest: Vec<String> =
                self.nearest(name).iter().map(|name| format!("`{name}`")).collect();
            let nearest = nearest.join(", ");
            let reason = format!(
                "there is no column `{name}`; the nearest are {nearest}; list_columns shows all"
            );
            Error::invalid(field, reason)
        })
    }

    /// Returns the names that contain this one or are contained in it, then those with the smallest
    /// edit distance.
    fn nearest(&self, name: &str) -> Vec<&str> {
        let name = name.trim().to_lowercase();
        let all: BTreeSet<&str> = BUILT_IN.into_iter().chain(self.0.keys().copied()).collect();
        let mut all: Vec<&str> = all.into_iter().collect();
        all.sort_by_cached_key(|other| {
            let is_part = !name.is_empty() && (other.contains(&name) || name.contains(other));
            (!is_part, strsim::levenshtein(&name, other))
        });
        all.truncate(NEAREST);
        all
    }

    /// Returns true if some record has this column.
    pub(super) fn has_any(&self, column: &str) -> bool {
        self.0.contains_key(column)
    }

    /// Returns true if a file's header lists this value of the column, in any case.
    pub(super) fn has_value(&self, column: &str, value: &str) -> bool {
        let heads = self.0.get(column).into_iter().flatten();
        let mut values = heads.flat_map(|head| &head.values);
        values.any(|(known, _)| known.eq_ignore_ascii_case(value))
    }

    /// Returns the way to group records by a name.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an unknown column, for one whose values differ in each record, and
    /// for parts of a column without dates.
    pub(super) fn group(&self, name: &str) -> Result<By> {
        let lower = name.trim().to_lowercase();
        if !self.0.contains_key(lower.as_str()) && !pattern::is_one(name) {
            if let Some(part) = Part::named(&lower) {
                return Ok(By::Time(part));
            }
            if let Some((column, part)) = lower.rsplit_once(':') {
                return self.part(column, part);
            }
        }
        Ok(match self.resolve(name, "group_by")?.as_str() {
            "file" => By::File,
            "instance" => By::Instance,
            "template" => By::Template,
            column @ ("time" | "clock" | "line" | "text") => {
                let reason = format!(
                    "records cannot be grouped by `{column}`; by minute, hour, day, month or year they can"
                );
                return Err(Error::invalid("group_by", reason));
            }
            column => By::Column(column.to_owned()),
        })
    }

    fn part(&self, column: &str, part: &str) -> Result<By> {
        let refused = |reason: String| Err(Error::invalid("group_by", reason));
        let column = self.resolve(column, "group_by")?;
        let Some(part) = Part::named(part) else {
            return refused(format!(
                "`{part}` is no part of time: minute, hour, day, month and year are"
            ));
        };
        if column == "time" {
            return Ok(By::Time(part));
        }
        let named = self.named(&column);
        if !named.has_dates() {
            return refused(format!("`{column}` {}", named.instead_of("dates")));
        }
        Ok(By::Part(column, part))
    }

    /// Returns the known data about the values of a column.
    pub(super) fn named<'n>(&self, name: &'n str) -> Named<'n>
    where
        'l: 'n,
    {
        Named { name, heads: self.0.get(name).cloned().unwrap_or_default() }
    }

    /// Checks that a condition's bounds are values of its column.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the kind of the column's values, and one of them.
    pub(super) fn check_bounds(&self, name: &str, test: &Test) -> Result<()> {
        let named = self.named(name);
        let Some(misfit) = test.misfit(|text, is_number| named.takes(text, is_number)) else {
            return Ok(());
        };
        let mut reason = named.refusal(misfit);
        let is_column =
            self.known(misfit).is_some_and(|column| self.0.contains_key(column.as_str()));
        if is_column && !BUILT_IN.contains(&name) {
            let _ = write!(reason, "; the record's value in that column is `{{{misfit}}}`");
        }
        Err(Error::invalid(format!("where.{name}"), reason))
    }
}

/// A column in all files.
pub(super) struct Named<'l> {
    name: &'l str,
    heads: Vec<&'l ColumnHead>,
}

impl Named<'_> {
    /// Returns true if a bound is a value that some file's column can compare.
    fn takes(&self, text: &str, is_number: bool) -> bool {
        let takes = |reading: Reading, has_numbers: bool| match reading.sought(text, is_number) {
            Sought::Text => false,
            Sought::AmongTexts(_) => has_numbers,
            Sought::Number { .. } | Sought::Level(_) | Sought::Dates(_) => true,
        };
        match (self.name, self.heads.as_slice()) {
            ("file" | "instance", _) => false,
            ("line", _) => takes(Reading::NUMBER, true),
            (LEVEL, []) => takes(Reading::NO_LEVEL, false),
            (_, []) => takes(Reading::NUMBER, true),
            (_, heads) => heads.iter().any(|head| takes(Reading::of(head), has_numbers(head))),
        }
    }

    /// Returns true if some file has numbers in the column, or no file has the column.
    pub(super) fn has_numbers(&self) -> bool {
        self.heads.is_empty() || self.heads.iter().any(|head| has_numbers(head))
    }

    /// Returns true if some file has numbers or dates in the column, or no file has the column.
    pub(super) fn has_order(&self) -> bool {
        self.has_numbers() || self.has_dates()
    }

    /// Returns true if some file has dates in the column.
    pub(super) fn has_dates(&self) -> bool {
        self.heads.iter().any(|head| Reading::of(head).is_of_dates())
    }

    /// Returns the message that a column has no values of a kind, with the kind it has.
    pub(super) fn instead_of(&self, wanted: &str) -> String {
        format!("has no {wanted}: its values are {}{}", self.kind(), self.such_as())
    }

    fn refusal(&self, misfit: &str) -> String {
        match self.kind() {
            "texts" => format!("has texts{}, which have no order", self.such_as()),
            "levels" => format!("`{misfit}` is no level, such as `WARN`"),
            kind => format!("`{misfit}` is none of its {kind}{}", self.such_as()),
        }
    }

    fn kind(&self) -> &'static str {
        match self.name {
            "file" | "instance" => "texts",
            "line" => "numbers",
            LEVEL => "levels",
            _ if self.has_dates() => "dates",
            _ if self.has_numbers() => "numbers",
            _ => "texts",
        }
    }

    /// Returns an example for a message: `, such as` and a value of the column.
    fn such_as(&self) -> String {
        let is_shown = |head: &&&ColumnHead| match self.kind() {
            "dates" => Reading::of(head).is_of_dates(),
            "numbers" => has_numbers(head),
            _ => true,
        };
        let heads = self.heads.iter().find(is_shown).into_iter();
        let mut values = heads.flat_map(|head| {
            let kind = head.kind;
            let is_number = move |value: &&(String, u64)| {
                self.kind() != "numbers" || kind.number(&value.0).is_some()
            };
            head.values.iter().filter(is_number)
        });
        values.next().map_or_else(String::new, |(value, _)| format!(", such as `{value}`"))
    }
}

/// Returns true if a column may contain numbers. The header does not list all values of a large
/// column.
fn has_numbers(head: &ColumnHead) -> bool {
    let mut values = head.values.iter();
    values.any(|(value, _)| head.kind.number(value).is_some())
        || !head.is_whole && !Reading::of(head).is_of_dates()
}
