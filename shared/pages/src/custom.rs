//! The page of a custom workflow, which is defined by a file: passages with their fields.

use maud::{Markup, html};
use wire::common::Answer;
use wire::custom::{CustomReport, CustomResult};

use crate::layout::page;
use crate::parts::{content, gaps, heading, place, quote, strength};
use crate::{About, score};

/// Returns the page of the passages with the fields that the workflow's file selects.
pub fn custom(about: About<'_>, answer: &Answer<CustomReport>) -> String {
    page(&heading(&answer.report.result_type), about, answer, body)
}

fn body(report: &CustomReport) -> Markup {
    html! {
        section {
            @if report.results.is_empty() { p.empty { "Nothing like this is in the indexed documents." } }
            div.cards { @for result in &report.results { (card(result)) } }
        }
        (gaps(&report.gaps))
    }
}

fn card(result: &CustomResult) -> Markup {
    let CustomResult { finding, fields, facets } = result;
    html! {
        article.card {
            header { h3 dir="auto" { (finding.passage.title) } (strength(finding.strength)) }
            (place(&finding.passage))
            @if !facets.is_empty() { p.meta { "Facets: " (facets.join(", ").replace('_', " ")) } }
            dl.fields {
                @for (name, passages) in fields {
                    dt { (heading(name)) }
                    @for passage in passages { dd { (quote(&finding.passage.file, passage)) } }
                }
            }
            (content(finding))
            (score::parts(&finding.score_parts))
        }
    }
}
