//! The words above the rows of a table that is cut: the heads of its columns, and its caption.

use crate::chunk::table::is_rule;

/// Upper bound for the bytes of heads and caption.
const LONGEST: usize = 400;

/// Upper bound for the bytes that are looked through above a passage.
const EXAMINED: usize = 64 * 1024;

/// Returns the caption and the heads above the passage that begins at `start`, as far as they are
/// not in it; empty if it does not begin within a table.
pub(super) fn above(text: &str, start: usize) -> String {
    let mut rows = text[start..].lines();
    if !rows.next().is_some_and(is_row) {
        return String::new();
    }
    // A part of a long table may begin with its own heads.
    let has_heads = rows.next().is_some_and(is_rule);
    let from = text.ceil_char_boundary(start.saturating_sub(EXAMINED));
    let mut lines = text[from..start].lines().rev().peekable();
    let mut heads = "";
    while let Some(line) = lines.next_if(|line| is_row(line)) {
        heads = line;
    }
    if has_heads && !heads.is_empty() {
        return String::new();
    }
    let mut caption: Vec<&str> = Vec::new();
    // One empty line stands between a caption and its table.
    lines.next_if(|line| line.trim().is_empty());
    while let Some(line) = lines.next_if(|line| !line.trim().is_empty() && !is_row(line)) {
        caption.push(line.trim());
    }
    caption.reverse();
    let words = format!("{}\n{heads}", caption.join(" "));
    let words = words.trim();
    words[..words.floor_char_boundary(LONGEST)].to_owned()
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_know_their_heads_and_caption_wherever_the_table_is_cut() {
        let text = "Losses of the reservoir, by quarter:\n\n| Quarter | Loss |\n|---|---|\n| 1 | 200 |\n| 2 | 312 |\n\nEnd.";
        let at = |words: &str| text.find(words).unwrap();
        let caption = "Losses of the reservoir, by quarter:";
        assert_eq!(above(text, at("| Quarter")), caption);
        assert_eq!(above(text, at("| 2 |")), format!("{caption}\n| Quarter | Loss |"));
        assert_eq!(above(text, at("End")), "");
        assert_eq!(above("| a |", 0), "");
        let parts = "| a |\n|---|\n| 1 |\n\n| a |\n|---|\n| 2 |\n";
        assert_eq!(above(parts, parts.rfind("| a |").unwrap()), "");
    }
}
