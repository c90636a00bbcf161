//! Lists the columns and templates that the records of a scope have.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use wire::records::{ColumnShown, ColumnsReply, TemplateShown};

use super::{Loaded, Services, load};
use crate::Result;
use crate::scope::{self, Caller, Scope};

/// The most examples that are shown of a column, and the most templates.
const EXAMPLES: usize = 8;
const TEMPLATES: usize = 50;

/// The most examples of a column of which more are wanted.
const MOST: usize = 40;

/// Shows the columns of the records of `scope`.
///
/// # Errors
/// As [`super::run`].
pub async fn columns(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
) -> Result<ColumnsReply> {
    let grant = scope::grant_one(caller, scope, services.members).await?;
    let loaded = load(services, &grant).await?;
    let mut templates = loaded.templates();
    templates.truncate(TEMPLATES);
    Ok(ColumnsReply {
        result_type: "columns".into(),
        knowledge: scope.to_string(),
        totals: loaded.totals(),
        columns: loaded.columns(|_| false),
        templates,
    })
}

/// The number of records that have a column, and its values with their counts.
type Values<'l> = (u64, Vec<(&'l str, u64)>);

impl Loaded {
    /// Returns true if some record has this column.
    pub(crate) fn has_column(&self, name: &str) -> bool {
        let mut heads = self.documents.iter().flat_map(|recorded| &recorded.file.header.columns);
        heads.any(|head| head.name == name)
    }

    /// Returns the columns with examples: the values that are `wanted` come before the most frequent ones.
    pub(super) fn columns(&self, wanted: impl Fn(&str) -> bool) -> Vec<ColumnShown> {
        let mut columns: BTreeMap<&str, Values<'_>> = BTreeMap::new();
        for head in self.documents.iter().flat_map(|recorded| &recorded.file.header.columns) {
            let (records, values) = columns.entry(&head.name).or_default();
            *records += head.records;
            values.extend(head.values.iter().map(|(value, count)| (value.as_str(), *count)));
        }
        let describe = |(name, (records, mut values)): (&str, Values<'_>)| {
            values.sort_by_cached_key(|(value, count)| (!wanted(value), Reverse(*count), *value));
            let mut examples: Vec<String> =
                values.into_iter().map(|(value, _)| value.to_owned()).collect();
            let mut seen = HashSet::new();
            examples.retain(|example| seen.insert(example.clone()));
            let all_wanted =
                examples.iter().take_while(|example| wanted(example)).count().min(MOST);
            examples.truncate(EXAMPLES.max(all_wanted));
            ColumnShown { name: name.to_owned(), records, examples }
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
