//! A view as a page.

use maud::{DOCTYPE, Markup, html};

use crate::view::View;

mod ask_page;
mod blocks;
mod card;
mod layout;
mod marks;
mod pack;
mod prose;
mod score;
mod table;

pub use ask_page::{AskPage, ask_page};
pub use layout::GENERATOR;
pub(crate) use layout::{head, printable};
pub use marks::{Marks, RIGHT, WRONG};
pub use pack::pack;

/// Returns the page of a reply to this question.
pub fn page(question: &str, view: &View<'_>) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            (head(question, layout::STYLE))
            body {
                a.skip href="#answer" { "Skip to the answer" }
                header {
                    p.label { (view.kind) }
                    h1 dir="auto" { (question) }
                }
                main #answer { (blocks::drawn(&view.blocks)) }
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

/// Returns a heading of this level, 2 to 4.
fn heading(level: u8, content: &Markup) -> Markup {
    html! {
        @match level {
            2 => h2 dir="auto" { (content) },
            3 => h3 dir="auto" { (content) },
            _ => h4 dir="auto" { (content) },
        }
    }
}
