//! The text for past failures.

use serde_json::Value;

use super::{array, headed, quote, string};

/// The causes, the reports with what each tells, what was checked then, and other documents.
pub(super) fn lines(reply: &Value) -> Vec<String> {
    let results = array(reply, "results");
    let number = |id: &Value| results.iter().position(|result| result["chunk_id"] == *id);
    let causes = array(reply, "causes").iter().map(|cause| {
        let named = array(cause, "results").iter().filter_map(number);
        let named: Vec<String> = named.map(|place| (place + 1).to_string()).collect();
        format!(
            "Cause ({} reports: {}): {}",
            cause["support"],
            named.join(", "),
            quote(string(&cause["cause"], "text"))
        )
    });
    let reports = results.iter().enumerate().map(|(place, failure)| {
        let report = &failure["report"];
        let symptom = array(report, "symptoms").first().map_or("", |first| string(first, "text"));
        let fields = [
            ("symptom", symptom),
            ("root cause", string(&report["root_cause"], "text")),
            ("resolution", string(&report["resolution"], "text")),
            ("passage", string(failure, "content")),
        ];
        let told = fields.iter().filter(|(_, text)| !text.is_empty());
        let lines = told.map(|(name, text)| format!("\n   {name}: {}", quote(text)));
        format!("{}. {}{}", place + 1, headed(failure), lines.collect::<String>())
    });
    let checks = array(reply, "to_check").iter().map(|check| {
        let of =
            number(&check["result"]).map_or(String::new(), |place| format!(" in {}", place + 1));
        format!("Checked then{of}: {}", quote(string(&check["check"], "text")))
    });
    let others =
        array(reply, "also_read").iter().map(|other| format!("Also read: {}", headed(other)));
    causes.chain(reports).chain(checks).chain(others).collect()
}
