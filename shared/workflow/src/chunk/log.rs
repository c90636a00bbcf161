//! Logs: along their records. A record begins with a time; lines without one, such as stack traces, belong to the
//! record above them.

use std::ops::Range;

use jiff::Timestamp;

use self::line::Line;
use self::year::{Assumed, Moment, moments};
use super::split::{LARGEST, pack};
use super::{Piece, lines, pieces};

mod code;
mod level;
mod line;
mod object;
mod stamp;
mod year;

pub use self::level::severity;
pub(crate) use self::stamp::{offset, zone_names};
pub use self::year::Near;

/// One entry of a log, with all lines that belong to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// When it says it was; a time without a zone is taken as UTC.
    pub time: Option<Timestamp>,
    /// The severity that it gives itself, as [`severity`] spells it.
    pub severity: Option<String>,
    /// The codes in it, each once.
    pub code: Vec<String>,
}

/// The records of `text` in order; together they are all of it. It may begin in the middle of one, whose rest is then
/// a record without a time. A time without a year is taken in the one closest to `near`, where no neighbor tells it.
pub fn records(text: &str, near: Option<Timestamp>) -> Vec<Record> {
    records_near(text, near.map_or(Near::Unknown, Near::About))
}

/// The records of a whole text, as [`records`] gives those of any.
pub(crate) fn records_near(text: &str, near: Near) -> Vec<Record> {
    entries(text, near).into_iter().map(|entry| entry.record).collect()
}

/// A record and what was assumed of its time.
struct Entry {
    record: Record,
    assumed: Assumed,
}

pub(super) fn cut(text: &str, near: Near) -> Vec<Piece> {
    let entries = entries(text, near);
    let ranges: Vec<Range<usize>> =
        entries.iter().map(|entry| entry.record.range.clone()).collect();
    let mut rest = entries.as_slice();
    let mut cut = Vec::new();
    for part in pack(&ranges, LARGEST) {
        let count = rest.iter().take_while(|entry| entry.record.range.start < part.end).count();
        let (own, others) = rest.split_at(count);
        rest = others;
        for piece in pieces(text, part, &[]) {
            cut.push(described(piece, own));
        }
    }
    cut
}

fn described(piece: Piece, entries: &[Entry]) -> Piece {
    let mut piece = piece;
    let own = entries.iter().filter(|Entry { record, .. }| {
        record.range.start < piece.range.end && piece.range.start < record.range.end
    });
    let mut assumed: Vec<Assumed> = Vec::new();
    for Entry { record, assumed: how } in own {
        for (seen, new) in [
            (&mut piece.severity, record.severity.as_slice()),
            (&mut piece.code, record.code.as_slice()),
        ] {
            for word in new {
                if !seen.contains(word) {
                    seen.push(word.clone());
                }
            }
        }
        if let Some(time) = record.time {
            let (first, last) = piece.time.unwrap_or((time, time));
            piece.time = Some((first.min(time), last.max(time)));
        }
        if !assumed.contains(how) {
            assumed.push(*how);
        }
    }
    piece.assumed = told(&assumed);
    piece
}

/// What was assumed, as a reader reads it: `UTC, 2026`.
fn told(assumed: &[Assumed]) -> Option<String> {
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

fn entries(text: &str, near: Near) -> Vec<Entry> {
    let lines: Vec<(Range<usize>, Line)> = read(text);
    let has_begins = lines.iter().any(|(_, line)| line.begins);
    let solid = lines.iter().filter(|(_, line)| !line.is_indented).count();
    let has_levels = 2 * lines.iter().filter(|(_, line)| line.opens).count() > solid;
    let begins = |line: &Line| match (has_begins, has_levels) {
        (true, _) => line.begins,
        (false, true) => line.opens,
        (false, false) => !line.is_indented,
    };
    let stamps: Vec<_> = lines.iter().map(|(_, line)| (line.stamp, line.beside)).collect();
    let mut entries: Vec<Entry> = Vec::new();
    let mut is_first = false;
    for ((range, line), moment) in lines.into_iter().zip(moments(&stamps, near)) {
        let is_new = begins(&line);
        match entries.last_mut() {
            Some(Entry { record, .. }) if !is_new => {
                // Some loggers put the level at the beginning of the second line.
                let is_second = std::mem::take(&mut is_first);
                if is_second && line.opens && record.severity.is_none() && record.time.is_some() {
                    record.severity = line.level.map(str::to_owned);
                }
                record.range.end = range.end;
                add(&mut record.code, line.code);
            }
            _ => {
                is_first = true;
                entries.push(entry(range, line, moment, is_new));
            }
        }
    }
    entries
}

fn entry(range: Range<usize>, line: Line, moment: Option<Moment>, is_new: bool) -> Entry {
    let severity = line.level.filter(|_| is_new).map(str::to_owned);
    let mut code = Vec::new();
    add(&mut code, line.code);
    let (time, assumed) = moment.unzip();
    Entry { record: Record { range, time, severity, code }, assumed: assumed.unwrap_or_default() }
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
    read
}

fn add(codes: &mut Vec<String>, new: Vec<String>) {
    for code in new {
        if codes.len() < code::MOST && !codes.contains(&code) {
            codes.push(code);
        }
    }
}

#[cfg(test)]
mod tests;
