//! Questions, and their answers for a person to read.

use anyhow::Result;
use clap::Args;
use console::{Term, style};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use textwrap::Options;

use crate::api::Api;
use crate::wording::count;

/// A question and where to look.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// What happens, in your own words.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// How many results, 1 to 50.
    #[arg(long, default_value_t = 5)]
    top_k: u32,
    /// Where to look: `global`, `user`, `case:ID`, `team:ID`; may be given several times.
    #[arg(long, default_value = "global")]
    knowledge: Vec<String>,
    /// What a passage must satisfy, as FIELD=VALUE; may be given several times.
    #[arg(long = "filter", value_name = "FIELD=VALUE", value_parser = filter)]
    filters: Vec<(String, String)>,
    /// Prints the API's answer as it is.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Deserialize)]
struct Report {
    results: Vec<Failure>,
    causes: Vec<Cause>,
}

#[derive(Debug, Deserialize)]
struct Failure {
    chunk_id: String,
    score: f64,
    source: Source,
    content: String,
    rcca_metadata: Metadata,
}

#[derive(Debug, Deserialize)]
struct Source {
    name: String,
    document_title: String,
    section_title: Option<String>,
    lines: Option<(u32, u32)>,
}

#[derive(Debug, Deserialize)]
struct Metadata {
    symptoms: Vec<Passage>,
    root_cause: Option<Passage>,
    contributing_factors: Vec<Passage>,
    resolution: Option<Passage>,
}

#[derive(Debug, Deserialize)]
struct Passage {
    text: String,
    section: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Cause {
    #[serde(rename = "cause")]
    passage: Passage,
    results: Vec<String>,
    support: usize,
}

fn filter(text: &str) -> Result<(String, String), String> {
    let (field, value) = text.split_once('=').ok_or("must be FIELD=VALUE")?;
    Ok((field.into(), value.into()))
}

pub(crate) fn rcca(api: &Api, question: &Question) -> Result<()> {
    let mut filters: Map<String, Value> = Map::new();
    for (field, value) in &question.filters {
        let value = value.parse::<u32>().map_or_else(|_| json!(value), |number| json!(number));
        filters.insert(field.clone(), value);
    }
    let body = json!({"question": question.text, "top_k": question.top_k, "knowledge": question.knowledge, "filters": filters});
    let answer: Value = api.post("/v1/rcca", &body)?.map_err(anyhow::Error::from)?;
    let out = Term::stdout();
    if question.json {
        out.write_line(&serde_json::to_string_pretty(&answer)?)?;
        return Ok(());
    }
    let width = usize::from(out.size().1).clamp(60, 110);
    let report: Report = serde_json::from_value(answer)?;
    for line in shown(&report, width) {
        out.write_line(&line)?;
    }
    Ok(())
}

/// Causes first, then the failures with what their reports tell.
fn shown(report: &Report, width: usize) -> Vec<String> {
    if report.results.is_empty() {
        return vec!["Nothing like this is in the indexed documents.".into()];
    }
    let mut lines = Vec::new();
    if report.causes.is_empty() {
        lines.push("None of these reports names a cause.".into());
    } else {
        lines.push(style("Causes").bold().to_string());
    }
    for cause in &report.causes {
        let numbers: Vec<String> = cause
            .results
            .iter()
            .filter_map(|id| number(report, id))
            .map(|number| format!("[{number}]"))
            .collect();
        let support = if cause.support > 1 {
            format!(", {}", count(cause.support, "report"))
        } else {
            String::new()
        };
        let text =
            format!("{} {}{support}", flat(&cause.passage.text), style(numbers.join("")).cyan());
        lines.extend(wrapped(&text, "  - ", "    ", width));
    }
    for (number, failure) in report.results.iter().enumerate() {
        lines.push(String::new());
        lines.extend(failure_lines(number + 1, failure, width));
    }
    lines
}

fn number(report: &Report, chunk: &str) -> Option<usize> {
    report.results.iter().position(|failure| failure.chunk_id == chunk).map(|place| place + 1)
}

fn failure_lines(number: usize, failure: &Failure, width: usize) -> Vec<String> {
    let Source { name, document_title, section_title, lines: range } = &failure.source;
    let place = range.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
    let section =
        section_title.as_ref().map(|section| format!(", \"{section}\"")).unwrap_or_default();
    let mut lines = vec![
        format!(
            "{} {}  {:.3}",
            style(format!("[{number}]")).cyan(),
            style(document_title).bold(),
            failure.score
        ),
        style(format!("    {name}{place}{section}")).dim().to_string(),
    ];
    let Metadata { symptoms, root_cause, contributing_factors, resolution } =
        &failure.rcca_metadata;
    let fields = [
        ("Symptom", symptoms.iter().collect::<Vec<_>>()),
        ("Root cause", root_cause.iter().collect()),
        ("Factor", contributing_factors.iter().collect()),
        ("Resolution", resolution.iter().collect()),
    ];
    let is_silent = fields.iter().all(|(_, passages)| passages.is_empty());
    for (label, passages) in fields {
        for passage in passages {
            let section = passage
                .section
                .as_ref()
                .map(|section| style(format!(" ({section})")).dim().to_string());
            let first = format!("    {label:<11}");
            lines.extend(wrapped(
                &format!("{}{}", flat(&passage.text), section.unwrap_or_default()),
                &first,
                "               ",
                width,
            ));
        }
    }
    if is_silent {
        lines.extend(wrapped(&flat(&failure.content), "    ", "    ", width).into_iter().take(4));
    }
    lines
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn wrapped(text: &str, first: &str, rest: &str, width: usize) -> Vec<String> {
    let options =
        Options::new(width).initial_indent(first).subsequent_indent(rest).break_words(false);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_come_first_and_each_names_its_reports() {
        let passage = json!({"text": "The seal\nwore out.", "section": "Cause", "chunk_id": "c", "start": 0, "end": 18});
        let report = json!({
            "causes": [{"cause": passage, "results": ["c"], "support": 1}],
            "results": [{
                "chunk_id": "c", "score": 0.75, "content": "x",
                "source": {"name": "a/pump.md", "document_title": "Pump", "section_title": "Cause", "lines": [3, 9]},
                "rcca_metadata": {"symptoms": [], "root_cause": passage, "contributing_factors": [], "resolution": null},
            }],
        });
        console::set_colors_enabled(false);
        let report = serde_json::from_value(report).unwrap();
        insta::assert_snapshot!(shown(&report, 80).join("\n"), @r#"
        Causes
          - The seal wore out. [1]

        [1] Pump  0.750
            a/pump.md:3-9, "Cause"
            Root cause The seal wore out. (Cause)
        "#);
    }
}
