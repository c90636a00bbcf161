//! Records that are JSON objects: finds their time, level and codes by the field names that loggers
//! use.

use std::collections::VecDeque;

use model::level::severity;
use serde_json::{Map, Value};

use super::level::{letter, syslog};
use super::stamp::{Found, Stamp, epoch, leading};

/// Upper bound for the bytes of a line that is read as an object. A longer line is read by its
/// head.
const LARGEST: usize = 1 << 20;

/// Upper bound for the objects that are searched within a record.
const WITHIN: usize = 64;

/// Names of times, in lower case and without marks, the most reliable first.
const TIMES: [&str; 14] = [
    "timestamp",
    "time",
    "ts",
    "datetime",
    "t",
    "timeunixnano",
    "realtimetimestamp",
    "edgestarttimestamp",
    "edgeendtimestamp",
    "eventtime",
    "asctime",
    "date",
    "starttime",
    "createdat",
];
const LEVELS: [&str; 9] =
    ["level", "severity", "severitytext", "loglevel", "levelname", "lvl", "l", "s", "priority"];
const STATUSES: [&str; 5] =
    ["status", "statuscode", "edgeresponsestatus", "httpstatus", "responsestatus"];
const CODES: [&str; 4] = ["errorcode", "sqlstate", "errno", "code"];
const MESSAGES: [&str; 4] = ["message", "msg", "log", "event"];

/// The data that an object states about its record.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) stamp: Option<Stamp>,
    pub(super) level: Option<&'static str>,
    pub(super) code: Vec<String>,
    /// The text of the object. It may contain the level if no field does.
    pub(super) message: Option<String>,
}

/// Reads `line` as an object; `None` if it is not one.
pub(super) fn parse(line: &str) -> Option<Parsed> {
    let line = line.trim();
    if line.len() > LARGEST || !line.starts_with('{') || !line.ends_with('}') {
        return None;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(line) else { return None };
    Some(search(&fields))
}

/// Searches the fields for the record's data. Outer fields win over inner ones.
fn search(fields: &Map<String, Value>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut within = VecDeque::from([fields]);
    let mut seen = 0;
    while let Some(fields) = within.pop_front() {
        let field = |names: &[&str]| {
            names.iter().find_map(|name| fields.iter().find(|(field, _)| plain(field) == *name))
        };
        let value = |names: &[&str]| field(names).map(|(_, value)| value);
        parsed.stamp =
            parsed.stamp.or_else(|| TIMES.iter().find_map(|name| stamp(value(&[name])?)));
        parsed.level = parsed.level.or_else(|| level(fields, field(&LEVELS)?));
        parsed.message =
            parsed.message.or_else(|| value(&MESSAGES).and_then(Value::as_str).map(str::to_owned));
        let codes = STATUSES.iter().chain(&CODES);
        parsed.code.extend(codes.filter_map(|name| code(value(&[name])?)));
        seen += 1;
        let rest = WITHIN.saturating_sub(seen + within.len());
        within.extend(fields.values().flat_map(objects).take(rest));
    }
    parsed
}

/// Returns the object if the value is one, or the objects in a list.
fn objects(value: &Value) -> Vec<&Map<String, Value>> {
    match value {
        Value::Object(fields) => vec![fields],
        Value::Array(values) => values.iter().filter_map(Value::as_object).collect(),
        _ => Vec::new(),
    }
}

/// Returns a name in lower case without marks: `@timestamp` is `timestamp`, and `Time_Stamp` is,
/// too.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

fn stamp(value: &Value) -> Option<Stamp> {
    match value {
        Value::Number(number) => epoch(&number.to_string()).map(Stamp::Instant),
        Value::String(text) => {
            let number = || epoch(text).map(Stamp::Instant);
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let Found { stamp, .. } = if is_number { return number() } else { leading(text)? };
            Some(stamp).filter(|stamp| *stamp != Stamp::Clock)
        }
        Value::Object(fields) => {
            fields.values().next().filter(|value| !value.is_object()).and_then(stamp)
        }
        _ => None,
    }
}

fn level(fields: &Map<String, Value>, (name, value): (&String, &Value)) -> Option<&'static str> {
    let number = match value {
        Value::String(word) => {
            let by_name = severity(word).or_else(|| letter(word));
            let number = word.parse().ok().filter(|_| plain(name) == "priority");
            return by_name.or_else(|| syslog(number?));
        }
        Value::Number(number) => number.as_u64()?,
        _ => return None,
    };
    if fields.contains_key("short_message") || plain(name) == "priority" {
        return syslog(number);
    }
    let names = ["DEBUG", "INFO", "WARN", "ERROR", "FATAL"];
    match number {
        // Nextcloud counts levels from 0; Bunyan and similar loggers count in tens.
        0..5 if fields.contains_key("reqId") => names.get(usize::try_from(number).ok()?).copied(),
        10..20 => Some("TRACE"),
        20..=60 => names.get(usize::try_from(number / 10 - 2).ok()?).copied(),
        _ => None,
    }
}

/// Returns a code that has three digits or more, or contains letters.
fn code(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => number
            .as_u64()
            .filter(|number| (100..10_000_000).contains(number))
            .map(|number| number.to_string()),
        Value::String(word) => {
            let is_code = (3..=40).contains(&word.len())
                && word.bytes().any(|byte| byte.is_ascii_digit() || byte == b'_')
                && word.bytes().all(|byte| {
                    byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"-_".contains(&byte)
                });
            is_code.then(|| word.clone())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (String, Option<&'static str>, Vec<String>) {
        let parsed = parse(line).unwrap();
        let time = match parsed.stamp {
            Some(Stamp::Instant(time)) => time.to_string(),
            Some(Stamp::Civil { civil, .. }) => civil.to_string(),
            _ => "-".into(),
        };
        (time, parsed.level, parsed.code)
    }

    #[test]
    fn the_names_of_many_loggers_are_known() {
        for (line, time, level) in [
            (
                r#"{"level":"warn","ts":1761019822.5,"msg":"x"}"#,
                "2025-10-21T04:10:22.5Z",
                Some("WARN"),
            ),
            (
                r#"{"@timestamp":"2026-01-02T03:04:05Z","log":{"level":"error"}}"#,
                "2026-01-02T03:04:05",
                Some("ERROR"),
            ),
            (
                r#"{"t":{"$date":"2026-03-10T20:58:09.401+00:00"},"s":"W","c":"NET"}"#,
                "2026-03-10T20:58:09.401",
                Some("WARN"),
            ),
            (
                r#"{"__REALTIME_TIMESTAMP":"1534860261221373","PRIORITY":"1"}"#,
                "2018-08-21T14:04:21.221373Z",
                Some("ALERT"),
            ),
            (
                r#"{"reqId":"a","level":1,"time":"2023-10-01T02:39:09+00:00"}"#,
                "2023-10-01T02:39:09",
                Some("INFO"),
            ),
            (
                r#"{"level":50,"time":1700000000000,"msg":"x"}"#,
                "2023-11-14T22:13:20Z",
                Some("ERROR"),
            ),
            (
                r#"{"version":"1.1","short_message":"x","level":4,"timestamp":1700000000}"#,
                "2023-11-14T22:13:20Z",
                Some("WARN"),
            ),
            (
                r#"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000003000000000","severityText":"ERROR"}]}]}]}"#,
                "2023-11-14T22:13:23Z",
                Some("ERROR"),
            ),
            (r#"{"message":"time is 10:00:00"}"#, "-", None),
        ] {
            let (own_time, own_level, _) = read(line);
            assert_eq!((own_time.as_str(), own_level), (time, level), "{line}");
        }
    }

    #[test]
    fn codes_stand_in_fields() {
        let (_, _, code) =
            read(r#"{"request":{"uri":"/"},"status":502,"code":"42P01","error_code":0}"#);
        assert_eq!(code, ["502", "42P01"]);
    }

    #[test]
    fn what_is_no_object_is_not_read_however_deep() {
        assert!(parse("{not json}").is_none());
        let deep = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
        assert!(parse(&deep).is_none());
    }
}
