//! The parts of a view as elements.

use maud::{Markup, html};
use model::facts::Side;

use super::{card, heading, prose, score, table};
use crate::view::{Block, Cited, Claim, Item, Reference, Section, Words};
use crate::wording::{behind, file_at};

/// Draws blocks below the title of the page.
pub(super) fn drawn(blocks: &[Block<'_>]) -> Markup {
    html! { @for block in blocks { (one(block, 2)) } }
}

/// Draws a block; headings in it are of `level`.
fn one(block: &Block<'_>, level: u8) -> Markup {
    html! {
        @match block {
            Block::Verdict(sentence) => p.verdict { (sentence) },
            Block::Notice(about, reason) => p.notice { strong { (about) ": " } (reason) },
            Block::Remark(text) => p.meta dir="auto" { (text) },
            Block::Section(below) => (section(below, level)),
            Block::Cards(cards) => div.cards { @for card in cards { (card::drawn(card, level)) } },
            Block::Items(items) => (list(items)),
            Block::Table(columns) => (table::drawn(columns)),
            Block::Claim(said) => (claim(said)),
        }
    }
}

/// Draws a section, one within another as a box.
fn section(section: &Section<'_>, level: u8) -> Markup {
    let below = html! {
        (heading(level, &words(&section.title)))
        @if !section.remark.is_empty() { p.meta { (section.remark) } }
        @for block in &section.blocks { (one(block, level + 1)) }
    };
    html! {
        @if level == 2 { section { (below) } } @else { div.group { (below) } }
    }
}

/// Draws words; those of a document as their author meant them.
pub(super) fn words(words: &Words<'_>) -> Markup {
    html! {
        @match words {
            Words::Plain(text) => (text),
            Words::Verbatim(file, text) => (prose::line(file, text)),
            Words::Quoted(file, quote) => {
                (prose::line(file, &quote.text))
                @if let Some(section) = &quote.section { " " span.section { "(" (section) ")" } }
            },
        }
    }
}

/// Draws lines of a list.
pub(super) fn list(items: &[Item<'_>]) -> Markup {
    html! { @if !items.is_empty() { ul.plain { @for line in items { li { (item(line)) } } } } }
}

/// Draws a line: what it is about, its words, and where they stand.
pub(super) fn item(item: &Item<'_>) -> Markup {
    html! {
        @match item.side {
            Some(Side::For) => span.side.for { "pro " },
            Some(Side::Against) => span.side.against { "con " },
            Some(Side::Either) | None => {},
        }
        @if !item.label.is_empty() { strong { (item.label) } " " }
        @match &item.words {
            Words::Plain(text) => span dir="auto" { (text) },
            quoted => q dir="auto" { (words(quoted)) },
        }
        @if !item.remark.is_empty() { " " span.meta { "(" (item.remark) ")" } }
        @for (number, of) in item.of.iter().enumerate() {
            @if number > 0 { "," } " " span.meta { (reference(of)) }
        }
        @if let Some(place) = item.place { (card::place(place)) }
        @if let Some(parts) = item.score { (score::parts(parts)) }
    }
}

/// Draws a link to another result of the page.
pub(super) fn reference(reference: &Reference<'_>) -> Markup {
    let words = reference.words.as_deref().unwrap_or(&reference.place.title);
    html! { a href=(format!("#{}", reference.place.passage_id)) { (words) } }
}

fn claim(claim: &Claim<'_>) -> Markup {
    html! {
        article.card {
            @match claim.file {
                Some(file) => (prose::passage(file, None, claim.text)),
                None => p.said dir="auto" { (claim.text) },
            }
            @for cited in &claim.citations { @if !claim.is_shown_below { (citation(cited)) } }
        }
    }
}

fn citation(cited: &Cited<'_>) -> Markup {
    let file = cited.place.file.as_str();
    html! {
        p.where {
            (cited.display)
            @if !cited.display.contains(file) { ", " code { (file_at(file, cited.lines)) } }
            (behind(cited.place, cited.lines))
            @if !cited.remark.is_empty() { ", " (cited.remark) }
        }
        @for warning in &cited.warnings { p.notice { (warning) } }
        @if let Some(quote) = cited.quote { (prose::passage(file, None, quote)) }
    }
}
