//! Cuts documents into passages along their structure, without losing text.

use std::ops::Range;

use crate::limit;
use model::document::Attributes;
use model::format::Format;

pub(crate) mod export;
pub(crate) mod log;
pub(crate) mod table;

mod code;
mod config;
#[cfg(test)]
mod foreign;
mod front_matter;
mod grid;
mod html;
mod mail;
mod markdown;
mod markup;
mod notebook;
mod office;
mod pdf;
mod split;

pub use self::log::Near;
pub use front_matter::{FrontMatter, front_matter};
pub use grid::{Grid, Row};
pub use mail::Attached;

/// A passage and its place in the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Piece {
    /// The bytes of the passage in the document.
    pub range: Range<usize>,
    /// The headings or keys above it, outermost first.
    pub section: Vec<String>,
}

/// The passages of a document in order, and the title from its first heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cut {
    /// The only outermost heading, if it comes first.
    pub title: Option<String>,
    /// The passages. Together they contain all of the text except white space between them.
    pub pieces: Vec<Piece>,
    /// The definitions of source code, in order.
    pub definitions: Vec<Definition>,
}

/// A definition in source code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name of the definition.
    pub name: String,
    /// The keyword of the definition's kind, such as `fn`; empty if the language has none.
    pub kind: &'static str,
    /// The byte at which the definition begins, without comments and attributes.
    pub start: usize,
}

/// Cuts `text` into passages of at most [`split::LARGEST`] bytes. A log has no passages here: its
/// records are not cut.
pub fn cut(format: Format, text: &str) -> Cut {
    match format {
        Format::Markdown | Format::Office | Format::Mail | Format::Notebook | Format::Export => {
            markdown::cut(text)
        }
        Format::Markup(language) => markdown::along(text, &markup::headings(language, text)),
        Format::Log => Cut::default(),
        Format::Config => Cut { pieces: config::cut(text), ..Cut::default() },
        Format::Code(language) => code::cut(language, text),
        Format::Plain | Format::Html | Format::Pdf | Format::Unknown => {
            Cut { pieces: pieces(text, 0..text.len(), &[]), ..Cut::default() }
        }
    }
}

/// A text extracted from a file, with its passages. The line numbers of the file are lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Extract {
    /// The text.
    pub text: String,
    /// The passages of the text.
    pub cut: Cut,
    /// What the file says of itself beside its text.
    pub stated: Attributes,
    /// The tables whose rows are records.
    pub grids: Vec<Grid>,
    /// The parts of the file that are not in the text, each with the reason.
    pub left_out: Vec<String>,
}

impl Extract {
    /// Returns true if the file has sheets.
    pub fn is_sheet(&self) -> bool {
        self.grids.iter().any(|grid| grid.columns.is_some())
    }

    /// Ends the paragraph before, and returns the byte at which the next one begins.
    fn begin(&mut self) -> usize {
        let kept = self.text.trim_end().len();
        self.text.truncate(kept);
        if kept > 0 {
            self.text.push_str("\n\n");
        }
        self.text.len()
    }

    /// Adds another text below some headings, with its passages and tables.
    fn append(&mut self, headings: &[String], other: Extract) {
        let start = self.begin();
        self.text.push_str(&other.text);
        for Piece { range, section } in other.cut.pieces {
            let section: Vec<String> = headings.iter().cloned().chain(section).collect();
            let range = range.start + start..range.end + start;
            self.cut.pieces.push(Piece { range, section: limit::path(&section) });
        }
        for mut grid in other.grids {
            for row in &mut grid.rows {
                row.range = row.range.start + start..row.range.end + start;
            }
            self.grids.push(grid);
        }
        self.left_out.extend(other.left_out);
    }

    /// Adds a text with its passages below a heading.
    fn add(&mut self, heading: &str, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let start = self.begin();
        self.text.push_str(text);
        let section = Some(heading.to_owned()).filter(|heading| !heading.is_empty());
        let section: Vec<String> = section.into_iter().collect();
        self.cut.pieces.extend(pieces(&self.text, start..self.text.len(), &section));
    }
}

/// Returns the large tables of a text, whose first line has this number.
pub fn tables(format: Format, text: &str, first_line: u32) -> Vec<Grid> {
    table::of_file(format, text, first_line)
}

/// Returns the text of a web page, cut along its headings.
pub fn html(page: &str) -> Extract {
    html::read(page)
}

/// Returns the text of a PDF, cut into pages.
///
/// # Errors
/// Returns the reason why no text can be read, worded for the uploader.
pub fn pdf(bytes: &[u8]) -> Result<Extract, String> {
    pdf::read(bytes)
}

/// Returns true for the bytes of an office document, whatever its name is.
pub(crate) fn is_office(bytes: &[u8]) -> bool {
    office::told(bytes).is_some()
}

/// Returns the text of an office document as Markdown, cut along its headings, slides or sheets;
/// `name` tells the format.
///
/// # Errors
/// Returns the reason why no text can be read, worded for the uploader.
pub fn office(name: &str, bytes: &[u8]) -> Result<Extract, String> {
    office::read(name, bytes)
}

/// Returns a mail or a mailbox within `depth` mails as Markdown, with the texts of the attachments
/// that `attached` can read.
///
/// # Errors
/// Says that no mail is there, worded for the uploader.
pub fn mail(bytes: &[u8], depth: usize, attached: Attached) -> Result<Extract, String> {
    mail::read(bytes, depth, attached)
}

/// Returns a Jupyter notebook as Markdown.
///
/// # Errors
/// Says why it is none, worded for the uploader.
pub fn notebook(text: &str) -> Result<Extract, String> {
    notebook::read(text)
}

/// Returns the messages or issues of an export as Markdown.
pub fn exported(text: &str) -> Extract {
    export::read(text)
}

/// Returns the first `count` words of a text, without headings, addresses and marks.
pub fn first_words(format: Format, text: &str, count: usize) -> String {
    match format {
        Format::Markdown | Format::Office | Format::Mail | Format::Notebook | Format::Export => {
            markdown::first_words(text, count)
        }
        _ => text.split_whitespace().take(count).collect::<Vec<_>>().join(" "),
    }
}

/// Returns the passages of one section.
fn pieces(text: &str, range: Range<usize>, section: &[String]) -> Vec<Piece> {
    let section = limit::path(section);
    split::split(text, range)
        .into_iter()
        .map(|range| Piece { range, section: section.clone() })
        .collect()
}

/// Returns the byte range of each line, including its line break.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let range = *start..*start + line.len();
        *start = range.end;
        Some(range)
    })
}

#[cfg(test)]
mod tests {
    use model::format::Language;

    use super::*;
    use proptest::prelude::*;

    fn letters(text: &str) -> String {
        text.split_whitespace().collect()
    }

    proptest! {
        #[test]
        fn no_cut_loses_text_or_grows_too_large(
            blocks in prop::collection::vec(prop_oneof![
                "#{1,4} [a-zé ]{1,20}",
                "[a-zé.! ]{0,400}",
                "[a-z]{1700}",
                "- [a-z ]{1,30}\n- [a-z ]{1,30}",
                "\\| a \\| [a-z]{1,9} \\|",
                "```\n# not a heading\n```",
                "[a-z]{1,8}:\n  [a-z]{1,8}: [0-9]{1,3}",
                "\\[[a-z.]{1,12}\\]",
                "/// [a-zé ]{0,20}\nfn [a-z]{1,9}\\(\\) \\{\n    [a-z]{1,900}\\(\\);\n\\}",
                "impl [A-Z] \\{\n    fn [a-z]{1,9}\\(\\) \\{ [a-z]{1,900} \\}\n    fn [a-z]{1,900}",
                "class [A-Z]:\n    def [a-z]{1,9}\\(self\\):\n        [a-z]{1,900}\n\n    def",
            ], 0..30),
            format in prop_oneof![Just(Format::Markdown), Just(Format::Plain), Just(Format::Config), Just(Format::Code(Language::Rust)), Just(Format::Code(Language::Python))],
        ) {
            let text = blocks.join("\n\n");
            let cut = cut(format, &text);
            let kept: String = cut.pieces.iter().map(|piece| &text[piece.range.clone()]).collect();
            prop_assert_eq!(letters(&kept), letters(&text));
            for piece in &cut.pieces {
                prop_assert!(!text[piece.range.clone()].trim().is_empty());
                prop_assert!(piece.range.len() <= split::LARGEST);
            }
            prop_assert!(cut.pieces.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start));
        }
    }

    #[test]
    fn a_paragraph_of_ten_thousand_lines_is_cut_between_lines() {
        let text = "the pump ran dry again\n".repeat(10_000);
        let cut = cut(Format::Markdown, &text);
        assert!(cut.pieces.len() > 100);
        assert!(cut.pieces.iter().all(|piece| text[piece.range.clone()].starts_with("the pump")
            && text[piece.range.clone()].ends_with("again")));
    }
}
