//! The text for past failures.

use serde_json::Value;

use super::{array, headed, shortened, string};

/// The most characters of a field of the first report.
const FIRST: usize = 400;

/// The most characters of a field of the others.
const FIELD: usize = 150;

/// The reports with what each tells, causes that several share, what was checked then, and other documents.
pub(super) fn lines(reply: &Value) -> Vec<String> {
    let results = array(reply, "results");
    let number = |passage: &Value| {
        let is_it = |result: &Value| result["passage"]["passage_id"] == passage["passage_id"];
        results.iter().position(is_it).map(|place| place + 1)
    };
    let reports = results.iter().enumerate().map(|(place, failure)| report(place + 1, failure));
    let shared = array(reply, "causes").iter().filter_map(|cause| {
        let told = array(cause, "results").iter().filter_map(number);
        let told: Vec<String> = told.map(|number| number.to_string()).collect();
        (told.len() > 1).then(|| format!("The same cause: {}", told.join(", ")))
    });
    let checks = array(reply, "to_check").iter().map(|check| {
        let of = number(&check["result"]).map_or(String::new(), |number| format!(" in {number}"));
        format!("Checked then{of}: {}", lined(check, FIELD))
    });
    let others =
        array(reply, "also_read").iter().map(|other| format!("Also read: {}", headed(other)));
    shared.chain(reports).chain(checks).chain(others).collect()
}

/// A report: where it stands, the words that are nearest to the question, and its main fields.
fn report(number: usize, failure: &Value) -> String {
    let report = &failure["report"];
    let nothing = Value::Null;
    let most = if number == 1 { FIRST } else { FIELD };
    // Of the others one of the two says what it is about.
    let says_both = number == 1 || failure["matched"].is_null();
    let symptom = array(report, "symptoms").first().filter(|_| says_both);
    let fields = [
        ("matched", &failure["matched"]),
        ("symptom", symptom.unwrap_or(&nothing)),
        ("root cause", &report["root_cause"]),
        ("resolution", &report["resolution"]),
        ("passage", failure),
    ];
    let told = fields.iter().filter(|(_, told)| !string(told, "text").is_empty());
    let lines = told.map(|(name, told)| format!("\n   {name}: {}", lined(told, most)));
    format!("{number}. {}{}", headed(failure), lines.collect::<String>())
}

/// A quote of at most so many characters, and its line.
fn lined(told: &Value, most: usize) -> String {
    let line = told["line"].as_u64().map(|line| format!(" (line {line})"));
    format!("{}{}", shortened(string(told, "text"), most), line.unwrap_or_default())
}
