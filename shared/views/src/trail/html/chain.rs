//! Draws a line of succession: which decision superseded which.

use maud::{Markup, html};
use wire::decisions::Decision;
use wire::trail::TrailPage;

use super::text::{anchor, badge, day};
use crate::trail::timeline::{SuccessionLink, succession};

/// Returns the line that contains `decision`, oldest first; nothing if it has only one decision.
pub(super) fn chain(page: &TrailPage, decision: &Decision) -> Markup {
    let line = succession(page, decision);
    html! {
        @if line.len() > 1 {
            div.chain role="group" aria-label="Line of succession" {
                p.label { "Line of succession, oldest first" }
                ol { @for link in &line { (step(link, decision)) } }
            }
        }
    }
}

fn step(link: &SuccessionLink<'_>, decision: &Decision) -> Markup {
    match link {
        SuccessionLink::Here(linked) if linked.decision_id == decision.decision_id => html! {
            li.current aria-current="true" {
                span.name { strong { "This decision" } }
                span.when { (day(linked.decided_at)) " " (badge(linked.status)) }
            }
        },
        SuccessionLink::Here(linked) => html! {
            li {
                a.name href={ "#" (anchor(&linked.decision_id)) } dir="auto" { (linked.decision) }
                span.when { (day(linked.decided_at)) " " (badge(linked.status)) }
            }
        },
        SuccessionLink::Elsewhere(id) => html! {
            li.elsewhere { span.name { code { (id) } " (not on this page)" } }
        },
    }
}
