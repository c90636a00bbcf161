//! Writes messages about a case: short, each once, with a link to its page.

use serde_json::{Value, json};
use text::order;
use wire::alerts::{AlertCase, AlertState, Brief, CaseAlert, FoundBy};
use wire::answer::AnswerReport;

use crate::route::{AlertRoute, Event, Form, MessageTo};

/// A message that is due.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    /// The key of the message in its case.
    pub key: String,
    /// The place that it goes to.
    pub to: &'a MessageTo,
    /// The body, JSON.
    pub body: Value,
}

/// Upper bound for the characters of a text from an alert or a document in a message.
const LINE: usize = 200;

/// Upper bounds for the past failures, and for the claims of a model, in a message.
const PAST: usize = 2;
const CLAIMS: usize = 2;

/// Returns the messages about a case that its route wants, sent or not; `page` is the address of
/// its page.
pub fn messages<'a>(route: &'a AlertRoute, case: &AlertCase, page: &str) -> Vec<Message<'a>> {
    let mut events = vec![Event::Opened];
    let is_over = |alert: &CaseAlert| alert.alert.state == AlertState::Resolved;
    if !case.alerts.is_empty() && case.alerts.iter().all(is_over) {
        events.push(Event::Resolved);
    }
    let mut messages = Vec::new();
    for to in route.messages.iter().filter(|to| wants(to, case)) {
        for event in events.iter().filter(|event| to.events.contains(event)) {
            let body = match to.to {
                Form::Slack => json!({ "text": slack(case, *event, page) }),
                Form::Webhook => json!({
                    "type": format!("case.{}", event.name()),
                    "timestamp": case.case.created_at,
                    "data": {"route": route.name, "page": page, "case": case.in_short()},
                }),
            };
            messages.push(Message { key: format!("{}.{}", event.name(), to.address), to, body });
        }
    }
    messages
}

/// Returns the key under which it is noted that the alerts of a case were brought to where they are
/// told, as they stand: how many there are, and how many are over.
pub fn progress(alerts: &[CaseAlert]) -> String {
    let over = alerts.iter().filter(|alert| alert.alert.state == AlertState::Resolved).count();
    format!("task.{}.{over}", alerts.len())
}

fn wants(to: &MessageTo, case: &AlertCase) -> bool {
    let is_wanted = |severity: &String| {
        to.severities.iter().any(|wanted| wanted.eq_ignore_ascii_case(severity))
    };
    let mut severities = case.alerts.iter().filter_map(|alert| alert.alert.severity.as_ref());
    to.severities.is_empty() || severities.any(is_wanted)
}

/// Returns the text of a message in Slack's form.
fn slack(case: &AlertCase, event: Event, page: &str) -> String {
    let title = escaped(&case.case.title);
    let alerts = case.alerts.len();
    let count = if alerts == 1 { "1 alert".to_owned() } else { format!("{alerts} alerts") };
    if event == Event::Resolved {
        return format!("*Over: {title}*\nAll of {count} are over. <{page}|The case> stays open.");
    }
    let mut lines = vec![format!("*{title}*"), format!("{count}, <{page}|the case>")];
    let texts = case
        .alerts
        .iter()
        .flat_map(|alert| [&alert.alert.summary, &alert.alert.description].into_iter().flatten());
    if texts.chain([&case.case.title]).any(|text| order::is_order(text)) {
        lines.push(
            "A text of an alert reads like an order: it is data, and nobody follows it.".into(),
        );
    }
    match &case.brief {
        Some(brief) => lines.extend(found(brief)),
        None => {
            lines.push("It could not be looked for what helps: the search did not answer.".into());
        }
    }
    lines.join("\n")
}

fn found(brief: &Brief) -> Vec<String> {
    let runbooks = brief.runbooks.iter().map(|runbook| {
        let how = match runbook.found_by {
            FoundBy::Link => "",
            FoundBy::Name => ", by its name",
            FoundBy::Likeness => ", only the likest",
        };
        format!("Runbook{how}: {}", escaped(&runbook.passage.title))
    });
    let past = brief.past.report.results.iter().take(PAST).map(|failure| {
        let title = escaped(&failure.passage.title);
        match &failure.report.root_cause {
            Some(cause) => {
                format!("Like it: {title}. Its cause: \u{201c}{}\u{201d}", escaped(&cause.text))
            }
            None => format!("Like it: {title}"),
        }
    });
    let decided = brief
        .decided
        .iter()
        .take(1)
        .map(|decision| format!("Decided: \u{201c}{}\u{201d}", escaped(&decision.chosen.text)));
    let owner = brief.owner.iter().map(|owner| format!("Owner: {}", escaped(&owner.owner)));
    let claims = brief.answer.iter().flat_map(claimed);
    let lines = claims.chain(runbooks).chain(past).chain(decided).chain(owner);
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { vec!["Nothing in the documents fits it.".into()] } else { lines }
}

/// Returns the first claims of a model, each with the place that it rests on.
fn claimed(answer: &AnswerReport) -> impl Iterator<Item = String> {
    answer.claims.iter().take(CLAIMS).map(|claim| {
        let cited = answer.citations.iter().find(|cited| claim.citations.contains(&cited.id));
        let place = cited.map(|cited| format!(" [{}]", escaped(&cited.display)));
        format!("{}{}", escaped(&claim.text), place.unwrap_or_default())
    })
}

/// Returns a line that Slack shows as it is: its control characters are escaped ("Formatting text
/// for app surfaces", docs.slack.dev), so that a text mentions nobody and hides no address behind
/// words.
pub(crate) fn escaped(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = line.chars().count() > LINE;
    let mut line: String = line.chars().take(LINE).collect();
    if cut {
        line.push('\u{2026}');
    }
    line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('*', "\u{2217}")
}

#[cfg(test)]
mod tests;
