//! Converts bytes into text, or returns the reason why they are not text.

use std::borrow::Cow;

use infer::MatcherType;
use text::composed;

use crate::chunk::{self, Extract};
use crate::encoding::{self, Decoded};
use model::format::{ARCHIVE, Format, IMAGE, OFFICE_DOCUMENT};

/// A document's text and its passages.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) extract: Extract,
    /// The line at which the text begins; `None` if the text is not the file's own.
    pub(super) first_line: Option<u32>,
}

/// Returns the text of a file in composed Unicode form, without a byte order mark, and its encoding
/// where that is not UTF-8; nothing for a format that is no text.
pub(super) fn text(format: Format, bytes: &[u8]) -> Result<Decoded<'_>, String> {
    if matches!(format, Format::Pdf | Format::Office) {
        return Ok(Decoded::default());
    }
    if bytes.starts_with(b"{\\rtf") {
        return Err(OFFICE_DOCUMENT.into());
    }
    if bytes.starts_with(b"%PDF-") {
        return Err(PDF.into());
    }
    let refusal = |reason| kind(bytes).map_or(reason, str::to_owned);
    let Decoded { text, encoding } = encoding::decoded(bytes).map_err(refusal)?;
    let text = match text {
        Cow::Borrowed(text) => composed::text(text),
        Cow::Owned(text) => Cow::Owned(composed::owned(text)),
    };
    Ok(Decoded { text, encoding })
}

const PDF: &str = "is a PDF: give its name the ending pdf";

/// Returns a description of the bytes, which are not text, by their first bytes.
fn kind(bytes: &[u8]) -> Option<&'static str> {
    match infer::get(bytes)?.matcher_type() {
        MatcherType::Archive => Some(ARCHIVE),
        MatcherType::Image => Some(IMAGE),
        MatcherType::Doc => Some(OFFICE_DOCUMENT),
        MatcherType::App => Some("is a program: upload its source"),
        MatcherType::Audio | MatcherType::Video => {
            Some("is a recording: upload what is said in it")
        }
        _ => None,
    }
}

/// Returns the passages of a file. Of a text they are those of `body`, which follows `above`.
///
/// # Errors
/// Returns the reason why no text can be read, worded for the uploader.
pub(super) fn of_file(
    format: Format,
    name: &str,
    bytes: &[u8],
    (above, body): (&str, &str),
) -> Result<Content, String> {
    let (extract, first_line) = match format {
        Format::Pdf => (chunk::pdf(bytes)?, None),
        Format::Office => (chunk::office(name, bytes)?, None),
        Format::Html => (chunk::html(body), None),
        _ => {
            let cut = chunk::cut(format, body);
            (Extract { text: body.into(), cut }, Some(line_breaks(above) + 1))
        }
    };
    Ok(Content { extract, first_line })
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
