//! Settings: one record for each key path that has a value, with its comment and line. YAML and
//! JSON are read by a YAML parser; TOML, INI and properties as lines `key = value` below
//! `[section]`.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{Event, Parser};
use model::record::{LONGEST_VALUE, Record};

use super::Cells;

/// Upper bounds for the entries of a file and for the depth of a path.
const ENTRIES: usize = 150_000;
const DEPTH: usize = 64;

/// Upper bound for the lines of a comment above a key.
const COMMENT_LINES: usize = 20;

/// Upper bound for the bytes of an entry's lines. In a file of one line, each entry has that whole
/// line.
const LONGEST_TEXT: usize = 2_000;

/// Upper bound for the bytes of a file's paths, values and comments. A section or a comment that
/// covers many entries is stored with each of them.
const TOGETHER: usize = 24 << 20;

/// Reads a configuration file. The text after a syntax error is left out.
pub(super) fn records<'t>(name: &str, text: &'t str) -> Vec<Record<'t>> {
    let mut settings = Settings { lines: Lines::of(text), records: Vec::new(), left: TOGETHER };
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "yaml" | "yml" | "json" => yaml(text, &mut settings),
        _ => assignments(text, &mut settings),
    }
    settings.records
}

/// The settings that were read so far.
struct Settings<'t> {
    lines: Lines<'t>,
    records: Vec<Record<'t>>,
    /// The number of bytes of paths, values and comments that may still be read.
    left: usize,
}

impl<'t> Settings<'t> {
    fn has_room(&self) -> bool {
        self.records.len() < ENTRIES && self.left > 0
    }

    /// Adds a value under its key path, with its first and last line, counted from 1.
    fn push(&mut self, path: String, value: Cow<'t, str>, lines: (u32, u32)) {
        let short = |text: Cow<'t, str>| {
            let end = text.floor_char_boundary(LONGEST_VALUE);
            if end == text.len() { text } else { Cow::Owned(text[..end].to_owned()) }
        };
        let comment = self.lines.comment(lines.0);
        let mut cells = Cells::with_capacity(if comment.is_some() { 3 } else { 2 });
        cells.push(("key".into(), short(Cow::Owned(path))));
        cells.push(("value".into(), short(value)));
        cells.extend(comment.map(|comment| ("comment".into(), short(Cow::Owned(comment)))));
        let size: usize = cells.iter().map(|(_, cell)| cell.len()).sum();
        self.left = self.left.saturating_sub(size);
        let text = self.lines.between(lines);
        let text = &text[..text.floor_char_boundary(LONGEST_TEXT)];
        self.records.push(Record { lines, cells, text, ..Record::default() });
    }
}

/// The lines of a text without their line breaks, and the comments on them.
struct Lines<'t> {
    text: &'t str,
    ranges: Vec<Range<usize>>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Lines<'t> {
        let trimmed = |range: Range<usize>| range.start..range.start + text[range].trim_end().len();
        Lines { text, ranges: crate::chunk::lines(text).map(trimmed).collect() }
    }

    /// Returns a line by its number, counted from 1.
    fn line(&self, number: u32) -> &'t str {
        let range = self.ranges.get((number as usize).wrapping_sub(1));
        range.map_or("", |range| &self.text[range.clone()])
    }

    /// Returns the beginning of a line, which is all that is searched for a comment.
    fn beginning(&self, number: u32) -> &'t str {
        let line = self.line(number);
        &line[..line.floor_char_boundary(LONGEST_TEXT)]
    }

    fn between(&self, (first, last): (u32, u32)) -> &'t str {
        let range = |number: u32| self.ranges.get((number as usize).wrapping_sub(1));
        let Some(start) = range(first).map(|range| range.start) else { return "" };
        let end = range(last).map_or(self.text.len(), |range| range.end);
        self.text[start..end.max(start)].trim_end()
    }

    /// Returns the comment beside a line, or directly above it.
    fn comment(&self, number: u32) -> Option<String> {
        // In a file of one line, each entry has that whole line.
        let line = Some(self.line(number)).filter(|line| line.len() <= LONGEST_TEXT);
        let beside = line.and_then(|line| line.split_once(" #")).map(|(_, comment)| comment);
        let beside = beside.filter(|beside| !beside.contains(['"', '\'']));
        let above = (1..number).rev().map(|number| self.beginning(number).trim_start());
        let above = above.map_while(|line| line.strip_prefix('#'));
        let mut above: Vec<&str> = above.take(COMMENT_LINES).collect();
        above.reverse();
        let parts = above.into_iter().chain(beside).map(|part| part.trim_start_matches('#').trim());
        let comment = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        (!comment.is_empty()).then_some(comment)
    }
}

/// The place of a parser: in a mapping, with its key if one was read, or in a sequence.
enum Level {
    Mapping(Option<(String, u32)>),
    Sequence(usize),
}

fn yaml(text: &str, settings: &mut Settings<'_>) {
    let mut levels: Vec<Level> = Vec::new();
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { break };
        let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX).max(1);
        let (first, last) = (number(span.start.line()), number(span.end.line()));
        match event {
            Event::MappingStart(..) if levels.len() < DEPTH => levels.push(Level::Mapping(None)),
            Event::SequenceStart(..) if levels.len() < DEPTH => levels.push(Level::Sequence(0)),
            Event::MappingStart(..) | Event::SequenceStart(..) => break,
            Event::MappingEnd | Event::SequenceEnd => {
                levels.pop();
                advance(&mut levels);
            }
            Event::Scalar(value, ..) => {
                if let Some(Level::Mapping(key @ None)) = levels.last_mut() {
                    *key = Some((value.into_owned(), first));
                    continue;
                }
                let start = key_line(&levels).unwrap_or(first).min(first);
                let end = last_line(&settings.lines, (first, last), span.end.col());
                if settings.has_room() && !value.trim().is_empty() {
                    settings.push(path(&levels), Cow::Owned(value.into_owned()), (start, end));
                }
                advance(&mut levels);
            }
            Event::Alias(..) => advance(&mut levels),
            _ => {}
        }
    }
}

/// Returns the last line of a value. A block of text ends at the beginning of the line after it.
fn last_line(lines: &Lines<'_>, (first, last): (u32, u32), column: usize) -> u32 {
    let mut last = if last > first && column == 0 { last - 1 } else { last };
    while last > first && lines.line(last).trim().is_empty() {
        last -= 1;
    }
    last
}

/// Advances after a value: a mapping expects its next key, a sequence its next item.
fn advance(levels: &mut [Level]) {
    match levels.last_mut() {
        Some(Level::Mapping(key)) => match key {
            Some(_) => *key = None,
            // A mapping may itself be a key.
            None => *key = Some((String::new(), 1)),
        },
        Some(Level::Sequence(count)) => *count += 1,
        None => {}
    }
}

fn key_line(levels: &[Level]) -> Option<u32> {
    match levels.last() {
        Some(Level::Mapping(Some((_, line)))) => Some(*line),
        _ => None,
    }
}

/// Returns the keys that lead to a value, as far as a column stores them.
fn path(levels: &[Level]) -> String {
    let part = |level: &Level| match level {
        Level::Mapping(key) => key.as_ref().map(|(key, _)| beginning(key).to_owned()),
        Level::Sequence(count) => Some(count.to_string()),
    };
    let path = levels.iter().filter_map(part).collect::<Vec<_>>().join(".");
    beginning(&path).to_owned()
}

fn beginning(key: &str) -> &str {
    &key[..key.floor_char_boundary(LONGEST_VALUE)]
}

fn assignments<'t>(text: &'t str, settings: &mut Settings<'t>) {
    let mut section = "";
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            section = beginning(name.trim_matches(['[', ']', '"']));
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some((key, value)) = line.split_once(['=', ':']) else { continue };
        let key = key.trim().trim_matches('"');
        if key.is_empty() || key.starts_with(['#', ';', '!']) || key.contains(' ') {
            continue;
        }
        let value = value.split(" #").next().unwrap_or_default().trim();
        let value = value.trim_matches(['"', '\'']);
        let path = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
        if !value.is_empty() && settings.has_room() {
            settings.push(path, Cow::Borrowed(value), (number, number));
        }
    }
}
