//! The alerts of a case as records: a document of the case, whose lines are queried exactly.

use model::Error;
use model::Result;
use serde_json::{Value, json};
use wire::alerts::CaseAlert;

/// The name of the document.
pub const NAME: &str = "alerts.jsonl";

/// Returns the document: a line of JSON for each alert, with its labels.
///
/// # Errors
/// None in practice: alerts are JSON.
pub fn lines(alerts: &[CaseAlert]) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for alert in alerts {
        let line = serde_json::to_writer(&mut lines, &record(alert)?);
        line.map_err(|error| Error::unavailable("the alerts", error))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn record(alert: &CaseAlert) -> Result<Value> {
    let record = serde_json::to_value(alert);
    let mut record = record.map_err(|error| Error::unavailable("the alerts", error))?;
    record["time"] = json!(alert.alert.starts_at.unwrap_or(alert.first_at));
    let labels = record["fields"]["labels"].take();
    if let Value::Object(fields) = &mut record {
        fields.remove("fields");
        if labels.is_object() {
            fields.insert("labels".into(), labels);
        }
    }
    Ok(record)
}
