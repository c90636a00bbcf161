//! The form in which a caller wants a reply: JSON, or a page or text for people.

use lambda::{Call, Response};
use model::{Error, Result};
use serde::{Deserialize, Serialize};
use views::{ReportView, View};
use wire::common::Answer;

pub(crate) const HTML: &str = "text/html";
pub(crate) const MARKDOWN: &str = "text/markdown";
pub(crate) const JSON: &str = "application/json";
pub(crate) const HTML_TEXT: &str = "text/html; charset=utf-8";
pub(crate) const MARKDOWN_TEXT: &str = "text/markdown; charset=utf-8";

/// Replies with an answer: as JSON, which `reply` makes of it, or as a page or Markdown where the
/// caller accepts these by name, ahead of JSON.
pub(crate) fn answer<R, T: Serialize>(
    call: &Call,
    answer: Answer<R>,
    view: &ReportView<R>,
    reply: impl FnOnce(Answer<R>) -> T,
) -> Result<Response<T>> {
    let missing = call.meta.missing();
    let text = text(call, || view.view(&answer, &missing))?;
    Ok(text.unwrap_or_else(|| Response::Fitted(reply(answer))))
}

/// Draws a view where the caller accepts a page or Markdown by name, ahead of JSON.
pub(crate) fn text<'a, T>(
    call: &Call,
    view: impl FnOnce() -> View<'a>,
) -> Result<Option<Response<T>>> {
    #[derive(Deserialize)]
    struct Asked {
        question: String,
    }
    let accepted = call.accepts(&[HTML, MARKDOWN, JSON]);
    let question = || call.json().map(|Asked { question }| question);
    Ok(match accepted {
        Some(HTML) => Some(Response::Text(HTML_TEXT, views::html::page(&question()?, &view()))),
        Some(MARKDOWN) => {
            let text = views::markdown::document(&question()?, &view());
            Some(Response::Text(MARKDOWN_TEXT, text))
        }
        _ => None,
    })
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
