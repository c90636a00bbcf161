//! Are claims that stand in the passages which they cite distinguished from those that do not?
//!
//! `cargo bench -p workflow --bench claims -- CORPUS LABELS [--told]`: `CORPUS` has the documents, `LABELS` is a folder
//! with `seen.jsonl` and `unseen.jsonl`, claims with the lines that they cite. `--told` prints what is judged wrongly of
//! the seen half.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench may stop at the first surprise, and prints"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use model::document::DocumentType;
use serde::Deserialize;
use workflow::answer::claim::{Source, flaw};

#[derive(Deserialize)]
struct Label {
    claim: String,
    path: String,
    lines: (usize, usize),
    holds: bool,
    kind: String,
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

fn measure(corpus: &Path, labels: &Path, half: &str, is_printed: bool) {
    let mut figures: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for line in fs::read_to_string(labels).unwrap().lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        let text = fs::read_to_string(corpus.join(&label.path)).unwrap();
        let (first, last) = label.lines;
        let cited: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
        let cited = cited.join("\n");
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        let header = format!("{title} ({})", label.path);
        let source = Source::of([(header.as_str(), cited.as_str(), kind(&label.path))]);
        let flaw = flaw(&label.claim, &source);
        if is_printed && flaw.is_none() != label.holds {
            println!(
                "{} ({}) as {flaw:?}: {}\n    {cited}\n",
                label.holds, label.kind, label.claim
            );
        }
        let name = if label.holds { "true claims dropped" } else { "false claims passed" };
        for name in [format!("{name}, {half}"), format!("{name}, {half}, {}", label.kind)] {
            let figure = figures.entry(name).or_default();
            figure.0 += u32::from(flaw.is_none() != label.holds);
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
