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

/// A form of an answer for people.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Text {
    Page,
    Markdown,
}

impl Text {
    /// Returns the form that the caller accepts by name, ahead of JSON.
    pub(crate) fn accepted(call: &Call) -> Option<Text> {
        match call.accepts(&[HTML, MARKDOWN, JSON])? {
            HTML => Some(Text::Page),
            MARKDOWN => Some(Text::Markdown),
            _ => None,
        }
    }

    /// Draws a view below the question of the call.
    ///
    /// # Errors
    /// [`Error::Malformed`] without a question.
    pub(crate) fn draw<T>(self, call: &Call, view: &View<'_>) -> Result<Response<T>> {
        #[derive(Deserialize)]
        struct Asked {
            question: String,
        }
        let Asked { question } = call.json()?;
        Ok(self.titled(&question, view))
    }

    /// Draws a view below a title.
    pub(crate) fn titled<T>(self, title: &str, view: &View<'_>) -> Response<T> {
        match self {
            Text::Page => Response::Text(HTML_TEXT, views::html::page(title, view)),
            Text::Markdown => Response::Text(MARKDOWN_TEXT, views::markdown::document(title, view)),
        }
    }
}

/// Replies with an answer: as a page or Markdown, or as JSON, which `reply` makes of it.
pub(crate) fn answer<R, T: Serialize>(
    call: &Call,
    answer: Answer<R>,
    view: &ReportView<R>,
    reply: impl FnOnce(Answer<R>) -> T,
) -> Result<Response<T>> {
    match Text::accepted(call) {
        Some(text) => text.draw(call, &view.view(&answer, &call.meta.missing())),
        None => Ok(Response::Fitted(reply(answer))),
    }
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
