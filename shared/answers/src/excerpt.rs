//! Splits documents into the excerpts of an answer: records and lines of logs and configurations,
//! paragraphs and lists of texts.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;
use uuid::Uuid;

use model::document::{DocumentType, Passage};
use text::block::{Form, blocks};

mod setting;

pub(super) use setting::with_body;

use setting::{Keys, extend, goes_on, plain_lines};

/// A part of a passage that can be quoted by itself.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Excerpt<'c> {
    /// The passage.
    pub passage: &'c Passage,
    /// The byte range in the passage.
    pub range: Range<usize>,
    /// The first and last line in the document.
    pub lines: Option<(u32, u32)>,
    /// The time, if the record has one.
    pub time: Option<Timestamp>,
    /// The severity of the record.
    pub severity: Option<String>,
    /// The parts above it, outermost first: the first line of its record, or its keys.
    pub above: Vec<(&'c Passage, Range<usize>)>,
}

impl<'c> Excerpt<'c> {
    /// Returns the words.
    pub(super) fn text(&self) -> &'c str {
        &self.passage.text[self.range.clone()]
    }

    /// Returns the words of the parts above it.
    pub(super) fn head(&self) -> String {
        let above = self.above.iter().map(|(passage, range)| &passage.text[range.clone()]);
        above.collect::<Vec<_>>().join("\n")
    }
}

/// Returns true if a document consists of records or lines instead of prose.
pub(super) fn is_of_lines(kind: DocumentType) -> bool {
    matches!(kind, DocumentType::Log | DocumentType::Config | DocumentType::Code)
}

/// Returns the records of a log, which are its passages, or the lines of another document.
/// `passages` belong to one document and are in order.
pub(super) fn records<'c>(passages: &[&'c Passage]) -> Vec<Excerpt<'c>> {
    let mut excerpts = Vec::new();
    let mut keys = Keys::default();
    for passage in passages {
        if passage.document_type == DocumentType::Log {
            let range = trimmed(&passage.text, 0..passage.text.len());
            let time = passage.time.map(|(first, _)| first);
            let severity = passage.severity.first().cloned();
            excerpts.push(Excerpt { time, severity, ..plain(passage, range) });
        } else {
            excerpts.extend(plain_lines(passage, &mut keys));
        }
    }
    excerpts.retain(|excerpt| !excerpt.range.is_empty());
    excerpts
}

/// Returns the lines of a passage whose line numbers are known.
pub(super) fn numbered(passage: &Passage) -> impl Iterator<Item = Excerpt<'_>> {
    each_line(&passage.text).filter_map(|range| {
        let range = trimmed(&passage.text, range);
        let lines = lines(passage, &range)?;
        let time = passage.time.filter(|(first, last)| first == last).map(|(first, _)| first);
        let mut excerpt = plain(passage, range);
        (excerpt.lines, excerpt.time) = (Some(lines), time);
        (!excerpt.range.is_empty()).then_some(excerpt)
    })
}

fn plain(passage: &Passage, range: Range<usize>) -> Excerpt<'_> {
    let lines = lines(passage, &range);
    Excerpt { passage, lines, range, time: None, severity: None, above: Vec::new() }
}

/// Returns the lines of records, each below the first line of its record, and the small blocks of
/// settings.
pub(super) fn lines_of<'c>(passages: &[&'c Passage]) -> Vec<Excerpt<'c>> {
    let mut excerpts: Vec<Excerpt<'c>> = Vec::new();
    for record in records(passages) {
        let text = record.text();
        if record.passage.document_type != DocumentType::Log {
            match excerpts.last_mut().filter(|block| goes_on(block, &record)) {
                Some(block) => extend(block, &record),
                None => excerpts.push(record),
            }
            continue;
        }
        if !text.contains('\n') {
            excerpts.push(record);
            continue;
        }
        let mut above = Vec::new();
        for range in each_line(text) {
            let range = trimmed(text, range);
            if range.is_empty() {
                continue;
            }
            let end = record.range.start + range.start..record.range.start + range.end;
            let lines = lines(record.passage, &end);
            let excerpt =
                Excerpt { range: end.clone(), lines, above: above.clone(), ..record.clone() };
            excerpts.push(excerpt);
            if above.is_empty() {
                above.push((record.passage, end));
            }
        }
    }
    excerpts
}

/// Returns the excerpts of many passages, document by document.
pub(super) fn by_document<'c>(
    passages: &[&'c Passage],
    excerpts: impl Fn(&[&'c Passage]) -> Vec<Excerpt<'c>>,
) -> Vec<Excerpt<'c>> {
    let mut documents: BTreeMap<Uuid, Vec<&'c Passage>> = BTreeMap::new();
    for passage in passages {
        documents.entry(passage.document_id).or_default().push(passage);
    }
    let sorted = |mut passages: Vec<&'c Passage>| {
        passages.sort_by_key(|passage| passage.position);
        passages
    };
    documents.into_values().flat_map(|passages| excerpts(&sorted(passages))).collect()
}

/// Returns the paragraphs of a text, each with the list, the table or the code that it announces.
pub(super) fn paragraphs(passage: &Passage) -> Vec<Excerpt<'_>> {
    let mut excerpts: Vec<(Excerpt<'_>, Form)> = Vec::new();
    for block in blocks(&passage.text) {
        if block.form == Form::Heading {
            continue;
        }
        let start = line_start(&passage.text, block.range.start);
        let range = start..block.range.end;
        match excerpts.last_mut() {
            Some((excerpt, form)) if belongs(excerpt, *form, block.form) => {
                excerpt.range.end = range.end;
                excerpt.lines = lines(passage, &excerpt.range);
                *form = block.form;
            }
            _ => {
                excerpts.push((plain(passage, range), block.form));
            }
        }
    }
    excerpts.into_iter().map(|(excerpt, _)| closed(excerpt)).collect()
}

/// Returns true if a block continues the excerpt before it: items continue items, and any of them
/// continue the sentence that announces them.
fn belongs(excerpt: &Excerpt<'_>, last: Form, next: Form) -> bool {
    let announces = excerpt.text().trim_end().ends_with(':');
    match next {
        Form::Item(_) => matches!(last, Form::Item(_)) || announces,
        Form::Row => last == Form::Row || announces,
        Form::Code => last == Form::Code || announces || matches!(last, Form::Item(_)),
        Form::Paragraph | Form::Heading => false,
    }
}

/// Extends an excerpt to the fence that closes its code.
fn closed(mut excerpt: Excerpt<'_>) -> Excerpt<'_> {
    let text = &excerpt.passage.text;
    let fences = |range: &Range<usize>| text[range.clone()].matches("```").count();
    if fences(&excerpt.range) % 2 == 1
        && let Some(end) = text[excerpt.range.end..].find("```")
    {
        excerpt.range.end += end + 3;
        excerpt.lines = lines(excerpt.passage, &excerpt.range);
    }
    excerpt
}

/// Returns the beginning of the line of `at`, including a list marker, and the code fence above it.
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

/// Removes the white space around a range, including the indentation of a line.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    text::sentence::trimmed(text, range)
}

/// Returns the first and last line of `range` in the document.
pub(super) fn lines(passage: &Passage, range: &Range<usize>) -> Option<(u32, u32)> {
    let (first, last) = passage.lines?;
    let breaks = |range: Range<usize>| {
        u32::try_from(passage.text[range].matches('\n').count()).unwrap_or(u32::MAX)
    };
    let start = first + breaks(0..range.start);
    let end = start + breaks(range.start..range.end.max(range.start));
    Some((start.min(last), end.min(last)))
}

#[cfg(test)]
mod tests;
