//! `POST .../records`: a query over the records of logs and settings, and its exact result.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

/// A query over all records of a knowledge base. It is answered exactly, from every record, never from the nearest few.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RecordsRequest {
    /// A question in plain words instead of the other fields, such as "how many 404s per client on 17 May?". The reply's
    /// `query` says how it was read, and `unread` which words were not and are no condition: correct the query and
    /// send it. Somebody who knows the columns does better to send the query at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// A condition for each column; a record must satisfy all of them. Columns that every knowledge base has: `file`,
    /// `instance` (a file name's numbered beginning, such as `kafka1`), `line`, `time` (RFC 3339), `clock` (time of
    /// day in the record's own zone, `HH:MM[:SS]`), `level`, `template`, `text`. Others come from the records: `code`,
    /// `client`, `method`, `path`, `bytes`, `agent`, `service`, `pod`, `logger`, `host`, `process`, `thread`, `id`,
    /// `message`, `key`, `value`, `comment`, and every value that a record names, such as `took` or `query_time`.
    #[serde(rename = "where", skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions: BTreeMap<String, Condition>,
    /// Columns to group by, or `minute`, `hour` and `day` of `time` in UTC; at most 4.
    #[schemars(length(max = 4))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
    /// What is wanted of the records, or of each group.
    pub select: Select,
    /// The column of numbers for `min`, `max`, `sum`, `mean` and `percentile`. `min` and `max` bring the records that have the
    /// number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Which percentile, from 0 to 100, by nearest rank.
    #[schemars(range(min = 0.0, max = 100.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentile: Option<f64>,
    /// `value` (the selected number of a group, with `count` how many it has) or a column, by its numbers where it has any;
    /// `-` in front puts the largest first. Groups come by
    /// `-value` unless this says otherwise, groups of time alone by `time`, and records by `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The most rows, from 1 to 1,000; 20 unless this says otherwise.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
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

/// What a column must be. Texts are compared whatever their case, `*` in one stands for anything; numbers with their
/// units (`3s` is `3000ms`).
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

/// A condition with bounds or exceptions; what is given must all hold.
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

/// A value in a condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Scalar {
    /// A number.
    Number(#[serde(serialize_with = "number")] f64),
    /// True or false, as texts.
    Flag(bool),
    /// A text, or a number with its unit.
    Text(String),
}

/// The whole numbers that a float holds exactly.
const WHOLE: RangeInclusive<f64> = -9_007_199_254_740_992.0..=9_007_199_254_740_992.0;

/// Whole numbers have no point, as they were sent: `3` and not `3.0`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if number.fract() == 0.0 && WHOLE.contains(number) {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it is whole, and in the range of an i64"
        )]
        return serializer.serialize_i64(*number as i64);
    }
    serializer.serialize_f64(*number)
}

impl Scalar {
    /// The value as a text; whole numbers have no point.
    pub fn text(&self) -> String {
        match self {
            Scalar::Number(number) => number.to_string(),
            Scalar::Flag(flag) => flag.to_string(),
            Scalar::Text(text) => text.clone(),
        }
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Scalar {
        Scalar::Text(text.into())
    }
}

/// The result of a query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsReply {
    /// Always `records`.
    pub result_type: String,
    /// The knowledge base that was asked, such as `case:01J...`.
    pub knowledge: String,
    /// The query as it was carried out.
    pub query: RecordsRequest,
    /// The words of the question that nothing in the records stands for. They are no condition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// The second query of a question for two things, such as the first and the last; its rows come behind the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Box<RecordsRequest>>,
    /// The groups, the records, or the one number that was selected.
    pub rows: Vec<RecordsRow>,
    /// What there is besides the rows shown.
    pub totals: RecordsTotals,
    /// Whether every record was looked at. Where it is false the rows are of those that were, and nothing is said of
    /// percentiles or of an order.
    pub complete: bool,
}

/// What a query found in all records, beside an answer that cites them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsFound {
    /// The numbers, or the groups with theirs; without their records.
    pub rows: Vec<RecordsRow>,
    /// How many records satisfy the query.
    pub totals: RecordsTotals,
    /// Whether every record was looked at; else there may be more.
    pub complete: bool,
}

/// A group with its number, or a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsRow {
    /// The group's values, by column; `null` where its records have none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub group: BTreeMap<String, Option<String>>,
    /// The number that was selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// Its unit: `ms` for durations, `bytes` for sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How many records it is of.
    pub count: u64,
    /// The first of them, or those that have the selected number; at most 5 of a group.
    #[serde(default)]
    pub records: Vec<RecordShown>,
}

/// What a query found, counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsTotals {
    /// The records that satisfy the query.
    pub records: u64,
    /// The groups they make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<u64>,
    /// The records that were looked at.
    pub scanned: u64,
    /// The records that there are.
    pub of: u64,
    /// The earliest and latest time among all records that there are, RFC 3339; `null` where none tells its time.
    #[serde(default)]
    pub span: Option<(String, String)>,
}

/// A record as it stands in its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordShown {
    /// Its document.
    pub document_id: String,
    /// The document's version, a ULID.
    pub version: String,
    /// The passage that it stands in, which a project's decision can rest on.
    #[serde(default)]
    pub chunk_id: String,
    /// The name under which the document was uploaded.
    pub file: String,
    /// Its first and last line, from 1.
    pub lines: (u32, u32),
    /// When it was, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its own clock's distance from UTC, such as `-07:00`; `null` where the record does not say and UTC is assumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Its other columns.
    #[serde(default)]
    pub columns: BTreeMap<String, String>,
    /// The record, verbatim; a long one is cut at 2,000 bytes.
    pub quote: String,
}

/// The columns of a knowledge base: `GET .../records`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnsReply {
    /// Always `columns`.
    pub result_type: String,
    /// The knowledge base.
    pub knowledge: String,
    /// How many records there are, and when they were.
    pub totals: RecordsTotals,
    /// The columns, by name.
    pub columns: Vec<ColumnShown>,
    /// The most frequent templates of records.
    pub templates: Vec<TemplateShown>,
}

/// A column and what stands in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnShown {
    /// Its name.
    pub name: String,
    /// How many records have it.
    pub records: u64,
    /// Its most frequent values.
    pub examples: Vec<String>,
}

/// A template and the records that have it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TemplateShown {
    /// Its id: the same text has the same id in every file.
    pub id: String,
    /// What its records share; `<*>` stands for what differs.
    pub text: String,
    /// How many records have it.
    pub records: u64,
    /// The severest level among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
}
