//! A subject, facet by facet, for a person to read.

use anyhow::Result;
use clap::Args;
use console::style;
use serde_json::{Value, json};
use wire::explore::{DefinedTerm, ExploreReport, ExploreRequest, FacetReport};

use super::citation::Citations;
use super::{Detail, Options, decided, result};
use crate::api::Api;
use crate::wording::{count, flat, heading, titled, wrapped};

/// A subject and what is wanted of it.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The subject, or a question about it.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// An aspect instead of the standard ones, and the words it is searched with; may be given
    /// several times.
    #[arg(long = "facet", value_name = "NAME[=PROBE]", value_parser = facet)]
    facets: Vec<Value>,
    #[command(flatten)]
    options: Options,
}

/// Reads `NAME`, or `NAME=PROBE`, as the API takes it.
fn facet(text: &str) -> Result<Value, String> {
    let (name, probe) = text.split_once('=').unwrap_or((text, ""));
    match (name.trim(), probe.trim()) {
        ("", _) => Err("must be NAME or NAME=PROBE".into()),
        (name, "") => Ok(json!(name)),
        (name, probe) => Ok(json!({"name": name, "probe": probe})),
    }
}

impl Question {
    /// Makes a question of nothing but its text.
    pub(super) fn of(text: &str, options: Options) -> Question {
        Question { text: text.into(), facets: Vec::new(), options }
    }
}

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { text, facets, options } = question;
    let mut body = options.body(text, None);
    if !facets.is_empty() {
        body["facets"] = json!(facets);
    }
    options.ask::<ExploreRequest, _>(api, "/v1/explore", body, render)
}

/// Facet by facet, then the terms, the sources and what is missing.
fn render(report: &ExploreReport, detail: Detail, width: usize) -> Vec<String> {
    let ExploreReport { decided, facets, gaps, terms, .. } = report;
    let mut citations = Citations::default();
    let mut lines = decided::lines(decided, &mut citations, width);
    if facets.iter().all(|facet| facet.results.is_empty()) {
        lines.push("No indexed document speaks of this.".into());
    } else {
        for facet in facets {
            lines.extend(facet_lines(facet, facets, &mut citations, detail, width));
            lines.push(String::new());
        }
        lines.pop();
    }
    if !terms.is_empty() {
        lines.extend([String::new(), style("Terms").bold().to_string()]);
    }
    lines.extend(terms.iter().flat_map(|term| term_lines(term, &mut citations, width)));
    lines.extend(citations.listed(detail, width));
    lines.extend(result::not_covered(gaps, width));
    lines
}

fn facet_lines<'a>(
    facet: &'a FacetReport,
    all: &'a [FacetReport],
    citations: &mut Citations<'a>,
    detail: Detail,
    width: usize,
) -> Vec<String> {
    let shared: Vec<String> = all
        .iter()
        .flat_map(|other| &other.results)
        .filter(|finding| finding.also_in.contains(&facet.facet))
        .map(|finding| citations.cite(&finding.finding.passage))
        .collect();
    let (passages, documents) = (facet.coverage.passages, facet.coverage.documents);
    let coverage = match (facet.results.len() + shared.len(), passages) {
        (0, 0) => "nothing found".into(),
        _ => format!("{} in {}", count(passages, "passage"), count(documents, "document")),
    };
    let mut lines = vec![titled(&heading(&facet.facet), &coverage)];
    for finding in &facet.results {
        lines.extend(result::numbered(
            &finding.finding,
            &finding.also_in,
            citations,
            detail,
            width,
        ));
    }
    if !shared.is_empty() {
        lines.push(format!("  listed elsewhere: {}", shared.join(" ")));
    }
    lines
}

fn term_lines<'a>(
    term: &'a DefinedTerm,
    citations: &mut Citations<'a>,
    width: usize,
) -> Vec<String> {
    let mut lines = vec![format!("  {}", term.term)];
    for definition in &term.definitions {
        let number = citations.cite(&definition.passage);
        let text = format!("\"{}\" {number}", flat(&definition.quote.text));
        lines.extend(wrapped(&text, "    - ", "      ", width));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::testing::reply;

    fn page(answer: Value) -> String {
        console::set_colors_enabled(false);
        render(&reply(answer), Detail::Short, 72).join("\n")
    }

    fn source(chunk: &str, name: &str) -> Value {
        json!({"passage_id": chunk, "file": name, "title": name.to_uppercase(), "section": "Basics", "lines": [1, 4]})
    }

    #[test]
    fn facets_come_with_their_coverage_and_what_is_missing_comes_last() {
        let first = json!({
            "text": "A derating\nlimit is the share of its rating that a part may carry.", "score": 0.9,
            "passage": source("1", "derating.md"), "also_in": ["best_practices"], "later_field": true,
        });
        let long = "Parts run cool. ".repeat(40);
        let second =
            json!({"text": long, "score": 0.4, "passage": source("2", "parts.md"), "also_in": []});
        let term = |chunk: &str, name: &str, text: &str| json!({"text": text, "section": null, "passage": source(chunk, name)});
        insta::assert_snapshot!(page(json!({
            "result_type": "exploratory",
            "facets": [
                {"facet": "definitions", "results": [first], "coverage": {"passages": 1, "documents": 1}},
                {"facet": "best_practices", "results": [second], "coverage": {"passages": 2, "documents": 2}},
                {"facet": "standards", "results": [], "coverage": {"passages": 0, "documents": 0}},
            ],
            "total_facets": 3,
            "gaps": [{"facet": "standards"}],
            "terms": [{"term": "derating", "definitions": [
                term("1", "derating.md", "Derating is use below the rating."),
                term("3", "nasa.md", "Derating: the reduction of\nstress."),
            ]}],
        })), @r#"
        Definitions  1 passage in 1 document
          [1] "A derating limit is the share of its rating that a part may
              carry."
              also: best practices

        Best practices  2 passages in 2 documents
          [2] "Parts run cool. Parts run cool. Parts run cool. Parts run
              cool. Parts run cool. Parts run cool. Parts run cool. Parts
              run cool. Parts run cool. Parts run cool. Parts run cool. ..."
          listed elsewhere: [1]

        Standards  nothing found

        Terms
          derating
            - "Derating is use below the rating." [1]
            - "Derating: the reduction of stress." [3]

        Sources
          [1] DERATING.MD, derating.md:1-4, "Basics"
          [2] PARTS.MD, parts.md:1-4, "Basics"
          [3] NASA.MD, nasa.md:1-4, "Basics"

        Not covered:
          - Standards
        "#);
    }

    #[test]
    fn nothing_found_is_said() {
        let empty = json!({"facet": "examples", "results": [], "coverage": {"passages": 0, "documents": 0}});
        let gap = json!({"facet": "examples"});
        insta::assert_snapshot!(page(json!({"facets": [empty], "gaps": [gap], "terms": []})), @r"
        No indexed document speaks of this.

        Not covered:
          - Examples
        ");
    }

    #[test]
    fn a_facet_may_have_a_probe() {
        assert_eq!(facet("risks"), Ok(json!("risks")));
        assert_eq!(
            facet("risks = what fails"),
            Ok(json!({"name": "risks", "probe": "what fails"}))
        );
        assert!(facet("=what").is_err());
    }
}
