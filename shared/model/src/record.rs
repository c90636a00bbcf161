//! Records of logs and settings, stored in columns: the file that an ingest writes and a query
//! reads.
//!
//! A record file is a header, followed by blocks of [`BLOCK`] records. A block stores each column
//! separately, so that a query reads only the columns that it names. Most of the file are the
//! texts, which are read only for what is shown or searched word by word.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

mod date;
mod exact;
mod file;
mod glob;
mod kind;
mod mask;
mod quantity;
mod write;

pub use date::DateOrder;
pub use exact::Decimal;
pub use file::{Block, Column, Damaged, RecordFile};
pub use glob::Glob;
pub use kind::ColumnKind;
pub use quantity::{Amount, Unit};
pub use write::write;

/// The version of the reader that creates records. A query leaves out files of other versions and
/// marks its reply as incomplete.
pub const READER: u16 = 3;

/// Upper bound for the records of a block.
pub const BLOCK: usize = 8_192;

/// The number of bytes of text after which a block ends.
pub const BLOCK_TEXT: usize = 8 << 20;

/// Upper bound for the bytes of a value in a column. The record's text contains the whole value.
pub const LONGEST_VALUE: usize = 400;

/// A date with a time of day, and what is known about its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds since 1970 in UTC.
    pub micros: i64,
    /// The seconds by which the record's own clock is ahead of UTC; `None` if the record does not
    /// state it and UTC is assumed.
    pub ahead: Option<i32>,
}

/// The columns of settings.
const KEY: &str = "key";
const VALUE: &str = "value";

/// A record that is about to be written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record<'t> {
    /// Its first and last line, counted from 1.
    pub lines: (u32, u32),
    /// The time that it states.
    pub moment: Option<Moment>,
    /// Its values, each under the name of its column. Names are short and the same in a million
    /// records, so they need no memory of their own.
    pub cells: Vec<(SmolStr, Cow<'t, str>)>,
    /// The place of its template among the templates of the file.
    pub template: Option<u32>,
    /// All of its lines, without the last line break.
    pub text: &'t str,
}

impl Record<'_> {
    /// Returns the value in a column.
    pub fn cell(&self, name: &str) -> Option<&str> {
        self.cells.iter().find(|(cell, _)| cell == name).map(|(_, value)| value.as_ref())
    }
}

/// The words shared by the records of one statement of a program.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// The first digits of the SHA-256 of its text.
    pub id: String,
    /// Its words; [`VARIABLE`] replaces the parts that differ.
    pub text: String,
    /// The number of its records.
    pub count: u64,
    /// The place of its first record in the file, counted from 0.
    pub first: u64,
    /// The most severe level of its records.
    pub level: Option<String>,
}

/// The placeholder for the parts of a template that differ.
pub const VARIABLE: &str = "<*>";

/// A file's description of itself, before its blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the reader that created the file.
    pub reader: u16,
    /// The number of records.
    pub records: u64,
    /// The earliest and the latest moment, in microseconds since 1970.
    pub span: Option<(i64, i64)>,
    /// The zones of the records' own clocks, in seconds ahead of UTC; `None` for records that do
    /// not state it.
    pub zones: Vec<Option<i32>>,
    /// The columns, by name.
    pub columns: Vec<ColumnHead>,
    /// The templates. In a log, each is a passage of the document, in this order.
    pub templates: Vec<Template>,
    /// The first line of each passage, if the passages are not the templates.
    pub passages: Vec<u32>,
    /// The assumption about times that do not state their zone or year: the zone, the year, or
    /// both, as in `UTC, 2026`.
    pub assumed: Option<String>,
    /// The number of rows that do not fit the file's columns and are not records.
    pub misfits: u64,
    /// The places of the blocks.
    blocks: Vec<BlockHead>,
}

/// Data about a file's records, for its header; see [`Header`].
#[derive(Debug, Default)]
pub struct About {
    /// The templates of the records.
    pub templates: Vec<Template>,
    /// The first line of each passage, if the passages are not the templates.
    pub passages: Vec<u32>,
    /// The assumption about the records' times.
    pub assumed: Option<String>,
    /// The number of rows that do not fit the file's columns.
    pub misfits: u64,
    /// The usual decimal mark in files of this form, for numbers that can be read in two ways.
    pub decimal: Decimal,
}

impl Header {
    /// Returns the position of the passage that contains a record, by the record's first line and
    /// its template.
    pub fn passage(&self, line: u32, template: Option<u32>) -> Option<u32> {
        if self.passages.is_empty() {
            return template;
        }
        let before = self.passages.partition_point(|first| *first <= line);
        u32::try_from(before).ok()?.checked_sub(1)
    }
}

/// A description of a column, available without reading a block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnHead {
    /// Its name, in lower case.
    pub name: String,
    /// The number of records that have it.
    pub records: u64,
    /// Its most frequent values with their counts, the most frequent first.
    pub values: Vec<(String, u64)>,
    /// True if `values` contains all values of the column.
    pub is_whole: bool,
    /// The kind of its values.
    pub kind: ColumnKind,
}

/// Upper bound for the values of a column that a header lists.
const LISTED: usize = 200;

/// The places of the parts of a block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct BlockHead {
    records: u32,
    span: Option<(i64, i64)>,
    /// The places of lines, moments, templates and texts.
    fixed: [Part; 4],
    /// The place of each column in the block, with the column's place in the header.
    columns: Vec<(u32, Part)>,
    /// True if a record of the block contains a secret, which is masked when it is read.
    has_secrets: bool,
}

/// A range of bytes in the file, counted from the end of the header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Part {
    start: u64,
    length: u64,
}
