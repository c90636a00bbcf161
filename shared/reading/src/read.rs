//! Converts bytes into passages.

use sha2::{Digest, Sha256};

use crate::content::{self, Content, LineCounter};
use crate::encoding::Decoded;
use crate::records::{self, Layout, Records};
use crate::summary::summary;
use crate::{facts, format, limit};
use model::document::{
    DocumentType, Passage, SECTION_SEPARATOR, SUMMARY, document_point_id, hexadecimal, passage_id,
};
use model::entry::{Entry, MEANING, Reading, RecordBytes};
use model::evidence::PointKind;
use model::item::Record;
use model::object::LARGEST;
use model::record::About;
use text::language::Language;

use crate::chunk::{self, FrontMatter, Piece, table};
use model::format::Format;

use about::template;
use explained::explained;
use moment::near;

mod about;
mod above;
mod explained;
mod log;
mod moment;
mod symbol;

/// Upper bound for the first words of a document that are embedded; a small model reads no more.
const FIRST_WORDS: usize = 170;

/// Upper bound for the bytes of an embedded title or heading. A passage has at most a thousand.
const HEADING: usize = 300;

/// Reads a document's bytes, or returns the reason why they cannot be read, worded for the
/// uploader.
pub fn read(record: &Record, version: &str, bytes: &[u8]) -> Result<Reading, String> {
    check_size(record, bytes)?;
    let format = format::of_file(&record.name, &record.content_type, bytes)?;
    let Decoded { text, encoding } = content::text(format, bytes)?;
    let format = format::in_text(format, &record.name, &text);
    let front = match format {
        Format::Markdown => chunk::front_matter(&text),
        _ => FrontMatter::default(),
    };
    let near = near(record, version, &front);
    let owner = front.owner.clone();
    let (above, body) = text.split_at(front.end);
    check_parts(&record.name, format, body)?;
    let mut content = content::of_file(format, &record.name, bytes, above, body)?;
    limit::check_passages(&content.extract.text, content.extract.cut.pieces.len())?;
    let summary = summary(format, &content.extract);
    let symbols = symbol::symbols(&mut content);
    let pieces = std::mem::take(&mut content.extract.cut.pieces);
    let mut template = template(record, version, format, front, &mut content.extract);
    let assumed = [encoding.map(str::to_owned), template.assumed.take()];
    template.assumed = assumed.into_iter().flatten().reduce(|one, other| format!("{one}, {other}"));
    if template.language.is_none() && format.is_prose() {
        let language = Language::detect(&content.extract.text);
        template.language = language.map(|language| language.tag().to_owned());
    }
    let records = records::of_file(format, &record.name, body, near).filter(|o| !o.is_empty());
    let is_table = match format {
        Format::Plain => records.is_some(),
        Format::Office => content.extract.is_sheet(),
        _ => false,
    };
    let records = records.or_else(|| records::of_grids(&content.extract, &pieces));
    if pieces.is_empty() && records.is_none() {
        return Err("holds no text".into());
    }
    let mut point = document_point(&template, format, &content.extract.text);
    let mut entries = match (format, &records) {
        (Format::Log, Some(records)) => log::entries(&template, records),
        _ => entries(&template, format, &content, pieces),
    };
    let misfits = records.as_ref().map_or(0, |records| records.misfits);
    let records = records.map(|record| record_file(record, format, &entries));
    add_facts(&mut point, &mut entries, is_table);
    symbol::place(symbols, &mut entries);
    let position = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    let summary = summary.map(|text| entry(summary_passage(&template, position, text), ""));
    let entries: Vec<Entry> = std::iter::once(point).chain(entries).chain(summary).collect();
    let count = records.as_ref().map_or(0, |records| records.count);
    let read_as = explained(format, encoding, &entries, &content.extract, count, misfits);
    let read_as = model::entry::ReadAs { owner, ..read_as };
    Ok(Reading { hash: hexadecimal(&Sha256::digest(bytes)), entries, records, read_as })
}

/// Adds the facts of the document and of its passages. A table or a file of sheets reports no
/// failure of its own: its rows do.
fn add_facts(point: &mut Entry, entries: &mut [Entry], is_table: bool) {
    let passages: Vec<&Passage> = entries.iter().map(|entry| &entry.passage).collect();
    point.passage.facts = facts::of_document(if is_table { &[] } else { &passages });
    let facts = facts::of_passages(&passages, is_table);
    for (entry, facts) in entries.iter_mut().zip(facts) {
        entry.passage.facts = facts;
    }
}

/// Returns the record file of a log, a table or settings. Each record refers to its passage: that
/// of its template or row, else the one that contains its line.
fn record_file(records: Records<'_>, format: Format, entries: &[Entry]) -> RecordBytes {
    let count = records.len() as u64;
    let Records { records, templates, assumed, misfits, decimal } = records;
    let passages = match format {
        Format::Log => Vec::new(),
        _ => {
            entries.iter().filter_map(|entry| entry.passage.lines.map(|(first, _)| first)).collect()
        }
    };
    let about = About { templates, passages, assumed, misfits, decimal };
    RecordBytes { count, bytes: model::record::write(&records, about) }
}

/// Refuses a text with more lines or values than its size allows, before it is read. Settings have
/// a limit of their own.
fn check_parts(name: &str, format: Format, body: &str) -> Result<(), String> {
    if format != Format::Config {
        limit::check_lines(body)?;
    }
    Layout::check(name, body)
}

fn check_size(record: &Record, bytes: &[u8]) -> Result<(), String> {
    let size = bytes.len() as u64;
    if size > LARGEST {
        return Err(format!("has {size} bytes; at most {LARGEST} are taken"));
    }
    if size != record.bytes {
        return Err(format!("has {size} bytes, not the {} that were announced", record.bytes));
    }
    Ok(())
}

/// Returns the point for the whole document. It is found by its subject, or by any of its words.
fn document_point(template: &Passage, format: Format, body: &str) -> Entry {
    let subject = subject(&template.title);
    // The words may be of any length.
    let meaning = format!("{subject}. {}", chunk::first_words(format, body, FIRST_WORDS));
    let meaning = cut(&meaning, MEANING).to_owned();
    let words = format!("{}\n{}\n{body}", template.title, template.name);
    let id = document_point_id(template.document_id, &template.version);
    Entry {
        kind: PointKind::Document,
        passage: Passage { id, time: None, ..template.clone() },
        meaning,
        words,
    }
}

/// Returns the text to embed for a passage below a title and a heading.
fn meaning(title: &str, heading: &str, text: &str) -> String {
    let (title, heading) = (cut(subject(title), HEADING), cut(heading, HEADING));
    let whole = match heading {
        "" => format!("{title}. {text}"),
        heading => format!("{title}. {heading}: {text}"),
    };
    cut(&whole, MEANING).to_owned()
}

/// Returns the first `most` bytes of a text, or fewer if a character would be split.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Returns the entry of a passage. It is embedded with its title and heading, and rows with what is
/// `above` them, so that it is found by its subject.
fn entry(passage: Passage, above: &str) -> Entry {
    let text = if above.is_empty() { "" } else { "\n" };
    let text = format!("{above}{text}{}", passage.text);
    let meaning = meaning(&passage.title, passage.heading(), &text);
    let mut words = format!("{}\n{}\n{text}", passage.title, passage.section);
    if passage.document_type == DocumentType::Code {
        words.push_str(&symbol::parts(&passage.text));
    }
    Entry { kind: PointKind::Passage, passage, meaning, words }
}

/// Returns a title without the number or date at its start, which says nothing about its subject:
/// "Incident on 2023-09-18 - No disk space" becomes "No disk space".
fn subject(title: &str) -> &str {
    let cut = [": ", " - ", " \u{2013} ", ", "]
        .iter()
        .filter_map(|separator| title.split_once(separator))
        .min_by_key(|(head, _)| head.len());
    match cut {
        Some((head, rest))
            if head.bytes().any(|byte| byte.is_ascii_digit())
                && rest.split_whitespace().count() >= 2 =>
        {
            rest
        }
        _ => title,
    }
}

/// Returns the number of the outermost section that contains each piece, from 1.
fn ordinals(pieces: &[Piece]) -> Vec<Option<u32>> {
    let (mut count, mut last): (u32, Option<&String>) = (0, None);
    let mut ordinals = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let outermost = piece.section.first();
        if outermost.is_some() && outermost != last {
            count += 1;
            last = outermost;
        }
        ordinals.push(outermost.map(|_| count));
    }
    ordinals
}

fn entries(
    template: &Passage,
    format: Format,
    content: &Content,
    pieces: Vec<Piece>,
) -> Vec<Entry> {
    let mut line = LineCounter::new(content);
    let text = &content.extract.text;
    let ordinals = ordinals(&pieces);
    let tables = table::drawn(format, text);
    let passage = |(position, (piece, ordinal)): (u32, (Piece, Option<u32>))| {
        let lines = line.at(piece.range.start).zip(line.at(piece.range.end));
        let above = above::above(text, &tables, piece.range.start);
        let passage = Passage {
            id: passage_id(template.document_id, &template.version, position),
            position,
            section: piece.section.join(SECTION_SEPARATOR),
            ordinal,
            lines,
            text: text[piece.range].into(),
            ..template.clone()
        };
        entry(passage, &above)
    };
    (0..).zip(pieces.into_iter().zip(ordinals)).map(passage).collect()
}

/// Returns the passage that summarizes a long document. It follows the last passage, and its text
/// is no part of the file.
fn summary_passage(template: &Passage, position: u32, text: String) -> Passage {
    let mut tags = template.tags.clone();
    tags.push(SUMMARY.into());
    Passage {
        id: passage_id(template.document_id, &template.version, position),
        position,
        section: "Summary".into(),
        tags,
        text,
        ..template.clone()
    }
}

#[cfg(test)]
mod tests;
