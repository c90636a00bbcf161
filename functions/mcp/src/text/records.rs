//! Texts for queries over records, and for their columns.

use serde_json::Value;

use views::wording::shortened;

use super::{array, plain, quote, string};

/// The most characters of an example in a column.
const EXAMPLE: usize = 40;

pub(super) fn rows(reply: &Value) -> Vec<String> {
    let totals = &reply["totals"];
    let found = format!("{} records of {} satisfy the query.", totals["records"], totals["of"]);
    let hint = reply["hint"].as_str().map(str::to_owned);
    let is_read = hint.is_none() || !array(reply, "rows").is_empty();
    let mut lines: Vec<String> = hint.into_iter().chain(is_read.then_some(found)).collect();
    if !is_read && !array(reply, "columns").is_empty() {
        lines.extend(columns(reply));
    }
    for row in array(reply, "rows") {
        let group = row["group"].as_object().into_iter().flatten();
        let group: Vec<String> =
            group.map(|(name, value)| format!("{name}={}", plain(value))).collect();
        let value = row.get("value").or_else(|| row.get("text")).map(plain).unwrap_or_default();
        let first = row["first"].as_str().map(|first| format!(" (first: {first})"));
        let first = first.unwrap_or_default();
        let line = format!("{} {value}{}{first}", group.join(" "), string(row, "unit"));
        let line = line.trim();
        lines.extend((!line.is_empty()).then(|| line.to_owned()));
        lines.extend(array(row, "records").iter().map(record));
    }
    if let Some(left) = reply["rows_left"].as_u64().filter(|left| *left > 0) {
        lines.push(format!("{left} more rows: send a larger `limit`."));
    }
    let words: Vec<String> = array(reply, "unread").iter().map(plain).collect();
    if !words.is_empty() {
        lines.push(format!("Not read, and no condition: {}.", words.join(", ")));
    }
    if let Some(assumed) = reply["assumed"].as_str() {
        lines.push(format!("Times are read as {assumed}."));
    }
    if reply["all_records_read"] == false {
        lines.push("Not every record was read.".into());
    }
    let missing = array(reply, "not_read").iter();
    lines.extend(
        missing
            .map(|file| format!("Not read: {}: {}", string(file, "file"), string(file, "reason"))),
    );
    lines
}

/// A record with its file and line, its time and the path of its keys.
fn record(record: &Value) -> String {
    let path = string(record, "path");
    let path = if path.is_empty() { String::new() } else { format!(" {path}") };
    format!(
        "{} {}{path} {}",
        place_of_record(record),
        string(record, "time"),
        quote(string(record, "quote"))
    )
}

pub(super) fn columns(reply: &Value) -> Vec<String> {
    let totals = &reply["totals"];
    let span = totals["span"].as_array();
    let span = span.map(|span| format!(" from {} to {}", plain(&span[0]), plain(&span[1])));
    let mut lines = vec![format!("{} records{}", totals["of"], span.unwrap_or_default())];
    lines.extend(array(reply, "columns").iter().map(|column| {
        let examples = array(column, "examples").iter().filter_map(Value::as_str).take(3);
        let examples: Vec<String> = examples.map(|example| shortened(example, EXAMPLE)).collect();
        let kinds =
            array(column, "kinds").iter().filter_map(Value::as_str).map(|kind| format!("{kind}s"));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let (name, records) = (string(column, "name"), &column["records"]);
        format!("{name} ({kinds} in {records}): {}", examples.join(", "))
    }));
    if array(reply, "columns").is_empty() {
        let advice = "No column has this in its name. For a setting send query_records the `key`, with * around it.";
        lines.push(advice.into());
    }
    if let Some(left) = reply["columns_left"].as_u64().filter(|left| *left > 0) {
        lines.push(format!("{left} more columns: send a `pattern`."));
    }
    lines
}

fn place_of_record(record: &Value) -> String {
    let line = record.get("line").unwrap_or(&record["lines"][0]);
    format!("{}:{line}", string(record, "file"))
}
