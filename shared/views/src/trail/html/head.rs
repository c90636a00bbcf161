//! The head of the page: the project's name, its status and its constraints.

use maud::{Markup, html};
use wire::projects::{Project, Status};
use wire::trail::{TrailEntry, TrailPage};

use super::text::{day, moment, person};
use crate::trail::timeline::count;

pub(super) fn head(page: &TrailPage) -> Markup {
    let project = &page.project;
    html! {
        header {
            p.label { "Decision trail" }
            h1 dir="auto" { (project.name) }
            dl.profile {
                div { dt { "Status" } dd { (status(project.status)) (moves(project)) } }
                @if let Some(domain) = &project.domain {
                    div { dt { "Domain" } dd dir="auto" { (domain) } }
                }
                (list("Standards", "tags", &project.standards))
                (list("Constraints", "constraints", &project.constraints))
                div { dt { "On this page" } dd { (summary(page)) } }
            }
            @if let Some(time) = page.as_of {
                p.as-of role="note" {
                    strong { "As the trail stood on " (moment(time)) " UTC." }
                    " What came later is left out, and so is what needs review today."
                }
            }
        }
    }
}

fn status(status: Status) -> Markup {
    let (sign, word) = match status {
        Status::Planning => ("?", "Planning"),
        Status::Active => ("▶", "Active"),
        Status::Completed => ("✓", "Completed"),
        Status::Abandoned => ("✕", "Abandoned"),
    };
    html! { span.badge.(status.name()) { span aria-hidden="true" { (sign) } " " (word) } }
}

fn moves(project: &Project) -> Markup {
    html! {
        ol.moves {
            li { "Created on " (day(project.created_at)) }
            @for change in &project.history {
                li {
                    (change.from.name()) " → " strong { (change.to.name()) }
                    " on " (day(change.at)) " by " (person(&change.by))
                    @if let Some(reason) = &change.reason { ": " bdi { (reason) } }
                }
            }
        }
    }
}

fn list(name: &str, class: &str, items: &[String]) -> Markup {
    html! {
        @if !items.is_empty() {
            div {
                dt { (name) }
                dd { ul.(class) { @for item in items { li { bdi { (item) } } } } }
            }
        }
    }
}

fn summary(page: &TrailPage) -> String {
    let is_decision = |entry: &&TrailEntry| matches!(entry, TrailEntry::Decision(_));
    let is_unanswered = |entry: &&TrailEntry| matches!(entry, TrailEntry::Question(asked) if asked.results.is_empty());
    let decisions = page.entries.iter().filter(is_decision).count();
    let questions = count(page.entries.len() - decisions, "question");
    let decisions = count(decisions, "decision");
    match page.entries.iter().filter(is_unanswered).count() {
        0 => format!("{decisions}, {questions}"),
        number => format!("{decisions}, {questions} ({number} without result)"),
    }
}
