//! The page of similar past failures: the reports, grouped by their causes.

use maud::{Markup, html};
use model::evidence::Quote;
use wire::common::Answer;
use wire::rcca::{Cause, Failure, FailureFields, RccaReport};

use crate::About;
use crate::layout::page;
use crate::parts::{count, place, quote, strength};
use crate::{prose, score};

/// Returns the page with the reports by their causes, each with its fields and place.
pub fn rcca(about: About<'_>, answer: &Answer<RccaReport>) -> String {
    page("What failed like this before", about, answer, body)
}

fn body(report: &RccaReport) -> Markup {
    html! {
        (causes(report))
        (others(report))
        (checks(report))
        (also_read(report))
    }
}

fn causes(report: &RccaReport) -> Markup {
    let of = |cause: &Cause| -> Vec<&Failure> {
        report.results.iter().filter(|failure| cause.is_of(failure)).collect()
    };
    html! {
        section aria-labelledby="causes" {
            h2 #causes { "Causes" }
            @if report.results.is_empty() {
                p.empty { "No report of a failure like this is in the indexed documents." }
            } @else if report.causes.is_empty() {
                p.empty { "The first of these reports name no cause." }
            }
            @for cause in &report.causes {
                div.cause {
                    h3 dir="auto" { (cause_text(report, cause)) }
                    p.meta { (count(cause.support, "report")) }
                    div.cards { @for failure in of(cause) { (card(failure, cause.best(&report.results).map(|(_, quote)| quote))) } }
                }
            }
        }
    }
}

fn cause_text(report: &RccaReport, cause: &Cause) -> Markup {
    let best = cause.best(&report.results);
    html! { @if let Some((failure, quote)) = best { (prose::line(&failure.passage.file, &quote.text)) } }
}

/// Returns the reports that belong to none of the causes.
fn others(report: &RccaReport) -> Markup {
    let is_under_cause = |failure: &Failure| report.causes.iter().any(|cause| cause.is_of(failure));
    let others: Vec<&Failure> =
        report.results.iter().filter(|failure| !is_under_cause(failure)).collect();
    html! {
        @if !others.is_empty() {
            section aria-labelledby="reports" {
                h2 #reports { @if report.causes.is_empty() { "Reports" } @else { "Other reports" } }
                div.cards { @for failure in others { (card(failure, None)) } }
            }
        }
    }
}

/// Returns a report. Its root cause is left out if it is the same as the `cause` above.
fn card(failure: &Failure, cause: Option<&Quote>) -> Markup {
    let (metadata, name) = (&failure.report, failure.passage.file.as_str());
    let root_cause = metadata.root_cause.as_ref().filter(|passage| Some(*passage) != cause);
    let is_silent = *metadata == FailureFields::default();
    html! {
        article.card {
            header { h3 dir="auto" { (failure.passage.title) } (strength(failure.strength)) }
            (place(&failure.passage))
            dl.fields {
                (field("Symptoms", name, &metadata.symptoms))
                (field("Root cause", name, root_cause.map_or(&[], std::slice::from_ref)))
                (field("Factors", name, &metadata.contributing_factors))
                (field("Impact", name, &metadata.impact))
                (field("Resolution", name, metadata.resolution.as_slice()))
            }
            @if is_silent { (prose::passage(name, failure.passage.section.as_deref(), &failure.text)) }
            (more(metadata, name))
            (score::parts(&failure.score_parts))
        }
    }
}

/// Returns the fields that readers need less often, which open on demand.
fn more(metadata: &FailureFields, name: &str) -> Markup {
    let is_empty = metadata.checked.is_empty() && metadata.timeline.is_empty();
    html! {
        @if !(is_empty && metadata.denied.is_empty() && metadata.actions.is_empty()) {
            details {
                summary { "Timeline, checks, follow-up" }
                dl.fields {
                    @if !metadata.timeline.is_empty() {
                        dt { "Timeline" }
                        @for event in &metadata.timeline { dd { strong { (event.time) } " " (quote(name, &event.event)) } }
                    }
                    (field("Checked", name, &metadata.checked))
                    (field("Ruled out", name, &metadata.denied))
                    (field("Actions", name, &metadata.actions))
                }
            }
        }
    }
}

fn field(label: &str, name: &str, passages: &[Quote]) -> Markup {
    html! {
        @if !passages.is_empty() {
            dt { (label) }
            @for passage in passages { dd { (quote(name, passage)) } }
        }
    }
}

fn checks(report: &RccaReport) -> Markup {
    html! {
        @if !report.to_check.is_empty() {
            section aria-labelledby="checks" {
                h2 #checks { "Checked then, and not in the question" }
                ul.plain { @for check in &report.to_check { li { (quote(&check.result.file, &check.quote)) } } }
            }
        }
    }
}

fn also_read(report: &RccaReport) -> Markup {
    html! {
        @if !report.also_read.is_empty() {
            section aria-labelledby="also-read" {
                h2 #also-read { "Also read: no reports of failures" }
                div.cards {
                    @for finding in &report.also_read {
                        article.card {
                            header { h3 dir="auto" { (finding.passage.title) } (strength(finding.strength)) }
                            (place(&finding.passage))
                        }
                    }
                }
            }
        }
    }
}
