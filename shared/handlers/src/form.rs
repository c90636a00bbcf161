//! The form in which a caller wants a reply: JSON, or a page or text for people.

use lambda::Call;
use model::{Error, Result};
use pages::About;
use serde::Deserialize;
use wire::common::Answer;

pub(crate) const HTML: &str = "text/html";
pub(crate) const MARKDOWN: &str = "text/markdown";
pub(crate) const JSON: &str = "application/json";
pub(crate) const HTML_TEXT: &str = "text/html; charset=utf-8";
pub(crate) const MARKDOWN_TEXT: &str = "text/markdown; charset=utf-8";

/// Makes the page of an answer.
pub(crate) type Draw<R> = fn(About<'_>, &Answer<R>) -> String;

/// Returns the answer as a page where the caller accepts HTML by name, ahead of JSON.
pub(crate) fn page<R>(call: &Call, answer: &Answer<R>, draw: Draw<R>) -> Result<Option<String>> {
    #[derive(Deserialize)]
    struct Asked {
        question: String,
    }
    if call.accepts(&[HTML, JSON]) != Some(HTML) {
        return Ok(None);
    }
    let Asked { question } = call.json()?;
    let missing = call.meta.missing();
    Ok(Some(draw(About { question: &question, missing: &missing }, answer)))
}

/// Returns true where the caller wants the evidence pack of a decision.
///
/// # Errors
/// [`Error::Invalid`] for another `format`.
pub(crate) fn wants_pack(call: &Call) -> Result<bool> {
    match call.query("format") {
        None => Ok(false),
        Some("pack") => Ok(true),
        Some(_) => Err(Error::invalid("format", "must be `pack`")),
    }
}
