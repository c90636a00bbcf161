//! Logs: cut along their records. A record begins with a time. Lines without a time, such as stack
//! traces, belong to the record above them.

use std::ops::Range;

use jiff::Timestamp;

use self::line::{Line, Place};
use self::year::{Assumed, Moment, moments};
use super::lines;

mod code;
mod level;
mod line;
mod object;
mod stamp;
mod year;

pub(crate) use self::line::stream;
pub(crate) use self::stamp::pattern;
pub use self::year::Near;

/// One entry of a log, including all lines that belong to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    /// The bytes of the record in the text.
    pub range: Range<usize>,
    /// The time of the record; a time without a zone is taken as UTC.
    pub time: Option<Timestamp>,
    /// The severity that the record states, as [`severity`] spells it.
    pub severity: Option<&'static str>,
    /// The codes in the record, without duplicates.
    pub code: Vec<String>,
}

/// A record with what is known about its time.
pub(crate) struct Entry {
    pub(crate) record: Record,
    assumed: Assumed,
    /// The bytes of its time, counted from the start of the record.
    pub(crate) stamp_at: Option<(usize, usize)>,
}

impl Entry {
    /// Returns the seconds by which the record's own clock is ahead of UTC, if the record states
    /// its offset.
    pub(crate) fn ahead(&self) -> Option<i32> {
        self.assumed.ahead
    }
}

/// Returns what was assumed about the times of these records.
pub(crate) fn assumed(entries: &[Entry]) -> Option<String> {
    let mut all: Vec<Assumed> = Vec::new();
    for entry in entries {
        if !all.contains(&entry.assumed) {
            all.push(entry.assumed);
        }
    }
    describe(&all)
}

/// Returns the assumptions in the form that readers see: `UTC, 2026`.
fn describe(assumed: &[Assumed]) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    if assumed.iter().any(|how| how.zone) {
        words.push("UTC".into());
    }
    let mut years: Vec<i16> = assumed.iter().filter_map(|how| how.year).collect();
    years.sort_unstable();
    years.dedup();
    words.extend(years.iter().map(i16::to_string));
    (!words.is_empty()).then(|| words.join(", "))
}

/// Returns true if a record begins at this line, with a time or as an object.
pub(crate) fn begins(line: &str) -> bool {
    line::read(line).begins
}

/// Returns the records of a whole text, in order. Together they cover all of it.
pub(crate) fn entries(text: &str, near: Near) -> Vec<Entry> {
    let lines: Vec<(Range<usize>, Line)> = read(text);
    let has_begins = lines.iter().any(|(_, line)| line.begins);
    let solid = lines.iter().filter(|(_, line)| !line.is_indented).count();
    let has_levels = 2 * lines.iter().filter(|(_, line)| line.opens).count() > solid;
    let begins = |line: &Line| match (has_begins, has_levels) {
        (true, _) => line.begins,
        (false, true) => line.opens,
        (false, false) => !line.is_indented,
    };
    let stamps = lines.iter().map(|(_, line)| (line.stamp, line.beside));
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_first = false;
    for ((range, line), moment) in lines.iter().zip(moments(stamps, near)) {
        let is_new = begins(line);
        match entries.last_mut() {
            Some(Entry { record, .. }) if !is_new => {
                // Some loggers write the level at the beginning of the second line.
                let is_second = std::mem::take(&mut is_first);
                if is_second && line.opens && record.severity.is_none() && record.time.is_some() {
                    record.severity = line.level;
                }
                record.range.end = range.end;
                add(&mut record.code, &line.code);
            }
            _ => {
                is_first = true;
                entries.push(entry(range.clone(), line, moment, is_new));
            }
        }
    }
    entries
}

fn entry(range: Range<usize>, line: &Line, moment: Option<Moment>, is_new: bool) -> Entry {
    let severity = line.level.filter(|_| is_new);
    let mut code = Vec::new();
    add(&mut code, &line.code);
    let (time, assumed) = moment.unzip();
    let record = Record { range, time, severity, code };
    Entry { record, assumed: assumed.unwrap_or_default(), stamp_at: line.stamp_at }
}

fn read(text: &str) -> Vec<(Range<usize>, Line)> {
    let mut read: Vec<(Range<usize>, Line)> =
        lines(text).map(|range| (range.clone(), line::read(&text[range]))).collect();
    let solid = read.iter().filter(|(_, line)| !line.is_indented).count();
    let open = read.iter().filter(|(_, line)| line.opens).count();
    if 2 * open <= solid && !read.iter().any(|(_, line)| line.begins) {
        for (range, line) in &mut read {
            *line = line::read_loosely(&text[range.clone()], std::mem::take(line));
        }
    }
    if 2 * read.iter().filter(|(_, line)| line.place == Place::Second).count() > solid {
        for (range, line) in &mut read {
            *line = line::read_behind_word(&text[range.clone()], std::mem::take(line));
        }
    }
    read
}

fn add(codes: &mut Vec<String>, new: &[String]) {
    for code in new {
        if codes.len() < code::MOST && !codes.contains(code) {
            codes.push(code.clone());
        }
    }
}

#[cfg(test)]
mod tests;
