//! The page for planning work: templates, risks, lessons, precedents and earlier decisions.

use maud::{Markup, html};
use wire::common::Answer;
use wire::plan::{PlanItem, PlanReport, Precedent};

use crate::About;
use crate::layout::page_with_gaps;
use crate::parts::{finding, gaps, heading};

/// Returns the page with what documents offer for a plan, and what the project decided.
pub fn plan(about: About<'_>, answer: &Answer<PlanReport>) -> String {
    page_with_gaps("What to know before", about, answer, body)
}

fn body(report: &PlanReport) -> Markup {
    let missing: Vec<String> = report.gaps.iter().map(|gap| heading(&gap.facet)).collect();
    html! {
        @if !missing.is_empty() { p.meta { "Nothing found: " (missing.join(", ")) } }
        (section("Templates", &report.templates))
        (section("Risks", &report.risks))
        (section("Lessons learned", &report.lessons_learned))
        (section("Precedents", &report.precedents))
        (decisions(&report.project_decisions))
        (gaps(&report.gaps))
    }
}

fn section(title: &str, items: &[PlanItem]) -> Markup {
    html! {
        @if !items.is_empty() {
            section {
                h2 { (title) }
                div.cards { @for item in items { (finding(&item.finding, &item.also_in)) } }
            }
        }
    }
}

fn decisions(precedents: &[Precedent]) -> Markup {
    html! {
        @if !precedents.is_empty() {
            section aria-labelledby="project-decisions" {
                h2 #project-decisions { "Decided earlier in this project" }
                div.cards { @for precedent in precedents { (decision(precedent)) } }
            }
        }
    }
}

fn decision(precedent: &Precedent) -> Markup {
    let decision = &precedent.decided.decision;
    html! {
        article.card {
            header {
                h3 dir="auto" { (decision.decision) }
                span.meta { (decision.status.name()) ", " (decision.decided_at.strftime("%-d %b %Y")) }
            }
            blockquote.plain-text dir="auto" { (decision.rationale) }
            @if let Some(later) = &decision.superseded_by { p.meta { code { (later) } " took its place" } }
            @if !precedent.decided.sources.is_empty() {
                p.meta {
                    "Rests on "
                    @for (number, source) in precedent.decided.sources.iter().enumerate() {
                        @if number > 0 { ", " }
                        code { (source.file) }
                    }
                }
            }
            p.meta { code { (decision.decision_id) } }
        }
    }
}
