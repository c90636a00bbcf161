//! What one line of a log says of its record.

use std::borrow::Cow;
use std::sync::LazyLock;

use model::level::severity;
use regex::Regex;

use super::stamp::{Found, Stamp, anywhere, leading, pattern, second};
use super::{code, level, object};

/// How far into a line its time and level are looked for, in bytes.
const HEAD: usize = 400;

/// How far into a line its codes are looked for.
const CODES: usize = 4_000;

/// Colors and other orders to a terminal.
static COLOR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\x1b\[[0-9;]*[A-Za-z]"));

/// A service's name, as container tools put it before each line.
static SERVICE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^([\w.-]{1,60}) *\| ?"));

/// A line of uvicorn, which tells its level and no time, between those of what it serves.
static UNDATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:INFO: {5}|(?:ERROR|DEBUG|TRACE): {4}|WARNING: {2}|CRITICAL: )\S")
});

/// Where the time of a line stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the second word: such a line begins a record if most lines of the text are such.
    Second,
    /// Anywhere else, or nowhere.
    #[default]
    Elsewhere,
}

impl Place {
    fn second(is_second: bool) -> Place {
        if is_second { Place::Second } else { Place::Elsewhere }
    }
}

/// A line's own part in a record.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// When it says it was.
    pub(super) stamp: Option<Stamp>,
    /// Another time with a year in it, where the stamp has none.
    pub(super) beside: Option<Stamp>,
    pub(super) level: Option<&'static str>,
    pub(super) code: Vec<String>,
    /// Whether a record begins here, if any line of the text has a time.
    pub(super) begins: bool,
    /// Whether it begins with a level, which tells records apart where no line has a time.
    pub(super) opens: bool,
    /// Where its time stands.
    pub(super) place: Place,
    /// Whether it begins with white space or is empty.
    pub(super) is_indented: bool,
    /// The bytes of the time in the line; `None` where it has none, or colors.
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

/// Reads a line again most of whose neighbors have their time behind a word.
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

/// Where a time stands in its line, if nothing was taken out of that.
fn placed(start: &str, is_plain: bool, head: &str, found: Found) -> Option<(usize, usize)> {
    let before = start.len().checked_sub(head.len())?;
    is_plain.then_some((before + found.start, before + found.end))
}

/// Whether a head is one word.
fn is_word(head: &str) -> bool {
    let word = head.trim_end();
    word.len() < head.len() && word.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
}

/// Reads a line again whose text has no time at the begin of any line: by the first time anywhere in it.
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

/// The object that the line ends in.
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

/// `head` without the service in front of it.
fn unwrapped(head: &str) -> &str {
    match SERVICE.captures(head).and_then(|parts| parts.get(0).zip(parts.get(1))) {
        Some((all, name)) if is_service(name.as_str()) => &head[all.end()..],
        _ => head,
    }
}

/// The stream that a container wrote to, and what it wrote there: `stdout F ready`, as the interface of containers puts it
/// behind the time; `P` is a part of a line.
pub(crate) fn stream(rest: &str) -> Option<(&str, &str)> {
    let (stream, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
    let is_stream = matches!(stream, "stdout" | "stderr");
    let rest = rest.strip_prefix(['F', 'P']).filter(|_| is_stream)?;
    (rest.is_empty() || rest.starts_with(' ')).then_some((stream, rest))
}

/// Whether it is no level and no part of a time.
fn is_service(name: &str) -> bool {
    severity(name).is_none() && name.starts_with(|c: char| c.is_ascii_alphabetic())
}
