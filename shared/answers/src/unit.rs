//! What an answer is made of: records and lines of logs and configurations, paragraphs and lists of texts.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;
use uuid::Uuid;

use model::document::{Chunk, DocumentType};
use text::block::{Form, blocks};

mod setting;

pub(super) use setting::with_body;

use setting::{Keys, extend, goes_on, plain_lines};

/// A part of a passage that can be quoted by itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit<'c> {
    /// The passage.
    pub chunk: &'c Chunk,
    /// Its bytes in the passage.
    pub range: Range<usize>,
    /// Its first and last line in the document.
    pub lines: Option<(u32, u32)>,
    /// When, where its record says so.
    pub time: Option<Timestamp>,
    /// The severity of its record.
    pub severity: Option<String>,
    /// What it belongs to, outermost first: the first line of its record, or the keys above it.
    pub above: Vec<(&'c Chunk, Range<usize>)>,
}

impl<'c> Unit<'c> {
    /// The words.
    pub(super) fn text(&self) -> &'c str {
        &self.chunk.text[self.range.clone()]
    }

    /// The words of what it belongs to.
    pub(super) fn head(&self) -> String {
        let above = self.above.iter().map(|(chunk, range)| &chunk.text[range.clone()]);
        above.collect::<Vec<_>>().join("\n")
    }
}

/// Whether a document is made of records or lines and not of prose.
pub(super) fn is_of_lines(kind: DocumentType) -> bool {
    matches!(kind, DocumentType::Log | DocumentType::Config | DocumentType::Code)
}

/// A log's passages are records; of other documents the lines. They are of one document and in order.
pub(super) fn records<'c>(chunks: &[&'c Chunk]) -> Vec<Unit<'c>> {
    let mut units = Vec::new();
    let mut keys = Keys::default();
    for chunk in chunks {
        if chunk.document_type == DocumentType::Log {
            let range = trimmed(&chunk.text, 0..chunk.text.len());
            let time = chunk.time.map(|(first, _)| first);
            let severity = chunk.severity.first().cloned();
            units.push(Unit { time, severity, ..plain(chunk, range) });
        } else {
            units.extend(plain_lines(chunk, &mut keys));
        }
    }
    units.retain(|unit| !unit.range.is_empty());
    units
}

/// The lines of any passage that knows where it stands.
pub(super) fn numbered(chunk: &Chunk) -> impl Iterator<Item = Unit<'_>> {
    each_line(&chunk.text).filter_map(|range| {
        let range = trimmed(&chunk.text, range);
        let lines = lines(chunk, &range)?;
        let time = chunk.time.filter(|(first, last)| first == last).map(|(first, _)| first);
        let mut unit = plain(chunk, range);
        (unit.lines, unit.time) = (Some(lines), time);
        (!unit.range.is_empty()).then_some(unit)
    })
}

fn plain(chunk: &Chunk, range: Range<usize>) -> Unit<'_> {
    let lines = lines(chunk, &range);
    Unit { chunk, lines, range, time: None, severity: None, above: Vec::new() }
}

/// The lines of records, each below the first of its record; of settings the small blocks.
pub(super) fn lines_of<'c>(chunks: &[&'c Chunk]) -> Vec<Unit<'c>> {
    let mut units: Vec<Unit<'c>> = Vec::new();
    for record in records(chunks) {
        let text = record.text();
        if record.chunk.document_type != DocumentType::Log {
            match units.last_mut().filter(|block| goes_on(block, &record)) {
                Some(block) => extend(block, &record),
                None => units.push(record),
            }
            continue;
        }
        if !text.contains('\n') {
            units.push(record);
            continue;
        }
        let mut above = Vec::new();
        for range in each_line(text) {
            let range = trimmed(text, range);
            if range.is_empty() {
                continue;
            }
            let end = record.range.start + range.start..record.range.start + range.end;
            let lines = lines(record.chunk, &end);
            let unit = Unit { range: end.clone(), lines, above: above.clone(), ..record.clone() };
            units.push(unit);
            if above.is_empty() {
                above.push((record.chunk, end));
            }
        }
    }
    units
}

/// The units of many passages, document by document.
pub(super) fn by_document<'c>(
    chunks: &[&'c Chunk],
    units: impl Fn(&[&'c Chunk]) -> Vec<Unit<'c>>,
) -> Vec<Unit<'c>> {
    let mut documents: BTreeMap<Uuid, Vec<&'c Chunk>> = BTreeMap::new();
    for chunk in chunks {
        documents.entry(chunk.document_id).or_default().push(chunk);
    }
    let sorted = |mut chunks: Vec<&'c Chunk>| {
        chunks.sort_by_key(|chunk| chunk.position);
        chunks
    };
    documents.into_values().flat_map(|chunks| units(&sorted(chunks))).collect()
}

/// The paragraphs of a text, each with the list, the table or the code that it leads to.
pub(super) fn paragraphs(chunk: &Chunk) -> Vec<Unit<'_>> {
    let mut units: Vec<(Unit<'_>, Form)> = Vec::new();
    for block in blocks(&chunk.text) {
        if block.form == Form::Heading {
            continue;
        }
        let start = line_start(&chunk.text, block.range.start);
        let range = start..block.range.end;
        match units.last_mut() {
            Some((unit, form)) if belongs(unit, *form, block.form) => {
                unit.range.end = range.end;
                unit.lines = lines(chunk, &unit.range);
                *form = block.form;
            }
            _ => {
                units.push((plain(chunk, range), block.form));
            }
        }
    }
    units.into_iter().map(|(unit, _)| closed(unit)).collect()
}

/// Whether a block goes on with what the unit before it began: items with items, and all of them with the sentence
/// that announces them.
fn belongs(unit: &Unit<'_>, last: Form, next: Form) -> bool {
    let announces = unit.text().trim_end().ends_with(':');
    match next {
        Form::Item(_) => matches!(last, Form::Item(_)) || announces,
        Form::Row => last == Form::Row || announces,
        Form::Code => last == Form::Code || announces || matches!(last, Form::Item(_)),
        Form::Paragraph | Form::Heading => false,
    }
}

/// With the fence that closes its code.
fn closed(mut unit: Unit<'_>) -> Unit<'_> {
    let text = &unit.chunk.text;
    let fences = |range: &Range<usize>| text[range.clone()].matches("```").count();
    if fences(&unit.range) % 2 == 1
        && let Some(end) = text[unit.range.end..].find("```")
    {
        unit.range.end += end + 3;
        unit.lines = lines(unit.chunk, &unit.range);
    }
    unit
}

/// The beginning of the line of `at`, with the marker of a list and the fence of code above it.
fn line_start(text: &str, at: usize) -> usize {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let above = text[..start].trim_end_matches('\n');
    let fence = above.rfind('\n').map_or(0, |end| end + 1);
    if above[fence..].trim_start().starts_with("```")
        && above[..fence].matches("```").count().is_multiple_of(2)
    {
        fence
    } else {
        start
    }
}

fn each_line(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        at += line.len();
        at - line.len()..at
    })
}

/// Without white space around it; a line's own indentation goes, too.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    text::sentence::trimmed(text, range)
}

/// The lines at which `range` of the passage stands.
pub(super) fn lines(chunk: &Chunk, range: &Range<usize>) -> Option<(u32, u32)> {
    let (first, last) = chunk.lines?;
    let breaks = |range: Range<usize>| {
        u32::try_from(chunk.text[range].matches('\n').count()).unwrap_or(u32::MAX)
    };
    let start = first + breaks(0..range.start);
    let end = start + breaks(range.start..range.end.max(range.start));
    Some((start.min(last), end.min(last)))
}

#[cfg(test)]
mod tests;
