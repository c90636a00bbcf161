//! Converts records to passages, so that they are quoted and cited like passages, and filters to
//! conditions on records.

use jiff::Timestamp;
use uuid::Uuid;
use wire::records::{Condition, ConditionForm, RecordShown, Scalar};

use model::document::{DocumentType, Passage, file_name};
use model::facts::Facts;
use ports::Record;
use ports::filter::{Condition as Filter, Field, Filters};
use records::question::Conditions;
use records::{FullRecord, Loaded};

/// Returns a record as a passage of its document. The section of a setting is the keys above it.
pub(super) fn passage(record: &RecordShown, loaded: &Loaded) -> Option<Passage> {
    let id: Uuid = record.document_id.as_ref()?.parse().ok()?;
    let has_record = |document: &&Record| document.document_id == id;
    let document = loaded.listed.iter().find(has_record)?;
    let attributes = document.attributes.clone();
    let time: Option<Timestamp> = record.time.as_ref().and_then(|r| r.parse().ok());
    let key = record.columns.get("key");
    let above = key.and_then(|key| key.rsplit_once('.')).map_or("", |(above, _)| above);
    let kind = if key.is_some() { DocumentType::Config } else { DocumentType::Log };
    let named = file_name(&record.file);
    let title = named.rsplit_once('.').map_or(named, |(stem, _)| stem).to_owned();
    let column = |name: &str| record.columns.get(name).cloned().into_iter().collect();
    Some(Passage {
        id: record.passage_id.parse().unwrap_or(Uuid::nil()),
        scope: Some(document.scope.clone()),
        document_id: document.document_id,
        version: record.version.clone()?,
        position: record.lines.0,
        name: record.file.clone(),
        section: above.to_owned(),
        source: attributes.source.unwrap_or(model::document::Origin::Runtime),
        title: attributes.title.unwrap_or(title),
        document_type: attributes.document_type.unwrap_or(kind),
        tags: attributes.tags,
        author: attributes.author,
        standard: attributes.standard,
        commit: attributes.commit,
        edition: attributes.edition,
        lifecycle: attributes.lifecycle,
        language: attributes.language,
        severity: column("level"),
        code: column("code"),
        lines: Some(record.lines),
        time: time.map(|time| (time, time)),
        assumed: assumed(record, document),
        uri: attributes.uri.map(|uri| text::secret::mask(&uri).into_owned()),
        article: None,
        ordinal: None,
        text: record.quote.clone(),
        facts: Facts::default(),
        unmasked: None,
    })
}

/// Returns a record as a passage, with the assumption of its file about the time.
pub(super) fn full(full: FullRecord, loaded: &Loaded) -> Option<Passage> {
    let passage = passage(&full.record, loaded)?;
    Some(Passage { assumed: full.assumed, ..passage })
}

/// Returns the assumption about the record's time. It is the one of its document, unless the record
/// states its zone itself.
fn assumed(record: &RecordShown, document: &Record) -> Option<String> {
    let assumed = document.live.as_ref()?.assumed.clone()?;
    let is_told = record.time.is_none() || record.zone.is_some() && assumed == "UTC";
    (!is_told).then_some(assumed)
}

/// Returns the filters as conditions on records; `None` if one of them cannot be expressed so.
pub(super) fn conditions(filters: &Filters) -> Option<Conditions> {
    filters.0.iter().filter(|x| !is_of_names(x)).map(condition).collect()
}

fn is_of_names(filter: &Filter) -> bool {
    matches!(filter, Filter::AnyOf(Field::Name, _))
}

/// Keeps the documents whose names the filters allow. A name in a filter is exact, unlike a name in
/// a condition.
pub(super) fn keep_named(loaded: &mut Loaded, filters: &Filters) {
    for filter in &filters.0 {
        if let Filter::AnyOf(Field::Name, names) = filter {
            loaded.documents.retain(|document| names.contains(&document.document.name));
            loaded.not_read.retain(|gap| names.contains(&gap.file));
        }
    }
}

/// Returns those filters that can be expressed as conditions on records.
pub(super) fn conditions_of_records(filters: &Filters) -> Conditions {
    filters.0.iter().filter_map(condition).collect()
}

fn condition(filter: &Filter) -> Option<(String, Condition)> {
    let (column, condition) = match filter {
        Filter::AnyOf(field, values) => {
            let column = match field {
                Field::Severity => "level",
                Field::Code => "code",
                _ => return None,
            };
            (column, Condition::AnyOf(values.iter().map(|value| value.as_str().into()).collect()))
        }
        Filter::Lines(ranges) => {
            let number = |number: u32| Scalar::from(number);
            match ranges.as_slice() {
                [(first, last)] => ("line", bounds(Some(number(*first)), Some(number(*last)))),
                all if all.iter().all(|(first, last)| first == last) => {
                    let lines = all.iter().map(|(line, _)| number(*line));
                    ("line", Condition::AnyOf(lines.collect()))
                }
                _ => return None,
            }
        }
        Filter::Times(ranges) => {
            let [(first, last)] = ranges.as_slice() else { return None };
            // A time with its fraction is that instant, not the whole second.
            let exact = |timestamp: Timestamp| Scalar::Text(format!("{timestamp:.6}"));
            let first = (*first > Timestamp::MIN).then(|| exact(*first));
            let last = (*last < Timestamp::MAX).then(|| exact(*last));
            ("time", bounds(first, last))
        }
        Filter::Document(_) => return None,
    };
    Some((column.to_owned(), condition))
}

fn bounds(gte: Option<Scalar>, lte: Option<Scalar>) -> Condition {
    Condition::Bounds(ConditionForm { gte, lte, ..ConditionForm::default() })
}
