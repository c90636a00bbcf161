//! The finds of a strategy file, for a person to read.

use anyhow::Result;
use clap::Args;
use console::style;
use wire::custom::{CustomReport, CustomRequest, CustomResult, CustomWorkflowList};

use super::{Detail, Options, RESULTS, result};
use crate::api::Api;
use crate::wording::{flat, heading, quoted, wrapped};

/// A strategy and the question it is asked; without both, the strategies are listed.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The strategy.
    #[arg(requires = "text", value_parser = name)]
    name: Option<String>,
    /// The question.
    #[arg(value_name = "QUESTION")]
    text: Option<String>,
    /// Lists the strategies.
    #[arg(long, conflicts_with = "name")]
    list: bool,
    #[command(flatten)]
    options: Options,
}

/// A name that is a part of a path as it stands.
fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !text.is_empty() && text.chars().all(is_plain) {
        Ok(text.into())
    } else {
        Err("must be letters, digits, `_` and `-`; `plumbline ask custom` lists the names".into())
    }
}

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { name, text, options, .. } = question;
    if let (false, Some(name), Some(text)) = (question.list, name, text) {
        let body = options.body(text, Some(RESULTS));
        options.ask::<CustomRequest, _>(api, &format!("/v1/custom/{name}"), body, render)
    } else {
        options.terms.print(api.get("/v1/custom")?, listed)
    }
}

fn listed(list: &CustomWorkflowList, width: usize) -> Vec<String> {
    if list.strategies.is_empty() {
        return vec!["There are no custom strategies.".into()];
    }
    let mut lines = Vec::new();
    for strategy in &list.strategies {
        lines.push(style(&strategy.name).bold().to_string());
        lines.extend(wrapped(&flat(&strategy.description), "    ", "    ", width));
        let parts = [
            ("searched too: ", &strategy.query_expansion),
            ("facets: ", &strategy.facets),
            ("fields: ", &strategy.output_fields),
        ];
        for (label, names) in parts.into_iter().filter(|(_, names)| !names.is_empty()) {
            let text = style(format!("{label}{}", names.join(", "))).dim().to_string();
            lines.extend(wrapped(&text, "    ", "      ", width));
        }
    }
    lines
}

fn render(report: &CustomReport, detail: Detail, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if report.results.is_empty() {
        lines.push("Nothing like this is in the indexed documents.".into());
    }
    for (number, finding) in report.results.iter().enumerate() {
        if number > 0 {
            lines.push(String::new());
        }
        lines.extend(finding_lines(number + 1, finding, detail, width));
    }
    lines.extend(result::not_covered(&report.gaps, width));
    lines
}

fn finding_lines(
    number: usize,
    result: &CustomResult,
    detail: Detail,
    width: usize,
) -> Vec<String> {
    let CustomResult { finding, fields, facets } = result;
    let mut lines = result::head(number, &finding.passage, finding.strength, detail);
    if !facets.is_empty() {
        let facets = facets.join(", ").replace('_', " ");
        lines.push(style(format!("    facets: {facets}")).dim().to_string());
    }
    for (name, passages) in fields {
        let label = format!("    {}: ", heading(name));
        for passage in passages {
            lines.extend(result::field(&label, "      ", passage, detail.most(2), width));
        }
    }
    lines.extend(quoted(&finding.text, "    ", "    ", detail.most(4), width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn a_result_has_its_place_its_fields_and_an_excerpt() {
        let passage = |text: &str| json!({"text": text, "section": "Hazards"});
        let report = json!({
            "result_type": "safety_analysis", "total_results": 1,
            "results": [{
                "text": "Hazard: the\npress closes.", "strength": "fair",
                "passage": {"passage_id": "1", "file": "press.md", "title": "Press", "section": null, "lines": [2, 8]},
                "fields": {"hazard": [passage("the press closes"), passage("hot oil")], "severity_class": [passage("II")]},
                "facets": ["hazards", "lessons_learned"],
            }],
            "gaps": [{"facet": "mitigations"}],
        });
        console::set_colors_enabled(false);
        insta::assert_snapshot!(render(&reply(report), Detail::Short, 70).join("\n"), @r#"
        [1] Press  fair
            press.md:2-8
            facets: hazards, lessons learned
            Hazard: the press closes
            Hazard: hot oil
            Severity class: II
            "Hazard: the press closes."

        Not covered:
          - Mitigations
        "#);
    }

    #[test]
    fn strategies_are_listed_with_what_they_read() {
        let list = json!({"strategies": [
            {"name": "safety_analysis", "description": "Hazards and what\nmitigates them.", "query_expansion": ["hazard"], "facets": ["hazards"], "output_fields": ["hazard", "severity"]},
            {"name": "plain", "description": "As it is.", "query_expansion": [], "facets": []},
        ]});
        console::set_colors_enabled(false);
        insta::assert_snapshot!(listed(&reply(list), 70).join("\n"), @r"
        safety_analysis
            Hazards and what mitigates them.
            searched too: hazard
            facets: hazards
            fields: hazard, severity
        plain
            As it is.
        ");
    }
}
