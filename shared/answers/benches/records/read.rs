//! Reads questions in words by rules and by a language model.

use std::collections::BTreeMap;
use std::path::Path;

use records::question::{Stated, Understood, written};
use records::{Loaded, question};
use serde_json::{Value, json};

use crate::case::case;
use crate::judge::missed;

/// The outcome of a question and the query as which it was read. The outcome is `exact`, `WRONG` if
/// a wrong answer does not say so, or `told` if the answer names the words that were not read.
pub(crate) type Outcome = (&'static str, String);

/// Returns the outcome of a question that the rules read.
pub(crate) fn by_rules(value: &Value, loaded: &Loaded) -> Outcome {
    let asked = value["question"].as_str().unwrap();
    let read = question::understand(&Stated::read(asked, loaded, &|| true), &BTreeMap::new());
    judged(value, loaded, read)
}

/// Returns the outcome of a question for which a model filled in this form; if the form is invalid,
/// that of the rules.
pub(crate) fn by_model(value: &Value, loaded: &Loaded, form: &Value) -> Outcome {
    match written::read(form.clone(), loaded) {
        Ok(read) => judged(value, loaded, read),
        Err(error) => {
            let (outcome, line) = by_rules(value, loaded);
            (outcome, format!("{line}\n    by rules: {error}"))
        }
    }
}

fn judged(value: &Value, loaded: &Loaded, read: Option<Understood>) -> Outcome {
    let asked = format!("{} {}", value["id"], value["question"]);
    let Some(read) = read else {
        let is_right = value["expect"]["nothing"] == true || value["expect"]["count"] == 0;
        let outcome = if is_right { "exact" } else { "told" };
        return (outcome, format!("{asked}\n    not of records"));
    };
    let query = serde_json::to_value(&read.queries).unwrap();
    let (expect, expected) = (&value["expect"], &value["expected"]);
    let tried = json!({"query": query, "expect": expect, "expected": expected, "is_asked": true});
    let why = missed(&tried, loaded);
    let outcome = match &why {
        None => "exact",
        Some(_) if read.unread.is_empty() => "WRONG",
        Some(_) => "told",
    };
    let why = why.unwrap_or_default();
    (outcome, format!("{asked}\n    {query} unread {:?}\n    {why}", read.unread))
}

/// Writes the prompts of the model into `folder`: the rules, the form, and a file for each
/// question.
pub(crate) fn write_prompts<'l>(
    folder: &Path,
    questions: &[Value],
    of: impl Fn(&str) -> &'l Loaded,
) {
    std::fs::create_dir_all(folder).unwrap();
    for question in questions {
        let asked = question["question"].as_str().unwrap();
        let (rules, user, schema) = written::prompt(asked, of(case(question)));
        let file = folder.join(format!("{}.txt", question["id"].as_str().unwrap()));
        std::fs::write(file, user).unwrap();
        std::fs::write(folder.join("rules.txt"), rules).unwrap();
        let schema = serde_json::to_string_pretty(&schema).unwrap();
        std::fs::write(folder.join("form.json"), schema).unwrap();
    }
}
