//! Measures whether facts are listed under their alternative, whether the decision comes first, and
//! whether passages are listed under their facet.
//!
//! `cargo bench -p workflows --bench designs -- DATA LABELS [--unseen] [--told]`: `DATA` holds the
//! documents. `LABELS` is a folder with `trade.jsonl` and `explore.jsonl`, in which readers marked
//! places. Only the documents that a question names are ingested, so that the reading is measured
//! and not the search. `--told` prints the missing and misplaced quotes, of the seen half unless
//! `--unseen` is given. `--model` has trade ask a language model, whose replies are those of
//! `LABELS/trade_options.jsonl`. `--read` has a model read the documents at ingest, with the
//! readings of `LABELS/decisions_read.jsonl`. `--prompts FOLDER` writes each prompt without a reply
//! into the folder.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use read::Reads;
use replies::Replies;

mod explore;
mod read;
mod replies;
mod trade;

/// The figures of one workflow by name: the number of successes, and of all cases.
type Figures = BTreeMap<String, (u32, u32)>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let [data, labels, ..] = arguments.as_slice() else {
        println!("skipped: name the folder with the documents and the one with the labels");
        return;
    };
    let printed_half = has("--told").then(|| if has("--unseen") { "unseen" } else { "seen" });
    let (data, labels) = (Path::new(data), Path::new(labels));
    let prompts = arguments.iter().skip_while(|argument| *argument != "--prompts").nth(1);
    let prompts = prompts.map(PathBuf::from);
    let reads = Reads::read(&labels.join("decisions_read.jsonl"), prompts.clone());
    let replies = Replies::read(&labels.join("trade_options.jsonl"), prompts);
    let model = has("--model").then_some(&replies);
    let reads = has("--read").then_some(&reads);
    let trade = trade::measure(data, &labels.join("trade.jsonl"), model, reads, printed_half);
    if model.is_some() {
        return print("trade by a model", trade);
    }
    print("trade", trade);
    print("explore", explore::measure(data, &labels.join("explore.jsonl"), printed_half));
}

fn print(workflow: &str, figures: Figures) {
    for (name, (right, all)) in figures {
        println!("{workflow}, {name}: {right} of {all}");
    }
}

fn count(figures: &mut Figures, name: String, is_so: bool) {
    let figure = figures.entry(name).or_default();
    figure.0 += u32::from(is_so);
    figure.1 += 1;
}

/// Returns true if a passage holds the quote, a good part of it, or eight in ten of its words.
fn covers(passage: &str, quote: &str) -> bool {
    let (passage, quote) = (words(passage), words(quote));
    if passage.is_empty() {
        return false;
    }
    let shared = quote.iter().filter(|word| passage.contains(*word)).count();
    // A long quote is shown in part.
    let back = passage.iter().filter(|word| quote.contains(*word)).count();
    shared * 10 >= quote.len() * 8 || (passage.len() >= 8 && back * 10 >= passage.len() * 9)
}

fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
