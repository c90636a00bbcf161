//! The trail as one self-contained HTML page: no script, no font, no picture.

mod chain;
mod decision;
mod diff;
mod head;
mod review;
mod text;

use maud::{DOCTYPE, Markup, html as markup};
use wire::trail::{Asked, TrailEntry, TrailPage};

use self::text::{moment, person};
use super::timeline::{Period, count, periods};
use crate::html::{head as page_head, printable};

const STYLE: &str = concat!(include_str!("../html/base.css"), include_str!("html/style.css"));

/// Returns a page of the trail: the project, what needs review, then questions and decisions,
/// newest first.
pub fn html(page: &TrailPage) -> String {
    let title = format!("{}: decision trail", page.project.name);
    let periods = periods(page);
    let document = markup! {
        (DOCTYPE)
        html lang="en" {
            (page_head(&title, STYLE))
            body {
                a.skip href="#timeline" { "Skip to the timeline" }
                (head::head(page))
                main {
                    (review::section(page))
                    (timeline(page, &periods))
                }
                footer { p { "All times are in UTC." } }
            }
        }
    };
    printable(&document.into_string())
}

fn timeline(page: &TrailPage, periods: &[Period<'_>]) -> Markup {
    markup! {
        section #timeline aria-labelledby="timeline-title" tabindex="-1" {
            h2 #timeline-title { "Timeline" }
            @if periods.len() > 1 {
                nav.periods aria-label="Periods" {
                    ul {
                        @for period in periods {
                            li { a href={ "#on-" (period.key) } { (period.title) } }
                        }
                    }
                }
            }
            @if periods.is_empty() { p.empty { "Nothing was asked or decided here yet." } }
            @for period in periods {
                section.period aria-labelledby={ "on-" (period.key) } {
                    h3 id={ "on-" (period.key) } { time datetime=(period.key) { (period.title) } }
                    ol.entries {
                        @for entry in &period.entries { (item(page, entry)) }
                    }
                }
            }
            @if let Some(cursor) = &page.cursor {
                nav.more aria-label="Pages" {
                    a rel="next" href=(text::next(cursor, page.as_of)) { "Older entries" }
                }
            }
        }
    }
}

fn item(page: &TrailPage, entry: &TrailEntry) -> Markup {
    match entry {
        TrailEntry::Question(asked) => question(asked),
        TrailEntry::Decision(decided) => decision::item(page, decided),
    }
}

fn question(asked: &Asked) -> Markup {
    markup! {
        li.entry.question {
            p.kind {
                span.label { "Question" }
                bdi.workflow { (asked.workflow) }
                @match asked.results.len() {
                    0 => span.badge.none { span aria-hidden="true" { "∅" } " No result" },
                    number => span.found { (count(number, "result")) },
                }
            }
            p.asked dir="auto" { (asked.question) }
            p.meta { "Asked " (moment(asked.at)) " by " (person(&asked.by)) }
        }
    }
}

#[cfg(test)]
mod tests;
