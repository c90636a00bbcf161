//! How well questions with known answers are answered.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use console::Term;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::Api;

/// Questions with known answers, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The file; each line has `docs` and one or more phrasings, and may quote what belongs into which field.
    file: PathBuf,
    /// The phrasing that is asked.
    #[arg(long, default_value = "question")]
    phrasing: String,
    /// Tells each question's rank and the quotes that were missed.
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Deserialize)]
struct Known {
    docs: Vec<String>,
    #[serde(flatten)]
    rest: serde_json::Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Quote {
    doc: String,
    quote: String,
}

/// The fields that quotes may belong to.
const FIELDS: [&str; 4] = ["symptoms", "root_cause", "contributing_factors", "resolution"];

#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    first: usize,
    in_five: usize,
    reciprocal: f64,
    quoted: [usize; 4],
    extracted: [usize; 4],
}

pub(crate) fn rcca(api: &Api, questions: &Questions) -> Result<()> {
    let text = std::fs::read_to_string(&questions.file)
        .with_context(|| format!("{} cannot be read", questions.file.display()))?;
    let out = Term::stdout();
    let mut tally = Tally::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let known: Known = serde_json::from_str(line)?;
        let Some(question) = known.rest.get(&questions.phrasing).and_then(Value::as_str) else {
            continue;
        };
        let answer: Value = api
            .post("/v1/rcca", &json!({"question": question, "top_k": 30}))?
            .map_err(anyhow::Error::from)?;
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
    tally.shown().iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

impl Tally {
    /// Counts the rank of the first right document, which it gives.
    fn judge(&mut self, known: &Known, answer: &Value) -> Option<usize> {
        let results = answer["results"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_right = |result: &&Value| known.docs.iter().any(|doc| is_of(result, doc));
        let rank = results.iter().position(|result| is_right(&result)).map(|place| place + 1);
        self.asked += 1;
        self.first += usize::from(rank == Some(1));
        self.in_five += usize::from(rank.is_some_and(|rank| rank <= 5));
        #[expect(clippy::cast_precision_loss, reason = "a rank of at most 50")]
        let reciprocal = rank.map_or(0.0, |rank| 1.0 / rank as f64);
        self.reciprocal += reciprocal;
        rank
    }

    /// Counts the quotes that stand in the same field of their document's result, and gives the others.
    fn compare(&mut self, known: &Known, answer: &Value) -> Vec<String> {
        let mut missed = Vec::new();
        for (number, field) in FIELDS.iter().enumerate() {
            for quote in quotes(known.rest.get(*field)) {
                let Some(result) = answer["results"]
                    .as_array()
                    .and_then(|results| results.iter().find(|result| is_of(result, &quote.doc)))
                else {
                    continue;
                };
                self.quoted[number] += 1;
                let passages = passages(&result["rcca_metadata"][field]);
                if passages.iter().any(|passage| covers(passage, &quote.quote)) {
                    self.extracted[number] += 1;
                } else {
                    missed.push(format!("{field}: {}", quote.quote));
                }
            }
        }
        missed
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of questions")]
    fn shown(&self) -> Vec<String> {
        let share = |part: usize, whole: usize| {
            if whole == 0 { f64::NAN } else { part as f64 / whole as f64 }
        };
        let mut lines = vec![format!(
            "{} questions: P@1 {:.2}, R@5 {:.2}, MRR {:.2}",
            self.asked,
            share(self.first, self.asked),
            share(self.in_five, self.asked),
            self.reciprocal / self.asked.max(1) as f64
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
            "  fields: {:.2} of the quotes of documents that were found",
            share(extracted, quoted)
        ));
        lines
    }
}

fn is_of(result: &Value, doc: &str) -> bool {
    result["source"]["name"].as_str().is_some_and(|name| {
        doc == name || doc.ends_with(&format!("/{name}")) || name.ends_with(&format!("/{doc}"))
    })
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

/// Whether the passage holds the quote, or at least eight in ten of its words.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn covers(passage: &str, quote: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (own, wanted) = (words(passage), words(quote));
    let held = wanted.iter().filter(|word| own.contains(word)).count();
    !wanted.is_empty() && held as f64 >= 0.8 * wanted.len() as f64
}
