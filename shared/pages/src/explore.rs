//! The page about a subject: its facets with their passages, and terms.

use maud::{Markup, html};
use model::evidence::Finding;
use wire::common::Answer;
use wire::explore::{DefinedTerm, ExploreReport, FacetReport};

use crate::About;
use crate::layout::page;
use crate::parts::{count, finding, gaps, heading, place, settled};
use crate::prose;

/// Returns the page with what documents say, facet by facet.
pub fn explore(about: About<'_>, answer: &Answer<ExploreReport>) -> String {
    page("What is known", about, answer, body)
}

fn body(report: &ExploreReport) -> Markup {
    html! {
        (settled(&report.decided))
        @for facet in &report.facets { (section(facet, report)) }
        (terms(&report.terms))
        (gaps(&report.gaps))
    }
}

fn section(facet: &FacetReport, report: &ExploreReport) -> Markup {
    let (passages, documents) = (facet.coverage.passages, facet.coverage.documents);
    let others = report.facets.iter().filter(|other| other.facet != facet.facet);
    let elsewhere: Vec<&Finding> = others
        .flat_map(|other| &other.results)
        .filter(|result| result.also_in.contains(&facet.facet))
        .map(|result| &result.finding)
        .collect();
    let shown = facet.results.len() + elsewhere.len();
    html! {
        section {
            h2 { (heading(&facet.facet)) }
            p.meta {
                @if passages == 0 { "Nothing found" }
                @else { (count(passages, "passage")) " in " (count(documents, "document")) }
                @if passages > shown { ", the best " (shown) " of them here" }
            }
            div.cards { @for aspect in &facet.results { (finding(&aspect.finding, &aspect.also_in)) } }
            @if !elsewhere.is_empty() {
                p.meta {
                    "Shown elsewhere on this page: "
                    @for (number, finding) in elsewhere.iter().enumerate() {
                        @if number > 0 { ", " }
                        a href=(format!("#{}", finding.passage.passage_id)) { (finding.passage.title) }
                    }
                }
            }
        }
    }
}

fn terms(terms: &[DefinedTerm]) -> Markup {
    html! {
        @if !terms.is_empty() {
            section aria-labelledby="terms" {
                h2 #terms { "Terms that several documents define" }
                @for term in terms {
                    div.card {
                        h3 { (term.term) }
                        @for definition in &term.definitions {
                            blockquote dir="auto" { (prose::line(&definition.passage.file, &definition.quote.text)) }
                            (place(&definition.passage))
                        }
                    }
                }
            }
        }
    }
}
