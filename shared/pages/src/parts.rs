//! The parts that several pages share: places, quotes, reasons for an abstention, gaps.

use maud::{Markup, html};
use model::evidence::{Finding, Place, Quote, Strength};
use model::facts::DocumentedStatus;
use wire::common::{Abstained, DocumentedDecision, Gap};

use crate::{prose, score};

/// Returns a place as `name:first-last`, linked if the original is on the web.
pub(crate) fn place(source: &Place) -> Markup {
    let lines = source.lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
    let uri = source.uri.as_deref().filter(|uri| is_web(uri));
    html! {
        p.where {
            @match uri {
                Some(uri) => a href=(uri) rel="noreferrer" { (source.file) (lines) },
                None => code { (source.file) (lines) },
            }
            @if let Some(section) = &source.section { ", " (section) }
        }
    }
}

/// Returns true if an address may become a link: only addresses of the web do, others stay text.
fn is_web(uri: &str) -> bool {
    let is_clean = !uri.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    is_clean && (uri.starts_with("https://") || uri.starts_with("http://"))
}

/// Returns the strength of the match with the question, in words.
pub(crate) fn strength(strength: Option<Strength>) -> Markup {
    let word = strength.map(|strength| match strength {
        Strength::Strong => "strong",
        Strength::Fair => "fair",
        Strength::Weak => "weak",
    });
    html! { @if let Some(word) = word { span.badge.(word) { (word) } } }
}

/// Returns a passage with its title and place.
pub(crate) fn finding(finding: &Finding, also_in: &[String]) -> Markup {
    html! {
        article.card id=(finding.passage.passage_id) {
            header { h3 dir="auto" { (finding.passage.title) } (strength(finding.strength)) }
            (place(&finding.passage))
            (content(finding))
            (score::parts(&finding.score_parts))
            @if !also_in.is_empty() { p.meta { "Also: " (also_in.join(", ").replace('_', " ")) } }
        }
    }
}

/// Returns the text of a passage.
pub(crate) fn content(finding: &Finding) -> Markup {
    let Place { file, section, .. } = &finding.passage;
    prose::passage(file, section.as_deref(), &finding.text)
}

/// Returns a quote of the document with this name, with the section that contains it.
pub(crate) fn quote(name: &str, passage: &Quote) -> Markup {
    html! {
        span dir="auto" { (prose::line(name, &passage.text)) }
        @if let Some(section) = &passage.section { " " span.section { "(" (section) ")" } }
    }
}

/// Returns the decisions in documents that settle the question.
pub(crate) fn settled(decided: &[DocumentedDecision]) -> Markup {
    html! {
        @if !decided.is_empty() {
            section aria-labelledby="decided" {
                h2 #decided { "Decided before, in the documents' words" }
                div.cards { @for decision in decided { (one_settled(decision)) } }
            }
        }
    }
}

fn one_settled(decision: &DocumentedDecision) -> Markup {
    let status = decision.status.map(|status| match status {
        DocumentedStatus::Accepted => "accepted",
        DocumentedStatus::Proposed => "proposed",
        DocumentedStatus::Rejected => "rejected",
        DocumentedStatus::Superseded => "superseded",
    });
    let name = &decision.passage.file;
    let about = [decision.option.as_deref(), status, decision.date.as_deref()];
    let about: Vec<&str> = about.into_iter().flatten().collect();
    html! {
        article.card {
            header { h3 dir="auto" { (decision.passage.title) } span.meta { (about.join(", ")) } }
            (place(&decision.passage))
            blockquote dir="auto" { (prose::line(name, &decision.chosen.text)) }
            ul.plain {
                @for reason in &decision.reasons_for { li { span.side.for { "for: " } (quote(name, reason)) } }
                @for reason in &decision.reasons_against { li { span.side.against { "against: " } (quote(name, reason)) } }
            }
        }
    }
}

/// Lists the facets without findings.
pub(crate) fn gaps(gaps: &[Gap]) -> Markup {
    html! {
        @if !gaps.is_empty() {
            section aria-labelledby="gaps" {
                h2 #gaps { "Not covered" }
                ul.plain {
                    @for gap in gaps { li { strong { (heading(&gap.facet)) } } }
                }
            }
        }
    }
}

/// Returns the reason why nothing fits, and the nearest findings.
pub(crate) fn abstained(abstained: &Abstained) -> Markup {
    html! {
        section { p.verdict { (abstained.sentence()) } }
        @if !abstained.nearest.is_empty() {
            section aria-labelledby="nearest" {
                h2 #nearest { "Nearest, all the same" }
                div.cards {
                    @for source in &abstained.nearest {
                        article.card { h3 dir="auto" { (source.title) } (place(source)) }
                    }
                }
            }
        }
    }
}

/// Returns a name of the API as a heading: "Best practices" for `best_practices`.
pub(crate) fn heading(name: &str) -> String {
    let name = name.replace('_', " ");
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns a count with its noun: `1 report`, `2 reports`.
pub(crate) fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
