//! Settings: lines below keys, and the small blocks that they form.

use std::ops::Range;

use super::{Excerpt, each_line, lines, plain, trimmed};
use model::document::Passage;

/// Upper bounds for the lines that are shown below a key, and for the settings of a block.
const BODY: usize = 12;
const BLOCK: usize = 6;

/// The keys above a line, with their indentation. They carry over from passage to passage.
#[derive(Default)]
pub(super) struct Keys<'c>(Vec<(usize, &'c Passage, Range<usize>)>);

pub(super) fn plain_lines<'c>(passage: &'c Passage, keys: &mut Keys<'c>) -> Vec<Excerpt<'c>> {
    let mut excerpts = Vec::new();
    for (place, range) in each_line(&passage.text).enumerate() {
        let bare = trimmed(&passage.text, range.clone());
        if bare.is_empty() {
            continue;
        }
        let line = &passage.text[bare.clone()];
        // A passage begins without the indentation of its first line.
        let indent =
            if place == 0 { first_indent(&passage.text, keys) } else { bare.start - range.start };
        keys.0.retain(|(other, _, _)| *other < indent);
        let above = keys.0.iter().map(|(_, passage, range)| (*passage, range.clone())).collect();
        excerpts.push(Excerpt { above, ..plain(passage, bare.clone()) });
        if !line.starts_with('#') {
            // The dash of a list item is part of its indentation.
            let inner = if line.starts_with("- ") { indent + 1 } else { indent };
            keys.0.push((inner, passage, bare));
        }
    }
    excerpts
}

/// Returns the indentation of a passage's first line, derived from its second line.
fn first_indent(text: &str, keys: &Keys<'_>) -> usize {
    let mut lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let next = lines.next().map(|line| line.len() - line.trim_start().len());
    match next {
        Some(next) if next > 0 && !text.lines().next().is_some_and(|line| line.ends_with(':')) => {
            let is_item = text.starts_with("- ");
            if is_item { next.saturating_sub(2) } else { next }
        }
        Some(next) => next.saturating_sub(2),
        None => keys.0.last().map_or(0, |(indent, _, _)| *indent),
    }
}

/// Extends a key, and the first line of a list item, to the settings below it, up to a limit.
pub(in super::super) fn with_body<'c>(excerpt: &Excerpt<'c>) -> Excerpt<'c> {
    let text = &excerpt.passage.text;
    let is_item = excerpt.text().starts_with("- ");
    if !is_item && !excerpt.text().ends_with(':') {
        return excerpt.clone();
    }
    let start = text[..excerpt.range.start].rfind('\n').map_or(0, |end| end + 1);
    let indent = excerpt.range.start - start;
    let below = text.get(excerpt.range.end + 1..).unwrap_or_default();
    let depth = |line: &str| line.len() - line.trim_start().len();
    // A passage begins without the indentation of its first line; the lines of an item have theirs.
    let next = below.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if is_item && !excerpt.text().ends_with(':') && next.trim_start().starts_with("- ") {
        return excerpt.clone();
    }
    let inner = depth(next).max(indent + 1);
    let mut end = excerpt.range.end;
    let mut at = end + 1;
    for line in below.split_inclusive('\n').take(BODY) {
        let bare = line.trim_start();
        let is_deep = if is_item { depth(line) >= inner } else { depth(line) > indent };
        let is_listed = !is_item && bare.starts_with("- ") && depth(line) >= indent;
        if !(bare.is_empty() || is_deep || is_listed) {
            break;
        }
        end = at + line.trim_end().len();
        at += line.len();
    }
    let range = excerpt.range.start..end.max(excerpt.range.end);
    Excerpt { lines: lines(excerpt.passage, &range), range, ..excerpt.clone() }
}

/// Returns true if a setting continues `block`, under the same keys.
pub(super) fn goes_on(block: &Excerpt<'_>, next: &Excerpt<'_>) -> bool {
    let is_near = block.passage.id == next.passage.id && block.text().lines().count() < BLOCK;
    let is_item = next.text().starts_with("- ");
    let depth = block.above.len();
    // The first line of a list item is the key of the lines that follow it.
    let is_inner = block.text().starts_with("- ") && next.above.len() == depth + 1;
    let is_beside = next.above.len() == depth && block.above.last() == next.above.last();
    let opens = next.text().ends_with(':') || block.text().ends_with(':');
    let is_comment = next.text().starts_with('#') != block.text().starts_with('#');
    is_near && !is_item && !opens && !is_comment && depth > 0 && (is_inner || is_beside)
}

pub(super) fn extend(block: &mut Excerpt<'_>, next: &Excerpt<'_>) {
    block.range.end = next.range.end;
    block.lines = lines(block.passage, &block.range);
}
