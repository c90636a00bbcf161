//! A reply within a budget of bytes.
//!
//! A reply is lists of results, and a few values beside them. Lists are filled in turns: the first
//! element of each, in the order of [`FIELDS`], then the second of each, and so on, until the
//! budget is used up; then the lists within these elements, likewise. An element goes in together
//! with the passages and the elements that it refers to, or not at all, and once one element of a
//! list is left out, those behind it are, too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

mod cut;
mod json;
mod part;
mod places;
mod reference;

use json::size;
use part::Parts;
pub use places::{ListedPassage, PassageNumber, restored};

/// The fewest bytes that a reply can be asked to have.
pub const LEAST: usize = 500;

/// The most bytes that a reply can be asked to have: what AWS Lambda takes.
pub const MOST: usize = 6_000_000;

/// The most bytes of a reply where the caller does not say.
pub const DEFAULT: usize = 30_000;

/// The fields of all replies whose parts can be left out, the most useful first. Others come last.
const FIELDS: [&str; 29] = [
    "abstained",
    "query",
    "totals",
    "runbooks",
    "decided",
    "causes",
    "claims",
    "rows",
    "results",
    "project_decisions",
    "alerts",
    "matrix",
    "alternatives",
    "facets",
    "risks",
    "lessons_learned",
    "templates",
    "precedents",
    "to_check",
    "conflicts",
    "missing",
    "records",
    "general",
    "decisions",
    "also_read",
    "terms",
    "gaps",
    "citations",
    "read",
];

/// The fields of a place that only programs need.
const BOOKKEEPING: [&str; 3] = ["document_id", "version", "hash"];

/// The fields of `meta` that tell what a request cost.
const COSTS: [&str; 2] = ["timings_ms", "tokens"];

/// The budget of a reply, and whether it is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Whether ids and costs that only programs need are shown.
    pub explain: bool,
    /// The most bytes, [`LEAST`] to [`MOST`].
    pub max_bytes: usize,
}

impl Default for Form {
    fn default() -> Form {
        Form { explain: false, max_bytes: DEFAULT }
    }
}

/// The parts of a reply that its budget had no room for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// How many elements of each list are left out, by its path, such as `results` or
    /// `facets.results`; empty where the budget has no room for it either.
    pub counts: BTreeMap<String, usize>,
    /// How many texts are cut short; each ends in `…`.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cut: usize,
    /// The bytes that the whole reply has.
    pub whole_bytes: usize,
    /// How to get what is missing.
    pub how: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Leaves out of a reply what the caller does not want, and what the budget has no room for;
/// `left_out` says what that is.
///
/// `reply` is an object with the report's fields and `meta`.
pub fn fitted(mut reply: Value, form: Form) -> Value {
    if !form.explain {
        without_bookkeeping(&mut reply);
        if let Some(meta) = reply.get_mut("meta").and_then(Value::as_object_mut) {
            for field in COSTS {
                meta.remove(field);
            }
        }
    }
    let Value::Object(fields) = reply else { return reply };
    // Each place is listed once, in `passages`; elsewhere its number stands.
    let reply = Value::Object(places::listed(fields));
    let whole_bytes = size(&reply);
    if whole_bytes <= form.max_bytes {
        return reply;
    }
    let how = how(&reply, whole_bytes);
    let has_cursor = reply.get("cursor").is_some();
    let Value::Object(fields) = reply else { return reply };
    let mut parts = Parts::of(fields);
    parts.take(form.max_bytes);
    let mut counts_all = true;
    loop {
        let counts = if counts_all { parts.left_out() } else { BTreeMap::new() };
        let left_out = LeftOut { counts, cut: parts.cut(), whole_bytes, how: how.clone() };
        let fitted = with(parts.shown(), &left_out);
        let fitted = if has_cursor { without_cursor(fitted) } else { fitted };
        let over = size(&fitted).saturating_sub(form.max_bytes);
        let mut is_less = || parts.drop_last() || parts.shorten_base(over);
        if over > 0 && (is_less() || std::mem::take(&mut counts_all)) {
            continue;
        }
        return fitted;
    }
}

/// The place of a field among all, the most useful first.
fn rank(field: &str) -> usize {
    FIELDS.iter().position(|name| *name == field).unwrap_or(FIELDS.len())
}

fn with(mut reply: Map<String, Value>, left_out: &LeftOut) -> Value {
    reply.insert("left_out".into(), serde_json::to_value(left_out).unwrap_or_default());
    Value::Object(reply)
}

/// Leaves out a page's cursor, which leads to what is behind all of the page.
fn without_cursor(mut reply: Value) -> Value {
    if let Some(fields) = reply.as_object_mut() {
        fields.remove("cursor");
    }
    reply
}

fn how(reply: &Value, whole_bytes: usize) -> String {
    if reply.get("cursor").is_some() {
        return format!("ask again with a smaller limit, or max_bytes {whole_bytes}");
    }
    match reply["meta"]["answer_id"].as_str() {
        Some(_) => format!("read this answer with max_bytes {whole_bytes}"),
        None => format!("ask again with max_bytes {whole_bytes}, or for less"),
    }
}

/// Removes from each place, and from what has one, what only programs need.
fn without_bookkeeping(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("passage_id") || fields.contains_key("passage") {
                for field in BOOKKEEPING {
                    fields.remove(field);
                }
            }
            fields.values_mut().for_each(without_bookkeeping);
        }
        Value::Array(items) => items.iter_mut().for_each(without_bookkeeping),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
