//! What needs review: what decisions rest on and what no longer stands there.

use maud::{Markup, html};
use wire::decisions::{Decided, DecisionSource, Review};
use wire::trail::TrailPage;

use super::decision::rationale;
use super::diff::{Piece, diff};
use super::text::{anchor, badge, day, person};
use crate::trail::timeline::{ELSEWHERE, count, decision_on, lines};

#[derive(Clone, Copy)]
enum Side {
    Was,
    Now,
}

pub(super) fn section(page: &TrailPage) -> Markup {
    html! {
        @if !page.needs_review.is_empty() {
            section.reviews aria-labelledby="review-title" {
                h2 #review-title {
                    span.sign aria-hidden="true" { "!" }
                    " Needs review " span.number { (page.needs_review.len()) }
                }
                p.lead {
                    "What these decisions rest on has changed or gone since. "
                    "Do they still hold?"
                }
                @for decided in &page.needs_review { (article(page, decided)) }
            }
        }
    }
}

fn article(page: &TrailPage, decided: &Decided) -> Markup {
    let own = &decided.decision;
    let is_here = decision_on(page, &own.decision_id).is_some();
    html! {
        article.review id={ "review-" (anchor(&own.decision_id)) } {
            h3 dir="auto" {
                @if is_here { a href={ "#" (anchor(&own.decision_id)) } { (own.decision) } }
                @else { (own.decision) }
            }
            p.meta {
                (badge(own.status)) " decided on " (day(own.decided_at)) ", recorded by " (person(&own.by))
                @if !is_here { " · " code { (own.decision_id) } " (not on this page)" }
            }
            @for changed in &own.needs_review { (change(changed, &decided.sources)) }
            @if !is_here {
                details {
                    summary { "Why it was decided" }
                    (rationale(&own.rationale))
                }
            }
            p.meta {
                (own.needs_review.len()) " of " (count(own.source_count, "source")) " to review"
            }
        }
    }
}

fn change(own: &Review, sources: &[DecisionSource]) -> Markup {
    let source = sources.iter().find(|source| source.chunk_id == own.chunk_id);
    let shown = own.nearest.as_ref().and_then(|nearest| nearest.text.as_deref());
    let (was, now) = match shown {
        Some(text) => diff(&own.was, text),
        None => (vec![Piece { is_changed: false, text: own.was.clone() }], vec![]),
    };
    html! {
        div.change {
            p.where {
                strong dir="auto" { (source.map_or(&own.name, |source| &source.document_title)) }
                @if let Some(section) = source.and_then(|source| source.section_title.as_deref()) {
                    " · " bdi { (section) }
                }
                @if let Some(range) = source.and_then(|source| source.lines) { " · " (lines(range)) }
                " · changed or gone since " (day(own.since))
            }
            div.sides {
                figure.was {
                    figcaption.label { "It said" }
                    blockquote dir="auto" { @for piece in &was { (marked(piece, Side::Was)) } }
                }
                figure.now {
                    figcaption.label { "Nearest text now" }
                    @if shown.is_some() {
                        blockquote dir="auto" { @for piece in &now { (marked(piece, Side::Now)) } }
                    } @else if own.nearest.is_some() {
                        p.nothing { (ELSEWHERE) }
                    } @else {
                        p.nothing {
                            "Nothing like it is there any more; the document itself may be gone."
                        }
                    }
                }
            }
        }
    }
}

/// The words of a piece, struck or underlined where they changed; the spaces behind them are not.
fn marked(piece: &Piece, side: Side) -> Markup {
    let (words, space) = piece.text.split_at(piece.text.trim_end().len());
    html! {
        @match side {
            _ if !piece.is_changed => (words),
            Side::Was => del { (words) },
            Side::Now => ins { (words) },
        }
        (space)
    }
}
