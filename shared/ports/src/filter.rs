//! Typed metadata filters: `{field: value | [values] | {gte, gt, lte, lt}}`.

use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

use model::document::{DocumentType, Origin, Passage};
use model::facts::symbol_key;
use model::{Error, Result};

/// A metadata field that can be filtered on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Kind of text.
    DocumentType,
    /// Kind of origin.
    Source,
    /// The uploaded name.
    Name,
    /// The title.
    Title,
    /// A tag.
    Tags,
    /// The section path.
    Section,
    /// A log record's severity.
    Severity,
    /// An error code.
    Code,
    /// The author.
    Author,
    /// The standard.
    Standard,
    /// The language.
    Language,
    /// The commit of a repository.
    Commit,
    /// The version of the document.
    Edition,
    /// What became of the document.
    Lifecycle,
    /// A symbol that source code defines, see [`symbol_key`].
    Symbol,
}

impl Field {
    const ALL: [(Field, &str); 15] = [
        (Field::DocumentType, "document_type"),
        (Field::Source, "source"),
        (Field::Name, "name"),
        (Field::Title, "title"),
        (Field::Tags, "tags"),
        (Field::Section, "section"),
        (Field::Severity, "severity"),
        (Field::Code, "code"),
        (Field::Author, "author"),
        (Field::Standard, "standard"),
        (Field::Language, "language"),
        (Field::Commit, "commit"),
        (Field::Edition, "edition"),
        (Field::Lifecycle, "lifecycle"),
        (Field::Symbol, "symbol"),
    ];

    /// Returns the name in the API and in the index.
    pub fn name(self) -> &'static str {
        Field::ALL.iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }
}

/// One condition; a passage must satisfy all of a request's.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// The field has one of these values.
    AnyOf(Field, Vec<String>),
    /// The passage's lines overlap one of these ranges, including their ends.
    Lines(Vec<(u32, u32)>),
    /// The passage's times overlap one of these ranges, including their ends.
    Times(Vec<(Timestamp, Timestamp)>),
    /// The passage belongs to this document. Requests cannot have this condition, because document
    /// ids are not a field.
    Document(Uuid),
}

/// All conditions of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filters(pub Vec<Condition>);

impl Filters {
    /// Parses the form in the API.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the field at fault as `filters.<field>`.
    pub fn parse(wire: &Map<String, Value>) -> Result<Filters> {
        wire.iter().map(|(name, value)| condition(name, value)).collect::<Result<_>>().map(Filters)
    }

    /// Returns true if `passage` satisfies every condition.
    pub fn allow(&self, passage: &Passage) -> bool {
        self.0.iter().all(|condition| match condition {
            Condition::AnyOf(field, values) => {
                values.iter().any(|value| has(passage, *field, value))
            }
            Condition::Lines(ranges) => passage.lines.is_some_and(|lines| overlaps(ranges, lines)),
            Condition::Times(ranges) => passage.time.is_some_and(|time| overlaps(ranges, time)),
            Condition::Document(id) => passage.document_id == *id,
        })
    }
}

fn overlaps<T: PartialOrd + Copy>(ranges: &[(T, T)], (first, last): (T, T)) -> bool {
    ranges.iter().any(|(from, to)| *from <= last && first <= *to)
}

fn has(passage: &Passage, field: Field, value: &str) -> bool {
    let is = |text: &Option<String>| text.as_deref() == Some(value);
    match field {
        Field::DocumentType => passage.document_type.name() == value,
        Field::Source => passage.source.name() == value,
        Field::Name => passage.name == value,
        Field::Title => passage.title == value,
        Field::Section => passage.section == value,
        Field::Tags => passage.tags.iter().any(|tag| tag == value),
        Field::Severity => passage.severity.iter().any(|c| c == value),
        Field::Code => passage.code.iter().any(|c| c == value),
        Field::Author => is(&passage.author),
        Field::Standard => is(&passage.standard),
        Field::Language => is(&passage.language),
        Field::Commit => is(&passage.commit),
        Field::Edition => is(&passage.edition),
        Field::Lifecycle => passage.lifecycle.is_some_and(|it| it.name() == value),
        Field::Symbol => {
            passage.facts.symbols.iter().any(|symbol| symbol_key(&symbol.name) == value)
        }
    }
}

fn condition(name: &str, value: &Value) -> Result<Condition> {
    match name {
        "line" => ranges(
            name,
            value,
            line,
            |line| line.checked_sub(1),
            |line| line.checked_add(1),
            (0, u32::MAX),
        )
        .map(Condition::Lines),
        "time" => {
            // The index has a resolution of microseconds for times.
            let tick = jiff::SignedDuration::from_micros(1);
            let before = |time: Timestamp| time.checked_sub(tick).ok();
            let after = |time: Timestamp| time.checked_add(tick).ok();
            ranges(name, value, time, before, after, (Timestamp::MIN, Timestamp::MAX))
                .map(Condition::Times)
        }
        _ => {
            let field = Field::ALL
                .iter()
                .find(|(_, x)| *x == name)
                .map(|(field, _)| *field)
                .ok_or_else(|| unknown(name))?;
            Ok(Condition::AnyOf(field, words(field, name, value)?))
        }
    }
}

fn unknown(name: &str) -> Error {
    let known: Vec<&str> =
        Field::ALL.iter().map(|(_, name)| *name).chain(["line", "time"]).collect();
    Error::invalid(
        format!("filters.{name}"),
        format!("is no field to filter on; known are {}", known.join(", ")),
    )
}

fn refuse<T>(name: &str, wanted: &str) -> Result<T> {
    Err(Error::invalid(format!("filters.{name}"), wanted))
}

/// Returns the values as a list of 1 to 100 values.
fn listed<'v>(name: &str, value: &'v Value) -> Result<&'v [Value]> {
    match value {
        Value::Array(values) if values.is_empty() => refuse(name, "must not be an empty list"),
        Value::Array(values) if values.len() > 100 => refuse(name, "must have at most 100 values"),
        Value::Array(values) => Ok(values),
        other => Ok(std::slice::from_ref(other)),
    }
}

fn words(field: Field, name: &str, value: &Value) -> Result<Vec<String>> {
    let parse = |value: &Value| match (field, value) {
        (Field::DocumentType, Value::String(word)) if DocumentType::parse(word).is_none() => {
            refuse(
                name,
                &format!(
                    "`{word}` must be one of {}",
                    DocumentType::ALL.map(|(_, name)| name).join(", ")
                ),
            )
        }
        (Field::Source, Value::String(word)) if Origin::parse(word).is_none() => refuse(
            name,
            &format!("`{word}` must be one of {}", Origin::ALL.map(|(_, name)| name).join(", ")),
        ),
        (Field::Name | Field::Title, Value::String(word)) if word.contains('*') => refuse(
            name,
            "must be whole: a list of documents with `words` finds names and titles by parts of them",
        ),
        (Field::Severity, Value::String(word)) => Ok(word.to_uppercase()),
        (Field::Symbol, Value::String(word)) => Ok(symbol_key(word)),
        (_, Value::String(word)) => Ok(word.clone()),
        _ => refuse(name, "must be a string or a list of strings"),
    };
    listed(name, value)?.iter().map(parse).collect()
}

fn line(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|line| u32::try_from(line).ok())
}

fn time(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(|text| text.parse().ok())
}

/// Parses values, or one `{gte, gt, lte, lt}`, as closed ranges.
fn ranges<T: Copy + PartialOrd>(
    name: &str,
    value: &Value,
    read: impl Fn(&Value) -> Option<T>,
    before: impl Fn(T) -> Option<T>,
    after: impl Fn(T) -> Option<T>,
    (mut from, mut to): (T, T),
) -> Result<Vec<(T, T)>> {
    let wanted = if name == "line" {
        "must be whole line numbers"
    } else {
        "must be RFC 3339 times, such as 2026-11-20T18:00:00Z"
    };
    let get = |value: &Value| read(value).map_or_else(|| refuse(name, wanted), Ok);
    let Value::Object(bounds) = value else {
        return listed(name, value)?
            .iter()
            .map(|value| get(value).map(|point| (point, point)))
            .collect();
    };
    if bounds.is_empty() {
        return refuse(name, "must hold at least one of gte, gt, lte, lt");
    }
    for (bound, value) in bounds {
        let point = get(value)?;
        match bound.as_str() {
            "gte" => from = point,
            "lte" => to = point,
            "gt" => from = after(point).map_or_else(|| refuse(name, "leaves no room"), Ok)?,
            "lt" => to = before(point).map_or_else(|| refuse(name, "leaves no room"), Ok)?,
            other => return refuse(name, &format!("`{other}` must be one of gte, gt, lte, lt")),
        }
    }
    if from > to { refuse(name, "leaves no room") } else { Ok(vec![(from, to)]) }
}

#[cfg(test)]
mod tests;
