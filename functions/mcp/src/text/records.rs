//! Texts for queries over records, and for their columns.

use serde_json::Value;

use super::{array, plain, quote, shortened, string, unread};

/// The most characters of an example in a column.
const EXAMPLE: usize = 40;

pub(super) fn rows(reply: &Value) -> Vec<String> {
    let totals = &reply["totals"];
    let mut lines =
        vec![format!("{} records of {} satisfy the query.", totals["records"], totals["of"])];
    for row in array(reply, "rows").iter().take(20) {
        let group = row["group"].as_object().into_iter().flatten();
        let group: Vec<String> =
            group.map(|(name, value)| format!("{name}={}", plain(value))).collect();
        let value = row.get("value").map(plain).unwrap_or_default();
        let unit = string(row, "unit");
        let first = array(row, "records").first();
        let first = first
            .map(|first| format!("{} {}", place_of_record(first), quote(string(first, "quote"))));
        lines.push(
            format!("{} {value}{unit} {}", group.join(" "), first.unwrap_or_default())
                .trim()
                .to_owned(),
        );
    }
    lines.extend(unread(reply));
    if reply["complete"] == false {
        lines.push("Not every record was read.".into());
    }
    lines
}

pub(super) fn columns(reply: &Value) -> Vec<String> {
    let totals = &reply["totals"];
    let span = totals["span"].as_array();
    let span = span.map(|span| format!(" from {} to {}", plain(&span[0]), plain(&span[1])));
    let mut lines = vec![format!("{} records{}", totals["of"], span.unwrap_or_default())];
    lines.extend(array(reply, "columns").iter().map(|column| {
        let examples = array(column, "examples").iter().filter_map(Value::as_str).take(3);
        let examples: Vec<String> = examples.map(|example| shortened(example, EXAMPLE)).collect();
        format!("{} ({}): {}", string(column, "name"), column["records"], examples.join(", "))
    }));
    lines
}

fn place_of_record(record: &Value) -> String {
    format!("{}:{}", string(record, "file"), record["lines"][0])
}
