//! What is known of a subject: its facets with their passages, and terms.

use maud::{Markup, html};
use wire::common::Answer;
use wire::explore::{DefinedTerm, ExploreReport, FacetReport};

use crate::About;
use crate::layout::page;
use crate::parts::{count, finding, gaps, heading, place, settled};

/// Shows facet by facet what documents say.
pub fn explore(about: About<'_>, answer: &Answer<ExploreReport>) -> String {
    page("What is known", about, answer, body)
}

fn body(report: &ExploreReport) -> Markup {
    html! {
        (settled(&report.decided))
        @for facet in &report.facets { (section(facet)) }
        (terms(&report.terms))
        (gaps(&report.gaps))
    }
}

fn section(facet: &FacetReport) -> Markup {
    let (passages, documents) = (facet.coverage.passages, facet.coverage.documents);
    html! {
        section {
            h2 { (heading(&facet.facet)) }
            p.meta {
                @if passages == 0 { "Nothing found" }
                @else { (count(passages, "passage")) " in " (count(documents, "document")) }
            }
            div.cards { @for aspect in &facet.results { (finding(&aspect.finding, &aspect.also_in)) } }
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
                            blockquote dir="auto" { (definition.passage.text) }
                            (place(&definition.source))
                        }
                    }
                }
            }
        }
    }
}
