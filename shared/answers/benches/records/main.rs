//! Measures how exact queries over the records of real logs are: `cargo bench -p answers --bench
//! records -- CASES COUNTS QUESTIONS FORMS`. `--unseen` prints the mistakes in the unseen half,
//! too. `--prompts` instead writes the prompts of the language model for each question into the
//! folder FORMS.
//!
//! `CASES` is a folder with a folder of evidence for each case. `COUNTS` has the numbers that awk
//! counts in its files. `QUESTIONS` has typed queries with the expected results, or the lines that
//! answer. `FORMS` has the form that a language model filled in for each question. A line is right
//! if it is among the first five records. A question that is not about records is left to the
//! search (`told`).

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it prints its figures, and may stop at the first surprise"
)]

use std::collections::BTreeMap;
use std::path::Path;

use records::Loaded;
use serde_json::Value;

mod case;
mod judge;
mod read;

use case::{case, load, text};
use read::Outcome;

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let mut take = |flag: &str| {
        let count = arguments.len();
        arguments.retain(|argument| argument != flag);
        arguments.len() < count
    };
    // The mistakes of the unseen half are shown on demand only.
    let (shows_unseen, writes) = (take("--unseen"), take("--prompts"));
    let [cases, counts, questions, forms] = arguments.as_slice() else {
        println!("skipped: no CASES COUNTS QUESTIONS FORMS were given");
        return;
    };
    let folders = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().file_name());
    let names = folders.map(|folder| folder.to_string_lossy().into_owned());
    let loaded: BTreeMap<String, Loaded> =
        names.map(|name| (name.clone(), load(Path::new(cases), &name))).collect();
    let of = |case: &str| &loaded[case];
    let questions: Vec<Value> =
        text(questions).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    if writes {
        read::write_prompts(Path::new(forms), &questions, of);
        return;
    }
    // Questions about lines have no typed query.
    let are_for_lines = questions.iter().all(|question| question["expected"].is_array());
    let shows = |half: &str| half == "seen" || shows_unseen;
    let typed = |value: &Value| match judge::missed(value, of(case(value))) {
        None => ("exact", String::new()),
        Some(why) => (
            "WRONG",
            format!("{} {}\n    {}\n    {why}", value["id"], value["question"], value["query"]),
        ),
    };
    if !are_for_lines {
        count(&serde_json::from_str::<Vec<Value>>(&text(counts)).unwrap(), of);
        tell("typed queries", &questions, &["exact"], shows, typed);
    }
    let outcomes = ["exact", "WRONG", "told"];
    let by_rules = |value: &Value| read::by_rules(value, of(case(value)));
    tell("questions by rules", &questions, &outcomes, shows, by_rules);
    let forms: BTreeMap<String, Value> = text(forms).lines().map(form).collect();
    let by_model = |value: &Value| {
        let form = forms.get(value["id"].as_str().unwrap()).unwrap_or(&Value::Null);
        read::by_model(value, of(case(value)), form)
    };
    tell("questions by a model", &questions, &outcomes, shows, by_model);
}

/// Parses a line such as `{"id": "r001", "form": {...}}`.
fn form(line: &str) -> (String, Value) {
    let value: Value = serde_json::from_str(line).unwrap();
    (value["id"].as_str().unwrap().to_owned(), value["form"].clone())
}

/// Prints the number of files with the same counts as by awk.
fn count<'l>(counts: &[Value], of: impl Fn(&str) -> &'l Loaded) {
    let wrong: Vec<String> =
        counts.iter().filter_map(|count| judge::miscounted(count, of(case(count)))).collect();
    for line in &wrong {
        println!("{line}");
    }
    println!("files counted as awk does: {} of {}", counts.len() - wrong.len(), counts.len());
}

/// Prints the number of questions of each half with each outcome, and those that were not exact if
/// the half may be shown.
fn tell(
    name: &str,
    questions: &[Value],
    outcomes: &[&str],
    shows: impl Fn(&str) -> bool,
    judge: impl Fn(&Value) -> Outcome,
) {
    for half in ["seen", "unseen"] {
        let all: Vec<Outcome> =
            questions.iter().filter(|question| question["half"] == half).map(&judge).collect();
        for (outcome, line) in all.iter().filter(|(a, _)| *a != "exact" && shows(half)) {
            println!("{name}, {outcome}: {line}");
        }
        for outcome in outcomes {
            let count = all.iter().filter(|(a, _)| a == outcome).count();
            println!("{name}, {half}, {}: {count} of {}", outcome.to_lowercase(), all.len());
        }
    }
}
