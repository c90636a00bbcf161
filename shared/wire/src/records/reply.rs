//! What a query over records found.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ColumnShown, RecordsRequest};

/// The result of a query.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsReply {
    /// Always `records`.
    pub result_type: String,
    /// The knowledge base that was asked, such as `case:01J...`.
    pub knowledge: String,
    /// The query as it was carried out.
    pub query: RecordsRequest,
    /// The words of the question that were not read and are no condition; with `hint`, for which it
    /// was not carried out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Why a question was not read, and how to write the query; or why the language model did not
    /// read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Columns to query, where a question was not read: those that most records have first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<ColumnShown>,
    /// How many more columns there are.
    #[serde(default, skip_serializing_if = "crate::common::is_zero")]
    pub columns_left: u64,
    /// The second query of a question for two things, such as the first and the last; its rows come
    /// behind the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<Box<RecordsRequest>>,
    /// The groups, the records, or the one number that was selected.
    pub rows: Vec<RecordsRow>,
    /// How many rows there are besides those shown; `limit` brings more.
    pub rows_left: u64,
    /// What there is besides the rows shown.
    pub totals: RecordsTotals,
    /// True if all records of all files that the query means were read. Where it is false the rows
    /// are of those that were, and `not_read` says which files lack what; no percentile is given
    /// where time ran out.
    pub all_records_read: bool,
    /// The files that could not be read, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<NotRead>,
    /// How many more such files there are.
    #[serde(default, skip_serializing_if = "crate::common::is_zero")]
    pub not_read_left: u64,
    /// What was assumed of times that do not say it, the zone or the year, in the files of the
    /// records that were found: `UTC, 2026`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
}

/// A file of which records are missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NotRead {
    /// The name under which it was uploaded.
    pub file: String,
    /// Why: it failed, it is still being read, it gave no records, or some of its rows fit no
    /// table.
    pub reason: String,
}

/// What a query found in all records, beside an answer that cites them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordsFound {
    /// The numbers, or the groups with theirs; without their records.
    pub rows: Vec<RecordsRow>,
    /// How many records satisfy the query.
    pub totals: RecordsTotals,
    /// True if all records of all files that the query means were read; else there may be more.
    pub all_records_read: bool,
    /// The files that could not be read, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<NotRead>,
    /// How many more such files there are.
    #[serde(default, skip_serializing_if = "crate::common::is_zero")]
    pub not_read_left: u64,
    /// What was assumed of times that do not say it: `UTC, 2026`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
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
    /// The smallest or largest value as its file writes it; a date has this alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its unit: `ms` for durations, `bytes` for sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// How many records it is of.
    pub count: u64,
    /// Where the first of them stands, as `file:line`; absent where `records` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The first of them, or those that have the selected value; at most 5 of a group, and of a
    /// count as many as `examples`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
    /// The earliest and latest time among all records that there are, RFC 3339; `null` where none
    /// tells its time.
    #[serde(default)]
    pub span: Option<(String, String)>,
}

/// A record as it stands in its file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordShown {
    /// The passage that it stands in, which can be read whole and which a project's decision can
    /// rest on.
    #[serde(default)]
    pub passage_id: String,
    /// The name under which the document was uploaded.
    pub file: String,
    /// Its first and last line, from 1.
    pub lines: (u32, u32),
    /// The line of what was matched, where it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// When it was, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The keys that a setting stands under, such as `pump.rpm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The record, verbatim: of a long one at most 400 bytes (2,000 with `explain`) around what was
    /// matched, with `…` where it is cut.
    pub quote: String,
    /// Its document; with `explain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// The document's version, a ULID; with `explain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its own clock's distance from UTC, such as `-07:00`; absent where the record does not say
    /// and UTC is assumed, and without `explain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// Its other columns; with `explain`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, String>,
}

impl RecordShown {
    /// `file:line`, by the line that was matched.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line.unwrap_or(self.lines.0))
    }
}
