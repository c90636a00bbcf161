//! Records of logs and settings, in columns: the file that an ingest writes and a query reads.
//!
//! A record file is a header, and blocks of [`BLOCK`] records. A block keeps each column apart, so that a query reads only
//! the columns that it names; the texts, which are most of it, only for what is shown or searched word by word.

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

/// The version of the reader that makes records. A file of another version is left out, and the reply is not complete.
pub const READER: u16 = 3;

/// The most records of a block.
pub const BLOCK: usize = 8_192;

/// A block ends once its texts have so many bytes.
pub const BLOCK_TEXT: usize = 8 << 20;

/// The most bytes of a value in a column; the record's text has all of it.
pub const LONGEST_VALUE: usize = 400;

/// A time of day or a moment, and what is known of its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds since 1970 in UTC.
    pub micros: i64,
    /// Seconds that the record's own clock is ahead of UTC; `None` where the record does not say, and UTC is assumed.
    pub ahead: Option<i32>,
}

/// The columns of settings.
const KEY: &str = "key";
const VALUE: &str = "value";

/// A record on its way into a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record<'t> {
    /// Its first and last line, from 1.
    pub lines: (u32, u32),
    /// The time that it tells.
    pub moment: Option<Moment>,
    /// Its values, each under the name of its column. Names are short, and the same in a million records: none takes memory of its
    /// own.
    pub cells: Vec<(SmolStr, Cow<'t, str>)>,
    /// The place of its template among the file's.
    pub template: Option<u32>,
    /// All of its lines, without the last line break.
    pub text: &'t str,
}

impl Record<'_> {
    /// The value in a column.
    pub fn cell(&self, name: &str) -> Option<&str> {
        self.cells.iter().find(|(cell, _)| cell == name).map(|(_, value)| value.as_ref())
    }
}

/// The words that records of one statement of a program share.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Template {
    /// The beginning of the SHA-256 of its text.
    pub id: String,
    /// Its words; [`VARIABLE`] stands for what differs.
    pub text: String,
    /// The number of records that have it.
    pub count: u64,
    /// The place of the first of them in the file, from 0.
    pub first: u64,
    /// The severest level among them.
    pub level: Option<String>,
}

/// Stands in a template for what differs.
pub const VARIABLE: &str = "<*>";

/// A file's description of itself, in front of its blocks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the reader that made it.
    pub reader: u16,
    /// The number of records.
    pub records: u64,
    /// The earliest and latest moment, in microseconds since 1970.
    pub span: Option<(i64, i64)>,
    /// The zones of the records' own clocks, in seconds ahead of UTC; `None` where they do not say.
    pub zones: Vec<Option<i32>>,
    /// The columns, by name.
    pub columns: Vec<ColumnHead>,
    /// The templates; in a log each is a passage of the document, in this order.
    pub templates: Vec<Template>,
    /// The first line of each passage, where these are not the templates.
    pub passages: Vec<u32>,
    /// An assumption about times that do not tell it: the zone, the year, or both, as in `UTC, 2026`.
    pub assumed: Option<String>,
    /// The number of the file's rows that do not fit its columns, and are no records.
    pub misfits: u64,
    /// The places of the blocks.
    blocks: Vec<BlockHead>,
}

/// Facts about a file's records, for its header; see [`Header`].
#[derive(Debug, Default)]
pub struct About {
    /// Their templates.
    pub templates: Vec<Template>,
    /// The first line of each passage, where these are not the templates.
    pub passages: Vec<u32>,
    /// An assumption about their times.
    pub assumed: Option<String>,
    /// The number of the file's rows that do not fit its columns.
    pub misfits: u64,
    /// The usual mark before a fraction in files of this form, where numbers can be read both ways.
    pub decimal: Decimal,
}

impl Header {
    /// The position of the passage that a record stands in, by its first line and its template.
    pub fn passage(&self, line: u32, template: Option<u32>) -> Option<u32> {
        if self.passages.is_empty() {
            return template;
        }
        let before = self.passages.partition_point(|first| *first <= line);
        u32::try_from(before).ok()?.checked_sub(1)
    }
}

/// A column's description, which needs no block to be read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnHead {
    /// Its name, in small letters.
    pub name: String,
    /// The number of records that have it.
    pub records: u64,
    /// Its most frequent values with how often each stands there, the most frequent first.
    pub values: Vec<(String, u64)>,
    /// True if `values` has all of them.
    pub is_whole: bool,
    /// What all of its values are.
    pub kind: ColumnKind,
}

/// The most values of a column that a header lists.
const LISTED: usize = 200;

/// The places of a block's parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct BlockHead {
    records: u32,
    span: Option<(i64, i64)>,
    /// Of lines, moments, templates and texts.
    fixed: [Part; 4],
    /// Of each column that the block has, by its place in the header.
    columns: Vec<(u32, Part)>,
    /// Whether a record of it has a secret, which is masked when it is read.
    has_secrets: bool,
}

/// A range of bytes in the file, behind the header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Part {
    start: u64,
    length: u64,
}
