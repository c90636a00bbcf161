//! YAML, TOML and JSON: cut along their outermost keys. The text is read line by line, so that
//! templates and comments do no harm.

use std::ops::Range;

use super::split::{LARGEST, pack};
use super::{Piece, lines, pieces};

pub(super) fn cut(text: &str) -> Vec<Piece> {
    let blocks = blocks(text);
    let ranges: Vec<Range<usize>> = blocks.iter().map(|(_, range)| range.clone()).collect();
    // Small neighbors share a passage up to half its size, so that a single setting keeps its
    // context.
    let mut rest = blocks.as_slice();
    let mut cut = Vec::new();
    for part in pack(ranges.into_iter(), LARGEST / 2) {
        let count = rest.iter().take_while(|(_, range)| range.end <= part.end).count();
        let (group, others) = rest.split_at(count);
        rest = others;
        let keys: Vec<&str> = group.iter().filter_map(|(key, _)| key.as_deref()).collect();
        let section: Vec<String> = if keys.is_empty() { Vec::new() } else { vec![keys.join(", ")] };
        cut.extend(pieces(text, part, &section));
    }
    cut
}

/// Returns the blocks of the text with their outermost keys. Comments above a key belong to its
/// block.
fn blocks(text: &str) -> Vec<(Option<String>, Range<usize>)> {
    let indent = if text.trim_start().starts_with('{') { json_indent(text) } else { 0 };
    let mut blocks: Vec<(Option<String>, Range<usize>)> = Vec::new();
    let mut comments: Option<usize> = None;
    for range in lines(text) {
        let line = &text[range.clone()];
        if line.starts_with('#') {
            comments.get_or_insert(range.start);
            continue;
        }
        if let Some(key) = outermost_key(line, indent) {
            let start = comments.take().unwrap_or(range.start);
            if let Some((_, last)) = blocks.last_mut() {
                last.end = start;
            }
            blocks.push((Some(key), start..text.len()));
        } else if !line.trim().is_empty() {
            comments = None;
        }
    }
    let first = blocks.first().map_or(text.len(), |(_, range)| range.start);
    if first > 0 {
        blocks.insert(0, (None, 0..first));
    }
    blocks
}

/// Returns the indentation of a JSON object's own keys.
fn json_indent(text: &str) -> usize {
    let line = text.lines().find(|line| line.trim_start().starts_with('"'));
    line.map_or(0, |line| line.len() - line.trim_start().len())
}

fn outermost_key(line: &str, indent: usize) -> Option<String> {
    let (space, rest) = line.split_at_checked(indent)?;
    if !space.trim().is_empty() || rest.starts_with([' ', '\t', '-', '}', ']']) {
        return None;
    }
    if let Some(table) = rest.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Some(table.trim_matches(['[', ']']).into());
    }
    let (key, _) = rest.split_once([':', '='])?;
    let key = key.trim().trim_matches(['"', '\'']);
    (!key.is_empty() && key.len() <= 80).then(|| key.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections(text: &str) -> Vec<String> {
        cut(text).iter().map(|piece| piece.section.join(" > ")).collect()
    }

    #[test]
    fn small_blocks_share_a_passage_and_large_ones_stand_alone() {
        let large = format!("pools:\n{}", "  - size: 10\n".repeat(75));
        assert_eq!(
            sections(&format!("# gateway\nport: 80\nhost: a\n{large}")),
            ["port, host", "pools"]
        );
        assert_eq!(
            sections("[pump]\nrpm = 3\n[valve.a]\nopen = true\n"),
            ["pump, rpm, valve.a, open"]
        );
        assert_eq!(sections("{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}\n"), ["a, c"]);
    }
}
