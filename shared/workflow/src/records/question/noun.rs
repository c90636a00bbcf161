//! Finds the columns that nouns mean.

use model::record::{ColumnHead, ColumnKind};

use crate::records::Recorded;
use crate::records::scan::instance;

/// Nouns, and the columns that they may mean; the first column that exists is meant.
const NOUNS: [(&str, &[&str]); 44] = [
    ("service", &["service", "process", "app"]),
    ("microservice", &["service"]),
    ("pod", &["pod"]),
    ("broker", &["instance"]),
    ("node", &["instance", "host"]),
    ("server", &["instance", "host", "server"]),
    ("machine", &["host", "instance"]),
    ("host", &["host", "instance"]),
    ("client", &["client"]),
    ("ip", &["client"]),
    ("address", &["client"]),
    ("visitor", &["client"]),
    ("caller", &["client"]),
    ("page", &["path"]),
    ("path", &["path"]),
    ("url", &["path"]),
    ("endpoint", &["path"]),
    ("resource", &["path"]),
    ("method", &["method"]),
    ("verb", &["method"]),
    ("code", &["code"]),
    ("status", &["code"]),
    ("browser", &["agent"]),
    ("agent", &["agent"]),
    ("level", &["level"]),
    ("severity", &["level"]),
    ("logger", &["logger"]),
    ("class", &["logger"]),
    ("component", &["logger", "process"]),
    ("subsystem", &["logger", "process"]),
    ("daemon", &["process"]),
    ("process", &["process", "pid"]),
    ("program", &["process"]),
    ("thread", &["thread"]),
    ("connection", &["thread"]),
    ("user", &["user"]),
    ("file", &["path", "file"]),
    ("log", &["file"]),
    ("message", &["template"]),
    ("exception", &["template"]),
    ("statement", &["template"]),
    ("minute", &["minute"]),
    ("hour", &["hour"]),
    ("day", &["day"]),
];

/// Columns of durations and of sizes; the first that exists is meant.
const DURATIONS: [&str; 12] = [
    "duration",
    "took",
    "latency",
    "elapsed",
    "query_time",
    "durationmillis",
    "response_time",
    "request_time",
    "duration_ms",
    "elapsed_ms",
    "time_taken",
    "attr.durationmillis",
];
const SIZES: [&str; 4] = ["bytes", "size", "length", "content_length"];

/// Returns the column that a noun of one or two words means, and the words.
pub(super) fn column(noun: &str, loaded: &[&Recorded]) -> Option<(String, String)> {
    let lower = noun.to_lowercase();
    if lower == "who" {
        return has(loaded, "client").then(|| ("client".into(), lower));
    }
    let words: Vec<&str> = lower.split_whitespace().collect();
    // "Status code", "source ip": the second word says what it is; so does a lone one.
    let joined = words.join("_");
    let tries = [joined.as_str()].into_iter().chain(words.iter().rev().copied());
    for word in tries {
        for form in
            [word, word.strip_suffix('s').unwrap_or(word), word.strip_suffix("es").unwrap_or(word)]
        {
            let known = NOUNS.iter().find(|(name, _)| *name == form);
            let columns = known.map(|(_, columns)| *columns).unwrap_or_default();
            let found =
                columns.iter().find(|name| has(loaded, name)).map(|name| (*name).to_owned());
            let found = found.or_else(|| find_column(form, loaded));
            if let Some(found) = found {
                return Some((found, noun.to_lowercase()));
            }
        }
    }
    None
}

/// Returns true if there is such a column, or every record has it.
fn has(loaded: &[&Recorded], name: &str) -> bool {
    let built_in = ["instance", "file", "template", "minute", "hour", "day"];
    let is_instance = name == "instance"
        && loaded.iter().any(|recorded| instance(&recorded.document.name).is_some());
    if name == "instance" {
        return is_instance;
    }
    built_in.contains(&name) || find_column(name, loaded).is_some()
}

/// Returns the column with this name, or whose path ends in it.
fn find_column(name: &str, loaded: &[&Recorded]) -> Option<String> {
    let heads = || loaded.iter().flat_map(|recorded| &recorded.file.header.columns);
    let exact = heads().find(|head| head.name == name);
    let tail = || heads().find(|head| head.name.rsplit('.').next() == Some(name));
    exact.or_else(tail).map(|head| head.name.clone())
}

/// Returns the column whose numbers are asked for: one that the question names, else one of durations or of sizes.
pub(super) fn number_column(question: &str, loaded: &[&Recorded]) -> Option<String> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let heads = || loaded.iter().flat_map(|recorded| &recorded.file.header.columns);
    let is_number = |head: &&ColumnHead| matches!(head.kind, ColumnKind::Number { .. });
    let is_named = |head: &&ColumnHead| {
        let last = head.name.rsplit('.').next().unwrap_or_default();
        let parts: Vec<&str> = last.split('_').filter(|part| part.len() > 2).collect();
        !parts.is_empty() && parts.iter().all(|part| words.contains(part))
    };
    if let Some(head) = heads().filter(is_number).find(is_named) {
        return Some(head.name.clone());
    }
    let is_size =
        ["byte", "large", "big", "small", "size", "response", "volume", "heav", "traffic"]
            .iter()
            .any(|word| lower.contains(word));
    let is_time = [
        "slow", "long", "fast", "quick", "short", "time", "took", "take", "duration", "wait",
        "latency",
    ]
    .iter()
    .any(|word| lower.contains(word));
    let sizes: &[&str] = if is_size && !is_time { &SIZES } else { &[] };
    let all = sizes.iter().chain(&DURATIONS).chain(&SIZES);
    let mut all = all.filter_map(|name| find_column(name, loaded));
    all.find(|name| heads().filter(is_number).any(|head| head.name == *name))
}
