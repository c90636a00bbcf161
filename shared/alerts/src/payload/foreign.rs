//! Properties that hold for every payload, whoever wrote it.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::testing::{sample, vendors};

/// Returns any JSON, with occasional names of fields that vendors have.
fn any_json() -> impl Strategy<Value = Value> {
    let name = || {
        prop::sample::select(
            &["alerts", "labels", "alertname", "status", "Message", "event", "name"][..],
        )
    };
    let leaf = prop_oneof![
        name().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let fields = prop::collection::vec((name().prop_map(str::to_owned), inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            fields.prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_payload_is_read_or_refused(payload in any_json(), place in 0..40_usize, part in any_json()) {
        let vendors = vendors();
        for vendor in vendors.names() {
            // A sample with one of its values in another's place.
            let mut damaged = sample(vendor);
            let mut at = place;
            replace(&mut damaged, &mut at, &part);
            for payload in [payload.clone(), damaged] {
                match groups(&vendors, vendor, payload) {
                    Ok(groups) => {
                        for alert in groups.iter().flat_map(|group| &group.alerts) {
                            prop_assert!(!alert.name.is_empty() && !alert.fingerprint.is_empty());
                            prop_assert!(json!(alert).to_string().len() < 200_000);
                        }
                    }
                    Err(Error::Malformed { .. }) => {}
                    Err(other) => return Err(TestCaseError::fail(other.to_string())),
                }
            }
        }
    }
}

/// Puts `part` in the place of the value with this number.
fn replace(value: &mut Value, number: &mut usize, part: &Value) {
    if *number == 0 {
        *value = part.clone();
    }
    *number = number.wrapping_sub(1);
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, number, part)),
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(_, value)| replace(value, number, part));
        }
        _ => {}
    }
}
