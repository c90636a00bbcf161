//! Do facts stand under their alternative, and the decision first?
//!
//! `cargo bench -p workflow --bench trade -- DATA LABELS [--unseen] [--told]`: each line of `LABELS` has a question on one
//! document of `DATA/trade` with the facts that a reader marked in it (`{doc, half, question, alternatives, decision, facts:
//! [{alternative, criterion, start, end}]}`, in bytes). Each document is ingested alone and asked, so that what is
//! measured is the reading and not the search. `--told` prints what is missed and misplaced, of the seen half unless
//! `--unseen` is given.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use workflow::retrieve::Retriever;
use workflow::testing::{Corpus, FakeDesk, FakeEmbedder};
use workflow::trade;

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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|own| own != "--bench").collect();
    let has = |flag: &str| arguments.iter().any(|own| own == flag);
    let [data, labels, ..] = arguments.as_slice() else {
        println!("skipped: name the folder with the documents and the file with the labels");
        return;
    };
    let told = has("--told").then(|| if has("--unseen") { "unseen" } else { "seen" });
    let mut figures: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut kinds: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        let text = std::fs::read_to_string(Path::new(data).join("trade").join(&label.doc)).unwrap();
        let shows = told == Some(label.half.as_str());
        let report = ask(&label, &text);
        let mut mark = |name: &str, is_so: bool, quote: &str| {
            let figure = figures.entry(format!("{} {name}", label.half)).or_default();
            figure.0 += u32::from(is_so);
            figure.1 += 1;
            if shows && is_so != (name == "under its alternative" || name == "decision first") {
                println!("{} {name}: {is_so}: {}", label.id, flat(quote));
            }
        };
        for fact in &label.facts {
            by_kind(&report, fact, &text[fact.start..fact.end], &label, shows, &mut kinds);
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
    }
    for (name, (right, all)) in kinds {
        println!("trade, right where it {name}: {right} of {all}");
    }
    for (name, (right, all)) in figures {
        println!("trade, {name}: {right} of {all}");
    }
}

/// Whether the fact stands under its own alternative, or under any other one.
fn is_under(report: &Value, fact: &Fact, quote: &str, wanted: bool) -> bool {
    let alternatives = report["alternatives"].as_array().unwrap().iter();
    let mut own =
        alternatives.filter(|own| (own["name"].as_str() == fact.alternative.as_deref()) == wanted);
    own.any(|own| pieces(&own["criteria"]).any(|piece| covers(piece, quote)))
}

/// Counts the pieces with a marked fact by the boost that says how they tell their alternative.
fn by_kind(
    report: &Value,
    fact: &Fact,
    quote: &str,
    label: &Label,
    shows: bool,
    kinds: &mut BTreeMap<String, (u32, u32)>,
) {
    for own in report["alternatives"].as_array().unwrap() {
        for piece in own["criteria"].as_array().unwrap() {
            if !covers(piece["evidence"].as_str().unwrap(), quote) {
                continue;
            }
            let boosts = piece["score_parts"]["boosts"].as_array().unwrap().iter();
            let mut names = boosts.filter_map(|own| own["name"].as_str());
            let kind = names.find(|name| name.ends_with("the alternative")).unwrap_or_default();
            let is_right = own["name"].as_str() == fact.alternative.as_deref();
            let figure = kinds.entry(format!("{kind} ({})", label.half)).or_default();
            figure.0 += u32::from(is_right);
            figure.1 += 1;
            if shows && !is_right {
                println!("{} {kind}: {}: {}", label.id, own["name"], flat(quote));
            }
        }
    }
}

fn ask(label: &Label, text: &str) -> Value {
    pollster::block_on(async {
        let corpus = Corpus::of(&[(&format!("trade/{}", label.doc), text)]).await;
        let retriever = Retriever { embedder: &FakeEmbedder, index: &corpus.index };
        let criteria: HashSet<&str> =
            label.facts.iter().map(|fact| fact.criterion.as_str()).collect();
        let mut criteria: Vec<&str> = criteria.into_iter().collect();
        criteria.sort_unstable();
        let request = json!({
            "question": label.question, "alternatives": label.alternatives, "criteria": criteria,
        });
        let desk = FakeDesk::default();
        let request = serde_json::from_value(request).unwrap();
        let answer = trade::run(&retriever, &desk.desk(), request).await.unwrap();
        serde_json::to_value(answer).unwrap()
    })
}

fn pieces(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().unwrap().iter().filter_map(|piece| piece["evidence"].as_str())
}

/// Whether a passage holds the quote, a good part of it, or eight in ten of its words.
fn covers(told: &str, quote: &str) -> bool {
    let (told, quote) = (words(told), words(quote));
    if told.is_empty() {
        return false;
    }
    let shared = quote.iter().filter(|word| told.contains(*word)).count();
    // A quote is shown in part where it is long.
    let back = told.iter().filter(|word| quote.contains(*word)).count();
    shared * 10 >= quote.len() * 8 || (told.len() >= 8 && back * 10 >= told.len() * 9)
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
