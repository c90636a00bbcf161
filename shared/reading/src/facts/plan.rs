//! What a passage gives to somebody who plans: something to follow, a risk, a lesson, a precedent.

use model::document::{Chunk, DocumentType, SECTION_SEPARATOR};
use serde::Deserialize;
use text::block::{Block, Form, blocks};

mod cue;
mod step;

/// What a passage can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Good {
    /// Something to follow: a checklist, a procedure, an outline.
    Template,
    /// What can go wrong, and what it costs.
    Risk,
    /// What past work or a failure taught.
    Lesson,
    /// What was decided before in such a matter.
    Precedent,
}

/// A passage of fewer words says nothing, whatever stands above it ("Status: accepted").
const LEAST_WORDS: usize = 5;

/// How a passage begins that answers a heading which asks for risks with there being none.
const DENIALS: [&str; 6] = ["None.", "None known", "No impact", "No.", "No,", "N/A"];

/// How strongly the passage gives each, `0..=1000` in the order of [`Good`].
pub(super) fn strengths(chunk: &Chunk) -> [u16; 4] {
    let blocks = blocks(&chunk.text);
    let prose_blocks: Vec<&Block> = blocks.iter().filter(|block| is_prose(chunk, block)).collect();
    let prose = prose(&chunk.text, &prose_blocks);
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    if prose.split_whitespace().filter(is_word).count() < LEAST_WORDS {
        return [0; 4];
    }
    let form = [step::strength(chunk, &prose_blocks), 0, 0, 0];
    let (words, headed, document) =
        (cue::phrase_strengths(&prose), headed(chunk), of_document(chunk));
    let mut strengths = std::array::from_fn(|place| {
        let sum = i64::from(words[place] + headed[place] + form[place]) + document[place];
        u16::try_from(sum.clamp(0, 100) * 10).unwrap_or(1_000)
    });
    if DENIALS.iter().any(|denial| prose.starts_with(denial)) {
        strengths[Good::Risk as usize] = 0;
    }
    strengths
}

/// The innermost heading counts whole, those above it three quarters.
fn headed(chunk: &Chunk) -> [u32; 4] {
    let inner = cue::headed(chunk.heading());
    let outer = chunk.section.rsplit(SECTION_SEPARATOR).skip(1).map(cue::headed);
    outer.fold(inner, |most, outer| {
        std::array::from_fn(|place| most[place].max(outer[place] * 3 / 4))
    })
}

/// What the kind of document says of each of its passages. Only a report on a failure teaches by what it tells of, only
/// records and proposals decide by it: elsewhere a passage must say so in as many words.
fn of_document(chunk: &Chunk) -> [i64; 4] {
    match chunk.document_type {
        DocumentType::Postmortem if is_timeline(chunk) => [-60, -40, -40, -60],
        DocumentType::Postmortem => [-60, -25, 30, -60],
        DocumentType::Decision => [0, 0, -40, 20],
        DocumentType::Proposal => [-20, 0, -40, 15],
        _ => [i64::from(cue::headed(&chunk.title)[Good::Template as usize] / 2), 0, -20, -20],
    }
}

/// What happened when teaches nothing yet.
fn is_timeline(chunk: &Chunk) -> bool {
    chunk.section.to_ascii_lowercase().contains("timeline")
}

/// True for prose; false for a heading, code, the head of a table, a link and a note of a record's status.
fn is_prose(chunk: &Chunk, block: &Block) -> bool {
    let text = &chunk.text;
    let part = &text[block.range.clone()];
    let is_head = || block.form == Form::Row && is_table_head(text, block);
    let is_status =
        || part.split_once(':').is_some_and(|(label, _)| label.trim_matches('*') == "Status");
    !matches!(block.form, Form::Heading | Form::Code)
        && part != chunk.heading()
        && (!is_link(part) || step::marker(text, block).contains('['))
        && !is_code(part)
        && !is_status()
        && !is_head()
}

fn is_table_head(text: &str, row: &Block) -> bool {
    let after = text[row.range.end..].trim_start();
    let next = after.lines().next().unwrap_or_default();
    next.starts_with('|') && next.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}

/// A link alone says nothing: an entry of a table of contents, the address that a reference stands for.
fn is_link(text: &str) -> bool {
    let closes_once = |to: &str| to.strip_suffix(')').is_some_and(|address| !address.contains(')'));
    let is_one = text.split_once("](").is_some_and(|(_, to)| closes_once(to));
    text.starts_with("http") || (text.starts_with('[') && (is_one || text.contains("]: http")))
}

/// A passage may begin within code, where no fence tells.
fn is_code(text: &str) -> bool {
    let marks = text.bytes().filter(|byte| matches!(byte, b'{' | b'}' | b';' | b'=')).count();
    text.starts_with("//") || text.starts_with("/*") || (marks >= 3 && marks * 30 > text.len())
}

/// What the blocks say, each as one line, without the addresses of links.
fn prose(text: &str, blocks: &[&Block]) -> String {
    let mut prose = String::with_capacity(text.len());
    for block in blocks {
        let mut pieces = text[block.range.clone()].split("](");
        let first = pieces.next().unwrap_or_default();
        let rest = pieces.map(|piece| piece.split_once(')').map_or("", |(_, rest)| rest));
        for line in std::iter::once(first).chain(rest).flat_map(str::lines) {
            prose.push_str(line);
            prose.push(' ');
        }
        prose.push('\n');
    }
    prose
}

#[cfg(test)]
mod tests;
