//! A passage, a document or a decision on a page.

use maud::{Markup, html};
use model::evidence::{Place, Strength};

use super::blocks::{item, list, reference};
use super::{heading, prose, score};
use crate::view::{Card, Depth, Field};
use crate::wording::{lines_of, of_itself};

/// Draws a card whose title is a heading of this level.
pub(super) fn drawn(card: &Card<'_>, level: u8) -> Markup {
    let id = card.number.and(card.place).map(|place| place.passage_id.to_string());
    let is_folded = |field: &&Field<'_>| field.depth == Depth::Folded;
    let (folded, shown): (Vec<_>, Vec<_>) =
        card.fields.iter().filter(|field| !field.items.is_empty()).partition(is_folded);
    html! {
        article.card id=[id] {
            header {
                (heading(level.max(3), &html! { (card.title) }))
                @for tag in &card.tags { span.badge { (tag) } " " }
                (strength(card.strength))
            }
            @if let Some(at) = card.place { (place(at)) }
            (fields(&shown))
            @if let Some(text) = card.text {
                (prose::passage(card.file(), card.place.and_then(|place| place.section.as_deref()), text))
            }
            @if !folded.is_empty() {
                details {
                    summary { (folded.iter().map(|field| field.label.as_ref()).collect::<Vec<_>>().join(", ")) }
                    (fields(&folded))
                }
            }
            @for remark in &card.remarks { p.meta { (remark) } }
            @if let Some((label, others)) = &card.related {
                p.meta {
                    (label) " "
                    @for (number, other) in others.iter().enumerate() { @if number > 0 { ", " } (reference(other)) }
                }
            }
            @if let Some(parts) = card.score { (score::parts(parts)) }
        }
    }
}

/// Draws what a card says of each kind.
fn fields(fields: &[&Field<'_>]) -> Markup {
    let (named, bare): (Vec<&Field<'_>>, Vec<&Field<'_>>) =
        fields.iter().partition(|field| !field.label.is_empty());
    html! {
        @for field in bare { (list(&field.items)) }
        @if !named.is_empty() {
            dl.fields {
                @for field in named {
                    dt { (field.label) }
                    @for line in &field.items { dd { (item(line)) } }
                }
            }
        }
    }
}

/// Draws a place as `name:first-last`, linked if the original is on the web.
pub(super) fn place(place: &Place) -> Markup {
    let uri = place.uri.as_deref().filter(|uri| is_web(uri));
    html! {
        p.where {
            @match uri {
                Some(uri) => a href=(uri) rel="noreferrer" { (lines_of(place)) },
                None => code { (lines_of(place)) },
            }
            @if let Some(section) = &place.section { ", " (section) }
            (of_itself(place))
        }
    }
}

/// Returns true if an address may become a link: only addresses of the web do, others stay text.
fn is_web(uri: &str) -> bool {
    let is_clean = !uri.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    is_clean && (uri.starts_with("https://") || uri.starts_with("http://"))
}

/// Draws the strength of the match with the question.
fn strength(strength: Option<Strength>) -> Markup {
    html! { @if let Some(word) = strength.map(Strength::name) { span.badge.(word) { (word) } } }
}
