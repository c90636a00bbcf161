//! Cuts texts that are too long, at the least harmful places.

use std::ops::Range;

/// Upper bound for the bytes of a passage: about 150 words. Together with title and heading this is
/// what a small embedding model reads (256 word pieces).
pub(super) const LARGEST: usize = 1_000;

/// The places to cut, the least harmful first: after paragraphs, lines, sentences, words.
const SEPARATORS: [&str; 4] = ["\n\n", "\n", ". ", " "];

/// Cuts `range` of `text` into parts of about equal size, at most [`LARGEST`] bytes each, without
/// white space around them.
pub(super) fn split(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let range = trimmed(text, range);
    if range.is_empty() {
        return Vec::new();
    }
    let mut ends = Vec::new();
    divide(text, range.clone(), &SEPARATORS, &mut ends);
    let starts = std::iter::once(range.start).chain(ends.iter().copied());
    let units = starts.zip(&ends).map(|(start, end)| start..*end);
    let target = range.len() / range.len().div_ceil(LARGEST);
    pack(units, target)
        .into_iter()
        .map(|part| trimmed(text, part))
        .filter(|part| !part.is_empty())
        .collect()
}

/// Joins neighbors until they reach `target` bytes, but never beyond [`LARGEST`].
pub(super) fn pack(units: impl Iterator<Item = Range<usize>>, target: usize) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for unit in units {
        match parts.last_mut() {
            Some(part) if part.len() < target && unit.end - part.start <= LARGEST => {
                part.end = unit.end;
            }
            _ => parts.push(unit),
        }
    }
    parts
}

/// Cuts `range` into units that may be joined again. It stores the end of each unit; the next unit
/// begins there.
fn divide(text: &str, range: Range<usize>, separators: &[&str], ends: &mut Vec<usize>) {
    if range.len() <= LARGEST && separators.len() < SEPARATORS.len() {
        ends.push(range.end);
        return;
    }
    let Some((separator, finer)) = separators.split_first() else {
        hard(text, range, ends);
        return;
    };
    let mut start = range.start;
    for piece in text[range].split_inclusive(separator) {
        divide(text, start..start + piece.len(), finer, ends);
        start += piece.len();
    }
}

/// Cuts between characters if there is no better place.
fn hard(text: &str, range: Range<usize>, ends: &mut Vec<usize>) {
    let mut start = range.start;
    while start < range.end {
        let end = text.floor_char_boundary(range.end.min(start + LARGEST));
        ends.push(end);
        start = end;
    }
}

pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = range.end - (piece.len() - piece.trim_end().len());
    start..end.max(start)
}
