//! A line of succession, drawn: which decision took the place of which.

use maud::{Markup, html};
use wire::decisions::Decision;
use wire::trail::TrailPage;

use super::text::{anchor, badge, day};
use crate::trail::timeline::{SuccessionLink, succession};

/// The line that `decision` stands in, oldest first; nothing where it stands alone.
pub(super) fn chain(page: &TrailPage, decision: &Decision) -> Markup {
    let line = succession(page, decision);
    html! {
        @if line.len() > 1 {
            div.chain role="group" aria-label="DigestLine of succession" {
                p.label { "DigestLine of succession, oldest first" }
                ol { @for link in &line { (step(link, decision)) } }
            }
        }
    }
}

fn step(link: &SuccessionLink<'_>, decision: &Decision) -> Markup {
    match link {
        SuccessionLink::Here(own) if own.decision_id == decision.decision_id => html! {
            li.current aria-current="true" {
                span.name { strong { "This decision" } }
                span.when { (day(own.decided_at)) " " (badge(own.status)) }
            }
        },
        SuccessionLink::Here(own) => html! {
            li {
                a.name href={ "#" (anchor(&own.decision_id)) } dir="auto" { (own.decision) }
                span.when { (day(own.decided_at)) " " (badge(own.status)) }
            }
        },
        SuccessionLink::Elsewhere(id) => html! {
            li.elsewhere { span.name { code { (id) } " (not on this page)" } }
        },
    }
}
