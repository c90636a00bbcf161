//! Splits a passage into blocks: headings, paragraphs, list items, table rows, and lines of code.

use std::ops::Range;

use crate::sentence::{after_marker, trimmed};

/// The form of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A heading, without its marks.
    Heading,
    /// A paragraph.
    Paragraph,
    /// A list item without its marker; the value is its indentation in bytes.
    Item(usize),
    /// A row of a table that is drawn with vertical bars.
    Row,
    /// A line of code.
    Code,
}

/// A block of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The form of the block.
    pub form: Form,
    /// The byte range of the block in the passage.
    pub range: Range<usize>,
}

/// Splits a passage into blocks, in order. White space, rules and the lines that draw tables belong
/// to no block.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader { text, blocks: Vec::new(), open: None };
    let (mut at, mut in_code) = (0, false);
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let bare = line.trim();
        if !in_code && reader.is_title_above(bare) {
            reader.open.iter_mut().for_each(|open| open.form = Form::Heading);
            reader.close();
        } else if bare.starts_with("```") || bare.starts_with("~~~") {
            reader.close();
            in_code = !in_code;
        } else if bare.is_empty() || is_drawing(bare) {
            reader.close();
        } else if in_code {
            reader.alone(Form::Code, range);
        } else if bare.starts_with('#') {
            let marks = line.len() - line.trim_start_matches([' ', '#']).len();
            reader.alone(Form::Heading, range.start + marks..range.end);
        } else if bare.starts_with('|') {
            reader.alone(Form::Row, range);
        } else {
            reader.line(range);
        }
    }
    reader.close();
    reader.blocks
}

/// Splits a row of a table into its cells, without the white space around them.
pub fn cells(text: &str, row: Range<usize>) -> Vec<Range<usize>> {
    let row = trimmed(text, row);
    let start = row.start + usize::from(text[row.clone()].starts_with('|'));
    let inner = &text[start..row.end.max(start)];
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut cells = Vec::new();
    let mut at = start;
    for cell in inner.split('|') {
        cells.push(trimmed(text, at..at + cell.len()));
        at += cell.len() + 1;
    }
    cells
}

struct Reader<'t> {
    text: &'t str,
    blocks: Vec<Block>,
    open: Option<Block>,
}

impl Reader<'_> {
    fn alone(&mut self, form: Form, range: Range<usize>) {
        self.close();
        self.open = Some(Block { form, range });
        self.close();
    }

    /// Returns true if a line is the row of marks below a heading of one line.
    fn is_title_above(&self, line: &str) -> bool {
        let Some(Block { form: Form::Paragraph, range }) = &self.open else { return false };
        let title = self.text[range.clone()].trim();
        let mark = line.chars().next().filter(|mark| "=-~^\"'*+.:_".contains(*mark));
        let is_row = mark.is_some_and(|mark| line.chars().all(|c| c == mark));
        is_row && line.len() > 2 && !title.contains('\n') && line.len() >= title.chars().count()
    }

    /// Begins a block with a line of prose or of a list, or continues one.
    fn line(&mut self, range: Range<usize>) {
        let line = &self.text[range.clone()];
        let content = line.trim_start_matches([' ', '\t', '>']);
        let marker = after_marker(content);
        if marker == 0
            && let Some(open) = &mut self.open
        {
            open.range.end = range.end;
            return;
        }
        self.close();
        let start = range.end - content.len();
        let indent = start - range.start;
        let form = if marker > 0 { Form::Item(indent) } else { Form::Paragraph };
        self.open = Some(Block { form, range: start + marker..range.end });
    }

    /// Adds each line as a paragraph.
    fn rows(&mut self, range: Range<usize>) {
        let mut at = range.start;
        for line in self.text[range].split_inclusive('\n') {
            let range = trimmed(self.text, at..at + line.len());
            self.blocks.push(Block { form: Form::Paragraph, range });
            at += line.len();
        }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let range = trimmed(self.text, open.range);
            if open.form == Form::Paragraph && is_of_rows(&self.text[range.clone()]) {
                self.rows(range);
            } else if !range.is_empty() {
                self.blocks.push(Block { range, ..open });
            }
        }
    }
}

/// Returns true for rows of values, as in a CSV file: three lines or more that have the same number
/// of one delimiter, and no blank behind a comma.
fn is_of_rows(text: &str) -> bool {
    let is_of = |delimiter: char| {
        let mut counts = text.lines().map(|line| line.matches(delimiter).count());
        let first = counts.next().unwrap_or_default();
        first > 0 && counts.clone().count() > 1 && counts.all(|count| count == first)
    };
    ['\t', ';', ','].into_iter().any(is_of) && !text.contains(", ")
}

/// Returns true for lines of dashes, and for those between the head and the body of a table.
fn is_drawing(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b'=' | b'+' | b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<(Form, &str)> {
        blocks(text).into_iter().map(|block| (block.form, &text[block.range])).collect()
    }

    #[test]
    fn every_kind_of_block_is_told_apart() {
        let text = "## Options\n\nOne line\nand another.\n\n- first\n  goes on\n  - inner\n\n| a | b |\n|---|---|\n| 1 |  |\n\n```\n# code\n```\n";
        assert_eq!(
            read(text),
            [
                (Form::Heading, "Options"),
                (Form::Paragraph, "One line\nand another."),
                (Form::Item(0), "first\n  goes on"),
                (Form::Item(2), "inner"),
                (Form::Row, "| a | b |"),
                (Form::Row, "| 1 |  |"),
                (Form::Code, "# code"),
            ]
        );
    }

    #[test]
    fn a_line_above_a_row_of_marks_is_a_heading() {
        let text =
            "Start\n~~~~~\n\nOpen the valve.\n\nStop it\n=======\nnow\n---\nNo heading here\n---\n";
        let headings: Vec<&str> = read(text)
            .into_iter()
            .filter(|(form, _)| *form == Form::Heading)
            .map(|(_, text)| text)
            .collect();
        assert_eq!(headings, ["Start", "Stop it", "now"]);
    }

    #[test]
    fn rows_of_values_are_blocks_of_their_own() {
        let rows = "pump,flow\nP-7,3\nP-8,4";
        let lines: Vec<_> = rows.lines().map(|row| (Form::Paragraph, row)).collect();
        assert_eq!(read(rows), lines);
        let prose = "It ran, dry.\nWe knew, late.\nIt cost, much.";
        assert_eq!(read(prose), [(Form::Paragraph, prose)]);
    }

    #[test]
    fn rows_have_their_cells_in_order_and_empty_ones_too() {
        let of = |text: &'static str| {
            cells(text, 0..text.len()).into_iter().map(|cell| &text[cell]).collect::<Vec<_>>()
        };
        assert_eq!(of("| a | b c |"), ["a", "b c"]);
        assert_eq!(of("|| 1 |  | é"), ["", "1", "", "é"]);
        assert_eq!(of("| a |  | c |\n"), ["a", "", "c"]);
    }

    proptest! {
        #[test]
        fn blocks_stand_in_order_within_the_text(lines in prop::collection::vec("[-#|*> a-zé0-9.`]{0,12}", 0..20)) {
            let text = lines.join("\n");
            let blocks = blocks(&text);
            prop_assert!(blocks.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
            for block in blocks {
                let content = text.get(block.range.clone());
                prop_assert!(content.is_some_and(|content| !content.trim().is_empty()));
                if block.form == Form::Row {
                    for cell in cells(&text, block.range.clone()) {
                        prop_assert!(text.get(cell.clone()).is_some() && cell.start >= block.range.start && cell.end <= block.range.end);
                    }
                }
            }
        }
    }
}
