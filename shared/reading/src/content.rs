//! Converts bytes into text, or returns the reason why they are not text.

use std::borrow::Cow;

use text::composed;

use crate::chunk::{self, Extract};
use crate::encoding::{self, Decoded};
use crate::format;
use model::format::Format;

/// A document's text and its passages.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) extract: Extract,
    /// The line at which the text begins; `None` if the text is not the file's own.
    pub(super) first_line: Option<u32>,
}

/// Returns the text of a file in composed Unicode form, without a byte order mark, and its encoding
/// where that is not UTF-8; nothing for a format whose bytes are no text.
pub(super) fn text(format: Format, bytes: &[u8]) -> Result<Decoded<'_>, String> {
    if matches!(format, Format::Pdf | Format::Office | Format::Mail) {
        return Ok(Decoded::default());
    }
    let Decoded { text, encoding } = encoding::decoded(bytes)?;
    let text = match text {
        Cow::Borrowed(text) => composed::text(text),
        Cow::Owned(text) => Cow::Owned(composed::owned(text)),
    };
    Ok(Decoded { text, encoding })
}

/// Returns the passages of a file. Of a text they are those of `body`, which follows `above`.
///
/// # Errors
/// Returns the reason why no text can be read, worded for the uploader.
pub(super) fn of_file(
    format: Format,
    name: &str,
    bytes: &[u8],
    above: &str,
    body: &str,
) -> Result<Content, String> {
    let (extract, first_line) = match format {
        Format::Pdf => (chunk::pdf(bytes)?, None),
        Format::Office => (chunk::office(name, bytes)?, None),
        Format::Mail => (chunk::mail(bytes, 0, attached)?, None),
        Format::Html => (chunk::html(body), None),
        Format::Notebook => (chunk::notebook(body)?, None),
        Format::Export => (chunk::exported(body), None),
        _ => {
            let cut = chunk::cut(format, body);
            let first_line = line_breaks(above) + 1;
            let grids = match format {
                Format::Markdown | Format::Markup(_) => chunk::tables(format, body, first_line),
                _ => Vec::new(),
            };
            let extract = Extract { text: body.into(), cut, grids, ..Extract::default() };
            (extract, Some(first_line))
        }
    };
    Ok(Content { extract, first_line })
}

/// Returns the text of a file within another one, such as an attachment of a mail within `depth`
/// mails.
///
/// # Errors
/// Returns the reason why no text can be read.
fn attached(name: &str, content_type: &str, bytes: &[u8], depth: usize) -> Result<Extract, String> {
    let format = format::of_file(name, content_type, bytes)?;
    let Decoded { text, .. } = text(format, bytes)?;
    match format::in_text(format, name, &text) {
        Format::Mail => chunk::mail(bytes, depth, attached),
        // Records of attachments are no records of their own.
        Format::Log => {
            let cut = chunk::cut(Format::Plain, &text);
            Ok(Extract { text: text.into_owned(), cut, ..Extract::default() })
        }
        format => Ok(of_file(format, name, bytes, "", &text)?.extract),
    }
}

/// Returns the lines of ascending byte offsets and reads the text only once.
pub(super) struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: Option<u32>,
}

impl LineCounter<'_> {
    /// Starts at the content's first line; counts nothing if the text is not the file's own.
    pub(super) fn new(content: &Content) -> LineCounter<'_> {
        LineCounter { text: &content.extract.text, at: 0, line: content.first_line }
    }

    /// Returns the line of `byte`. `byte` is the start of a character and not lower than in the
    /// call before.
    pub(super) fn at(&mut self, byte: usize) -> Option<u32> {
        self.line = self.line.map(|line| line + line_breaks(&self.text[self.at..byte]));
        self.at = byte;
        self.line
    }
}

fn line_breaks(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}
