//! The passages for a plan, for a person to read.

use anyhow::Result;
use clap::Args;
use console::style;
use wire::decisions::Decided;
use wire::plan::{PlanItem, PlanReport, PlanRequest, Precedent};

use super::citation::Citations;
use super::{Detail, Options, result};
use crate::api::Api;
use crate::project::related;
use crate::wording::{count, heading, quoted, remark, titled};

/// What is planned, and for which project.
#[derive(Debug, Args)]
#[command(mut_arg("project", |project| project.required(true)))]
pub(crate) struct Question {
    /// What is planned, or a question about it.
    #[arg(value_name = "QUESTION")]
    text: String,
    #[command(flatten)]
    options: Options,
}

/// The most lines of a rationale.
const LINES: usize = 4;

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { text, options } = question;
    options.ask::<PlanRequest, _>(api, "/v1/plan", options.body(text, None), render)
}

/// Shows what documents have, part by part, then what the project decided, the sources and what is
/// missing.
fn render(plan: &PlanReport, detail: Detail, width: usize) -> Vec<String> {
    let mut citations = Citations::default();
    let mut lines = Vec::new();
    if parts(plan).iter().all(|(_, findings)| findings.is_empty()) {
        lines.push("No indexed document speaks of this.".into());
    } else {
        for (name, findings) in parts(plan) {
            lines.extend(part_lines(name, findings, &mut citations, detail, width));
            lines.push(String::new());
        }
        lines.pop();
    }
    if !plan.project_decisions.is_empty() {
        lines.push(String::new());
        lines.push(style("Decided earlier in this project").bold().to_string());
    }
    for near in &plan.project_decisions {
        lines.extend(near_lines(near, &mut citations, width));
    }
    lines.extend(citations.listed(detail, width));
    lines.extend(result::not_covered(&plan.gaps, width));
    lines
}

/// Its parts by their names on the wire.
fn parts(plan: &PlanReport) -> [(&'static str, &[PlanItem]); 4] {
    [
        ("templates", &plan.templates),
        ("risks", &plan.risks),
        ("lessons_learned", &plan.lessons_learned),
        ("precedents", &plan.precedents),
    ]
}

fn part_lines<'a>(
    name: &str,
    findings: &'a [PlanItem],
    citations: &mut Citations<'a>,
    detail: Detail,
    width: usize,
) -> Vec<String> {
    let found = match findings.len() {
        0 => "nothing found".into(),
        number => count(number, "passage"),
    };
    let mut lines = vec![titled(&heading(name), &found)];
    for finding in findings {
        lines.extend(result::numbered(
            &finding.finding,
            &finding.also_in,
            citations,
            detail,
            width,
        ));
    }
    lines
}

/// A decision, how it stands, why it was taken and on which of the sources.
fn near_lines<'a>(near: &'a Precedent, citations: &mut Citations<'a>, width: usize) -> Vec<String> {
    let Precedent { decided: Decided { decision: decided, sources }, strength, .. } = near;
    let mut lines =
        related::head(&decided.decision, decided.status, decided.decided_at, *strength, width);
    lines.extend(quoted(&decided.rationale, "    ", "    ", LINES, width));
    let mut facts = vec![decided.decision_id.clone()];
    if let Some(later) = &decided.superseded_by {
        facts.push(format!("{later} took its place"));
    }
    if !decided.needs_review.is_empty() {
        facts.push("its evidence changed".into());
    }
    if !sources.is_empty() {
        let numbers: Vec<String> = sources.iter().map(|source| citations.cite(source)).collect();
        facts.push(format!("rests on {}", numbers.join("")));
    }
    lines.extend(remark(&facts.join(", "), width));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use wire::testing::reply;

    fn page(answer: Value) -> String {
        console::set_colors_enabled(false);
        render(&reply(answer), Detail::Short, 72).join("\n")
    }

    fn source(chunk: &str, name: &str) -> Value {
        json!({"passage_id": chunk, "file": name, "title": name.to_uppercase(), "section": "Decision", "lines": [1, 4]})
    }

    fn finding(chunk: &str, name: &str, content: &str, also_in: &[&str]) -> Value {
        json!({"text": content, "score": 0.7, "score_parts": {}, "passage": source(chunk, name), "also_in": also_in})
    }

    fn decision(status: &str, superseded_by: Option<&str>) -> Value {
        let mut source = source("3", "one.md");
        source["relevance"] = json!(0.8);
        source["quote"] = json!("we went with one cluster");
        source["hash"] = json!("00");
        source["document_id"] = json!("d");
        json!({
            "decision_id": "01D", "decision": "One cluster for dev/staging/prod", "alternatives": [], "rationale": "We went\nwith one cluster, for it keeps the cost at a minimum.",
            "status": status, "decided_at": "2019-06-01T00:00:00Z", "recorded_at": "2026-11-20T08:00:00Z", "by": "ana",
            "superseded_by": superseded_by, "source_count": 1, "version": 1, "history": [], "needs_review": [],
            "sources": [source], "score": 0.812, "strength": "weak",
        })
    }

    #[test]
    fn documents_come_first_and_then_what_the_project_decided() {
        insta::assert_snapshot!(page(json!({
            "result_type": "plan_analysis",
            "templates": [finding("1", "plan.md", "Step by step.", &["lessons_learned"])],
            "risks": [finding("2", "risk.md", "Clusters\ndiverge.", &[]), finding("3", "one.md", "One is enough.", &[])],
            "lessons_learned": [], "precedents": [],
            "gaps": [{"facet": "precedents"}],
            "project_decisions": [decision("superseded", Some("01E"))],
        })), @r#"
        Templates  1 passage
          [1] "Step by step."
              also: lessons learned

        Risks  2 passages
          [2] "Clusters diverge."
          [3] "One is enough."

        Lessons learned  nothing found

        Precedents  nothing found

        Decided earlier in this project
          - One cluster for dev/staging/prod (superseded, 2019-06-01)  weak
            "We went with one cluster, for it keeps the cost at a minimum."
            01D, 01E took its place, rests on [3]

        Sources
          [1] PLAN.MD, plan.md:1-4, "Decision"
          [2] RISK.MD, risk.md:1-4, "Decision"
          [3] ONE.MD, one.md:1-4, "Decision"

        Not covered:
          - Precedents
        "#);
    }

    #[test]
    fn decisions_are_shown_where_documents_are_silent() {
        insta::assert_snapshot!(page(json!({"result_type": "plan_analysis", "project_decisions": [decision("accepted", None)]})), @r#"
        No indexed document speaks of this.

        Decided earlier in this project
          - One cluster for dev/staging/prod (accepted, 2019-06-01)  weak
            "We went with one cluster, for it keeps the cost at a minimum."
            01D, rests on [1]

        Sources
          [1] ONE.MD, one.md:1-4, "Decision"
        "#);
    }
}
