//! What tells how an answer came about, and how far to trust it.

use console::style;
use serde_json::Value;

use crate::answer::cited::{Abstained, Cited, Counted, FilterRead, Meta, Read};
use crate::wording::{count, flat, heading, listed, remark, wrapped};

/// The most documents that are named where none answers.
const NEAREST: usize = 3;

/// The most groups of a count that are shown.
const GROUPS: usize = 10;

/// Why there is no answer, in plain words, and what could be asked instead.
pub(super) fn abstained(abstained: &Abstained, knowledge: &str, width: usize) -> Vec<String> {
    let Abstained { reason, suggested_question } = abstained;
    let why = match reason.as_str() {
        "no_evidence" => "No answer: nothing in these documents speaks of this.".into(),
        "below_threshold" => {
            "No answer: what was found is too far from the question to rest an answer on it.".into()
        }
        "not_indexed_yet" => {
            format!(
                "No answer yet: documents are still being indexed; `plumbline status --knowledge {knowledge}` tells when they are done."
            )
        }
        "indexing_failed" => {
            format!(
                "No answer: documents could not be indexed; `plumbline status --knowledge {knowledge}` tells why."
            )
        }
        "conflicting" => "The documents contradict each other; both sides are shown.".into(),
        other => format!("No answer: {}.", flat(&other.replace('_', " "))),
    };
    let mut lines = wrapped(&style(why).bold().to_string(), "", "  ", width);
    if let Some(question) = suggested_question {
        lines.extend(wrapped(&format!("You could ask: {}", flat(question)), "  ", "    ", width));
    }
    lines
}

/// The documents that came nearest to answering.
pub(super) fn nearest(passages: &[Read], width: usize) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for passage in passages {
        if !names.contains(&passage.name.as_str()) {
            names.push(&passage.name);
        }
    }
    names.truncate(NEAREST);
    if names.is_empty() {
        return Vec::new();
    }
    wrapped(&format!("Nearest: {}", listed(&names)), "  ", "    ", width)
}

/// What was counted, and in which groups.
pub(super) fn counted(counted: &Counted, width: usize) -> Vec<String> {
    let Counted { what, number, of, complete, groups } = counted;
    let of = if *number == 1 { of.trim_end_matches('s') } else { of };
    let number =
        if *complete { format!("{number} {of}") } else { format!("at least {number} {of}") };
    let text = match what.as_str() {
        "first" => format!("The first of {number}"),
        "last" => format!("The last of {number}"),
        "most" => format!("The most frequent among {number}"),
        "list" => format!("Listed: {number}"),
        _ => format!("Counted: {number}"),
    };
    let rest = if *complete { "" } else { "; not all could be read" };
    let mut lines = wrapped(&style(format!("{text}{rest}")).bold().to_string(), "", "  ", width);
    for group in groups.iter().take(GROUPS) {
        lines.extend(wrapped(
            &flat(&group.key),
            &format!("{:>8}  ", group.number),
            "          ",
            width,
        ));
    }
    if groups.len() > GROUPS {
        lines.push(format!("          and {} more", groups.len() - GROUPS));
    }
    lines
}

/// The sources, what was read from the question, what was left out, and how the answer was made.
pub(super) fn lines(answer: &Cited, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if !answer.sources_line.is_empty() {
        lines.extend(wrapped(&flat(&answer.sources_line), "", "  ", width));
    }
    if !answer.filters_read.is_empty() {
        let read: Vec<String> = answer.filters_read.iter().map(filter).collect();
        let text = format!("Read from the question: {}", read.join(", "));
        lines.extend(wrapped(&text, "", "  ", width));
    }
    if answer.support.dropped > 0 {
        let dropped = count(answer.support.dropped, "claim");
        lines.push(format!("{dropped} dropped: not in the passages that were cited"));
    }
    for degraded in &answer.meta.degraded {
        let text = format!(
            "! Without {}: {}",
            heading(&degraded.part).to_lowercase(),
            flat(&degraded.reason)
        );
        lines.extend(wrapped(&style(text).yellow().to_string(), "", "  ", width));
    }
    let made = made(&answer.meta);
    if !made.is_empty() {
        lines.extend(remark(&made.join(", "), width));
    }
    lines
}

/// `severity ERROR ("errors")`, `time 2026-01-02 18:10 to 18:20Z ("between 18:10 and 18:20")`.
fn filter(read: &FilterRead) -> String {
    format!("{} {} (\"{}\")", read.field, value(&read.value), flat(&read.from))
}

fn value(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(self::value).collect();
            listed(&values)
        }
        Value::Object(bounds) => {
            let bound = |names: [&str; 2]| names.into_iter().find_map(|name| bounds.get(name));
            match (bound(["gte", "gt"]), bound(["lte", "lt"])) {
                (Some(from), Some(to)) => span(&self::value(from), &self::value(to)),
                (Some(from), None) => format!("from {}", time(&self::value(from))),
                (None, Some(to)) => format!("up to {}", time(&self::value(to))),
                (None, None) => String::new(),
            }
        }
        Value::String(text) => flat(text),
        other => other.to_string(),
    }
}

/// From one value to the other; a day that both times share is said once.
fn span(from: &str, to: &str) -> String {
    let later = match (from.split_once('T'), to.split_once('T')) {
        (Some((day, _)), Some((same, later))) if day == same => time(later),
        _ => time(to),
    };
    format!("{} to {later}", time(from).trim_end_matches('Z'))
}

/// A time without seconds that tell nothing.
fn time(text: &str) -> String {
    let Some(short) = text.strip_suffix(":00Z") else { return text.replacen('T', " ", 1) };
    format!("{}Z", short.replacen('T', " ", 1))
}

/// By which id, with what effort, and whether it was kept from before.
fn made(meta: &Meta) -> Vec<String> {
    let answer = meta.answer_id.as_ref().map(|id| format!("answer {id}"));
    let effort = meta.effort.as_ref().map(|effort| format!("effort {effort}"));
    let is_kept = meta.cache.as_deref() == Some("hit");
    let age = meta.cache_age_s.map(|age| format!(" {} ago", duration(age)));
    let left = meta.cache_left_s.map(|left| format!(", kept for {} more", duration(left)));
    let cache = is_kept.then(|| {
        format!(
            "first given{}{}",
            age.unwrap_or_else(|| " before".into()),
            left.unwrap_or_default()
        )
    });
    answer.into_iter().chain(effort).chain(cache).collect()
}

/// In its largest whole unit.
fn duration(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn filters_are_told_as_one_would_say_them() {
        for (field, own, told) in [
            ("severity", json!(["ERROR", "FATAL"]), "severity ERROR and FATAL (\"x y\")"),
            ("line", json!({"gte": 3, "lte": 9}), "line 3 to 9 (\"x y\")"),
            ("line", json!(42), "line 42 (\"x y\")"),
            (
                "time",
                json!({"gte": "2026-01-02T18:10:00Z"}),
                "time from 2026-01-02 18:10Z (\"x y\")",
            ),
            (
                "time",
                json!({"gte": "2026-01-02T18:10:00Z", "lt": "2026-01-02T18:20:30Z"}),
                "time 2026-01-02 18:10 to 18:20:30Z (\"x y\")",
            ),
            (
                "time",
                json!({"gte": "2026-01-02T00:00:00Z", "lt": "2026-01-03T00:00:00Z"}),
                "time 2026-01-02 00:00 to 2026-01-03 00:00Z (\"x y\")",
            ),
        ] {
            let read = FilterRead { field: field.into(), value: own, from: "x\ny".into() };
            assert_eq!(filter(&read), told);
        }
    }

    #[test]
    fn times_are_told_in_their_largest_unit() {
        let told: Vec<String> = [0, 119, 120, 7_199, 7_200, 604_800].map(duration).into();
        assert_eq!(told, ["0 s", "119 s", "2 min", "119 min", "2 h", "7 d"]);
    }

    #[test]
    fn a_count_that_is_not_complete_says_so() {
        console::set_colors_enabled(false);
        let counted_as = |own: Value| counted(&serde_json::from_value(own).unwrap(), 80).join("\n");
        let groups: Vec<Value> =
            (0..12).map(|key| json!({"key": format!("pod-{key}"), "number": 20 - key})).collect();
        let most = counted_as(
            json!({"what": "most", "number": 500, "of": "records", "complete": false, "groups": groups}),
        );
        let lines: Vec<&str> = most.lines().collect();
        assert_eq!(lines[0], "The most frequent among at least 500 records; not all could be read");
        assert_eq!((lines[1], lines[11]), ("      20  pod-0", "          and 2 more"));
        let one = json!({"what": "count", "number": 1, "of": "lines", "complete": true});
        assert_eq!(counted_as(one), "Counted: 1 line");
    }
}
