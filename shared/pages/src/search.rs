//! The page of a search: routing, results by source, and conflicts.

use maud::{Markup, html};
use wire::common::Answer;
use wire::search::{
    AskedWhen, Conflict, ConflictKind, RoutedSource, Routing, SearchReport, SearchResult,
};

use crate::About;
use crate::layout::page;
use crate::parts::{content, count, place, strength};
use crate::{prose, score};

/// Returns the page with the sources that were searched, the findings, and their conflicts.
pub fn search(about: About<'_>, answer: &Answer<SearchReport>) -> String {
    page("Search", about, answer, body)
}

fn body(report: &SearchReport) -> Markup {
    html! {
        (routing(&report.routing))
        (conflicts(&report.conflicts))
        section aria-labelledby="results" {
            h2 #results { (count(report.results.len(), "result")) }
            @if report.results.is_empty() { p.empty { "Nothing like this is in the indexed documents." } }
            div.cards { @for result in &report.results { (card(result)) } }
        }
    }
}

/// Lists the sources that were searched, and the number of their findings.
fn routing(routing: &Routing) -> Markup {
    html! {
        section aria-labelledby="sources" {
            h2 #sources { "Sources" }
            p.meta { (routing.reason) }
            div.wide tabindex="0" role="region" aria-labelledby="sources" {
                table {
                    thead { tr { th scope="col" { "Source" } th scope="col" { "Asked" } th scope="col" { "Found" } } }
                    tbody { @for source in &routing.sources { (row(source)) } }
                }
            }
        }
    }
}

fn row(source: &RoutedSource) -> Markup {
    let asked = match source.asked {
        AskedWhen::First => "at once",
        AskedWhen::Later => "later",
        AskedWhen::No => "no",
    };
    html! {
        tr {
            th scope="row" { (source.name) }
            td { (asked) }
            td { @match source.found { Some(found) => (found), None => "" } }
        }
    }
}

fn conflicts(conflicts: &[Conflict]) -> Markup {
    html! {
        @if !conflicts.is_empty() {
            section aria-labelledby="conflicts" {
                h2 #conflicts { "They disagree" }
                div.cards { @for conflict in conflicts { (disagreement(conflict)) } }
            }
        }
    }
}

/// Returns all sides of a conflict, without preferring one.
pub(crate) fn disagreement(conflict: &Conflict) -> Markup {
    let kind = match conflict.kind {
        ConflictKind::Quantity => "values",
        ConflictKind::Version => "versions",
        ConflictKind::Negation => "yes and no",
    };
    html! {
        article.card {
            header { h3 dir="auto" { (conflict.subject) } span.meta { (kind) } }
            ul.plain {
                @for side in &conflict.sides {
                    li {
                        strong { (side.value) } " "
                        @if side.is_newest { span.badge { "newest" } " " }
                        @if side.has_most_authority { span.badge { "most authority" } " " }
                        q dir="auto" { (prose::line(&side.passage.file, &side.statement)) }
                        (place(&side.passage))
                    }
                }
            }
        }
    }
}

fn card(result: &SearchResult) -> Markup {
    let SearchResult { finding, sources, symbols, also_at, related } = result;
    html! {
        article.card id=(finding.passage.passage_id) {
            header {
                h3 dir="auto" { (finding.passage.title) }
                @for source in sources { span.badge { (source) } " " }
                (strength(finding.strength))
            }
            (place(&finding.passage))
            @if !symbols.is_empty() {
                p.meta {
                    "Defines "
                    @for symbol in symbols { code { (symbol.name) ":" (symbol.line) } " " }
                }
            }
            (content(finding))
            (score::parts(&finding.score_parts))
            @if !also_at.is_empty() { p.meta { "The same in " @for source in also_at { code { (source.file) } " " } } }
            @if !related.is_empty() {
                p.meta {
                    "See also "
                    @for other in related { a href=(format!("#{}", other.result.passage_id)) { (other.by.join(", ")) } " " }
                }
            }
        }
    }
}
