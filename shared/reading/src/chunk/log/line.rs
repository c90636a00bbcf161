//! The part that one line of a log contributes to its record.

use std::borrow::Cow;
use std::sync::LazyLock;

use model::level::severity;
use regex::Regex;

use super::stamp::{Found, Stamp, anywhere, leading, pattern, second};
use super::{code, level, object};

/// Upper bound for the bytes of a line in which its time and level are searched.
const HEAD: usize = 400;

/// Upper bound for the bytes of a line in which its codes are searched.
const CODES: usize = 4_000;

/// Colors and other terminal control sequences.
static COLOR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\x1b\[[0-9;]*[A-Za-z]"));

/// The name of a service, which container tools write before each line.
static SERVICE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([\w.-]{1,60}) *\| ?"));

/// A line of uvicorn that states its level but no time, between lines of the application it serves.
static UNDATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:INFO: {5}|(?:ERROR|DEBUG|TRACE): {4}|WARNING: {2}|CRITICAL: )\S")
});

/// The place of the time in a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Place {
    /// The time is the second word. Such a line begins a record if most lines of the text have this
    /// form.
    Second,
    /// The time is anywhere else, or missing.
    #[default]
    Elsewhere,
}

impl Place {
    fn second(is_second: bool) -> Place {
        if is_second { Place::Second } else { Place::Elsewhere }
    }
}

/// The part that a line contributes to its record.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The time of the line.
    pub(super) stamp: Option<Stamp>,
    /// Another time in the line that has a year, if the stamp has none.
    pub(super) beside: Option<Stamp>,
    pub(super) level: Option<&'static str>,
    pub(super) code: Vec<String>,
    /// True if a record begins at this line, provided that any line of the text has a time.
    pub(super) begins: bool,
    /// True if the line begins with a level. Levels separate the records if no line has a time.
    pub(super) opens: bool,
    /// The place of the time.
    pub(super) place: Place,
    /// True if the line begins with white space or is empty.
    pub(super) is_indented: bool,
    /// The bytes of the time in the line; `None` if it has no time, or contains colors.
    pub(super) stamp_at: Option<(usize, usize)>,
}

/// Reads a line.
pub(super) fn read(line: &str) -> Line {
    let start = &line[..line.floor_char_boundary(HEAD)];
    let plain = uncolored(start);
    let head = unwrapped(&plain);
    let code = code::codes(&line[..line.floor_char_boundary(CODES)]);
    if head.trim_start().starts_with('{')
        && let Some(parsed) = object_in(line)
    {
        return of_object(parsed, code);
    }
    let is_indented =
        head.trim_end().is_empty() || head.starts_with("  ") || head.starts_with('\t');
    let Some(found) = leading(head).filter(|_| !is_indented) else {
        let opens = !is_indented && level::opening(head).is_some();
        let begins = UNDATED.is_match(head);
        let level = level::after(head);
        let place = Place::second(!is_indented && second(head).is_some());
        return Line { level, code, begins, opens, place, is_indented, ..Line::default() };
    };
    let place = Place::second(is_word(&head[..found.start]));
    let stamp_at = placed(start, matches!(plain, Cow::Borrowed(_)), head, found);
    Line { place, stamp_at, ..dated(line, head, found, code) }
}

/// Reads a line again in a text in which most lines have their time after a first word.
pub(super) fn read_behind_word(line: &str, part: Line) -> Line {
    let start = &line[..line.floor_char_boundary(HEAD)];
    let plain = uncolored(start);
    let head = unwrapped(&plain);
    match second(head).filter(|_| part.place == Place::Second && !part.begins) {
        Some(found) => {
            let stamp_at = placed(start, matches!(plain, Cow::Borrowed(_)), head, found);
            Line { stamp_at, ..dated(line, head, found, part.code) }
        }
        None => part,
    }
}

/// Returns the bytes of a time in its line; `None` if colors were removed from the line.
fn placed(start: &str, is_plain: bool, head: &str, found: Found) -> Option<(usize, usize)> {
    let before = start.len().checked_sub(head.len())?;
    is_plain.then_some((before + found.start, before + found.end))
}

/// Returns true if a head is one word.
fn is_word(head: &str) -> bool {
    let word = head.trim_end();
    word.len() < head.len() && word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
}

/// Reads a line again in a text in which no line begins with a time. The first time anywhere in the
/// line counts.
pub(super) fn read_loosely(line: &str, part: Line) -> Line {
    let start = &line[..line.floor_char_boundary(HEAD)];
    let head = uncolored(start);
    match anywhere(&head).filter(|_| !part.is_indented) {
        Some(found) => dated(line, &head, found, part.code),
        None => part,
    }
}

fn dated(line: &str, head: &str, found: Found, code: Vec<String>) -> Line {
    let Found { stamp, start, end } = found;
    let rest = stream(&head[end..]).map_or(&head[end..], |(_, rest)| rest);
    let level = level::before(&head[..start])
        .or_else(|| level::numbered(&head[start..]))
        .or_else(|| level::after(rest));
    let has_year = !matches!(stamp, Stamp::Civil { has_year: false, .. });
    let beside = if has_year { None } else { anywhere(rest).map(|found| found.stamp) };
    let part = Line { stamp: Some(stamp), beside, level, code, begins: true, ..Line::default() };
    match object_in(line) {
        Some(parsed) => {
            let inner = of_object(parsed, part.code);
            Line { level: inner.level.or(part.level), code: inner.code, ..part }
        }
        None => part,
    }
}

/// Returns the object at the end of the line.
fn object_in(line: &str) -> Option<object::Parsed> {
    let start = line[..line.floor_char_boundary(HEAD)].find('{')?;
    object::parse(&line[start..])
}

fn of_object(parsed: object::Parsed, code: Vec<String>) -> Line {
    let level = parsed.level.or_else(|| {
        let message = parsed.message.as_deref()?;
        let head = &message[..message.floor_char_boundary(HEAD)];
        match leading(head) {
            Some(found) => level::after(&head[found.end..]),
            None => level::after(head),
        }
    });
    let mut codes = parsed.code;
    codes.extend(code);
    Line { stamp: parsed.stamp, level, code: codes, begins: true, ..Line::default() }
}

fn uncolored(head: &str) -> Cow<'_, str> {
    if head.contains('\u{1b}') { COLOR.replace_all(head, "") } else { Cow::Borrowed(head) }
}

/// Returns `head` without the service before it.
fn unwrapped(head: &str) -> &str {
    match SERVICE.captures(head).and_then(|parts| parts.get(0).zip(parts.get(1))) {
        Some((all, name)) if is_service(name.as_str()) => &head[all.end()..],
        _ => head,
    }
}

/// Returns the stream that a container wrote to, and the text it wrote: `stdout F ready`. The
/// container runtime interface puts the stream after the time; `P` marks a part of a line.
pub(crate) fn stream(rest: &str) -> Option<(&str, &str)> {
    let (stream, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
    let is_stream = matches!(stream, "stdout" | "stderr");
    let rest = rest.strip_prefix(['F', 'P']).filter(|_| is_stream)?;
    (rest.is_empty() || rest.starts_with(' ')).then_some((stream, rest))
}

/// Returns true if the name is neither a level nor a part of a time.
fn is_service(name: &str) -> bool {
    severity(name).is_none() && name.starts_with(|c: char| c.is_ascii_alphabetic())
}
