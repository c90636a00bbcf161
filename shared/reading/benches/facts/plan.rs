//! Compares what passages offer for planning with what a person would list.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::passages;

/// The kinds of help that a passage offers for planning, in the order of the facts.
const GOODS: [&str; 4] = ["template", "risk", "lesson", "precedent"];

/// Lower bound for the strength of a listed passage, as in `workflows::plan`.
const LISTED: u16 = 500;

/// Counts the passages that are listed for each good and compares them with those that a reader
/// would list: `{doc, position, half, goods: [GOOD]}`.
pub(crate) fn measure(data: &Path, labels: &Path) {
    let mut figures: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut mark = |name: String, is_right: bool| {
        let figure = figures.entry(name).or_default();
        figure.0 += u32::from(is_right);
        figure.1 += 1;
    };
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        let (doc, half) = (label["doc"].as_str().unwrap(), label["half"].as_str().unwrap());
        let place = usize::try_from(label["position"].as_u64().unwrap()).unwrap();
        let passages = passages(&data.join(doc));
        for (good, strength) in GOODS.iter().zip(passages[place].facts.plan) {
            let (is_wanted, is_listed) = (
                label["goods"].as_array().unwrap().contains(&Value::from(*good)),
                strength >= LISTED,
            );
            if is_listed {
                mark(format!("plan, listed and right, {half}"), is_wanted);
                mark(format!("plan, listed and right, {half}, {good}"), is_wanted);
            }
            if is_wanted {
                mark(format!("plan, wanted and listed, {half}"), is_listed);
                mark(format!("plan, wanted and listed, {half}, {good}"), is_listed);
            }
        }
    }
    for (name, (right, all)) in figures {
        println!("{name}: {right} of {all}");
    }
}
