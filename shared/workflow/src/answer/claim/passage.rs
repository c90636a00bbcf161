//! A passage as the sentences that it has.

use super::sentence::Sentence;
use crate::block::{Form, blocks, cells};
use crate::document::DocumentType;
use crate::sentence::sentences;

/// The sentences of a passage, its lines where it has no sentences.
pub(super) fn read(text: &str, kind: DocumentType) -> Vec<Sentence> {
    match kind {
        DocumentType::Log => numbered(text.lines().map(|line| (line, false))),
        DocumentType::Config | DocumentType::Code => {
            let mut goes_on = false;
            numbered(text.lines().map(|line| {
                let together = goes_on;
                goes_on = !line.trim().is_empty();
                (line, together)
            }))
        }
        _ => of_prose(text),
    }
}

fn of_prose(text: &str) -> Vec<Sentence> {
    let mut parts: Vec<(String, bool)> = Vec::new();
    let (mut last, mut heads) = (None, Vec::new());
    for block in blocks(text) {
        let part = &text[block.range.clone()];
        let goes_on = last == Some(block.form) && matches!(block.form, Form::Row | Form::Code);
        last = Some(block.form);
        match block.form {
            Form::Row => {
                let cells: Vec<&str> =
                    cells(text, block.range).into_iter().map(|cell| &text[cell]).collect();
                parts.push((if goes_on { row(&heads, &cells) } else { part.into() }, goes_on));
                heads = if goes_on { heads } else { cells };
            }
            Form::Code | Form::Heading => parts.push((part.into(), goes_on)),
            Form::Paragraph | Form::Item(_) => {
                let part =
                    sentences(part).enumerate().map(|(place, at)| (part[at].into(), place > 0));
                parts.extend(part);
            }
        }
    }
    numbered(parts.iter().map(|(text, goes_on)| (text.as_str(), *goes_on)))
}

/// A row of a table as a sentence: each cell with the head of its column and the first cell of its row.
fn row(heads: &[&str], cells: &[&str]) -> String {
    let first = cells.first().copied().unwrap_or_default();
    let cell = |(place, cell): (usize, &&str)| {
        let head = heads.get(place).copied().unwrap_or_default();
        format!("{head} {first} {cell}")
    };
    cells.iter().enumerate().skip(1).map(cell).collect::<Vec<_>>().join("; ")
}

/// Each text with whether it belongs with the one before it.
fn numbered<'t>(texts: impl Iterator<Item = (&'t str, bool)>) -> Vec<Sentence> {
    let mut block = 0;
    let texts = texts.filter(|(text, _)| !text.trim().is_empty());
    let of = |(text, goes_on): (&str, bool)| {
        block += usize::from(!goes_on);
        let mut sentence = Sentence::of(text);
        sentence.block = block;
        sentence
    };
    texts.map(of).collect()
}
