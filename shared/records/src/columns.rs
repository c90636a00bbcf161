//! Lists the columns and templates of the records in a scope.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use model::record::{ColumnKind, Glob};
use wire::records::{ColumnShown, ColumnsReply, ColumnsRequest, Kind, TemplateShown};

use super::names::OF_LOGS;
use super::{Loaded, Services, load};
use model::{Error, Result};
use ports::scope;
use ports::scope::{Caller, Scope};

/// Upper bounds for the examples of a column, and for the columns and templates in a reply that
/// states no limit.
const EXAMPLES: usize = 8;
const COLUMNS: usize = 40;
const TEMPLATES: usize = 10;

/// Upper bound for the columns that a request may ask for.
const LIMIT: u32 = 1_000;

/// Upper bound for the examples of a column of which more are wanted.
const MOST: usize = 40;

/// Lower bound for the records of a column. A column of fewer records, and of less than a hundredth
/// of all records, may be a reading error.
const ACCIDENT: u64 = 3;

/// Parses the query string of a request for columns.
///
/// # Errors
/// [`Error::Invalid`] for an invalid limit.
pub fn asked(pattern: Option<&str>, limit: Option<&str>) -> Result<ColumnsRequest> {
    let number = |text: &str| {
        let number = text.parse().ok().filter(|number| (1..=LIMIT).contains(number));
        number.ok_or_else(|| Error::invalid("limit", "must be from 1 to 1000"))
    };
    let limit = limit.map(number).transpose()?;
    Ok(ColumnsRequest { pattern: pattern.map(str::to_owned), limit })
}

/// Returns the columns of the records in `scope`.
///
/// # Errors
/// Fails as [`super::run`] does.
pub async fn columns(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    request: &ColumnsRequest,
) -> Result<ColumnsReply> {
    let grant = scope::grant_one(caller, scope, services.members).await?;
    let loaded = load(services, &grant).await?;
    Ok(ColumnsReply { knowledge: scope.to_string(), ..shown(&loaded, request) })
}

/// Returns the columns and templates that match the request, up to its limit.
pub(super) fn shown(loaded: &Loaded, request: &ColumnsRequest) -> ColumnsReply {
    let limit = request.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let pattern = request.pattern.as_deref().unwrap_or_default();
    let part = Glob::new(&format!("*{pattern}*"));
    let name = if pattern.contains('*') { Glob::new(pattern) } else { part.clone() };
    let totals = loaded.totals();
    let mut columns = loaded.columns(|_| false);
    columns.retain(|column| name.is_like(&column.name));
    let is_accident = |column: &ColumnShown| {
        let is_rare = column.records < ACCIDENT && column.records * 100 < totals.of;
        is_rare && !OF_LOGS.contains(&column.name.as_str())
    };
    columns.sort_by_cached_key(|column| (is_accident(column), Reverse(column.records)));
    let columns_left = cut(&mut columns, limit.unwrap_or(COLUMNS));
    let mut templates = loaded.templates();
    templates.retain(|template| part.is_like(&template.text));
    let templates_left = cut(&mut templates, limit.unwrap_or(TEMPLATES));
    ColumnsReply {
        result_type: "columns".into(),
        totals,
        columns,
        columns_left,
        templates,
        templates_left,
        ..ColumnsReply::default()
    }
}

/// Shortens a list to `most` items; returns the number of items removed.
fn cut<T>(all: &mut Vec<T>, most: usize) -> u64 {
    let left = all.len().saturating_sub(most);
    all.truncate(most);
    left as u64
}

fn kind(kind: ColumnKind) -> Kind {
    match kind {
        ColumnKind::Number { .. } => Kind::Number,
        ColumnKind::Date { .. } => Kind::Date,
        ColumnKind::Text => Kind::Text,
    }
}

/// A column, as known from all files.
#[derive(Default)]
struct Column<'l> {
    records: u64,
    kinds: BTreeSet<Kind>,
    /// Its values with their counts.
    values: Vec<(&'l str, u64)>,
}

impl Loaded {
    /// Returns the columns with examples. Values that are `wanted` come before the most frequent
    /// ones.
    pub(super) fn columns(&self, wanted: impl Fn(&str) -> bool) -> Vec<ColumnShown> {
        let mut columns: BTreeMap<&str, Column<'_>> = BTreeMap::new();
        for head in self.documents.iter().flat_map(|recorded| &recorded.file.header.columns) {
            let column = columns.entry(&head.name).or_default();
            column.records += head.records;
            column.kinds.insert(kind(head.kind));
            column.values.extend(head.values.iter().map(|(value, count)| (value.as_str(), *count)));
        }
        let describe = |(name, column): (&str, Column<'_>)| {
            let Column { records, kinds, mut values } = column;
            values.sort_by_cached_key(|(value, count)| (!wanted(value), Reverse(*count), *value));
            let mut examples: Vec<String> =
                values.into_iter().map(|(value, _)| value.to_owned()).collect();
            let mut seen = HashSet::new();
            examples.retain(|example| seen.insert(example.clone()));
            let all_wanted =
                examples.iter().take_while(|example| wanted(example)).count().min(MOST);
            examples.truncate(EXAMPLES.max(all_wanted));
            let kinds = kinds.into_iter().collect();
            ColumnShown { name: name.to_owned(), kinds, records, examples }
        };
        columns.into_iter().map(describe).collect()
    }

    /// Returns the templates, the most frequent first.
    pub(super) fn templates(&self) -> Vec<TemplateShown> {
        let mut all: Vec<TemplateShown> = Vec::new();
        for template in self.documents.iter().flat_map(|recorded| &recorded.file.header.templates) {
            match all.iter_mut().find(|other| other.id == template.id) {
                Some(other) => other.records += template.count,
                None => all.push(TemplateShown {
                    id: template.id.clone(),
                    text: template.text.clone(),
                    records: template.count,
                    level: template.level.clone(),
                }),
            }
        }
        all.sort_by(|a, b| b.records.cmp(&a.records).then_with(|| a.id.cmp(&b.id)));
        all
    }
}
