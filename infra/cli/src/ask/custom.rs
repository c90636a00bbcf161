//! Asks by a strategy file, or lists the strategies.

use anyhow::Result;
use clap::Args;
use console::style;
use wire::custom::{CustomRequest, CustomWorkflowList};
use workflows::custom::VIEW;

use super::{Options, RESULTS};
use crate::api::Api;
use crate::page;
use crate::wording::{flat, wrapped};

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
        options.ask::<CustomRequest, _>(api, &format!("/v1/custom/{name}"), body, &VIEW)
    } else {
        page::print(api.get("/v1/custom")?, options.terms.json, listed)
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

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
