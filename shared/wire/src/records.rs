//! `POST .../records`: a query over the records of logs and settings, and its exact result.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod columns;
mod reply;
mod scalar;

pub use columns::{ColumnShown, ColumnsReply, ColumnsRequest, Kind, TemplateShown};
pub use reply::{NotRead, RecordShown, RecordsFound, RecordsReply, RecordsRow, RecordsTotals};
pub use scalar::Scalar;

/// A query over all records of a knowledge base. It is answered exactly, from every record, never
/// from the nearest few.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RecordsRequest {
    /// A question in words instead of the other fields. A language model reads it; without one it
    /// is read only where it names columns, levels, files and ISO times as the records have them,
    /// and texts in quotes: "how many records with status 404 per client on 2026-05-17". `query`
    /// says how it was read: correct it and send it. `hint` and `columns` help where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// A condition for each column; a record must satisfy all of them. Columns that every knowledge
    /// base has: `file`, `instance` (a file name's numbered beginning, such as `kafka1`), `line`,
    /// `time` (RFC 3339), `clock` (time of day in the record's own zone, `HH:MM[:SS]`), `level`,
    /// `template`, `text`. Others come from the records: `code`, `client`, `method`, `path`,
    /// `bytes`, `agent`, `service`, `pod`, `logger`, `host`, `process`, `thread`, `id`, `message`,
    /// `key`, `value`, `comment`, and every value that a record names, such as `took` or
    /// `query_time`. `text` also meets the path of keys of settings and JSON. A name with `{}` is
    /// the word there in each record's text, here and in `group_by`, `of` and `order`: `Took {}
    /// seconds`, `from {} port`.
    #[serde(rename = "where", skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, Condition>,
    /// Columns to group by, at most 4. A column of dates is grouped by `COLUMN:minute`,
    /// `COLUMN:hour`, `COLUMN:day`, `COLUMN:month` or `COLUMN:year`, such as `duedate:month`;
    /// `time` likewise, in UTC. `minute`, `hour`, `day`, `month` and `year` alone are of `time`,
    /// unless there is a column of this name. Records without a date there are in the group `null`.
    /// Numbers that are equal are one group, which shows the first as its file writes it.
    #[schemars(length(max = 4))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
    /// What is wanted of the records, or of each group.
    pub select: Select,
    /// The column of numbers for `min`, `max`, `sum`, `mean` and `percentile`; `min` and `max` take
    /// dates, too, and bring the records that have the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Which percentile, from 0 to 100, by nearest rank.
    #[schemars(range(min = 0.0, max = 100.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentile: Option<f64>,
    /// `value` (the selected number of a group, with `count` how many it has), `time`, or a column
    /// of numbers or dates; `-` in front puts the largest first. Groups come by `-value` unless
    /// this says otherwise, groups of time alone by `time`, and records by `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The most rows, from 1 to 1,000; 20 unless this says otherwise.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The most records that are shown of a count, sum, mean or percentile, or of each group of
    /// one, from 1 to 5; none unless this is sent. `list`, `first`, `last`, `min` and `max` show
    /// theirs without it.
    #[schemars(range(min = 1, max = 5))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<u32>,
    /// True shows of each record its document, version, zone and columns, and up to 2,000 bytes of
    /// its text instead of 400.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
    /// The most bytes of the reply, 500 to 6,000,000; 30,000 where absent. `left_out` says what had
    /// no room.
    #[schemars(range(min = 500, max = 6_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u32>,
}

/// What is wanted of the records that satisfy a query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Select {
    /// How many there are.
    #[default]
    Count,
    /// The records themselves.
    List,
    /// The earliest.
    First,
    /// The latest.
    Last,
    /// The smallest number in a column.
    Min,
    /// The largest number in a column.
    Max,
    /// The sum of a column.
    Sum,
    /// The arithmetic mean of a column.
    Mean,
    /// A percentile of a column.
    Percentile,
}

impl Select {
    /// Whether it takes the numbers of a column.
    pub fn is_of_numbers(self) -> bool {
        matches!(self, Select::Min | Select::Max | Select::Sum | Select::Mean | Select::Percentile)
    }
}

/// What a column must be. Texts are compared as texts, whatever their case, and `*` in one stands
/// for anything: `00123` is not `123`. Where all of a file's column are numbers these are compared
/// as numbers, digit by digit and with their units (`3s` is `3000ms`); where all are dates as
/// dates, and a day, month or year means all of it. A level is what its word means: `WARNING` is
/// `WARN`. `{NAME}` is the record's own value in another column. `GET .../records` tells which
/// columns have numbers or dates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Condition {
    /// This value.
    Is(Scalar),
    /// One of these values.
    AnyOf(Vec<Scalar>),
    /// Bounds, exceptions, or all of several.
    Bounds(ConditionForm),
}

/// A condition with bounds or exceptions, at least one; what is given must all hold. Bounds are for
/// numbers, dates and levels: a bound that is no value of the column's kind, such as a word, is
/// refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConditionForm {
    /// At least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gte: Option<Scalar>,
    /// More than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gt: Option<Scalar>,
    /// At most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lte: Option<Scalar>,
    /// Less than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lt: Option<Scalar>,
    /// None of these values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not: Vec<Scalar>,
    /// All of these, each somewhere in the value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub all: Vec<Scalar>,
}
