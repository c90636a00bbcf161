//! The filters that a question's words stand for: as conditions, and as the caller is told of them.

use serde_json::{Value, json};

use super::intent::{Intent, Kind};
use super::wire::FilterRead;
use crate::filter::{Condition, Field, Filters};

/// The conditions that a passage must satisfy before its records are looked at one by one. A severity or code is of a
/// record, and may turn out to be but a word.
pub(super) fn of_passages(intent: &Intent, files: Vec<String>) -> Vec<Condition> {
    let all = intent.conditions.iter().map(|(condition, _)| condition);
    let mut all: Vec<Condition> =
        all.filter(|own| matches!(own, Condition::Lines(_))).cloned().collect();
    let range = intent.moment.as_ref().and_then(|(moment, _)| moment.range());
    all.extend(range.map(|range| Condition::Times(vec![range])));
    if !files.is_empty() {
        all.push(Condition::AnyOf(Field::Name, files));
    }
    all
}

/// The conditions that also hold where the nearest passages are searched: the caller's own, and the files that are
/// named.
pub(super) fn certain(all: &Filters, own: &Filters) -> Vec<Condition> {
    let is_certain = |condition: &&Condition| {
        own.0.contains(condition) || matches!(condition, Condition::AnyOf(Field::Name, _))
    };
    all.0.iter().filter(is_certain).cloned().collect()
}

/// What is told of the filters that were read and held: those of records, and the files.
pub(super) fn shown(held: Option<&Intent>, all: &Filters, own: &Filters) -> Vec<FilterRead> {
    let mut read: Vec<FilterRead> = Vec::new();
    for (condition, from) in held.iter().flat_map(|intent| &intent.conditions) {
        let (field, value) = told(condition);
        read.push(FilterRead { field, value, from: from.clone() });
    }
    if let Some((values, from)) = held.and_then(|intent| intent.left_out.as_ref()) {
        let (field, value) = ("without".into(), json!(values));
        read.push(FilterRead { field, value, from: from.clone() });
    }
    if let Some((moment, words)) = held.and_then(|intent| intent.moment.as_ref()) {
        let names = ["gte", "lte"].into_iter().zip(moment.ends());
        let value = names.filter_map(|(name, end)| Some((name.to_owned(), json!(end?)))).collect();
        read.push(FilterRead { field: "time".into(), value, from: words.join(" ") });
    }
    for condition in all.0.iter().filter(|condition| !own.0.contains(condition)) {
        if let Condition::AnyOf(Field::Name, names) = condition {
            let from: Vec<&str> = names.iter().map(|name| super::citation::file(name)).collect();
            let (field, value) = told(condition);
            read.push(FilterRead { field, value, from: from.join(", ") });
        }
    }
    read
}

fn told(condition: &Condition) -> (String, Value) {
    match condition {
        Condition::AnyOf(field, values) => (field.name().into(), json!(values)),
        Condition::Lines(ranges) => {
            let told = |(first, last): &(u32, u32)| {
                if first == last { json!(first) } else { json!({"gte": first, "lte": last}) }
            };
            let value = match ranges.as_slice() {
                [one] => told(one),
                all => all.iter().map(told).collect(),
            };
            ("line".into(), value)
        }
        Condition::Times(_) => ("time".into(), Value::Null),
    }
}

impl Intent {
    /// Whether the nearest passages may say what no record says in the question's words.
    pub(super) fn may_be_searched(&self) -> bool {
        match self.kind {
            Kind::Lines | Kind::Most => false,
            Kind::Count => self.is_of_now,
            Kind::Plain | Kind::List | Kind::First | Kind::Last => true,
        }
    }
}
