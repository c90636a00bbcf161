//! The forms in which logs write times.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use model::zone::{offset, zone_names};
use regex::{Captures, Regex};

/// A time as a record states it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stamp {
    /// A moment.
    Instant(Timestamp),
    /// A date and a time of day. A date without a year is placed in a leap year.
    Civil { civil: DateTime, has_year: bool, offset: Option<Offset> },
    /// A time of day alone, which is not a moment.
    Clock,
}

/// A time and its place in the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub(super) stamp: Stamp,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The text that may precede a time in a line: marks, levels, sources, `key=value`, and words that
/// end in a digit.
const BEFORE: &str = r#"^ ?(?:<[0-9]{1,3}>(?:1 )?)?[\["(<|*-]{0,2}(?:(?:\[?(?:[A-Z]{3,9}|[A-Z])\]?[:,]?|\[[^\]\n]+\]|[*|#-]|# ?Time:|[\w./:@\[\]-]*[0-9./][\w./:@\[\]-]*|[\w.]+=(?:"[^"]*"|\S*))[ \t]+){0,4}?(?:[\w.-]+::)*(?:[\w.]{1,24}=)?[\["(]?"#;
/// The text that may precede a number that is a time.
const BEFORE_EPOCH: &str = r#"^(?:- )?(?:<[0-9]{1,3}>)?(?:[\w.]+=(?:"[^"]*"|\S*)[ \t]+){0,4}(?:[\w.]{1,24}=)?(?:audit)?["\[(]?"#;
const YEAR: &str = "(?<y>[0-9]{4})";
const DATE: &str = "(?<mo>[0-9]{2})[-/.]?(?<d>[0-9]{2})";
const DAY: &str = "(?<d>[0-9]{1,2})";
const TIGHT: &str = "(?<h>[0-9]{1,2}):?(?<mi>[0-9]{2}):?(?<s>[0-9]{2})";
/// A time of day: with seconds, separated by colons, in parts of one or two digits; or without
/// seconds, or separated by dots.
const CLOCK: &str = r"(?:(?<h>[0-9]{1,2}):(?<mi>[0-9]{1,2}):(?<s>[0-9]{1,2})(?:[.,:](?<f>[0-9]{1,9}))?|(?<h2>[0-9]{1,2})[:.](?<mi2>[0-9]{2})(?:[:.](?<s2>[0-9]{2}))?(?:[.,:](?<f2>[0-9]{1,9}))?)(?:\s?(?<half>[AP]M)\b)?";
/// The month and day after a year and a mark, each with one or two digits.
const MARKED: &str = "(?<mo>[0-9]{1,2})[-/.](?<d>[0-9]{1,2})";
/// A date that no year identifies, so it must have its separators.
const APART: &str = "(?<mo>[0-9]{2})[-/.](?<d>[0-9]{2})";
const FULL: &str = r"(?<h>[0-9]{1,2}):(?<mi>[0-9]{2}):(?<s>[0-9]{2})(?:[.,:](?<f>[0-9]{1,9}))?";
const MONTH: &str = "(?<mon>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
fn zone() -> String {
    let names = zone_names();
    format!(
        r"(?:\s?(?:(?:UTC|GMT)(?<z3>[+-](?:0?[0-9]|1[0-4])(?::?[0-9]{{2}})?)\b|(?<z>(?:{names})\b|[+-](?:0[0-9]|1[0-4]):?[0-9]{{2}}\b))|(?<z2>[+-](?:0[0-9]|1[0-4]))\b)?"
    )
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and the tests compile them")]
pub(crate) fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// The forms of times; those that state more come before those that state less.
static FORMS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let zone = zone();
    let epoch = r"(?<e>[0-9]{10}(?:\.[0-9]{1,9})?|[0-9]{13}|[0-9]{16}|[0-9]{19})\b";
    let clock = r"(?<clock>(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,:][0-9]{1,9})?)\b";
    // Web servers write the time after other fields. The brackets make it unambiguous.
    let amid = r"\[";
    let forms = [
        (BEFORE, format!(r"{YEAR}[-/.]{MARKED}(?:[T :-]|, ?){CLOCK}{zone}")),
        (BEFORE, format!(r"(?:[A-Z][a-z]{{2}},? )?{DAY}[ -]{MONTH}[ -]{YEAR}[ :]{CLOCK}{zone}")),
        (BEFORE, format!(r"[A-Z][a-z]{{2}} {MONTH} {{1,2}}{DAY} {CLOCK}{zone} {YEAR}")),
        (BEFORE, format!(r"{MONTH} {{1,2}}{DAY},? {YEAR},? {CLOCK}{zone}")),
        (BEFORE_EPOCH, epoch.into()),
        (BEFORE, format!(r"{MONTH} {{1,2}}{DAY} {CLOCK}{zone}")),
        (BEFORE, format!(r"{DAY}\.(?<mo>[0-9]{{1,2}})\.{YEAR},? {CLOCK}{zone}")),
        (BEFORE, format!(r"(?<yy>[0-9]{{2}})[/-]{DATE} {CLOCK}{zone}")),
        (BEFORE, format!(r"[IWEFD](?<mo>[0-9]{{2}})(?<d>[0-9]{{2}}) {FULL}")),
        (BEFORE, format!(r"{APART} {FULL}")),
        (BEFORE, format!(r"{YEAR}{DATE}[-T ]{CLOCK}{zone}")),
        (BEFORE, format!(r"{YEAR}{DATE}[-T ]{TIGHT}(?:[.,](?<f>[0-9]{{1,9}}))?{zone}")),
        (BEFORE, format!(r"(?<yy>[0-9]{{2}}){DATE} +{TIGHT}\b")),
        (r"^[\[(]?", clock.into()),
        (amid, format!(r"{DAY}/{MONTH}/{YEAR}:{CLOCK}{zone}")),
        (amid, format!(r"[A-Z][a-z]{{2}} {MONTH} {{1,2}}{DAY} {CLOCK} {YEAR}")),
    ];
    forms.map(|(before, form)| pattern(&format!("{before}(?<all>{form})"))).into()
});

/// A date with its year, anywhere in a line.
static ANYWHERE: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let zone = zone();
    [
        pattern(&format!(r"(?<all>{YEAR}[-/]{MARKED}[T ]{CLOCK}{zone})")),
        pattern(&format!(r"(?<all>{DAY}/{MONTH}/{YEAR}:{CLOCK}{zone})")),
    ]
});

/// Returns the time at the beginning of `head`. Only a source, a level or the fields of a web
/// server may precede it.
pub(super) fn leading(head: &str) -> Option<Found> {
    if !may_hold_time(head) {
        return None;
    }
    FORMS.iter().find_map(|form| found(&form.captures(head)?))
}

/// Returns the time with a year that is the second word of `head`, after a word of letters.
pub(super) fn second(head: &str) -> Option<Found> {
    let (word, rest) = head.split_once([' ', '\t'])?;
    let is_word = word.chars().all(|c| c.is_alphabetic() || "-_".contains(c)) && !word.is_empty();
    let is_near = is_word && rest.starts_with(|c: char| c.is_ascii_digit() || c == '[');
    let Found { stamp, start, end } = is_near.then(|| leading(rest)).flatten()?;
    let has_year =
        matches!(stamp, Stamp::Instant(_) | Stamp::Civil { has_year: true, .. }) && start < 2;
    let before = word.len() + 1;
    has_year.then_some(Found { stamp, start: before + start, end: before + end })
}

/// Returns the first time with a year, anywhere in `head`.
pub(super) fn anywhere(head: &str) -> Option<Found> {
    ANYWHERE.iter().find_map(|form| found(&form.captures(head)?))
}

/// Returns the moment for a number since 1970; the size of the number determines its unit.
pub(super) fn epoch(number: &str) -> Option<Timestamp> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole: i64 = whole.parse().ok()?;
    let time = match whole {
        0..=9_999_999_999 => {
            let nanoseconds = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
            Timestamp::new(whole, nanoseconds).ok()?
        }
        100_000_000_000..=9_999_999_999_999 => Timestamp::from_millisecond(whole).ok()?,
        100_000_000_000_000..=9_999_999_999_999_999 => Timestamp::from_microsecond(whole).ok()?,
        _ => Timestamp::from_nanosecond(whole.into()).ok()?,
    };
    // A number outside these years is most likely not a time.
    (EARLIEST..=LATEST).contains(&time.as_second()).then_some(time)
}

/// The years from 2002 to 2099, in seconds since 1970.
const EARLIEST: i64 = 1_009_843_200;
const LATEST: i64 = 4_102_444_800;

/// Returns true if the text contains two digits with one character between them, which every form
/// of a time has.
fn may_hold_time(head: &str) -> bool {
    let bytes = head.as_bytes();
    bytes.windows(3).any(|three| three[0].is_ascii_digit() && three[2].is_ascii_digit())
}

fn found(parts: &Captures<'_>) -> Option<Found> {
    let all = parts.name("all")?;
    let stamp = stamp(parts)?;
    Some(Found { stamp, start: all.start(), end: all.end() })
}

fn stamp(parts: &Captures<'_>) -> Option<Stamp> {
    if let Some(number) = parts.name("e") {
        return epoch(number.as_str()).map(Stamp::Instant);
    }
    if parts.name("clock").is_some() {
        return Some(Stamp::Clock);
    }
    let part = |name: &str| parts.name(name).or_else(|| parts.name(&format!("{name}2")));
    let number = |name: &str| part(name).and_then(|part| part.as_str().parse::<i8>().ok());
    let year = match (parts.name("y"), parts.name("yy")) {
        (Some(year), _) => Some(year.as_str().parse().ok()?),
        (None, Some(year)) => Some(2000 + year.as_str().parse::<i16>().ok()?),
        (None, None) => None,
    };
    let month = match parts.name("mon") {
        Some(name) => month(name.as_str())?,
        None => number("mo")?,
    };
    let fraction = part("f").map_or("", |part| part.as_str());
    let nanoseconds = format!("{fraction:0<9}").parse().ok()?;
    let second = number("s").unwrap_or(0).min(59);
    let (day, mut hour, minute) = (number("d")?, number("h")?, number("mi")?);
    if let Some(half) = parts.name("half") {
        hour = hour % 12 + if half.as_str() == "PM" { 12 } else { 0 };
    }
    // The year 2000 is a leap year, so that every date without a year exists in it.
    let civil =
        DateTime::new(year.unwrap_or(2000), month, day, hour, minute, second, nanoseconds).ok()?;
    let offset = parts
        .name("z")
        .or(parts.name("z2"))
        .or(parts.name("z3"))
        .and_then(|zone| offset(zone.as_str()));
    Some(Stamp::Civil { civil, has_year: year.is_some(), offset })
}

fn month(name: &str) -> Option<i8> {
    let names =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    (1..).zip(names).find(|(_, z)| *z == name).map(|(number, _)| number)
}

#[cfg(test)]
mod tests;
