//! Measures facts under their alternative: `{id, doc, half, question, alternatives, decision,
//! facts: [{alternative, criterion, start, end}]}`, in bytes of `DATA/trade/doc`.

use std::collections::HashSet;
use std::path::Path;

use ask::Ask;
use ask::written::Writer;
use corpus::ingest;
use corpus::ingest::Services;
use ports::Model;
use serde::Deserialize;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};
use wire::common::AnswerMode;
use workflows::trade;

use crate::read::Reads;
use crate::replies::Replies;
use crate::{Figures, count, covers, flat};

#[derive(Deserialize)]
struct Label {
    id: String,
    doc: String,
    half: String,
    question: String,
    alternatives: Vec<String>,
    decision: Option<Span>,
    facts: Vec<Fact>,
}

#[derive(Deserialize)]
struct Span {
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
struct Fact {
    alternative: Option<String>,
    criterion: String,
    start: usize,
    end: usize,
}

/// Asks each question over its document alone and counts the marked facts by their place in the
/// report.
pub(crate) fn measure(
    data: &Path,
    labels: &Path,
    model: Option<&Replies>,
    reads: Option<&Reads>,
    printed_half: Option<&str>,
) -> Figures {
    let mut figures = Figures::new();
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        let text = std::fs::read_to_string(data.join("trade").join(&label.doc)).unwrap();
        let shows = printed_half == Some(label.half.as_str());
        let report = ask(&label, &text, model, reads);
        let mut mark = |name: &str, is_so: bool, quote: &str| {
            count(&mut figures, format!("{} {name}", label.half), is_so);
            if shows && is_so != (name == "under its alternative" || name == "decision first") {
                println!("{} {name}: {is_so}: {}", label.id, flat(quote));
            }
        };
        for fact in &label.facts {
            let quote = &text[fact.start..fact.end];
            let is_under = |wanted: bool| is_under(&report, fact, quote, wanted);
            if fact.alternative.is_some() {
                mark("under its alternative", is_under(true), quote);
                mark("under another one", is_under(false), quote);
            } else {
                mark("of none, but under one", is_under(false), quote);
            }
        }
        if let Some(decision) = &label.decision {
            let quote = &text[decision.start..decision.end];
            let first = report["decided"][0]["text"].as_str().unwrap_or_default();
            mark("decision first", covers(first, quote), quote);
        }
        for fact in &label.facts {
            by_kind(&report, fact, &text[fact.start..fact.end], (&label, shows), &mut figures);
        }
    }
    figures
}

/// Returns true if the fact is listed under its own alternative (`wanted`), or under another one
/// (not `wanted`).
fn is_under(report: &Value, fact: &Fact, quote: &str, wanted: bool) -> bool {
    let alternatives = report["alternatives"].as_array().unwrap().iter();
    let mut chosen = alternatives.filter(|alternative| {
        (alternative["name"].as_str() == fact.alternative.as_deref()) == wanted
    });
    chosen.any(|alternative| pieces(&alternative["criteria"]).any(|piece| covers(piece, quote)))
}

/// Counts the pieces with a marked fact by the boost that shows how their alternative was found.
fn by_kind(
    report: &Value,
    fact: &Fact,
    quote: &str,
    (label, shows): (&Label, bool),
    figures: &mut Figures,
) {
    for alternative in report["alternatives"].as_array().unwrap() {
        for piece in alternative["criteria"].as_array().unwrap() {
            if !covers(piece["evidence"].as_str().unwrap(), quote) {
                continue;
            }
            let boosts = piece["score_parts"]["boosts"].as_array().unwrap().iter();
            let mut names = boosts.filter_map(|boost| boost["name"].as_str());
            let kind = names.find(|name| name.ends_with("the alternative")).unwrap_or_default();
            let is_right = alternative["name"].as_str() == fact.alternative.as_deref();
            count(figures, format!("right where it {kind} ({})", label.half), is_right);
            if shows && !is_right {
                println!("{} {kind}: {}: {}", label.id, alternative["name"], flat(quote));
            }
        }
    }
}

fn ask(label: &Label, text: &str, model: Option<&Replies>, reads: Option<&Reads>) -> Value {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let name = format!("trade/{}", label.doc);
        let upload = corpus.announce(&name, "01A", text.as_bytes()).await;
        let reader = reads.map(|reads| reads.reader(&label.doc, text));
        let services = Services {
            model: reader.as_ref().map(|reader| reader as &dyn Model),
            ..corpus.services(&corpus.documents, &corpus.index)
        };
        ingest::run(&services, &upload).await.unwrap();
        let context = FakeContext::default();
        let mut ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let mode = AnswerMode::Generative;
        ask.writer = model.map(|model| {
            let chat = Some(testing::chat(model, "replies"));
            Writer { chat, kept: &corpus.answers, mode }
        });
        let criteria: HashSet<&str> =
            label.facts.iter().map(|fact| fact.criterion.as_str()).collect();
        let mut criteria: Vec<&str> = criteria.into_iter().collect();
        criteria.sort_unstable();
        let request = json!({
            "question": label.question, "alternatives": label.alternatives, "criteria": criteria, "explain": true,
        });
        let request = serde_json::from_value(request).unwrap();
        let answer = trade::run(&ask, request).await.unwrap().reply;
        serde_json::to_value(answer).unwrap()
    })
}

fn pieces(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().unwrap().iter().filter_map(|piece| piece["evidence"].as_str())
}
