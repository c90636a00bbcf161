//! What parts of a reply refer to.

use serde_json::Value;

use super::places;

/// What a value refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Reference {
    /// A citation, by its id.
    Citation(String),
    /// A passage, by its number.
    Passage(u64),
    /// The result of a passage, by its number.
    Result(u64),
}

impl Reference {
    /// What an element of the list at `path` is to those that refer to it.
    pub(super) fn to(path: &[String], value: &Value) -> Option<Reference> {
        match path {
            [list] if list == places::LIST => value["number"].as_u64().map(Reference::Passage),
            [list] if list == "results" => value["passage"].as_u64().map(Reference::Result),
            _ => value["id"].as_str().map(|id| Reference::Citation(id.into())),
        }
    }

    /// Adds what a value refers to. Of several results it is the first: the others are named where
    /// they are shown.
    pub(super) fn all_in(value: &Value, references: &mut Vec<Reference>) {
        let Value::Object(fields) = value else { return };
        for (field, value) in fields.iter().filter(|(field, _)| !places::is_query(field)) {
            match (field.as_str(), value) {
                ("citations", Value::Array(ids)) => {
                    let ids = ids.iter().filter_map(Value::as_str);
                    references.extend(ids.map(|id| Reference::Citation(id.into())));
                }
                ("result", Value::Number(number)) => {
                    references.extend(number.as_u64().map(Reference::Result));
                }
                ("results", Value::Array(numbers)) => {
                    references
                        .extend(numbers.first().and_then(Value::as_u64).map(Reference::Result));
                }
                (field, Value::Number(number)) if places::ONE.contains(&field) => {
                    references.extend(number.as_u64().map(Reference::Passage));
                }
                (field, Value::Array(numbers)) if places::SEVERAL.contains(&field) => {
                    let numbers = numbers.iter().filter_map(Value::as_u64);
                    references.extend(numbers.map(Reference::Passage));
                }
                (_, value) => Reference::all_in(value, references),
            }
        }
    }
}
