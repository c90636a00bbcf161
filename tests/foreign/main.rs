//! Properties that hold for all input from outside, whoever wrote it.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

mod asked;
mod cursors;
mod files;
mod filters;
mod messages;

/// Words that occur in questions, requests and files.
const WORDS: [&str; 56] = [
    "how",
    "many",
    "which",
    "why",
    "What",
    "compare",
    "versus",
    "or",
    "and",
    "not",
    "the",
    "of",
    "per",
    "between",
    "first",
    "last",
    "largest",
    "errors",
    "ERROR",
    "404",
    "E1042",
    "pump",
    "broker",
    "Tidewire",
    "Halyard",
    "seal",
    "cost",
    "latency",
    "12 ms",
    "USD 1,200",
    "5 \u{b5}m",
    "on 20 Nov 2026",
    "at 18:10",
    "10:00+01:00",
    "2026-11-20T18:10:00Z",
    "line 3",
    "server.log",
    "\"ran dry\"",
    "`ctl workers list`",
    "Exception in thread",
    "postmortem",
    "document_type",
    "tags",
    "line",
    "time",
    "gte",
    "lt",
    "name",
    "probe",
    "weight",
    "?",
    ".",
    "-",
    "\u{e9}t\u{e9}",
    "\u{43d}\u{430}\u{441}\u{43e}\u{441}",
    "*",
];

/// Returns a text of words, most of which are known.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
    let part = prop_oneof![9 => word, 1 => "\\PC{0,6}"];
    prop::collection::vec(part, 1..10).prop_map(|parts| parts.join(" "))
}

/// Returns any JSON, with occasional words that have a meaning.
fn json() -> impl Strategy<Value = Value> {
    let word = || prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
    let leaf = prop_oneof![
        4 => word().prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => (0_u64..60).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(3, 16, 4, move |inner| {
        let fields = prop::collection::vec((word(), inner.clone()), 0..4);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            fields.prop_map(|field| Value::Object(field.into_iter().collect())),
        ]
    })
}

/// Marks that have a meaning in TOML, JSON or a template.
const MARKS: [&str; 22] = [
    "\n", "\"", "'", "'''", "\\", "[", "]", "[[", "]]", "{", "}", "=", ",", "#", ".", "-", "0",
    "(", ")+", "nan", "true", "\u{e9}",
];

/// Returns one of these texts with parts cut out, repeated, replaced or inserted.
fn changed(samples: &'static [&'static str]) -> impl Strategy<Value = String> {
    let mark = prop::sample::select(&MARKS[..]).prop_map(str::to_owned);
    let other = prop_oneof![3 => mark, 1 => "\\PC{0,4}"];
    let change = (any::<Index>(), 0..30_usize, 0..4_u8, other);
    let all = prop::collection::vec(change, 0..5);
    (prop::sample::select(samples), all).prop_map(|(sample, changes)| {
        let mut bytes = sample.as_bytes().to_vec();
        for (at, length, how, other) in changes {
            let start = at.index(bytes.len() + 1);
            let range = start..bytes.len().min(start + length);
            let (range, others) = match how {
                0 => (range, Vec::new()),
                1 => (start..start, bytes[range].to_vec()),
                2 => (range, other.into_bytes()),
                _ => (start..start, other.into_bytes()),
            };
            bytes.splice(range, others);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
