//! Measures how rules understand follow-up questions: `cargo bench -p answers --bench turns --
//! TURNS`. `--unseen` prints the mistakes in the unseen half, too. With a second file, the
//! questions as rewritten by a language model are measured instead.
//!
//! Each line of `TURNS` has a conversation, its last turn, whether that turn depends on the earlier
//! ones, and the words that its rewritten form must have (`a|b`: either) and must not have.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it prints its figures, and may stop at the first surprise"
)]

use std::collections::{BTreeMap, HashMap};

use answers::standalone;
use serde::Deserialize;
use wire::answer::Turn;

#[derive(Deserialize)]
struct Label {
    id: String,
    half: String,
    conversation: Vec<Turn>,
    last: String,
    leans: bool,
    needs: Vec<String>,
    must_not: Vec<String>,
}

#[derive(Deserialize)]
struct Rewritten {
    id: String,
    text: String,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let shows =
        |half: &str| half == "seen" || arguments.iter().any(|argument| argument == "--unseen");
    let mut files = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let Some(file) = files.next() else {
        println!("skipped: no TURNS were given");
        return;
    };
    let by_model: Option<HashMap<String, String>> = files.next().map(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
        rows.map(|Rewritten { id, text }| (id, text)).collect()
    });
    let mut figures: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut mark = |name: String, is_right: bool| {
        let figure = figures.entry(name).or_default();
        figure.0 += u32::from(is_right);
        figure.1 += 1;
    };
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        let whole = match &by_model {
            Some(texts) => Some(texts[&label.id].clone()).filter(|text| *text != label.last),
            None => standalone(&label.conversation, &label.last).unwrap(),
        };
        let is_recognized = whole.is_some() == label.leans;
        mark(format!("turns recognized, {}", label.half), is_recognized);
        let is_whole = label.leans && has_all(&label, whole.as_deref().unwrap_or_default());
        if label.leans {
            mark(format!("turns rewritten with what they need, {}", label.half), is_whole);
        }
        if shows(&label.half) && (!is_recognized || label.leans && !is_whole) {
            let turns: Vec<&str> = label.conversation.iter().map(|l| l.content.as_str()).collect();
            println!("{} {}\n    >> {}\n    {whole:?}", label.id, turns.join(" | "), label.last);
        }
    }
    for (name, (right, all)) in figures {
        println!("{name}: {right} of {all}");
    }
}

fn has_all(label: &Label, whole: &str) -> bool {
    let whole = whole.to_lowercase();
    let has = |words: &String| words.split('|').any(|word| whole.contains(&word.to_lowercase()));
    label.needs.iter().all(has) && !label.must_not.iter().any(has)
}
