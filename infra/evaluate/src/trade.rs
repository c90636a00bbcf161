//! Alternatives: checks that known facts are listed under the right alternative and criterion, and
//! that values are right.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use console::Term;
use plumbline::api::Api;
use plumbline::evaluate::{names_document, read_lines, share};
use plumbline::wording::{count, flat};
use serde::Deserialize;
use serde_json::{Value, json};
use wire::trade::{TradeEvidence, TradeReport};

use super::judge::{covers, holds};

/// Questions with known facts, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The file; each line has `question`, `alternatives` and `facts`: `{alternative, criterion,
    /// value, doc, quote}`.
    file: PathBuf,
    /// The number of results asked for.
    #[arg(long, default_value_t = 10)]
    top_k: u32,
    /// Does not name the facts' criteria, which leaves them to be found.
    #[arg(long)]
    without_criteria: bool,
    /// Prints the facts that were missed, and each piece of evidence: `+` its value is right, `-`
    /// it is not.
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Deserialize)]
struct Known {
    question: String,
    /// The names, or names with aliases, in the form of the API.
    alternatives: Vec<Value>,
    facts: Vec<Fact>,
}

#[derive(Debug, Deserialize)]
struct Fact {
    alternative: String,
    criterion: String,
    value: String,
    doc: String,
    quote: String,
}

#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    facts: usize,
    under_alternative: usize,
    under_criterion: usize,
    values: usize,
    right_values: usize,
}

pub(crate) fn run(api: &Api, questions: &Questions) -> Result<()> {
    let out = Term::stdout();
    let mut tally = Tally::default();
    for known in read_lines::<Known>(&questions.file)? {
        let mut body = json!({"question": known.question, "top_k": questions.top_k, "alternatives": known.alternatives, "max_bytes": wire::fit::MOST});
        if !questions.without_criteria {
            body["criteria"] = json!(known.criteria());
        }
        let answer: TradeReport = plumbline::page::report(api, "/v1/trade", &body)?;
        let lines = tally.judge(&known, &answer);
        if questions.verbose {
            out.write_line(&known.question)?;
            lines.iter().try_for_each(|line| out.write_line(line))?;
        }
    }
    tally.rendered_lines().iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

impl Known {
    /// Returns the criteria of the facts without duplicates.
    fn criteria(&self) -> Vec<&str> {
        let mut criteria: Vec<&str> = Vec::new();
        for fact in &self.facts {
            if !criteria.iter().any(|known| is_same(known, &fact.criterion)) {
                criteria.push(&fact.criterion);
            }
        }
        criteria
    }
}

impl Fact {
    fn is_stated_by(&self, evidence: &TradeEvidence) -> bool {
        let is_there =
            holds(&evidence.evidence, &self.value) || covers(&evidence.evidence, &self.quote);
        is_there && names_document(&evidence.passage.file, &self.doc)
    }

    fn is_value_of(&self, evidence: &TradeEvidence) -> bool {
        let value = evidence.value.as_ref();
        value.is_some_and(|value| holds(&value.text, &self.value))
            || holds(&evidence.evidence, &self.value)
    }
}

impl Tally {
    /// Counts what is right; returns lines about what is missing and about each piece of evidence.
    fn judge(&mut self, known: &Known, study: &TradeReport) -> Vec<String> {
        self.asked += 1;
        let mut lines = Vec::new();
        for fact in &known.facts {
            let cells =
                study.alternatives.iter().filter(|listed| is_same(&listed.name, &fact.alternative));
            let found: Vec<&TradeEvidence> = cells
                .flat_map(|alternative| &alternative.criteria)
                .filter(|evidence| fact.is_stated_by(evidence))
                .collect();
            let is_filed = found.iter().any(|found| is_same(&found.name, &fact.criterion));
            self.facts += 1;
            self.under_alternative += usize::from(!found.is_empty());
            self.under_criterion += usize::from(is_filed);
            let Fact { alternative, criterion, value, .. } = fact;
            match found.first() {
                None => lines.push(format!(
                    "  missed {alternative}, {criterion}: {value} ({})",
                    flat(&fact.quote)
                )),
                Some(other) if !is_filed => {
                    lines.push(format!(
                        "  misfiled {alternative}, {criterion}: {value} (under {})",
                        other.name
                    ));
                }
                Some(_) => {}
            }
        }
        lines.extend(self.judge_values(known, study));
        lines
    }

    /// Counts the values in the facts' cells that come from the facts' documents; returns a line
    /// about each piece of evidence.
    fn judge_values(&mut self, known: &Known, study: &TradeReport) -> Vec<String> {
        let mut lines = Vec::new();
        for alternative in &study.alternatives {
            for evidence in &alternative.criteria {
                let facts: Vec<&Fact> = known
                    .facts
                    .iter()
                    .filter(|fact| is_same(&fact.alternative, &alternative.name))
                    .filter(|fact| is_same(&fact.criterion, &evidence.name))
                    .filter(|fact| names_document(&evidence.passage.file, &fact.doc))
                    .collect();
                let value = evidence.value.as_ref().map(|value| flat(&value.text));
                let mut mark = ' ';
                if value.is_some() && !facts.is_empty() {
                    let is_right = facts.iter().any(|fact| fact.is_value_of(evidence));
                    self.values += 1;
                    self.right_values += usize::from(is_right);
                    mark = if is_right { '+' } else { '-' };
                }
                lines.push(format!(
                    "  {mark} {}, {}: {} \"{}\" ({})",
                    alternative.name,
                    evidence.name,
                    value.unwrap_or("no value".into()),
                    flat(&evidence.evidence),
                    evidence.passage.file
                ));
            }
        }
        lines
    }

    fn rendered_lines(&self) -> Vec<String> {
        let Tally { asked, facts, under_alternative, under_criterion, values, right_values } = self;
        let line = |what: &str, part: usize, whole: usize| {
            format!("  {what}: {} ({part} of {whole})", share(part, whole))
        };
        vec![
            format!("{}, {}", count(*asked, "question"), count(*facts, "fact")),
            line("facts under the right alternative", *under_alternative, *facts),
            line("facts under the right alternative and criterion", *under_criterion, *facts),
            line("values in the facts' cells that are right", *right_values, *values),
        ]
    }
}

fn is_same(name: &str, other: &str) -> bool {
    name.trim().to_lowercase() == other.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::testing::reply;

    fn evidence(criterion: &str, quote: &str, value: Option<&str>, name: &str) -> Value {
        json!({
            "name": criterion, "evidence": quote, "value": value.map(|text| json!({"text": text, "number": 1.0, "unit": ""})),
            "score": 0.5, "passage": {"passage_id": "c", "file": name, "title": "T"},
        })
    }

    fn fact(alternative: &str, criterion: &str, value: &str, quote: &str) -> Value {
        json!({"alternative": alternative, "criterion": criterion, "value": value, "doc": "trade/adr.md", "quote": quote})
    }

    #[test]
    fn a_fact_counts_under_its_alternative_and_criterion_and_from_its_document() {
        let known: Known = serde_json::from_value(json!({
            "question": "Bugsnag or Sentry?", "alternatives": ["Bugsnag", {"name": "Sentry", "aliases": []}],
            "facts": [
                fact("Bugsnag", "cost", "$199/mo", "(**$199/mo** for 450k events)"),
                fact("Sentry", "cost", "$89/mo", "(**$89/mo** for 500k events)"),
                fact("Sentry", "ranking", "#1", "it was ranked the #1"),
                fact("Bugsnag", "Cost", "limited", "the free plan is limited in time"),
            ],
        }))
        .unwrap();
        let study = json!({"alternatives": [
            {"name": "bugsnag", "criteria": [
                evidence("Cost", "it takes $199 / mo", Some("$199 / mo"), "adr.md"),
                evidence("Cost", "with 15 collaborators", Some("15 collaborators"), "adr.md"),
            ]},
            {"name": "Sentry", "criteria": [
                evidence("cost", "costs $89/mo", Some("$89/mo"), "other.md"),
                evidence("popularity", "it was **ranked** the #1", None, "adr.md"),
            ]},
        ]});
        assert_eq!(known.criteria(), ["cost", "ranking"]);
        let mut tally = Tally::default();
        let lines = tally.judge(&known, &reply(study));
        insta::assert_snapshot!(lines.join("\n"), @r#"
        missed Sentry, cost: $89/mo ((**$89/mo** for 500k events))
        misfiled Sentry, ranking: #1 (under popularity)
        missed Bugsnag, Cost: limited (the free plan is limited in time)
        + bugsnag, Cost: $199 / mo "it takes $199 / mo" (adr.md)
        - bugsnag, Cost: 15 collaborators "with 15 collaborators" (adr.md)
          Sentry, cost: $89/mo "costs $89/mo" (other.md)
          Sentry, popularity: no value "it was **ranked** the #1" (adr.md)
        "#);
        insta::assert_snapshot!(tally.rendered_lines().join("\n"), @r"
        1 question, 4 facts
          facts under the right alternative: 0.50 (2 of 4)
          facts under the right alternative and criterion: 0.25 (1 of 4)
          values in the facts' cells that are right: 0.50 (1 of 2)
        ");
    }
}
