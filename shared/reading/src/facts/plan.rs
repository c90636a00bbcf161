//! The kinds of help that a passage offers for planning: a template, a risk, a lesson, a precedent.

use model::document::{DocumentType, Passage, SECTION_SEPARATOR};
use serde::Deserialize;
use text::block::{Block, Form, blocks};

mod cue;
mod step;

/// A kind of help that a passage offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Good {
    /// A template to follow: a checklist, a procedure, an outline.
    Template,
    /// A description of what can go wrong, and what it costs.
    Risk,
    /// A lesson of past work or of a failure.
    Lesson,
    /// A decision that was made before in a similar matter.
    Precedent,
}

/// Lower bound for the words of a passage. A shorter one says nothing, whatever its heading is
/// ("Status: accepted").
const LEAST_WORDS: usize = 5;

/// Beginnings of passages that answer a heading about risks by saying that there are none.
const DENIALS: [&str; 6] = ["None.", "None known", "No impact", "No.", "No,", "N/A"];

/// Returns the strength of the passage for each kind, `0..=1000` in the order of [`Good`].
pub(super) fn strengths(passage: &Passage) -> [u16; 4] {
    let blocks = blocks(&passage.text);
    let prose_blocks: Vec<&Block> =
        blocks.iter().filter(|block| is_prose(passage, block)).collect();
    let prose = prose(&passage.text, &prose_blocks);
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    if prose.split_whitespace().filter(is_word).count() < LEAST_WORDS {
        return [0; 4];
    }
    let form = [step::strength(passage, &prose_blocks), 0, 0, 0];
    let (words, headed, document) =
        (cue::phrase_strengths(&prose), headed(passage), of_document(passage));
    let mut strengths = std::array::from_fn(|place| {
        let sum = i64::from(words[place] + headed[place] + form[place]) + document[place];
        u16::try_from(sum.clamp(0, 100) * 10).unwrap_or(1_000)
    });
    if DENIALS.iter().any(|denial| prose.starts_with(denial)) {
        strengths[Good::Risk as usize] = 0;
    }
    strengths
}

/// Returns the strength that the headings give for each kind. The innermost heading counts in full,
/// those above it three quarters.
fn headed(passage: &Passage) -> [u32; 4] {
    let inner = cue::headed(passage.heading());
    let outer = passage.section.rsplit(SECTION_SEPARATOR).skip(1).map(cue::headed);
    outer.fold(inner, |most, outer| {
        std::array::from_fn(|place| most[place].max(outer[place] * 3 / 4))
    })
}

/// Returns the strength that the kind of document gives to each of its passages. Only a failure
/// report teaches by what it describes, and only records and proposals decide: in any other
/// document the passage itself must say so.
fn of_document(passage: &Passage) -> [i64; 4] {
    match passage.document_type {
        DocumentType::Postmortem if is_timeline(passage) => [-60, -40, -40, -60],
        DocumentType::Postmortem => [-60, -25, 30, -60],
        DocumentType::Decision => [0, 0, -40, 20],
        DocumentType::Proposal => [-20, 0, -40, 15],
        _ => [i64::from(cue::headed(&passage.title)[Good::Template as usize] / 2), 0, -20, -20],
    }
}

/// Returns true if the passage is part of a timeline, which teaches nothing by itself.
fn is_timeline(passage: &Passage) -> bool {
    passage.section.to_ascii_lowercase().contains("timeline")
}

/// Returns true for prose; false for a heading, code, the head of a table, a link, or a note of a
/// record's status.
fn is_prose(passage: &Passage, block: &Block) -> bool {
    let text = &passage.text;
    let part = &text[block.range.clone()];
    let is_head = || block.form == Form::Row && is_table_head(text, block);
    let is_status =
        || part.split_once(':').is_some_and(|(label, _)| label.trim_matches('*') == "Status");
    !matches!(block.form, Form::Heading | Form::Code)
        && part != passage.heading()
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

/// Returns true for a link alone, such as an entry of a table of contents or the address of a
/// reference. It says nothing.
fn is_link(text: &str) -> bool {
    let closes_once = |to: &str| to.strip_suffix(')').is_some_and(|address| !address.contains(')'));
    let is_one = text.split_once("](").is_some_and(|(_, to)| closes_once(to));
    text.starts_with("http") || (text.starts_with('[') && (is_one || text.contains("]: http")))
}

/// Returns true for code. A passage may begin within a code block, where no fence shows it.
fn is_code(text: &str) -> bool {
    let marks = text.bytes().filter(|byte| matches!(byte, b'{' | b'}' | b';' | b'=')).count();
    text.starts_with("//") || text.starts_with("/*") || (marks >= 3 && marks * 30 > text.len())
}

/// Returns the text of the blocks, each on one line, without the addresses of links.
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
