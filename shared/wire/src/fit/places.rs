//! Places by reference: a reply lists each passage once, and all else has its number in that list.

use std::collections::HashMap;

use model::evidence::Place;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rank;

/// The list of a reply's passages.
pub(super) const LIST: &str = "passages";

/// The fields that mean a passage by its number.
pub(super) const ONE: [&str; 2] = ["passage", "result"];

/// The fields that mean several passages by their numbers.
pub(super) const SEVERAL: [&str; 3] = ["also_at", "nearest", "results"];

/// The fields that repeat a query of the caller's: what is in them refers to nothing.
const QUERIES: [&str; 4] = ["also", "also_read_as", "query", "read_as"];

/// A passage that a reply refers to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListedPassage {
    /// Its number in this reply, from 1.
    pub number: usize,
    /// Its place.
    #[serde(flatten)]
    pub place: Place,
}

/// The number of a passage in the reply's `passages`, from 1.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct PassageNumber(pub usize);

/// Lists a reply's places in `passages`, each once, and puts their numbers where they stood; the
/// most useful first.
pub(super) fn listed(mut reply: Map<String, Value>) -> Map<String, Value> {
    if reply.get(LIST).is_some_and(Value::is_array) {
        return reply;
    }
    let mut list = List::default();
    let mut fields: Vec<&String> = reply.keys().collect();
    fields.sort_by_key(|field| rank(field));
    let fields: Vec<String> = fields.into_iter().cloned().collect();
    for field in &fields {
        if let Some(value) = reply.get_mut(field) {
            list.take_from(value);
        }
    }
    if !list.places.is_empty() {
        reply.insert(LIST.into(), list.places.into());
    }
    reply
}

#[derive(Default)]
struct List {
    places: Vec<Value>,
    /// The numbers of places, by their JSON: records of one passage have one id, and each its own
    /// lines.
    numbers: HashMap<String, usize>,
}

impl List {
    fn take_from(&mut self, value: &mut Value) {
        match value {
            Value::Object(fields) if is_place(fields) => {
                *value = self.number(std::mem::take(fields)).into();
            }
            Value::Object(fields) => fields.values_mut().for_each(|field| self.take_from(field)),
            Value::Array(items) => items.iter_mut().for_each(|item| self.take_from(item)),
            _ => {}
        }
    }

    fn number(&mut self, place: Map<String, Value>) -> usize {
        let places = &mut self.places;
        let place = Value::Object(place);
        *self.numbers.entry(place.to_string()).or_insert_with(|| {
            let Value::Object(mut entry) = place else { return 0 };
            entry.insert("number".into(), (places.len() + 1).into());
            places.push(Value::Object(entry));
            places.len()
        })
    }
}

fn is_place(fields: &Map<String, Value>) -> bool {
    ["passage_id", "document_type", "file"].iter().all(|field| fields.contains_key(*field))
}

/// Puts the places of a reply where it has their numbers, so that it can be read as its type.
pub fn restored(mut reply: Value) -> Value {
    // A number of passages is no list of places.
    let Some(Value::Array(list)) =
        reply.get_mut(LIST).filter(|list| list.is_array()).map(Value::take)
    else {
        return reply;
    };
    reply.as_object_mut().map(|fields| fields.remove(LIST));
    let places: HashMap<u64, Value> = list
        .into_iter()
        .filter_map(|mut entry| {
            let number = entry.as_object_mut()?.remove("number")?.as_u64()?;
            Some((number, entry))
        })
        .collect();
    restore(&mut reply, &places);
    reply
}

pub(super) fn is_query(field: &str) -> bool {
    QUERIES.contains(&field)
}

fn restore(value: &mut Value, places: &HashMap<u64, Value>) {
    let place = |number: &mut Value| {
        if let Some(place) = number.as_u64().and_then(|number| places.get(&number)) {
            *number = place.clone();
        }
    };
    match value {
        Value::Object(fields) => {
            for (field, value) in fields.iter_mut().filter(|(field, _)| !is_query(field)) {
                match value {
                    Value::Number(_) if ONE.contains(&field.as_str()) => place(value),
                    Value::Array(items) if SEVERAL.contains(&field.as_str()) => {
                        items.iter_mut().for_each(place);
                    }
                    _ => {}
                }
                restore(value, places);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| restore(item, places)),
        _ => {}
    }
}
