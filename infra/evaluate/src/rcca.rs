//! Past failures: checks that the right document comes first, and that its fields contain the known
//! quotes.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use console::Term;
use plumbline::api::Api;
use plumbline::evaluate::{Outcome, Run, names_document, read_lines, share};
use plumbline::wording::count;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Quote;
use super::judge::covers;

/// Questions with known answers, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The file; each line has `docs` and one or more phrasings, and may quote what belongs into
    /// which field.
    file: PathBuf,
    /// The phrasing that is asked.
    #[arg(long, default_value = "question")]
    phrasing: String,
    /// Sends queries beside the questions: a file of JSON lines with `id` and `queries`.
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Prints each question's rank and the quotes that were missed.
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Deserialize)]
struct Queries {
    id: String,
    queries: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Known {
    #[serde(default)]
    id: String,
    docs: Vec<String>,
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

/// The fields that quotes may belong to.
const FIELDS: [&str; 4] = ["symptoms", "root_cause", "contributing_factors", "resolution"];

#[derive(Debug, Default)]
struct Tally {
    run: Run,
    quoted: [usize; 4],
    extracted: [usize; 4],
}

pub(crate) fn run(api: &Api, questions: &Questions) -> Result<()> {
    let out = Term::stdout();
    let mut tally = Tally::default();
    let queries = match &questions.queries {
        Some(file) => read_lines::<Queries>(file)?,
        None => Vec::new(),
    };
    for known in read_lines::<Known>(&questions.file)? {
        let Some(question) = known.rest.get(&questions.phrasing).and_then(Value::as_str) else {
            continue;
        };
        let entry = queries.iter().find(|entry| entry.id == known.id);
        let texts = entry.map(|entry| entry.queries.as_slice()).unwrap_or_default();
        let answer: Value = plumbline::page::report(
            api,
            "/v1/rcca",
            &json!({"question": question, "queries": texts, "top_k": 30, "max_bytes": wire::fit::MOST}),
        )?;
        let rank = tally.judge(&known, &answer);
        let missed = tally.compare(&known, &answer);
        if questions.verbose {
            out.write_line(&format!(
                "{} {question}",
                rank.map_or("  -".into(), |rank| format!("{rank:3}"))
            ))?;
            missed
                .iter()
                .try_for_each(|missed| out.write_line(&format!("      missed {missed}")))?;
        }
    }
    tally.rendered_lines().iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

impl Tally {
    /// Counts the rank of the first right document and returns it.
    fn judge(&mut self, known: &Known, answer: &Value) -> Option<usize> {
        let results = answer["results"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_right = |result: &&Value| known.docs.iter().any(|doc| stands_in(result, doc));
        let rank = results.iter().position(|result| is_right(&result)).map(|place| place + 1);
        let question = known.id.clone();
        self.run.outcomes.push(Outcome { question, is_answerable: true, rank, abstains: false });
        rank
    }

    /// Counts the quotes that are in the same field of their document's result, and returns the
    /// others.
    fn compare(&mut self, known: &Known, answer: &Value) -> Vec<String> {
        let mut missed = Vec::new();
        for (number, field) in FIELDS.iter().enumerate() {
            for quote in quotes(known.rest.get(*field)) {
                let Some(result) = answer["results"].as_array().and_then(|results| {
                    results.iter().find(|result| stands_in(result, &quote.doc))
                }) else {
                    continue;
                };
                self.quoted[number] += 1;
                let passages = passages(&result["report"][field]);
                if passages.iter().any(|passage| covers(passage, &quote.quote)) {
                    self.extracted[number] += 1;
                } else {
                    missed.push(format!("{field}: {}", quote.quote));
                }
            }
        }
        missed
    }

    fn rendered_lines(&self) -> Vec<String> {
        let score = self.run.score();
        let asked = score.answerable;
        let mut lines = vec![format!(
            "{}: P@1 {}, R@5 {}, MRR {:.2}",
            count(asked, "question"),
            share(score.first, asked),
            share(score.among_five, asked),
            score.reciprocal_rank
        )];
        for (number, field) in FIELDS.iter().enumerate() {
            lines.push(format!(
                "  {field}: {} of {} quotes",
                self.extracted[number], self.quoted[number]
            ));
        }
        let (extracted, quoted): (usize, usize) =
            (self.extracted.iter().sum(), self.quoted.iter().sum());
        lines.push(format!(
            "  fields: {} of the quotes of documents that were found",
            share(extracted, quoted)
        ));
        lines
    }
}

fn stands_in(result: &Value, doc: &str) -> bool {
    result["passage"]["file"].as_str().is_some_and(|name| names_document(name, doc))
}

fn quotes(value: Option<&Value>) -> Vec<Quote> {
    value.and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}

fn passages(field: &Value) -> Vec<String> {
    let texts = match field {
        Value::Array(passages) => passages.iter().map(|passage| &passage["text"]).collect(),
        passage => vec![&passage["text"]],
    };
    texts.into_iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_of_the_document_and_the_quotes_in_their_fields_count() {
        let known: Known = serde_json::from_value(json!({
            "docs": ["rcca/pump.md"],
            "root_cause": [{"doc": "rcca/pump.md", "quote": "The seal wore out."}],
            "resolution": [{"doc": "rcca/pump.md", "quote": "It was replaced."}],
        }))
        .unwrap();
        let answer = json!({"results": [
            {"passage": {"file": "fan.md"}},
            {"passage": {"file": "pump.md"}, "report": {"root_cause": {"text": "The seal\nwore out."}, "resolution": null}},
        ]});
        let mut tally = Tally::default();
        assert_eq!(tally.judge(&known, &answer), Some(2));
        assert_eq!(tally.compare(&known, &answer), ["resolution: It was replaced."]);
        insta::assert_snapshot!(tally.rendered_lines().join("\n"), @r"
        1 question: P@1 0.00, R@5 1.00, MRR 0.50
          symptoms: 0 of 0 quotes
          root_cause: 1 of 1 quotes
          contributing_factors: 0 of 0 quotes
          resolution: 0 of 1 quotes
          fields: 0.50 of the quotes of documents that were found
        ");
    }
}
