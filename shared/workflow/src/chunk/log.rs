//! Logs: along their records. A record begins with a time; lines without one, such as stack traces, belong to the
//! record above them.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use regex::Regex;

use super::split::{LARGEST, pack};
use super::{Piece, lines, pieces};

/// How far into a record its severity and time are looked for, in bytes.
const HEAD: usize = 160;

struct Record {
    range: Range<usize>,
    time: Option<Timestamp>,
    severity: Option<String>,
    code: Vec<String>,
}

pub(super) fn cut(text: &str) -> Vec<Piece> {
    let records = records(text);
    let ranges: Vec<Range<usize>> = records.iter().map(|record| record.range.clone()).collect();
    let mut rest = records.as_slice();
    let mut cut = Vec::new();
    for part in pack(&ranges, LARGEST) {
        let count = rest.iter().take_while(|record| record.range.start < part.end).count();
        let (own, others) = rest.split_at(count);
        rest = others;
        for piece in pieces(text, part, &[]) {
            cut.push(described(piece, own));
        }
    }
    cut
}

fn described(piece: Piece, records: &[Record]) -> Piece {
    let mut piece = piece;
    let own = records.iter().filter(|record| {
        record.range.start < piece.range.end && piece.range.start < record.range.end
    });
    for record in own {
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
    }
    piece
}

fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for range in lines(text) {
        let line = &text[range.clone()];
        let time = time(line);
        match records.last_mut() {
            Some(record) if time.is_none() && record.time.is_some() => {
                record.range.end = range.end;
                record.code.extend(
                    codes(line).filter(|code| !record.code.contains(code)).collect::<Vec<_>>(),
                );
            }
            _ => records.push(Record {
                range,
                time,
                severity: severity(line),
                code: codes(line).collect(),
            }),
        }
    }
    records
}

#[expect(clippy::unwrap_used, reason = "the pattern is a constant, and the tests compile it")]
fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// `2026-11-20T18:10:00.123Z` and its kin, with `,` or `.` before the fraction and any offset.
static ISO: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\W{0,3}(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?\s?(Z|[+-]\d\d:?\d\d)?",
    )
});
/// `20/Nov/2026:18:10:00 +0100`, as web servers write it.
static WEB: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[(\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\]"));
static SEVERITY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"\b(?i:(FATAL|CRITICAL|CRIT|ERROR|ERR|SEVERE|WARNING|WARN|NOTICE|INFO|DEBUG|TRACE))\b")
});
static CODE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(?:[A-Z]{1,6}-?\d{3,6}|ERR_[A-Z_]{3,40})\b"));

/// The time a record begins with. Without an offset it is taken as UTC.
fn time(line: &str) -> Option<Timestamp> {
    let head = &line[..line.floor_char_boundary(HEAD)];
    if let Some(parts) = ISO.captures(head) {
        let part = |number| parts.get(number).map_or("", |part| part.as_str());
        let fraction = if part(5).is_empty() { "0" } else { part(5) };
        let civil: DateTime =
            format!("{}-{}-{}T{}.{fraction}", part(1), part(2), part(3), part(4)).parse().ok()?;
        return match part(6) {
            "" | "Z" => civil.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp()),
            offset => format!("{civil}{offset}").parse().ok(),
        };
    }
    let found = WEB.captures(head)?;
    let zoned = jiff::fmt::strtime::parse("%d/%b/%Y:%H:%M:%S %z", &found[1]).ok()?;
    zoned.to_timestamp().ok()
}

fn severity(line: &str) -> Option<String> {
    let head = &line[..line.floor_char_boundary(HEAD)];
    let word = SEVERITY.find(head)?.as_str().to_ascii_uppercase();
    Some(match word.as_str() {
        "WARNING" => "WARN".into(),
        "ERR" | "SEVERE" => "ERROR".into(),
        "CRIT" => "CRITICAL".into(),
        _ => word,
    })
}

fn codes(line: &str) -> impl Iterator<Item = String> {
    CODE.find_iter(&line[..line.floor_char_boundary(4 * LARGEST)]).map(|code| code.as_str().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_trace_belongs_to_its_record() {
        let text = "2026-11-20 14:32:15,120 ERROR [pool-1] E1042 timeout\njava.sql.SQLException: gone\n\tat a.b.C\n2026-11-20 14:32:16,000 INFO ok\n";
        let records = records(text);
        assert_eq!(records.len(), 2);
        assert_eq!(records[0].severity.as_deref(), Some("ERROR"));
        assert_eq!(records[0].code, ["E1042"]);
        assert!(text[records[0].range.clone()].ends_with("a.b.C\n"));
    }

    #[test]
    fn a_passage_knows_its_times_severities_and_codes() {
        let text = "2026-11-20T14:32:15Z WARN slow\n2026-11-20T14:32:18+00:00 ERROR E7001 gone\n";
        let piece = &cut(text)[0];
        assert_eq!(piece.severity, ["WARN", "ERROR"]);
        assert_eq!(piece.code, ["E7001"]);
        let (first, last) = piece.time.unwrap();
        assert_eq!(
            (first.to_string(), last.to_string()),
            ("2026-11-20T14:32:15Z".into(), "2026-11-20T14:32:18Z".into())
        );
    }

    #[test]
    fn times_of_the_usual_forms_are_read() {
        let read = |line| time(line).map(|time| time.to_string());
        assert_eq!(
            read("[2016-03-01 05:00:01,5] INFO x").as_deref(),
            Some("2016-03-01T05:00:01.5Z")
        );
        assert_eq!(read("2016/03/01 05:00:01 x").as_deref(), Some("2016-03-01T05:00:01Z"));
        assert_eq!(
            read("2016-03-01T05:00:01.25+0200 x").as_deref(),
            Some("2016-03-01T03:00:01.25Z")
        );
        assert_eq!(
            read("1.2.3.4 - - [17/May/2015:08:05:32 +0000] \"GET /\"").as_deref(),
            Some("2015-05-17T08:05:32Z")
        );
        assert_eq!(read("no time here"), None);
        assert_eq!(read("2016-13-41 25:00:01 x"), None);
    }
}
