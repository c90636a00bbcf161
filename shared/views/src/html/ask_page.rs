//! The page of a program on one machine: a form to ask, and below it what was found.

use maud::{DOCTYPE, html};

use super::blocks;
use super::layout::{self, printable};
use super::marks::{self, Marks};
use crate::view::View;

const STYLE: &str =
    concat!(include_str!("base.css"), include_str!("answer.css"), include_str!("ask_page.css"));

/// What a page with a form may do: it loads nothing, runs nothing, and asks its own server alone.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'";

/// What stands in the form.
#[derive(Debug, Clone)]
pub struct AskPage<'a> {
    /// The heading of what is shown.
    pub heading: &'a str,
    /// The question; empty before the first.
    pub question: &'a str,
    /// The name of the workflow that is chosen; empty where the program chooses.
    pub workflow: &'a str,
    /// The workflows that may be chosen: the name of each, and what it answers.
    pub workflows: &'a [(&'a str, &'a str)],
    /// The path that questions take.
    pub action: &'a str,
    /// The form in which a reader marks the answer.
    pub marks: Option<Marks<'a>>,
}

/// Returns the page with this form and what is shown below it.
pub fn ask_page(page: &AskPage<'_>, view: &View<'_>) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            (layout::head_with(page.heading, STYLE, POLICY))
            body {
                a.skip href="#answer" { "Skip to the answer" }
                header {
                    p.label { a href="/" { "Plumbline" } }
                    form.ask action=(page.action) method="get" role="search" {
                        label for="question" { "Question" }
                        input #question name="question" type="search" required value=(page.question) dir="auto" autocomplete="off";
                        label for="workflow" { "What it asks" }
                        select #workflow name="workflow" {
                            @for (name, label) in page.workflows {
                                option value=(name) selected[*name == page.workflow] { (label) }
                            }
                        }
                        button type="submit" { "Ask" }
                    }
                }
                main #answer {
                    p.label { (view.kind) }
                    h1 dir="auto" { (page.heading) }
                    (blocks::drawn(&view.blocks))
                    @if let Some(form) = &page.marks { (marks::drawn(form)) }
                }
                footer {
                    p {
                        "Quotes are the documents' own words. Strong, fair and weak say how far a text stands above what is usual for "
                        "the question. Times are in UTC."
                    }
                }
            }
        }
    };
    printable(&document.into_string())
}
