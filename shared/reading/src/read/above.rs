//! The words above the rows of a table that is cut: the heads of its columns, and its caption.

use crate::chunk::table::Drawn;

/// Upper bound for the bytes of heads and caption.
const LONGEST: usize = 400;

/// Upper bound for the bytes that are looked through above a table.
const EXAMINED: usize = 2 * 1024;

/// Returns the caption and the heads above the passage that begins at `start`, as far as they are
/// not in it; empty if it does not begin within one of `tables`.
pub(super) fn above(text: &str, tables: &[Drawn<'_>], start: usize) -> String {
    let next = tables.partition_point(|table| table.range.end <= start);
    let Some(table) = tables.get(next).filter(|table| table.range.contains(&start)) else {
        return String::new();
    };
    let head = table.head.start..table.head.end.min(table.head.start + LONGEST);
    let head = head.start..text.floor_char_boundary(head.end);
    let heads = if start > head.start { &text[head] } else { "" };
    let from = text.ceil_char_boundary(table.range.start.saturating_sub(EXAMINED));
    let mut lines = text[from..table.range.start].lines().rev().peekable();
    let mut caption: Vec<&str> = Vec::new();
    // One empty line stands between a caption and its table.
    lines.next_if(|line| line.trim().is_empty());
    while let Some(line) = lines.next_if(|line| !line.trim().is_empty() && !is_row(line)) {
        // `AsciiDoc` has attributes and the caption in lines of their own.
        if !(line.starts_with('[') && line.ends_with(']')) {
            caption.push(line.trim().trim_start_matches('.'));
        }
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
    use model::format::{Format, Markup};

    use crate::chunk::table::drawn;

    fn above(format: Format, text: &str, start: usize) -> String {
        super::above(text, &drawn(format, text), start)
    }

    #[test]
    fn rows_know_their_heads_and_caption_wherever_the_table_is_cut() {
        let text = "Losses of the reservoir, by quarter:\n\n| Quarter | Loss |\n|---|---|\n| 1 | 200 |\n| 2 | 312 |\n\nEnd.";
        let at = |words: &str| text.find(words).unwrap();
        let above = |text, start| above(Format::Markdown, text, start);
        let caption = "Losses of the reservoir, by quarter:";
        assert_eq!(above(text, at("| Quarter")), caption);
        assert_eq!(above(text, at("| 2 |")), format!("{caption}\n| Quarter | Loss |"));
        assert_eq!(above(text, at("End")), "");
        assert_eq!(above("| a |", 0), "");
        let parts = "| a |\n|---|\n| 1 |\n\n| a |\n|---|\n| 2 |\n";
        assert_eq!(above(parts, parts.rfind("| a |").unwrap()), "");
    }

    #[test]
    fn rows_of_asciidoc_know_their_heads_and_caption() {
        let text =
            ".Pumps\n[cols=\"1,1\"]\n|===\n|Pump |Flow\n\n|P-7\n|3 l/s\n\n|P-8\n|4 l/s\n|===\n";
        let format = Format::Markup(Markup::AsciiDoc);
        let start = text.find("|P-8").unwrap();
        assert_eq!(above(format, text, start), "Pumps\n|Pump |Flow");
    }
}
