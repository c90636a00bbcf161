//! JSON as the SDK has it. Its own conversion is for builds with `--cfg aws_sdk_unstable` only.

use aws_smithy_types::{Document, Number};
use serde_json::Value;

/// JSON for a request.
pub(super) fn document(value: &Value) -> Document {
    match value {
        Value::Null => Document::Null,
        Value::Bool(bool) => Document::Bool(*bool),
        Value::Number(number) => Document::Number(sdk_number(number)),
        Value::String(text) => Document::String(text.clone()),
        Value::Array(values) => Document::Array(values.iter().map(document).collect()),
        Value::Object(fields) => Document::Object(
            fields.iter().map(|(name, value)| (name.clone(), document(value))).collect(),
        ),
    }
}

/// JSON of an answer. A number that JSON cannot write is null.
pub(super) fn value(document: &Document) -> Value {
    match document {
        Document::Null => Value::Null,
        Document::Bool(bool) => (*bool).into(),
        Document::Number(Number::PosInt(number)) => (*number).into(),
        Document::Number(Number::NegInt(number)) => (*number).into(),
        Document::Number(Number::Float(number)) => (*number).into(),
        Document::String(text) => text.as_str().into(),
        Document::Array(documents) => documents.iter().map(value).collect(),
        Document::Object(fields) => {
            fields.iter().map(|(name, document)| (name.clone(), value(document))).collect()
        }
    }
}

fn sdk_number(number: &serde_json::Number) -> Number {
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => Number::PosInt(number),
        (None, Some(number)) => Number::NegInt(number),
        (None, None) => Number::Float(number.as_f64().unwrap_or(f64::NAN)),
    }
}
