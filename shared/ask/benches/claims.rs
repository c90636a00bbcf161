//! Measures whether claims that occur in the passages they cite are told apart from claims that do
//! not.
//!
//! `cargo bench -p ask --bench claims -- CORPUS LABELS [--told]`: `CORPUS` holds the documents.
//! `LABELS` is a folder with `seen.jsonl` and `unseen.jsonl`: claims with the lines that they cite.
//! It also holds the grades that language models gave the claims: `grades.jsonl` by assistants and,
//! for some claims, `grades-1.5b.jsonl` by Qwen2.5-Coder-1.5B-Instruct. `--told` prints the wrong
//! judgements of the seen half.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ask::claim::{Source, may_stand, stands};
use model::document::DocumentType;
use serde::Deserialize;

#[derive(Deserialize)]
struct Label {
    claim: String,
    path: String,
    lines: (usize, usize),
    holds: bool,
    kind: String,
}

/// The grade that a language model gives the claim on a line of a half.
#[derive(Deserialize)]
struct Graded {
    half: String,
    line: usize,
    grade: u8,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [corpus, labels, ..] = arguments.as_slice() else {
        println!("skipped: name the folder with the documents and the one with the labels");
        return;
    };
    for half in ["seen", "unseen"] {
        let is_printed = half == "seen" && arguments.iter().any(|argument| argument == "--told");
        let file = Path::new(labels).join(format!("{half}.jsonl"));
        measure(Path::new(corpus), &file, half, is_printed);
    }
}

fn grades(labels: &Path, half: &str, name: &str) -> BTreeMap<usize, bool> {
    let lines = fs::read_to_string(labels.with_file_name(name)).unwrap();
    let grades = lines.lines().map(|line| serde_json::from_str::<Graded>(line).unwrap());
    let of_half = grades.filter(|graded| graded.half == half);
    of_half.map(|graded| (graded.line, graded.grade == 1)).collect()
}

fn measure(corpus: &Path, labels: &Path, half: &str, is_printed: bool) {
    let mut figures: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let small = grades(labels, half, "grades-1.5b.jsonl");
    let grades = grades(labels, half, "grades.jsonl");
    for (number, line) in (1..).zip(fs::read_to_string(labels).unwrap().lines()) {
        let label: Label = serde_json::from_str(line).unwrap();
        let text = fs::read_to_string(corpus.join(&label.path)).unwrap();
        let (first, last) = label.lines;
        let cited: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
        let cited = cited.join("\n");
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        let header = format!("{title} ({})", label.path);
        let source = Source::of([(header.as_str(), cited.as_str(), kind(&label.path))]);
        let by_rules = stands(&label.claim, &source);
        if is_printed && by_rules != label.holds {
            println!("{} ({}): {}\n    {cited}\n", label.holds, label.kind, label.claim);
        }
        let may_stand = may_stand(&label.claim, &source);
        let name = if label.holds { "true claims dropped" } else { "false claims passed" };
        let by_all = [
            ("by rules", Some(by_rules)),
            ("by a model, checked by rules", Some(may_stand && grades[&number])),
            ("by a model alone", grades.get(&number).copied()),
            ("by a model of 1.5B alone", small.get(&number).copied()),
        ];
        for (by, stands) in by_all.into_iter().filter_map(|(by, stands)| Some((by, stands?))) {
            let figure = figures.entry(format!("{name} {by}, {half}")).or_default();
            figure.0 += u32::from(stands != label.holds);
            figure.1 += 1;
        }
    }
    for (name, (wrong, all)) in figures {
        println!("{name}: {wrong} of {all}");
    }
}

fn kind(path: &str) -> DocumentType {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("log" | "jsonl") => DocumentType::Log,
        Some("yaml" | "yml" | "toml" | "json" | "conf" | "properties") => DocumentType::Config,
        _ => DocumentType::Guide,
    }
}
