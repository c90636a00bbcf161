//! Subjects: checks that known quotes are listed under their facet, and that the best passage is
//! about the subject.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use console::Term;
use plumbline::api::Api;
use plumbline::evaluate::{names_document, read_lines, share};
use plumbline::wording::{count, flat};
use serde::Deserialize;
use serde_json::json;
use wire::common::AnswerMode;
use wire::explore::{Aspect, ExploreReport, FacetReport};

use super::Quote;
use super::judge::covers;

/// Subjects with known quotes, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The file; each line has `question`, `facets`: `{facet: [{doc, quote}]}`, `docs` and perhaps
    /// `on_topic_docs`.
    file: PathBuf,
    /// The mode of the answers; otherwise that of the function.
    #[arg(long, value_parser = plumbline::ask::mode)]
    mode: Option<AnswerMode>,
    /// The number of passages that a facet lists; otherwise that of the function.
    #[arg(long)]
    top_k: Option<u32>,
    /// Prints the quotes that were missed, and each passage.
    #[arg(long)]
    verbose: bool,
}

#[derive(Debug, Deserialize)]
struct Known {
    question: String,
    facets: BTreeMap<String, Vec<Quote>>,
    docs: Vec<String>,
    on_topic_docs: Option<Vec<String>>,
}

#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    on_topic: usize,
    in_docs: usize,
    /// The number of quotes found and of all quotes, by facet.
    quotes: BTreeMap<String, (usize, usize)>,
}

pub(crate) fn run(api: &Api, questions: &Questions) -> Result<()> {
    let out = Term::stdout();
    let mut tally = Tally::default();
    for known in read_lines::<Known>(&questions.file)? {
        let body = json!({"question": known.question, "mode": questions.mode, "top_k": questions.top_k, "max_bytes": wire::fit::MOST});
        let answer: ExploreReport = plumbline::page::report(api, "/v1/explore", &body)?;
        let lines = tally.judge(&known, &answer);
        if questions.verbose {
            out.write_line(&known.question)?;
            lines.iter().try_for_each(|line| out.write_line(line))?;
        }
    }
    tally.rendered_lines().iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

impl Tally {
    /// Counts what is right; returns lines about the missing quotes and about each passage.
    fn judge(&mut self, known: &Known, exploration: &ExploreReport) -> Vec<String> {
        let mut lines = Vec::new();
        for (facet, quotes) in &known.facets {
            let (found, all) = self.quotes.entry(facet.clone()).or_default();
            for quote in quotes {
                *all += 1;
                if is_found(quote, facet, exploration) {
                    *found += 1;
                } else {
                    lines.push(format!("  missed {facet}: {} ({})", flat(&quote.quote), quote.doc));
                }
            }
        }
        let stands_in = |docs: &[String]| {
            best(exploration).is_some_and(|best| {
                docs.iter().any(|doc| names_document(&best.result.passage.file, doc))
            })
        };
        self.asked += 1;
        self.in_docs += usize::from(stands_in(&known.docs));
        let on_topic = known.on_topic_docs.as_deref();
        self.on_topic += usize::from(stands_in(on_topic.unwrap_or(&known.docs)));
        lines.extend(exploration.facets.iter().flat_map(passages));
        lines
    }

    fn rendered_lines(&self) -> Vec<String> {
        let found = self.quotes.values().map(|(found, _)| found).sum();
        let all = self.quotes.values().map(|(_, all)| all).sum();
        let mut lines = vec![
            format!(
                "{}: the best passage on the subject {}, of the documents known {}",
                count(self.asked, "question"),
                share(self.on_topic, self.asked),
                share(self.in_docs, self.asked)
            ),
            format!("  quotes under their facet: {} ({found} of {all})", share(found, all)),
        ];
        for (facet, (found, all)) in &self.quotes {
            lines.push(format!("    {facet}: {} ({found} of {all})", share(*found, *all)));
        }
        lines
    }
}

/// Returns true if the quote is in one of the facet's passages, or in one that is listed elsewhere
/// and also serves the facet.
fn is_found(quote: &Quote, facet: &str, exploration: &ExploreReport) -> bool {
    exploration.facets.iter().any(|listed| {
        let is_own = listed.facet == facet;
        listed.results.iter().any(|aspect| {
            let serves = is_own || aspect.also_in.iter().any(|name| name == facet);
            serves
                && names_document(&aspect.result.passage.file, &quote.doc)
                && covers(&aspect.result.text, &quote.quote)
        })
    })
}

/// Returns the passage with the best score; of several, the one listed first.
fn best(exploration: &ExploreReport) -> Option<&Aspect> {
    let all = exploration.facets.iter().flat_map(|facet| &facet.results);
    all.reduce(|best, next| if next.result.score > best.result.score { next } else { best })
}

fn passages(facet: &FacetReport) -> Vec<String> {
    let line = |aspect: &Aspect| {
        let also = if aspect.also_in.is_empty() {
            String::new()
        } else {
            format!(", also {}", aspect.also_in.join(", "))
        };
        let start: String = flat(&aspect.result.text).chars().take(100).collect();
        format!(
            "    {}{also}: {:.3} {} \"{start}\"",
            facet.facet, aspect.result.score, aspect.result.passage.file
        )
    };
    facet.results.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use wire::testing::reply;

    fn result(name: &str, content: &str, score: f64, also_in: &[&str]) -> Value {
        json!({"text": content, "score": score, "passage": {"passage_id": name, "file": name, "title": "T"}, "also_in": also_in})
    }

    fn exploration() -> ExploreReport {
        let of_definitions = [
            result("a.md", "Risk is the potential for shortfalls.", 0.5, &["standards"]),
            result("b.md", "x", 0.9, &[]),
            result("d.md", "Risk assessment is an evaluation.", 0.1, &["standards"]),
        ];
        reply(json!({"facets": [
            {"facet": "definitions", "results": of_definitions, "coverage": {"passages": 3, "documents": 3}},
            {"facet": "standards", "results": [], "coverage": {"passages": 2, "documents": 2}},
        ]}))
    }

    #[test]
    fn a_quote_counts_under_its_facet_or_where_a_passage_serves_it_too() {
        let risk = json!({"doc": "explore/a.md", "quote": "Risk is the potential"});
        let assessment =
            json!({"doc": "explore/d.md", "quote": "risk assessment is an\nevaluation"});
        let elsewhere = json!({"doc": "explore/b.md", "quote": "Risk is the potential"});
        let known: Known = serde_json::from_value(json!({
            "question": "risk", "docs": ["explore/a.md"], "on_topic_docs": ["explore/a.md", "explore/b.md"],
            "facets": {"definitions": [risk, assessment, elsewhere], "standards": [risk, assessment], "examples": []},
        }))
        .unwrap();
        let mut tally = Tally::default();
        let lines = tally.judge(&known, &exploration());
        insta::assert_snapshot!(lines.join("\n"), @r#"
        missed definitions: Risk is the potential (explore/b.md)
          definitions, also standards: 0.500 a.md "Risk is the potential for shortfalls."
          definitions: 0.900 b.md "x"
          definitions, also standards: 0.100 d.md "Risk assessment is an evaluation."
        "#);
        insta::assert_snapshot!(tally.rendered_lines().join("\n"), @r"
        1 question: the best passage on the subject 1.00, of the documents known 0.00
          quotes under their facet: 0.80 (4 of 5)
            definitions: 0.67 (2 of 3)
            examples: - (0 of 0)
            standards: 1.00 (2 of 2)
        ");
    }

    #[test]
    fn without_documents_on_the_subject_those_known_count() {
        let known = json!({"question": "risk", "facets": {}, "docs": ["b.md"]});
        let mut tally = Tally::default();
        tally.judge(&serde_json::from_value(known).unwrap(), &exploration());
        assert_eq!((tally.on_topic, tally.in_docs), (1, 1));
    }
}
