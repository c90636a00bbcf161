//! The page of compared options: the verdict, the matrix with its intervals, the changes that would
//! turn it, and the evidence.

use matrix::{Matrix, Total, percent, sentence};
use maud::{Markup, html};
use model::facts::Side;
use wire::common::Answer;
use wire::trade::{AlternativeReport, TradeEvidence, TradeReport};

use crate::About;
use crate::layout::page_with_gaps;
use crate::parts::{count, place, settled};
use crate::{prose, score};

/// Returns the page with the leading option, how certain that is, and what documents say about each
/// option.
pub fn trade(about: About<'_>, answer: &Answer<TradeReport>) -> String {
    page_with_gaps("Which of these options", about, answer, body)
}

fn body(report: &TradeReport) -> Markup {
    html! {
        @if let Some(matrix) = &report.matrix { p.verdict { (sentence(matrix)) } }
        @for note in &report.notes { p.meta { (note) } }
        (settled(&report.decided))
        @if let Some(matrix) = &report.matrix { (comparison(report, matrix)) }
        (missing(report))
        @for alternative in &report.alternatives { (evidence_of(alternative)) }
        @if !report.general.is_empty() {
            section { h2 { "Names none of the options" } ul.plain { @for evidence in &report.general { (piece(evidence)) } } }
        }
    }
}

fn comparison(report: &TradeReport, matrix: &Matrix) -> Markup {
    let totals: Vec<&Total> = matrix.rank.iter().filter_map(|name| matrix.total(name)).collect();
    html! {
        section aria-labelledby="matrix" {
            h2 #matrix { "Comparison" }
            div.wide tabindex="0" role="region" aria-labelledby="matrix" {
                table.stacks {
                    thead {
                        tr {
                            th scope="col" { "Option" }
                            @for weight in &matrix.weights {
                                th scope="col" { (weight.criterion) br; span.weight { "weight " (percent(weight.weight)) } }
                            }
                            th scope="col" { "Total" }
                            th scope="col" { "Worst to best case" }
                        }
                    }
                    tbody { @for (rank, total) in totals.iter().enumerate() { (row(report, matrix, total, rank)) } }
                }
            }
            (turns(matrix))
        }
    }
}

fn row(report: &TradeReport, matrix: &Matrix, total: &Total, rank: usize) -> Markup {
    let name = &total.alternative;
    html! {
        tr {
            th scope="row" { (name) }
            @for weight in &matrix.weights {
                @match report.value(matrix, name, &weight.criterion) {
                    Some(value) => td data-label=(weight.criterion) { (value) },
                    None => td.unknown data-label=(weight.criterion) { "not known" },
                }
            }
            td data-label="Total" { (format!("{:.2}", total.total)) }
            td data-label="Worst to best case" {
                (interval(total, rank == 0))
                span.meta { (format!("{:.2} to {:.2} of 1", total.low, total.high)) }
            }
        }
    }
}

/// Draws the worst case, the best case and the total on a scale from 0 to 1.
fn interval(total: &Total, is_first: bool) -> Markup {
    let at = |score: f64| format!("{:.1}", score.clamp(0.0, 1.0) * 100.0);
    let width = format!("{:.1}", (total.high - total.low).clamp(0.0, 1.0) * 100.0);
    let label = format!("{:.2} to {:.2}, total {:.2}", total.low, total.high, total.total);
    let mark = if is_first { "mark first" } else { "mark" };
    html! {
        svg.bar viewBox="-2 0 104 10" preserveAspectRatio="none" role="img" aria-label=(label) {
            rect.track x="0" y="4.5" width="100" height="1" {}
            rect.range x=(at(total.low)) y="2.5" width=(width) height="5" {}
            rect class=(mark) x=(at(total.total)) y="0.5" width="1.2" height="9" {}
        }
    }
}

/// Lists the changes that would turn the first place, and the results that hold under any weights.
fn turns(matrix: &Matrix) -> Markup {
    let flips =
        matrix.weight_flips.iter().filter_map(|weight| Some((weight, weight.flip.as_ref()?)));
    let flips: Vec<_> = flips.collect();
    html! {
        h3 { "What would turn it" }
        ul.plain {
            @for (weight, flip) in &flips {
                li {
                    (weight.criterion) ": at " (percent(flip.flips_at)) " instead of " (percent(weight.weight)) ", "
                    (flip.to) " draws level"
                }
            }
            @if flips.is_empty() { li { "No change of a single weight." } }
            @for gap in &matrix.gaps {
                li {
                    (gap.criterion) " of " (gap.alternative) " is not known: " (gap.reason)
                    (format!(" (up to {:.2} of its total)", gap.swing))
                }
            }
        }
        (whatever(matrix))
    }
}

fn whatever(matrix: &Matrix) -> Markup {
    // With unknown values, the shares of random weights would show chance and not preference.
    let shares = matrix.rank_acceptability.iter().filter(|_| matrix.gaps.is_empty());
    let shares: Vec<_> =
        shares.filter_map(|shares| Some((&shares.alternative, *shares.ranks.first()?))).collect();
    html! {
        @if !shares.is_empty() || !matrix.dominance.is_empty() {
            h3 { "Whatever the weights" }
            ul.plain {
                @for (name, share) in &shares {
                    li { (name) " comes first in " (percent(*share)) " of " (matrix.draws) " random weightings" }
                }
                @for pair in &matrix.dominance { li { (pair.alternative) " is nowhere worse than " (pair.dominates) } }
            }
        }
    }
}

fn missing(report: &TradeReport) -> Markup {
    html! {
        @if !report.missing.is_empty() {
            section {
                h2 { "Not compared: no value is known" }
                ul.plain {
                    @for missing in &report.missing {
                        li { (missing.criterion) " of " (missing.alternative) ": " (missing.reason) }
                    }
                }
            }
        }
    }
}

fn evidence_of(alternative: &AlternativeReport) -> Markup {
    html! {
        section {
            h2 { (alternative.name) }
            p.meta {
                @if alternative.criteria.is_empty() { "Nothing found" } @else { (count(alternative.source_count, "source")) }
            }
            ul.plain { @for evidence in &alternative.criteria { (piece(evidence)) } }
        }
    }
}

fn piece(evidence: &TradeEvidence) -> Markup {
    html! {
        li {
            @if !evidence.name.is_empty() { strong { (evidence.name) } ": " }
            @match evidence.side {
                Some(Side::For) => span.side.for { "pro " },
                Some(Side::Against) => span.side.against { "con " },
                Some(Side::Either) | None => {},
            }
            @if let Some(value) = &evidence.value { strong { (value.text) } " " }
            q dir="auto" { (prose::line(&evidence.passage.file, &evidence.evidence)) }
            (place(&evidence.passage))
            (score::parts(&evidence.score_parts))
        }
    }
}
