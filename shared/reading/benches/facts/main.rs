//! Compares what is read in real reports with what a person reads in them.
//!
//! `cargo bench -p reading --bench facts -- DATA LABELS [--unseen] [--told]` prints figures for the
//! reports of `LABELS` (`{doc, half, FIELD: [[first byte, byte after the last], ...]}`) in
//! `DATA/rcca`. For each folder of `DATA` it prints the number of documents in which a failure
//! report is read. `--told` prints what is read and missed in the seen half, or in the unseen half
//! with `--unseen`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use model::document::Passage;
use model::entry::Reading;
use model::facts::{Fact, FailureReport};
use model::item::Record;
use model::scope::Scope;
use serde_json::Value;

mod plan;

const FIELDS: [&str; 7] = [
    "symptoms",
    "root_cause",
    "contributing_factors",
    "resolution",
    "checked",
    "denied",
    "actions",
];

/// The fields that a reader acts on; their precision is counted together.
const SHOWN: [&str; 4] = ["symptoms", "root_cause", "contributing_factors", "resolution"];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let [data, labels, ..] = arguments.as_slice() else {
        println!("skipped: name the folder with the documents and the file with the labels");
        return;
    };
    let printed_half = has("--told").then(|| if has("--unseen") { "unseen" } else { "seen" });
    fields(&Path::new(data).join("rcca"), labels, printed_half);
    quantities(
        Path::new(data),
        &Path::new(labels).with_file_name("quantities.jsonl"),
        printed_half,
    );
    denials(&Path::new(labels).with_file_name("denials.jsonl"), printed_half);
    plan::measure(Path::new(data), &Path::new(labels).with_file_name("plan.jsonl"));
    for folder in ["rcca", "trade", "explore", "global_kb", "user_kb"] {
        recognized(&Path::new(data).join(folder), folder);
    }
}

/// Counts the quantities that are read in lines of prose and compares them with those that a reader
/// marked: `{doc, start, end, half, quantities: [{start, end, low, high}]}`. A quantity is right if
/// it overlaps a marked one and has its numbers.
fn quantities(data: &Path, labels: &Path, printed_half: Option<&str>) {
    let mut figures: BTreeMap<String, [u32; 3]> = BTreeMap::new();
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        let at =
            |value: &Value, name: &str| usize::try_from(value[name].as_u64().unwrap()).unwrap();
        let bytes = std::fs::read(data.join(label["doc"].as_str().unwrap())).unwrap();
        let begin = at(&label, "start");
        let text = String::from_utf8_lossy(&bytes[begin..at(&label, "end")]).into_owned();
        let found = quantity::quantities(&text);
        let marked = label["quantities"].as_array().unwrap();
        let is_same = |quantity: &quantity::Quantity, mark: &Value| {
            let near =
                |one: f64, two: &Value| (one - two.as_f64().unwrap()).abs() <= 1e-6 * one.abs();
            let overlaps = quantity.start + begin < at(mark, "end")
                && at(mark, "start") < quantity.end + begin;
            let (low, high) =
                (quantity.low.unwrap_or(quantity.number), quantity.high.unwrap_or(quantity.number));
            overlaps && near(low, &mark["low"]) && near(high, &mark["high"])
        };
        let wrong: Vec<_> =
            found.iter().filter(|hit| !marked.iter().any(|mark| is_same(hit, mark))).collect();
        let missed = marked.iter().filter(|mark| !found.iter().any(|hit| is_same(hit, mark)));
        let missed: Vec<&str> =
            missed.map(|mark| &text[at(mark, "start") - begin..at(mark, "end") - begin]).collect();
        let half = label["half"].as_str().unwrap();
        if printed_half == Some(half) && !(wrong.is_empty() && missed.is_empty()) {
            let wrong: Vec<&str> = wrong.iter().map(|hit| hit.text.as_str()).collect();
            println!("wrong {wrong:?} missed {missed:?}: {text}");
        }
        let counts = figures.entry(half.to_owned()).or_default();
        let count = |list: usize| u32::try_from(list).unwrap();
        counts[0] += count(found.len() - wrong.len());
        counts[1] += count(found.len());
        counts[2] += count(marked.len());
    }
    for (half, [right, found, marked]) in figures {
        println!("quantities right, {half}: {right} of {found}");
        println!("quantities found, {half}: {right} of {marked}");
    }
}

/// Returns the failure report that an ingest reads in a file.
fn report(file: &Path) -> Option<FailureReport> {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    report_in(&name, &std::fs::read(file).unwrap())
}

fn report_in(name: &str, bytes: &[u8]) -> Option<FailureReport> {
    read(name, bytes)?.entries.swap_remove(0).passage.facts.report
}

/// Returns the passages of a document.
fn passages(file: &Path) -> Vec<Passage> {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    read(&name, &std::fs::read(file).unwrap()).unwrap().passages()
}

fn read(name: &str, bytes: &[u8]) -> Option<Reading> {
    let record =
        Record::announced(Scope::Global, name, "text/markdown", bytes.len() as u64, "01JD000000");
    reading::read(&record, "01JD000000", bytes).ok()
}

fn field<'r>(report: &'r FailureReport, name: &str) -> Vec<&'r Fact> {
    match name {
        "symptoms" => report.symptoms.iter().collect(),
        "root_cause" => report.root_cause.iter().collect(),
        "contributing_factors" => report.contributing_factors.iter().collect(),
        "resolution" => report.resolution.iter().collect(),
        "checked" => report.checked.iter().collect(),
        "denied" => report.denied.iter().collect(),
        _ => report.actions.iter().collect(),
    }
}

/// Returns the fields that a language model read in each document: `{doc, FIELD: [[first byte, byte
/// after the last], ...]}`.
fn by_model(labels: &str) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(Path::new(labels).with_file_name("read.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| (line["doc"].as_str().unwrap().to_owned(), line)).collect()
}

/// Counts the quotes that are found in each field, and the facts that are right among those told.
/// It counts for the rules, for a language model, and for both combined as an ingest does: for each
/// field what the model read, else what the rules read.
fn fields(folder: &Path, labels: &str, printed_half: Option<&str>) {
    let mut tally = Tally::default();
    let read = by_model(labels);
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        let (doc, half) = (label["doc"].as_str().unwrap(), label["half"].as_str().unwrap());
        let file = folder.join(doc);
        let bytes = std::fs::read(&file).unwrap();
        let report = report(&file).unwrap_or_default();
        let texts = |spans: &Value| -> Vec<String> {
            let spans: Vec<(usize, usize)> = serde_json::from_value(spans.clone()).unwrap();
            let text = |(start, end)| String::from_utf8_lossy(&bytes[start..end]).into_owned();
            spans.into_iter().map(text).collect()
        };
        for name in FIELDS {
            let rules: Vec<String> = field(&report, name).iter().map(|f| f.text.clone()).collect();
            let model = texts(&read[doc][name]);
            let both = if model.is_empty() { rules.clone() } else { model.clone() };
            let quotes = texts(&label[name]);
            for (by, facts) in [("by rules", rules), ("by a model", model), ("by both", both)] {
                let is_printed = by == "by rules" && printed_half == Some(half);
                tally.count((doc, name, half), by, (&quotes, &facts), is_printed);
            }
        }
    }
    for (name, (right, all)) in tally.0 {
        println!("{name}: {right} of {all}");
    }
}

/// For each figure, the number of right cases and of all cases.
#[derive(Default)]
struct Tally(BTreeMap<String, (usize, usize)>);

impl Tally {
    fn add(&mut self, name: String, right: bool) {
        let counts = self.0.entry(name).or_default();
        *counts = (counts.0 + usize::from(right), counts.1 + 1);
    }

    fn count(
        &mut self,
        (doc, name, half): (&str, &str, &str),
        by: &str,
        (quotes, facts): (&[String], &[String]),
        is_printed: bool,
    ) {
        // The figures of the rules keep the names under which they were saved.
        let by = if by == "by rules" { String::new() } else { format!(" {by}") };
        for quote in quotes {
            let is_found = facts.iter().any(|fact| covers(fact, quote));
            self.add(format!("report fields found{by}, {half}"), is_found);
            self.add(format!("{name} found{by}, {half}"), is_found);
            if !is_found && is_printed {
                println!("{doc} {name} MISSED {quote}");
            }
        }
        for fact in facts {
            let is_right = quotes.iter().any(|quote| covers(fact, quote));
            if SHOWN.contains(&name) {
                self.add(format!("report fields right of those told{by}, {half}"), is_right);
            }
            self.add(format!("{name} right of those told{by}, {half}"), is_right);
            if !is_right && is_printed {
                println!("{doc} {name} TOLD {}", fact.replace('\n', " "));
            }
        }
    }
}

/// Counts the sentences that affirm something bad and are told, and the sentences that deny it or
/// only say that it might happen and are not told. It counts for the rules, and for a language
/// model (`denials_read.jsonl`, one line for each sentence).
fn denials(file: &Path, printed_half: Option<&str>) {
    let mut tally = Tally::default();
    let read = std::fs::read_to_string(file.with_file_name("denials_read.jsonl")).unwrap();
    for (line, read) in std::fs::read_to_string(file).unwrap().lines().zip(read.lines()) {
        let label: Value = serde_json::from_str(line).unwrap();
        let [text, is, half] = ["text", "is", "half"].map(|name| label[name].as_str().unwrap());
        let document = format!("# Report\n\n## Summary\n\n{text}\n");
        let report = report_in("postmortem.md", document.as_bytes()).unwrap_or_default();
        let mut told = report.symptoms.iter().chain(&report.root_cause);
        let by_rules = told.next().is_some() || !report.contributing_factors.is_empty();
        let read: Value = serde_json::from_str(read).unwrap();
        let tells = ["symptoms", "root_cause", "contributing_factors"];
        let is_told = |field: &Value| tells.contains(&field.as_str().unwrap());
        let by_model = read["fields"].as_array().unwrap().iter().any(is_told);
        for (by, is_reported) in [("", by_rules), (" by a model", by_model)] {
            let is_right = is_reported == (is == "affirmed");
            if is != "neither" {
                tally.add(format!("affirmed or denied{by}, {half}"), is_right);
            }
            tally.add(format!("{is}{by}, {half}"), is_right);
            if !is_right && printed_half == Some(half) {
                println!("WRONG{by} {is}: {text}");
            }
        }
    }
    for (name, (right, all)) in tally.0 {
        println!("{name}: {right} of {all}");
    }
}

/// Returns true if a passage contains a quote, or eight in ten of its words.
fn covers(passage: &str, quote: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let held: HashSet<String> = words(passage).into_iter().collect();
    let wanted = words(quote);
    let found = wanted.iter().filter(|word| held.contains(*word)).count();
    found * 10 >= wanted.len() * 8
}

/// Counts the documents below a folder in which a failure report is read.
fn recognized(folder: &Path, name: &str) {
    let (mut reports, mut all) = (0, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                all += 1;
                reports += usize::from(report(&path).is_some());
            }
        }
    }
    println!("documents read as failure reports, {name}: {reports} of {all}");
}
