//! What columns and templates the records of a scope have.

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

/// How many records have a column, and its values with how often each stands there.
type Values<'l> = (u64, Vec<(&'l str, u64)>);

impl Loaded {
    /// Whether some record has this column.
    pub(crate) fn has_column(&self, name: &str) -> bool {
        let mut heads = self.documents.iter().flat_map(|own| &own.file.header.columns);
        heads.any(|own| own.name == name)
    }

    /// The columns with examples: the values that are `wanted` before the most frequent ones.
    pub(super) fn columns(&self, wanted: impl Fn(&str) -> bool) -> Vec<ColumnShown> {
        let mut columns: BTreeMap<&str, Values<'_>> = BTreeMap::new();
        for head in self.documents.iter().flat_map(|own| &own.file.header.columns) {
            let (records, values) = columns.entry(&head.name).or_default();
            *records += head.records;
            values.extend(head.values.iter().map(|(value, count)| (value.as_str(), *count)));
        }
        let shown = |(name, (records, mut values)): (&str, Values<'_>)| {
            values.sort_by_cached_key(|(value, count)| (!wanted(value), Reverse(*count), *value));
            let mut examples: Vec<String> =
                values.into_iter().map(|(value, _)| value.to_owned()).collect();
            let mut seen = HashSet::new();
            examples.retain(|own| seen.insert(own.clone()));
            let all_wanted = examples.iter().take_while(|own| wanted(own)).count().min(MOST);
            examples.truncate(EXAMPLES.max(all_wanted));
            ColumnShown { name: name.to_owned(), records, examples }
        };
        columns.into_iter().map(shown).collect()
    }

    /// The templates, the most frequent first.
    pub(super) fn templates(&self) -> Vec<TemplateShown> {
        let mut shown: Vec<TemplateShown> = Vec::new();
        for own in self.documents.iter().flat_map(|own| &own.file.header.templates) {
            match shown.iter_mut().find(|other| other.id == own.id) {
                Some(other) => other.records += own.count,
                None => shown.push(TemplateShown {
                    id: own.id.clone(),
                    text: own.text.clone(),
                    records: own.count,
                    level: own.level.clone(),
                }),
            }
        }
        shown.sort_by(|a, b| b.records.cmp(&a.records).then_with(|| a.id.cmp(&b.id)));
        shown
    }
}
