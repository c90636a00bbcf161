//! Converts bytes into text, or returns the reason why they are not text.

use std::borrow::Cow;

use infer::MatcherType;
use text::composed;

use crate::chunk::{self, Extract};
use model::format::{ARCHIVE, Format, IMAGE, OFFICE_DOCUMENT};

/// A document's text and its passages.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) extract: Extract,
    /// The line at which the text begins; `None` if the text is not the file's own.
    pub(super) first_line: Option<u32>,
}

/// Returns the text of a file in composed Unicode form, without a byte order mark.
pub(super) fn text(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err("is UTF-16; save it as UTF-8".into());
    }
    if bytes.starts_with(b"{\\rtf") {
        return Err(OFFICE_DOCUMENT.into());
    }
    let refusal = |reason: String| kind(bytes).map_or(reason, str::to_owned);
    if bytes.starts_with(b"%PDF-") {
        return Err(PDF.into());
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        refusal(format!("is not UTF-8 text: byte {} is wrong", error.valid_up_to()))
    })?;
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(refusal(format!("is not text: byte {at} is NUL")));
    }
    Ok(composed::text(text.strip_prefix('\u{FEFF}').unwrap_or(text)))
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

/// Returns the passages of a text that follows `above` in its file.
pub(super) fn of_text(format: Format, above: &str, body: &str) -> Content {
    if format == Format::Html {
        return Content { extract: chunk::html(body), first_line: None };
    }
    let cut = chunk::cut(format, body);
    let extract = Extract { text: body.into(), cut };
    Content { extract, first_line: Some(line_breaks(above) + 1) }
}

/// Returns the passages of a PDF.
pub(super) fn of_pdf(bytes: &[u8]) -> Result<Content, String> {
    Ok(Content { extract: chunk::pdf(bytes)?, first_line: None })
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
