//! The columns that the records of a knowledge base have.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RecordsTotals;

/// What is wanted of the columns: the query string of `GET .../records`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnsRequest {
    /// A part of the names of columns, or with `*` for anything a whole name; templates must have
    /// it in their text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The most columns, from 1 to 1,000; 40 unless this says otherwise. A limit is one of
    /// templates, too, of which 10 are shown without.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
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
    /// The columns, those that most records have first; those of few records that may be an
    /// accident of reading come last.
    pub columns: Vec<ColumnShown>,
    /// How many more columns there are; `limit` and `pattern` bring them.
    pub columns_left: u64,
    /// The most frequent templates of records.
    pub templates: Vec<TemplateShown>,
    /// How many more templates there are.
    pub templates_left: u64,
}

/// A column and what stands in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnShown {
    /// Its name.
    pub name: String,
    /// Whether its values are texts, numbers or dates; several where files differ.
    pub kinds: Vec<Kind>,
    /// How many records have it.
    pub records: u64,
    /// Its most frequent values.
    pub examples: Vec<String>,
}

/// What the values of a column are, in one file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Numbers, with or without a unit: they have an order and a sum.
    Number,
    /// Dates: they have an order and are grouped by `COLUMN:month`.
    Date,
    /// Texts: they are equal or not.
    Text,
}

impl Kind {
    /// Returns the word for values of this kind.
    pub fn plural(self) -> &'static str {
        match self {
            Kind::Number => "numbers",
            Kind::Date => "dates",
            Kind::Text => "texts",
        }
    }
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
