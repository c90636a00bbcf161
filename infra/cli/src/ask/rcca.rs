//! Past failures like this one, for a person to read.

use anyhow::Result;
use clap::Args;
use console::style;
use model::evidence::{Place, Quote};
use wire::rcca::{Failure, FailureFields, RccaReport, RccaRequest, TimelineEvent};

use super::citation::CitedPlace;
use super::{Detail, Options, RESULTS, result};
use crate::api::Api;
use crate::wording::{count, cut, flat, quoted, wrapped};

/// A failure and where to look for earlier ones.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// What happens, in your own words.
    #[arg(value_name = "QUESTION")]
    text: String,
    #[command(flatten)]
    options: Options,
}

impl Question {
    /// Makes a question of nothing but its text.
    pub(super) fn of(text: &str, options: Options) -> Question {
        Question { text: text.into(), options }
    }
}

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { text, options } = question;
    options.ask::<RccaRequest, _>(api, "/v1/rcca", options.body(text, Some(RESULTS)), render)
}

/// The most lines of a cause or a check in short.
const CAUSE: usize = 2;

/// Causes first, then the failures with what their reports tell.
fn render(report: &RccaReport, detail: Detail, width: usize) -> Vec<String> {
    if report.results.is_empty() {
        let mut lines =
            vec!["No report of a failure like this is in the indexed documents.".into()];
        lines.extend(others(report, width));
        return lines;
    }
    let mut lines = Vec::new();
    if report.causes.is_empty() {
        lines.push("The first of these reports name no cause.".into());
    } else {
        lines.push(style("Causes").bold().to_string());
    }
    for cause in &report.causes {
        let numbers: Vec<String> = cause
            .results
            .iter()
            .filter_map(|result| number(report, result))
            .map(|number| format!("[{number}]"))
            .collect();
        let support = if cause.support > 1 {
            format!(" {}:", count(cause.support, "report"))
        } else {
            String::new()
        };
        let numbers = style(numbers.join("")).cyan();
        let quote = cause.best(&report.results).map(|(_, quote)| flat(&quote.text));
        let text = format!("{numbers}{support} {}", quote.unwrap_or_default());
        lines.extend(cut(wrapped(&text, "  - ", "    ", width), detail.most(CAUSE)));
    }
    lines.extend(checks(report, detail, width));
    for (number, failure) in report.results.iter().enumerate() {
        lines.push(String::new());
        lines.extend(failure_lines(number + 1, failure, detail, width));
    }
    lines.extend(others(report, width));
    if detail == Detail::Short {
        lines.extend([
            String::new(),
            style("--all shows all that these reports tell.").dim().to_string(),
        ]);
    }
    lines
}

/// Lists what was checked in like failures and the question does not mention.
fn checks(report: &RccaReport, detail: Detail, width: usize) -> Vec<String> {
    if report.to_check.is_empty() {
        return Vec::new();
    }
    let mut lines =
        vec![String::new(), style("Checked then, and not in your question").bold().to_string()];
    for check in &report.to_check {
        let number = number(report, &check.result).unwrap_or_default();
        let text = format!("{} {}", style(format!("[{number}]")).cyan(), flat(&check.quote.text));
        lines.extend(cut(wrapped(&text, "  - ", "    ", width), detail.most(CAUSE)));
    }
    lines
}

/// Lists the documents that speak of the same and report no failure.
fn others(report: &RccaReport, width: usize) -> Vec<String> {
    if report.also_read.is_empty() {
        return Vec::new();
    }
    let mut lines =
        vec![String::new(), style("Also read, no reports of failures").bold().to_string()];
    for other in &report.also_read {
        let text = CitedPlace::from(&other.passage).long();
        lines.extend(wrapped(&text, "  - ", "    ", width));
    }
    lines
}

fn number(report: &RccaReport, result: &Place) -> Option<usize> {
    let is_it = |failure: &Failure| failure.passage.passage_id == result.passage_id;
    report.results.iter().position(is_it).map(|place| place + 1)
}

fn failure_lines(number: usize, failure: &Failure, detail: Detail, width: usize) -> Vec<String> {
    let mut lines = result::head(number, &failure.passage, failure.strength, detail);
    let fields = match detail {
        Detail::Short => in_short(&failure.report),
        Detail::All => in_full(&failure.report),
    };
    let is_silent = fields.iter().all(|(_, passages, _)| passages.is_empty());
    for (label, passages, most) in fields {
        for passage in passages {
            let label = format!("    {label:<11}");
            lines.extend(result::field(&label, "               ", passage, most, width));
        }
    }
    if detail == Detail::All {
        for TimelineEvent { time, event } in &failure.report.timeline {
            let text = format!("{time} {}", flat(&event.text));
            lines.extend(wrapped(&text, "    Event      ", "               ", width));
        }
    }
    if is_silent {
        lines.extend(quoted(&failure.text, "    ", "    ", detail.most(4), width));
    }
    lines
}

/// A label, its passages, and the most lines of each.
type Field<'a> = (&'static str, Vec<&'a Quote>, usize);

fn in_short(report: &FailureFields) -> Vec<Field<'_>> {
    vec![
        ("Symptom", report.symptoms.iter().take(1).collect(), 1),
        ("Root cause", report.root_cause.iter().collect(), 2),
        ("Resolution", report.resolution.iter().collect(), 1),
    ]
}

fn in_full(report: &FailureFields) -> Vec<Field<'_>> {
    let fields: Vec<(&'static str, Vec<&Quote>)> = vec![
        ("Symptom", report.symptoms.iter().collect()),
        ("Root cause", report.root_cause.iter().collect()),
        ("Factor", report.contributing_factors.iter().collect()),
        ("Impact", report.impact.iter().collect()),
        ("Checked", report.checked.iter().collect()),
        ("Ruled out", report.denied.iter().collect()),
        ("Resolution", report.resolution.iter().collect()),
        ("Action", report.actions.iter().collect()),
    ];
    fields.into_iter().map(|(label, passages)| (label, passages, usize::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn causes_come_first_and_each_names_its_reports() {
        let passage = json!({"text": "The seal\nwore out.", "section": "Cause"});
        let report = json!({
            "causes": [{"results": [{"passage_id": "c"}], "support": 1}],
            "to_check": [{"text": "Was the shaft true?", "result": {"passage_id": "c"}}],
            "results": [{
                "strength": "strong", "text": "x",
                "passage": {"passage_id": "c", "file": "a/pump.md", "title": "Pump", "section": "Cause", "lines": [3, 9]},
                "report": {"symptoms": [], "root_cause": passage, "contributing_factors": [], "resolution": null, "impact": [], "checked": []},
            }],
            "also_read": [{"passage": {"passage_id": "d", "file": "guide.md", "title": "Seals", "section": null, "lines": [1, 2]}}],
        });
        console::set_colors_enabled(false);
        let report = reply(report);
        insta::assert_snapshot!(render(&report, Detail::Short, 80).join("\n"), @r#"
        Causes
          - [1] The seal wore out.

        Checked then, and not in your question
          - [1] Was the shaft true?

        [1] Pump  strong
            a/pump.md:3-9, "Cause"
            Root cause The seal wore out.

        Also read, no reports of failures
          - Seals, guide.md:1-2

        --all shows all that these reports tell.
        "#);
    }
}
