//! The summary of a long document. The document is mapped, part by part, to the sentences that say
//! most, and these are reduced to the best.

use std::collections::{HashMap, HashSet};

use crate::chunk::{Extract, Piece};
use model::document::WHOLE_DOCUMENT;
use model::format::Format;
use text::block::{Block, Form, blocks};
use text::sentence::sentences;
use text::term::stems;

/// Upper bound for the bytes of a summary, the same as for a passage.
const LARGEST: usize = 1_000;

/// The number of parts of a document that does not have that many sections.
const PARTS: usize = 12;

/// The number of words of a sentence that may represent others.
const WORDS: std::ops::RangeInclusive<usize> = 5..=45;

/// Returns the summary of a document of more than [`WHOLE_DOCUMENT`] passages. A log has none,
/// because its templates are few.
pub(super) fn summary(format: Format, extract: &Extract) -> Option<String> {
    if extract.cut.pieces.len() <= WHOLE_DOCUMENT as usize {
        return None;
    }
    let text = match format {
        Format::Log | Format::Config | Format::Code(_) => of_sections(&extract.cut.pieces),
        _ => of_prose(extract),
    };
    Some(text).filter(|text| !text.is_empty())
}

/// Returns the most central sentences, verbatim and in order.
fn of_prose(extract: &Extract) -> String {
    let mut found: Vec<(f64, usize, &str)> = parts(&extract.cut.pieces)
        .iter()
        .enumerate()
        .filter_map(|(place, part)| {
            let (score, sentence) = central(part, &extract.text)?;
            Some((score, place, sentence))
        })
        .collect();
    found.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    let mut left = LARGEST;
    let mut seen = HashSet::new();
    found.retain(|(_, _, sentence)| {
        let fits = sentence.len() < left && seen.insert(*sentence);
        left -= if fits { sentence.len() + 1 } else { 0 };
        fits
    });
    found.sort_by_key(|(_, place, _)| *place);
    found.into_iter().map(|(_, _, sentence)| sentence).collect::<Vec<_>>().join("\n")
}

/// Returns groups of neighboring passages: those of each outermost section if their number is about
/// the wanted one, else equal shares.
fn parts(pieces: &[Piece]) -> Vec<&[Piece]> {
    let sections: Vec<&[Piece]> =
        pieces.chunk_by(|left, right| left.section.first() == right.section.first()).collect();
    if (PARTS / 2..=2 * PARTS).contains(&sections.len()) {
        return sections;
    }
    pieces.chunks(pieces.len().div_ceil(PARTS).max(1)).collect()
}

/// Returns the sentence that contains most of the part's subject for its length, and its score.
fn central<'t>(part: &[Piece], text: &'t str) -> Option<(f64, &'t str)> {
    let mut candidates: Vec<(&str, Vec<String>)> = Vec::new();
    // A sentence that is repeated word for word comes from a form and counts once.
    let mut seen = HashSet::new();
    for piece in part {
        let part = &text[piece.range.clone()];
        let is_prose = |block: &Block| matches!(block.form, Form::Paragraph | Form::Item(_));
        for block in blocks(part).into_iter().filter(is_prose) {
            let block = &part[block.range];
            let part = sentences(block).map(|range| block[range].trim());
            let new = part.filter(|sentence| seen.insert(*sentence));
            candidates.extend(new.map(|sentence| (sentence, stems(sentence))));
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for stem in candidates.iter().flat_map(|(_, stems)| stems).filter(|stem| stem.len() > 3) {
        *counts.entry(stem).or_default() += 1;
    }
    let score = |stems: &[String]| {
        let mut texts: Vec<&str> = stems.iter().map(String::as_str).collect();
        texts.sort_unstable();
        texts.dedup();
        // A word that occurs only in this sentence is not a subject of the part.
        let shared: usize =
            texts.iter().filter_map(|stem| counts.get(stem)).map(|count| count - 1).sum();
        let all = f64::from(u32::try_from(shared).unwrap_or(u32::MAX));
        all / f64::from(u32::try_from(stems.len()).unwrap_or(u32::MAX)).sqrt()
    };
    let fit = candidates.iter().filter(|(sentence, _)| is_whole(sentence));
    let scored = fit.map(|(sentence, stems)| (score(stems), *sentence));
    scored.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// Returns true if the text is a complete sentence, and not code, a link or half a sentence.
fn is_whole(sentence: &str) -> bool {
    let words = sentence.split_whitespace().count();
    let plain = sentence.split_whitespace().filter(|word| {
        word.trim_end_matches(['.', ',', ':', '?', '!'])
            .chars()
            .all(|c| c.is_alphabetic() || "-'’".contains(c))
    });
    WORDS.contains(&words)
        && sentence.len() <= LARGEST / 3
        && 4 * plain.count() >= 3 * words
        && sentence.starts_with(char::is_uppercase)
        && sentence.ends_with(['.', '?', '!'])
}

/// Returns the names of the passages' sections, without duplicates.
fn of_sections(pieces: &[Piece]) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    let mut left = LARGEST;
    for name in pieces.iter().filter_map(|piece| piece.section.first()).flat_map(|p| p.split(", "))
    {
        if name.len() + 2 <= left && seen.insert(name) {
            left -= name.len() + 2;
            names.push(name);
        }
    }
    names.join(", ")
}

#[cfg(test)]
mod tests;
