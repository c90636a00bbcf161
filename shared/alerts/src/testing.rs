//! The vendors' files, and a payload of each, for tests.

use serde_json::{Value, json};

use crate::Vendors;

/// The payloads, each with its vendor.
macro_rules! samples {
    ($($vendor:literal),+) => {
        &[$(($vendor, include_str!(concat!("../../../tests/alerts/", $vendor, ".json")))),+]
    };
}

const SAMPLES: &[(&str, &str)] = samples!(
    "alertmanager",
    "cloudwatch",
    "eventbridge",
    "generic",
    "grafana",
    "opsgenie",
    "pagerduty"
);

/// Returns the vendors as this repository has them.
pub(crate) fn vendors() -> Vendors {
    Vendors::parse(&Vendors::carried()).unwrap()
}

/// Returns a payload in a vendor's form.
pub(crate) fn sample(vendor: &str) -> Value {
    let (_, text) = SAMPLES.iter().find(|(name, _)| *name == vendor).unwrap();
    let payload: Value = serde_json::from_str(text).unwrap();
    if vendor == "cloudwatch" { json!({"Message": payload.to_string()}) } else { payload }
}
