//! The layout that all pages share.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use wire::common::Answer;

use crate::About;
use crate::parts::abstained;

pub(crate) const STYLE: &str = concat!(include_str!("base.css"), include_str!("answer.css"));

/// The policy of a page: it loads nothing and runs nothing, even if a text should ever get through
/// as markup.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The program that made a page, with its version.
pub const GENERATOR: &str = concat!("Plumbline ", env!("CARGO_PKG_VERSION"));

/// Returns the page of an answer. `kind` names the workflow, and `body` draws the report, unless
/// the answer abstains.
pub(crate) fn page<R>(
    kind: &str,
    about: About<'_>,
    answer: &Answer<R>,
    body: impl FnOnce(&R) -> Markup,
) -> String {
    let nothing = |_: &R| html! {};
    match &answer.abstained {
        Some(_) => page_with_gaps(kind, about, answer, nothing),
        None => page_with_gaps(kind, about, answer, body),
    }
}

/// Returns the same for a report that lists its gaps even if the answer abstains.
pub(crate) fn page_with_gaps<R>(
    kind: &str,
    about: About<'_>,
    answer: &Answer<R>,
    body: impl FnOnce(&R) -> Markup,
) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            (head(about.question, STYLE))
            body {
                a.skip href="#answer" { "Skip to the answer" }
                header {
                    p.label { (kind) }
                    h1 dir="auto" { (about.question) }
                    (notices(about, answer))
                }
                main #answer {
                    @if let Some(reason) = &answer.abstained {
                        (abstained(reason))
                    }
                    (body(&answer.report))
                    (decisions(answer))
                }
                footer {
                    p {
                        "Quotes are the documents' own words; their Markdown is drawn. Strong, fair and weak say how far a text stands "
                        "above what is usual for the question. Times are in UTC."
                    }
                }
            }
        }
    };
    printable(&document.into_string())
}

/// Returns the head of every page.
pub(crate) fn head(title: &str, style: &'static str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            // The address of a page is private; following the link of a source must not reveal it.
            meta name="referrer" content="no-referrer";
            meta name="robots" content="noindex";
            meta name="generator" content=(GENERATOR);
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// Replaces characters that control a terminal; they have no meaning on a page.
pub(crate) fn printable(page: &str) -> String {
    let steers = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    page.replace(steers, "\u{FFFD}")
}

fn notices<R>(about: About<'_>, answer: &Answer<R>) -> Markup {
    html! {
        @for missing in about.missing {
            p.notice { strong { "Without " (missing.part.replace('_', " ")) ": " } (missing.reason) }
        }
        @if !answer.queries_written.is_empty() {
            p.meta { "A language model also searched for: " (answer.queries_written.join("; ")) }
        }
    }
}

/// Returns the project's earlier decisions, if a project was named.
fn decisions<R>(answer: &Answer<R>) -> Markup {
    let decisions = answer.decisions.iter().flatten();
    html! {
        @if answer.decisions.as_ref().is_some_and(|decisions| !decisions.is_empty()) {
            section aria-labelledby="decisions" {
                h2 #decisions { "Decided earlier in this project" }
                ul.plain {
                    @for decision in decisions {
                        li dir="auto" {
                            (decision.decision) " "
                            span.meta {
                                (decision.status.name()) ", " (decision.decided_at.strftime("%-d %b %Y"))
                                ", " code { (decision.decision_id) }
                            }
                        }
                    }
                }
            }
        }
    }
}
