//! Splits a passage into sentences.

use super::sentence::Sentence;
use model::document::DocumentType;
use text::block::{Form, blocks, cells};
use text::sentence::sentences;

/// Returns the sentences of a passage; of logs, configuration and code, the lines.
pub(super) fn read(text: &str, kind: DocumentType) -> Vec<Sentence> {
    match kind {
        DocumentType::Log | DocumentType::Config | DocumentType::Code => {
            text.lines().filter(|line| !line.trim().is_empty()).map(Sentence::of).collect()
        }
        _ => of_prose(text),
    }
}

fn of_prose(text: &str) -> Vec<Sentence> {
    let mut parts: Vec<String> = Vec::new();
    let (mut last, mut heads) = (None, Vec::new());
    for block in blocks(text) {
        let part = &text[block.range.clone()];
        let goes_on = last == Some(block.form) && block.form == Form::Row;
        last = Some(block.form);
        match block.form {
            Form::Row => {
                let cells: Vec<&str> =
                    cells(text, block.range).into_iter().map(|cell| &text[cell]).collect();
                parts.push(if goes_on { row(&heads, &cells) } else { part.into() });
                heads = if goes_on { heads } else { cells };
            }
            Form::Code | Form::Heading => parts.push(part.into()),
            Form::Paragraph | Form::Item(_) => {
                parts.extend(sentences(part).map(|at| part[at].to_owned()));
            }
        }
    }
    parts.iter().filter(|part| !part.trim().is_empty()).map(|part| Sentence::of(part)).collect()
}

/// Returns a row of a table as a sentence: each cell with the head of its column and the first cell
/// of its row.
fn row(heads: &[&str], cells: &[&str]) -> String {
    let first = cells.first().copied().unwrap_or_default();
    let cell = |(place, cell): (usize, &&str)| {
        let head = heads.get(place).copied().unwrap_or_default();
        format!("{head} {first} {cell}")
    };
    cells.iter().enumerate().skip(1).map(cell).collect::<Vec<_>>().join("; ")
}
