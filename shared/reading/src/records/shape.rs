//! The representatives of templates in the index: the first record of each, found by the words of
//! all its records.

use std::collections::HashSet;

use jiff::Timestamp;
use model::record::Record;

use super::Records;

/// Upper bound for the bytes of a record that are embedded and shown.
const LONGEST: usize = 1_000;

/// Upper bound for the bytes of words by which the records of a template are found.
const WORDS: usize = 16_000;

/// Upper bound for the codes that are listed of a template's records.
const CODES: usize = 20;

/// The records of one template.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Shape<'t> {
    /// The first record, or the beginning of a long one.
    pub(crate) first: &'t str,
    /// The first and last line of `first`.
    pub(crate) lines: (u32, u32),
    /// The levels of all records, without duplicates.
    pub(crate) severity: Vec<String>,
    /// The codes of all records, without duplicates.
    pub(crate) code: Vec<String>,
    /// The earliest and the latest time.
    pub(crate) time: Option<(Timestamp, Timestamp)>,
    /// The words that occur in any record, without duplicates and without times.
    pub(crate) words: String,
}

impl Records<'_> {
    /// Returns the representative of each template, in the order of the templates.
    pub(crate) fn shapes(&self) -> Vec<Shape<'_>> {
        let mut shapes: Vec<Shape<'_>> = vec![Shape::default(); self.templates.len()];
        let mut seen: Vec<HashSet<&str>> = vec![HashSet::new(); self.templates.len()];
        for record in &self.records {
            let Some(place) = record.template.map(|template| template as usize) else { continue };
            let (Some(shape), Some(seen)) = (shapes.get_mut(place), seen.get_mut(place)) else {
                continue;
            };
            if shape.first.is_empty() {
                (shape.first, shape.lines) = beginning(record);
            }
            shape.add(record, seen);
        }
        shapes
    }
}

impl<'t> Shape<'t> {
    fn add(&mut self, record: &'t Record<'_>, seen: &mut HashSet<&'t str>) {
        for (column, known, most) in
            [("level", &mut self.severity, CODES), ("code", &mut self.code, CODES)]
        {
            if let Some(value) = record.cell(column)
                && known.len() < most
                && !known.iter().any(|k| k == value)
            {
                known.push(value.to_owned());
            }
        }
        let time = record.moment.and_then(|moment| Timestamp::from_microsecond(moment.micros).ok());
        if let Some(time) = time {
            let (first, last) = self.time.unwrap_or((time, time));
            self.time = Some((first.min(time), last.max(time)));
        }
        for word in record.text.split_whitespace().filter(|word| !has_clock(word)) {
            if self.words.len() + word.len() < WORDS && seen.insert(word) {
                self.words.push_str(word);
                self.words.push(' ');
            }
        }
    }
}

/// Returns true if a word contains a time of day to the second. Nearly every record has its own
/// time, and it is found by its column.
fn has_clock(word: &str) -> bool {
    let is_digit = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
    word.as_bytes().windows(8).any(|window| {
        window[2] == b':'
            && window[5] == b':'
            && [&window[..2], &window[3..5], &window[6..]].map(is_digit) == [true; 3]
    })
}

/// Returns the first whole lines of a record, or the beginning of a line that is too long.
fn beginning<'t>(record: &'t Record<'_>) -> (&'t str, (u32, u32)) {
    let text = record.text;
    let most = text.floor_char_boundary(LONGEST);
    let end = if most == text.len() { most } else { text[..most].rfind('\n').unwrap_or(most) };
    let breaks = u32::try_from(text[..end].matches('\n').count()).unwrap_or(u32::MAX);
    (&text[..end], (record.lines.0, record.lines.0.saturating_add(breaks)))
}
