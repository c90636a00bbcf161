//! The list of what needs review: cited passages that are not in their documents any more.

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
    let decision = &decided.decision;
    let is_here = decision_on(page, &decision.decision_id).is_some();
    html! {
        article.review id={ "review-" (anchor(&decision.decision_id)) } {
            h3 dir="auto" {
                @if is_here { a href={ "#" (anchor(&decision.decision_id)) } { (decision.decision) } }
                @else { (decision.decision) }
            }
            p.meta {
                (badge(decision.status)) " decided on " (day(decision.decided_at)) ", recorded by " (person(&decision.by))
                @if !is_here { " · " code { (decision.decision_id) } " (not on this page)" }
            }
            @for changed in &decision.needs_review { (change(changed, &decided.sources)) }
            @if !is_here {
                details {
                    summary { "Why it was decided" }
                    (rationale(&decision.rationale))
                }
            }
            p.meta {
                (decision.needs_review.len()) " of " (count(decision.source_count, "source")) " to review"
            }
        }
    }
}

fn change(review: &Review, sources: &[DecisionSource]) -> Markup {
    let source = sources.iter().find(|source| source.passage_id == review.passage_id);
    let text_now = review.nearest.as_ref().and_then(|nearest| nearest.text.as_deref());
    let (was, now) = match text_now {
        Some(text) => diff(&review.was, text),
        None => (vec![Piece { is_changed: false, text: review.was.clone() }], vec![]),
    };
    html! {
        div.change {
            p.where {
                strong dir="auto" { (source.map_or(&review.file, |source| &source.title)) }
                @if let Some(section) = source.and_then(|source| source.section.as_deref()) {
                    " · " bdi { (section) }
                }
                @if let Some(range) = source.and_then(|source| source.lines) { " · " (lines(range)) }
                " · changed or gone since " (day(review.since))
            }
            div.sides {
                figure.was {
                    figcaption.label { "It said" }
                    blockquote dir="auto" { @for piece in &was { (marked(piece, Side::Was)) } }
                }
                figure.now {
                    figcaption.label { "Nearest text now" }
                    @if text_now.is_some() {
                        blockquote dir="auto" { @for piece in &now { (marked(piece, Side::Now)) } }
                    } @else if review.nearest.is_some() {
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

/// Returns the words of a piece, struck out or underlined if they changed. The spaces after them
/// are not marked.
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
