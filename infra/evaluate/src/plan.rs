//! Plans: records trails of decisions as projects, then checks known quotes in the answers and the
//! status of each decision.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use console::Term;
use plumbline::api::Api;
use plumbline::evaluate::{names_document, read_lines, share};
use plumbline::wording::{count, flat};
use serde::Deserialize;
use serde_json::json;
use wire::decisions::Decided;
use wire::plan::PlanReport;

use super::Quote;
use super::judge::covers;

mod replay;
mod trail;

use replay::Replayed;
use trail::Trail;

/// Trails of decisions and questions on them, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The trails; each line has `project`, `description` and `decisions`: `[{doc, title, date,
    /// status}]`.
    trails: PathBuf,
    /// The questions; each line has `project`, `question`, `docs` and `expected`: `[{doc, quote}]`.
    #[arg(value_name = "QUESTIONS")]
    file: PathBuf,
    /// The prefix of a document's uploaded name in these files.
    #[arg(long, default_value = "trade/")]
    corpus_prefix: String,
    /// Prints what was missed, and which decisions each answer holds.
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Deserialize)]
struct Known {
    project: String,
    question: String,
    docs: Vec<String>,
    expected: Vec<Quote>,
}

#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    quotes: usize,
    found: usize,
    /// The decisions that the questions are about, those in the answer, and those with the right
    /// status.
    decisions: usize,
    present: usize,
    right: usize,
}

pub(crate) fn run(api: &Api, questions: &Questions) -> Result<()> {
    let out = Term::stdout();
    let trails: Vec<Trail> = read_lines(&questions.trails)?;
    let asked: Vec<Known> = read_lines(&questions.file)?;
    let mut replayed = Vec::new();
    for trail in &trails {
        let project = replay::replay(api, trail, &questions.corpus_prefix)
            .with_context(|| format!("the trail of {}", trail.project))?;
        project.render().iter().try_for_each(|line| out.write_line(line))?;
        replayed.push(project);
    }
    let mut tally = Tally::default();
    for known in &asked {
        let project = replayed.iter().find(|project| project.name == known.project);
        let project = project.with_context(|| format!("no trail is that of {}", known.project))?;
        let body = json!({"question": known.question, "project_id": project.project_id, "max_bytes": wire::fit::MOST});
        let answer: PlanReport = plumbline::page::report(api, "/v1/plan", &body)?;
        let lines = tally.judge(known, project, &answer);
        if questions.verbose {
            out.write_line(&known.question)?;
            lines.iter().try_for_each(|line| out.write_line(line))?;
        }
    }
    tally.rendered_lines().iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

impl Tally {
    /// Counts what is right; returns lines about what is missing and about the decisions in the
    /// answer.
    fn judge(&mut self, known: &Known, project: &Replayed, plan: &PlanReport) -> Vec<String> {
        let mut lines = Vec::new();
        self.asked += 1;
        for quote in &known.expected {
            let texts = texts(plan, &quote.doc, project.decision(&quote.doc));
            let is_found = texts.iter().any(|text| has(text, &quote.quote));
            self.quotes += 1;
            self.found += usize::from(is_found);
            if !is_found {
                lines.push(format!("  missed {} ({})", flat(&quote.quote), quote.doc));
            }
        }
        for doc in &known.docs {
            self.decisions += 1;
            lines.extend(self.judge_status(doc, project, plan));
        }
        lines.extend(plan.project_decisions.iter().map(|near| {
            let title = flat(&near.decided.decision.decision);
            format!("    {:.3} {title} ({})", near.score, near.decided.decision.status.name())
        }));
        lines
    }

    /// Counts the document's decision if it is in the answer with its right status; otherwise
    /// returns a line about it.
    fn judge_status(&mut self, doc: &str, project: &Replayed, plan: &PlanReport) -> Option<String> {
        let Some((decision_id, expected)) = project.decision(doc) else {
            return Some(format!("  not recorded: {doc}"));
        };
        let held = plan
            .project_decisions
            .iter()
            .find(|near| near.decided.decision.decision_id == decision_id);
        let Some(held) = held else {
            return Some(format!("  not in the answer: {doc}, {expected}"));
        };
        let status = held.decided.decision.status.name();
        let is_right = status == expected;
        self.present += 1;
        self.right += usize::from(is_right);
        (!is_right).then(|| format!("  {status}, but it is {expected}: {doc}"))
    }

    fn rendered_lines(&self) -> Vec<String> {
        let Tally { asked, quotes, found, decisions, present, right } = self;
        let line = |what: &str, part: usize, whole: usize| {
            format!("  {what}: {} ({part} of {whole})", share(part, whole))
        };
        vec![
            format!("{}, {}", count(*asked, "question"), count(*quotes, "quote")),
            line("quotes in the answer", *found, *quotes),
            line("decisions in the answer", *present, *decisions),
            line("decisions in the answer with the right status", *right, *decisions),
        ]
    }
}

/// Returns all texts of the answer that come from the document: its passages, the quotes of
/// decisions, and the rationale and status of the decision that was recorded from it.
fn texts<'a>(plan: &'a PlanReport, doc: &str, decision: Option<(&str, &str)>) -> Vec<&'a str> {
    let parts = [&plan.templates, &plan.risks, &plan.lessons_learned, &plan.precedents];
    let results = parts.into_iter().flatten().map(|aspect| &aspect.result);
    let mut texts: Vec<&str> = results
        .filter(|result| names_document(&result.passage.file, doc))
        .map(|result| result.text.as_str())
        .collect();
    for near in &plan.project_decisions {
        let Decided { decision: decided, sources } = &near.decided;
        let of_doc = sources.iter().filter(|source| names_document(&source.file, doc));
        texts.extend(of_doc.map(|source| source.quote.as_str()));
        if decision.is_some_and(|(decision_id, _)| decision_id == decided.decision_id) {
            texts.push(&decided.rationale);
        }
    }
    texts
}

/// Returns true if the passage contains the quote regardless of white space, or eight in ten of its
/// words.
fn has(passage: &str, quote: &str) -> bool {
    flat(passage).contains(&flat(quote)) || covers(passage, quote)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use wire::testing::reply;

    fn decision(id: &str, name: &str, status: &str) -> Value {
        json!({
            "decision_id": id, "decision": "One\ncluster", "rationale": "It keeps the overhead low.", "status": status,
            "decided_at": "2019-06-01T00:00:00Z", "recorded_at": "2026-11-20T14:02:03Z", "by": "ana", "version": 1, "score": 0.8,
            "sources": [{"passage_id": "c", "relevance": 0.8, "file": name, "title": "T", "quote": "we went with one\ncluster, using namespaces"}],
        })
    }

    fn plan() -> PlanReport {
        let source = json!({"passage_id": "c", "file": "b.md", "title": "B"});
        let result = json!({"text": "❌ Rejected", "score": 0.5, "passage": source, "also_in": []});
        let decisions = [decision("1", "a.md", "accepted"), decision("2", "c.md", "superseded")];
        reply(json!({"risks": [result], "project_decisions": decisions}))
    }

    fn replayed() -> Replayed {
        let decisions =
            [("a.md", "1", "superseded"), ("c.md", "2", "superseded"), ("d.md", "4", "accepted")];
        let decisions =
            decisions.map(|(doc, id, status)| (format!("trade/{doc}"), (id.to_owned(), status)));
        Replayed { name: "p".into(), decisions: decisions.into(), ..Replayed::default() }
    }

    #[test]
    fn quotes_count_by_their_document_and_decisions_by_how_they_stand() {
        let quote = |doc: &str, quote: &str| json!({"doc": format!("trade/{doc}"), "quote": quote});
        let known: Known = serde_json::from_value(json!({
            "project": "p", "question": "One cluster?",
            "docs": ["trade/a.md", "trade/c.md", "trade/d.md", "trade/e.md"],
            "expected": [
                quote("a.md", "One cluster, using  namespaces"), quote("a.md", "keeps the overhead low"),
                quote("b.md", "❌ Rejected"), quote("b.md", "keeps the overhead low"),
            ],
        }))
        .unwrap();
        let mut tally = Tally::default();
        let lines = tally.judge(&known, &replayed(), &plan());
        insta::assert_snapshot!(lines.join("\n"), @r"
        missed keeps the overhead low (trade/b.md)
        accepted, but it is superseded: trade/a.md
        not in the answer: trade/d.md, accepted
        not recorded: trade/e.md
          0.800 One cluster (accepted)
          0.800 One cluster (superseded)
        ");
        insta::assert_snapshot!(tally.rendered_lines().join("\n"), @r"
        1 question, 4 quotes
          quotes in the answer: 0.75 (3 of 4)
          decisions in the answer: 0.50 (2 of 4)
          decisions in the answer with the right status: 0.25 (1 of 4)
        ");
    }
}
