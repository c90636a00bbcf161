//! Subjects: whether known quotes stand under their facet, and whether the best passage is on the subject.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use console::Term;
use plumbline::api::Api;
use plumbline::wording::{count, flat};
use serde::Deserialize;
use serde_json::json;
use wire::explore::{Aspect, ExploreReport, FacetReport};

use super::judge::{covers, is_of, share};
use super::{Quote, known};

/// Subjects with known quotes, JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Questions {
    /// The file; each line has `question`, `facets`: `{facet: [{doc, quote}]}`, `docs` and perhaps `on_topic_docs`.
    file: PathBuf,
    /// Tells the quotes that were missed and each passage.
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

/// How many of a facet's own passages count.
const FIRST: usize = 3;

#[derive(Debug, Default)]
struct Tally {
    asked: usize,
    on_topic: usize,
    in_docs: usize,
    /// Quotes found, and quotes in all, by facet.
    quotes: BTreeMap<String, (usize, usize)>,
}

pub(crate) fn run(api: &Api, questions: &Questions) -> Result<()> {
    let out = Term::stdout();
    let mut tally = Tally::default();
    for known in known::<Known>(&questions.file)? {
        let body = json!({"question": known.question});
        let answer: ExploreReport = api.post("/v1/explore", &body)?.map_err(anyhow::Error::from)?;
        let told = tally.judge(&known, &answer);
        if questions.verbose {
            out.write_line(&known.question)?;
            told.iter().try_for_each(|line| out.write_line(line))?;
        }
    }
    tally.shown().iter().try_for_each(|line| out.write_line(line))?;
    Ok(())
}

impl Tally {
    /// Counts what is right, and tells of the quotes that were missed and of each passage.
    fn judge(&mut self, known: &Known, exploration: &ExploreReport) -> Vec<String> {
        let mut told = Vec::new();
        for (facet, quotes) in &known.facets {
            let (found, all) = self.quotes.entry(facet.clone()).or_default();
            for quote in quotes {
                *all += 1;
                if is_found(quote, facet, exploration) {
                    *found += 1;
                } else {
                    told.push(format!("  missed {facet}: {} ({})", flat(&quote.quote), quote.doc));
                }
            }
        }
        let stands_in = |docs: &[String]| {
            best(exploration)
                .is_some_and(|best| docs.iter().any(|doc| is_of(&best.finding.source.name, doc)))
        };
        self.asked += 1;
        self.in_docs += usize::from(stands_in(&known.docs));
        let on_topic = known.on_topic_docs.as_deref();
        self.on_topic += usize::from(stands_in(on_topic.unwrap_or(&known.docs)));
        told.extend(exploration.facets.iter().flat_map(passages));
        told
    }

    fn shown(&self) -> Vec<String> {
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

/// Whether one of the first passages of the facet has the quote, or one listed elsewhere that serves the facet too.
fn is_found(quote: &Quote, facet: &str, exploration: &ExploreReport) -> bool {
    exploration.facets.iter().any(|listed| {
        let is_own = listed.facet == facet;
        listed.results.iter().enumerate().any(|(place, own)| {
            let serves =
                if is_own { place < FIRST } else { own.also_in.iter().any(|name| name == facet) };
            serves
                && is_of(&own.finding.source.name, &quote.doc)
                && covers(&own.finding.content, &quote.quote)
        })
    })
}

/// The passage with the best score; the one listed first, where several have it.
fn best(exploration: &ExploreReport) -> Option<&Aspect> {
    let all = exploration.facets.iter().flat_map(|facet| &facet.results);
    all.reduce(|best, own| if own.finding.score > best.finding.score { own } else { best })
}

fn passages(facet: &FacetReport) -> Vec<String> {
    let told = |own: &Aspect| {
        let also = if own.also_in.is_empty() {
            String::new()
        } else {
            format!(", also {}", own.also_in.join(", "))
        };
        let start: String = flat(&own.finding.content).chars().take(100).collect();
        format!(
            "    {}{also}: {:.3} {} \"{start}\"",
            facet.facet, own.finding.score, own.finding.source.name
        )
    };
    facet.results.iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use wire::testing::reply;

    fn finding(name: &str, content: &str, score: f64, also_in: &[&str]) -> Value {
        json!({"content": content, "score": score, "source": {"chunk_id": name, "name": name, "document_title": "T"}, "also_in": also_in})
    }

    fn exploration() -> ExploreReport {
        let of_definitions = [
            finding("a.md", "Risk is the potential for shortfalls.", 0.5, &["standards"]),
            finding("b.md", "x", 0.9, &[]),
            finding("c.md", "y", 0.9, &[]),
            finding("d.md", "Risk assessment is an evaluation.", 0.1, &["standards"]),
        ];
        reply(json!({"facets": [
            {"facet": "definitions", "results": of_definitions, "coverage": {"passages": 4, "documents": 4}},
            {"facet": "standards", "results": [], "coverage": {"passages": 2, "documents": 2}},
        ]}))
    }

    #[test]
    fn a_quote_counts_among_the_first_of_its_facet_or_where_a_passage_serves_it_too() {
        let risk = json!({"doc": "explore/a.md", "quote": "Risk is the potential"});
        let fourth = json!({"doc": "explore/d.md", "quote": "risk assessment is an\nevaluation"});
        let elsewhere = json!({"doc": "explore/b.md", "quote": "Risk is the potential"});
        let known: Known = serde_json::from_value(json!({
            "question": "risk", "docs": ["explore/a.md"], "on_topic_docs": ["explore/a.md", "explore/b.md"],
            "facets": {"definitions": [risk, fourth, elsewhere], "standards": [risk, fourth], "examples": []},
        }))
        .unwrap();
        let mut tally = Tally::default();
        let told = tally.judge(&known, &exploration());
        insta::assert_snapshot!(told.join("\n"), @r#"
        missed definitions: risk assessment is an evaluation (explore/d.md)
        missed definitions: Risk is the potential (explore/b.md)
          definitions, also standards: 0.500 a.md "Risk is the potential for shortfalls."
          definitions: 0.900 b.md "x"
          definitions: 0.900 c.md "y"
          definitions, also standards: 0.100 d.md "Risk assessment is an evaluation."
        "#);
        insta::assert_snapshot!(tally.shown().join("\n"), @r"
        1 question: the best passage on the subject 1.00, of the documents known 0.00
          quotes under their facet: 0.60 (3 of 5)
            definitions: 0.33 (1 of 3)
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
