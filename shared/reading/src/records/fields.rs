//! The columns of a log's record.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Cells, add, head, object, value};
use crate::chunk::log::{self, Entry, pattern};

/// Upper bound for the bytes of a record in which named values are searched.
const NAMED_WITHIN: usize = 8_000;

/// Upper bound for the named values that are read of a record.
const NAMED: usize = 60;

/// Columns that come from the head of a record. A value with such a name within a message does not
/// replace them.
const OF_THE_HEAD: [&str; 8] = ["time", "ts", "t", "timestamp", "level", "lvl", "severity", "date"];

/// Complete lines of web servers and proxies.
static REQUESTS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    let quoted = r#"(?:[^"\\]|\\.)*"#;
    [
        // The combined log format of Apache and nginx, with or without the last two fields.
        pattern(&format!(
            r#"^(?<client>\S+) \S+ (?<user>\S+) \[[^\]]+\] "(?:(?<method>[A-Z]{{3,10}}) (?<path>\S*)[^"]*|{quoted})" (?<code>[0-9]{{3}}) (?<bytes>[0-9]+|-)(?: "(?<referer>{quoted})" "(?<agent>{quoted})")?"#
        )),
        pattern(
            r#"(?<process>haproxy)\[(?<pid>[0-9]+)\]: (?<client>[0-9a-fA-F.:]+):[0-9]+ \[[^\]]+\] (?<frontend>\S+) (?<backend>[^/ ]+)/(?<server>\S+) -?[0-9]+/-?[0-9]+/-?[0-9]+/(?:-?[0-9]+/)?\+?(?<duration>[0-9]+) (?:(?<code>[0-9]{3}|-1) )?\+?(?<bytes>[0-9]+) (?:.*"(?<method>[A-Z]{3,10}) (?<path>\S+))?"#,
        ),
        pattern(
            r"\] (?<client>\S+) \([^)]*\) \{[^}]*\} \[[^\]]+\] (?<method>[A-Z]{3,10}) (?<path>\S+) => generated (?<bytes>[0-9]+) bytes in (?<duration>[0-9]+ \w+) \(HTTP/[0-9.]+ (?<code>[0-9]{3})\)",
        ),
    ]
});

/// A request within a message, followed by its status.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"\b(?<method>GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS) (?<path>/[^\s"]*)(?: HTTP/[0-9.]+)?"? (?:status: ?)?(?<code>[1-5][0-9]{2})\b"#,
    )
});

/// `name=value`, with or without quotes.
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?:^|[\s,;(\[{|])(?<name>[A-Za-z_@][\w.@-]{0,39})=(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s,;)\]}"|]*))"#,
    )
});
/// `Query_time: 0.01`, `TraceID: 5f3c`, `[pid: 7|app: 0]`, `took 17 ms`, and `name = value` in a
/// list or a dump of settings.
static LABELED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)(?:(?:^|\s)(?<name>[A-Z][A-Za-z]*_[A-Za-z_]+|[A-Z][A-Za-z]*I[Dd]|Id|Schema): +(?<value>[^\s]+)|[\[|](?<mark>[a-z]{2,20}): ?(?<marked>[^|\]\s]+)|(?:^[ \t]+|[:,] )(?<setting>[A-Za-z][\w.]{1,60}) = (?<assigned>[^,\n]*)|\b(?<verb>took):? +(?<lasted>[0-9][0-9.]* ?(?:ns|us|\x{b5}s|ms|s|secs?|seconds?|min|minutes?)\b))",
    )
});

/// Reads the columns of a record.
pub(super) fn cells<'t>(text: &'t str, entry: &Entry, has_hosts: bool) -> Cells<'t> {
    let mut cells = Cells::new();
    if let Some(level) = entry.record.severity {
        cells.push(("level".into(), Cow::Borrowed(level)));
    }
    let line = text.lines().next().unwrap_or_default();
    let wrapped = entry.stamp_at.and_then(|(_, end)| log::stream(line.get(end..)?));
    if let Some((stream, _)) = wrapped {
        add(&mut cells, "stream", value(stream));
    }
    if object::read(text, &mut cells) {
        first_code(entry, &mut cells);
        return cells;
    }
    let inner = wrapped.map(|(_, inner)| inner.trim_start());
    let stamp_at = entry.stamp_at.map(|(start, end)| match inner {
        Some(inner) => (start, line.len() - inner.len()),
        None => (start, end),
    });
    // In a line that begins with its time, the first field is not a client.
    let begins_with_time = inner.is_none() && stamp_at.is_some_and(|(start, _)| start == 0);
    let line = inner.unwrap_or(line);
    let mut forms = REQUESTS.iter().skip(usize::from(begins_with_time));
    if let Some(parts) = forms.find_map(|form| form.captures(line)) {
        named_groups(&parts, &mut cells);
        labeled(line, &mut cells);
        head::read(text, stamp_at, has_hosts, &mut cells);
        return cells;
    }
    // The message may be a named value, too.
    pairs(&text[..text.floor_char_boundary(NAMED_WITHIN)], &mut cells);
    head::read(text, stamp_at, has_hosts, &mut cells);
    if let Some(parts) = REQUEST.captures(line) {
        named_groups(&parts, &mut cells);
    }
    first_code(entry, &mut cells);
    cells
}

fn first_code(entry: &Entry, cells: &mut Cells<'_>) {
    let code = entry.record.code.first().map(|code| Cow::Owned(code.clone()));
    add(cells, "code", code);
}

/// Adds each group of a pattern as a column with the group's name.
fn named_groups<'t>(parts: &Captures<'t>, cells: &mut Cells<'t>) {
    for name in [
        "client", "user", "method", "path", "code", "bytes", "referer", "agent", "process", "pid",
        "frontend", "backend", "server", "duration",
    ] {
        let cell = parts.name(name).and_then(|part| value(part.as_str()));
        let cell = cell.map(|cell| match name {
            // HAProxy's timers are in milliseconds.
            "duration" if cell.bytes().all(|byte| byte.is_ascii_digit()) => {
                Cow::Owned(format!("{cell}ms"))
            }
            _ => cell,
        });
        add(cells, name, cell);
    }
}

fn pairs<'t>(text: &'t str, cells: &mut Cells<'t>) {
    for parts in PAIR.captures_iter(text).take(NAMED) {
        let value = parts.name("quoted").or(parts.name("bare"));
        if let (Some(name), Some(value)) = (parts.name("name"), value) {
            named(name.as_str(), value.as_str(), cells);
        }
    }
    labeled(text, cells);
}

fn labeled<'t>(text: &'t str, cells: &mut Cells<'t>) {
    for parts in LABELED.captures_iter(text).take(NAMED) {
        let first = |names: [&str; 4]| names.into_iter().find_map(|name| parts.name(name));
        let name = first(["name", "mark", "setting", "verb"]);
        let value = first(["value", "marked", "assigned", "lasted"]);
        if let (Some(name), Some(value)) = (name, value) {
            named(name.as_str(), value.as_str(), cells);
        }
    }
}

fn named<'t>(name: &str, text: &'t str, cells: &mut Cells<'t>) {
    let name = name.trim_start_matches('@').to_lowercase();
    if OF_THE_HEAD.contains(&name.as_str()) {
        return;
    }
    let name = object::column(&name).unwrap_or(&name);
    add(cells, name, value(text));
}
