//! Values of a reply's JSON.

use serde_json::{Map, Value};

/// The length of a value as JSON, in bytes.
pub(super) fn size(value: &Value) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// True for a list whose elements are parts; lists of numbers and ids belong to their element.
pub(super) fn is_list(field: &str, value: &Value) -> bool {
    let Value::Array(items) = value else { return false };
    let is_part = |item: &Value| item.is_object() || item.as_str().is_some_and(|s| s.len() > 60);
    field != "degraded" && !items.is_empty() && items.iter().all(is_part)
}

/// Puts a value at the front of the list at a path, or as a field.
pub(super) fn put(
    fields: &mut Map<String, Value>,
    path: &[String],
    value: Value,
    is_element: bool,
) {
    let [field, below @ ..] = path else { return };
    if let (false, Some(Value::Object(inner))) = (below.is_empty(), fields.get_mut(field)) {
        return put(inner, below, value, is_element);
    }
    match fields.get_mut(field) {
        Some(Value::Array(items)) if is_element => items.insert(0, value),
        _ => drop(fields.insert(field.clone(), value)),
    }
}
