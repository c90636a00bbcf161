//! A decision as a MADR 4 record, to store in a project's repository.

use wire::decisions::{
    Decided, Decision, DecisionMove, DecisionSource, DecisionStatus, Review, SuccessionLink,
};

use super::timeline::{ELSEWHERE, count, lines};
use crate::escape::{block, flat, inline, yaml};

/// Returns one decision as a Markdown Architectural Decision Record.
///
/// `line` is the line of succession that contains it. A neighbor that is not in `line` is named by
/// its id. Text of users and documents stays text: it cannot create front matter or sections.
pub fn madr(decided: &Decided, line: &[SuccessionLink]) -> String {
    let decision = &decided.decision;
    let named = |id: &Option<String>| line.iter().find(|l| Some(&l.decision_id) == id.as_ref());
    let (superseded_by, supersedes) = (named(&decision.superseded_by), named(&decision.supersedes));
    let parts = [
        front_matter(decision, superseded_by),
        format!("# {}", title(&decision.decision)),
        context(decided, supersedes),
        options(&decision.alternatives),
        outcome(decision),
        history(decision, superseded_by),
        more_information(decided),
    ];
    let mut record = parts.join("\n\n");
    record.push('\n');
    record
}

/// Returns a decision's text as a title, on one line.
pub(super) fn title(text: &str) -> String {
    let title = inline(text);
    if title.is_empty() { "Untitled".into() } else { title }
}

fn front_matter(decision: &Decision, superseded_by: Option<&SuccessionLink>) -> String {
    let id = superseded_by
        .map(|superseded_by| &superseded_by.decision_id)
        .or(decision.superseded_by.as_ref());
    let status = match id {
        Some(id) if decision.status == DecisionStatus::Superseded => {
            let title = superseded_by.map_or("", |superseded_by| &superseded_by.decision);
            format!("superseded by {id} {title}")
        }
        _ => decision.status.name().into(),
    };
    // MADR dates a record by its last update. The time of the decision is written below.
    let date = decision.history.last().map_or(decision.decided_at, |last| last.at);
    let mut makers = vec![&decision.by];
    for change in &decision.history {
        if !makers.contains(&&change.by) {
            makers.push(&change.by);
        }
    }
    let makers: Vec<String> =
        makers.into_iter().map(|maker| format!("  - {}", yaml(maker))).collect();
    format!(
        "---\nstatus: {}\ndate: {}\ndecision-makers:\n{}\n---",
        yaml(&status),
        date.strftime("%Y-%m-%d"),
        makers.join("\n")
    )
}

fn context(decided: &Decided, supersedes: Option<&SuccessionLink>) -> String {
    let decision = &decided.decision;
    let context = format!(
        "## Context and Problem Statement\n\nDecided on {}, recorded on {} by {} as `{}`, among {}, on the evidence of {}.",
        decision.decided_at.strftime("%Y-%m-%d"),
        decision.recorded_at.strftime("%Y-%m-%d"),
        inline(&decision.by),
        code(&decision.decision_id),
        count(decision.alternatives.len(), "alternative"),
        count(decided.sources.len(), "source"),
    );
    match (supersedes, &decision.supersedes) {
        (Some(link), _) => format!(
            "{context}\n\nIt takes the place of `{}` \"{}\", which was decided on {}.",
            code(&link.decision_id),
            title(&link.decision),
            link.decided_at.strftime("%Y-%m-%d"),
        ),
        (None, Some(id)) => format!("{context}\n\nIt takes the place of `{}`.", code(id)),
        (None, None) => context,
    }
}

/// Returns an id or a name in a form that is valid in a code span.
pub(super) fn code(text: &str) -> String {
    flat(text).replace('`', "'")
}

fn options(alternatives: &[String]) -> String {
    let listed: Vec<String> =
        alternatives.iter().map(|alternative| format!("* {}", title(alternative))).collect();
    let listed =
        if listed.is_empty() { "No alternatives were recorded.".into() } else { listed.join("\n") };
    format!("## Considered Options\n\n{listed}")
}

fn outcome(decision: &Decision) -> String {
    let verb = match decision.status {
        DecisionStatus::Proposed => "Proposed option",
        DecisionStatus::Rejected => "Rejected option",
        DecisionStatus::Accepted | DecisionStatus::Superseded => "Chosen option",
    };
    let option = title(&decision.decision);
    let rationale = block(&decision.rationale, "");
    if rationale.is_empty() {
        return format!("## Decision Outcome\n\n{verb}: \"{option}\". No rationale was recorded.");
    }
    format!("## Decision Outcome\n\n{verb}: \"{option}\", because:\n\n{rationale}")
}

fn history(decision: &Decision, superseded_by: Option<&SuccessionLink>) -> String {
    let mut items: Vec<String> = decision.steps().map(moved).collect();
    match (superseded_by, &decision.superseded_by) {
        (Some(link), _) => items.push(format!(
            "* Superseded by `{}` \"{}\"",
            code(&link.decision_id),
            title(&link.decision)
        )),
        (None, Some(id)) => items.push(format!("* Superseded by `{}`", code(id))),
        (None, None) => {}
    }
    format!("### History\n\n{}", items.join("\n"))
}

/// Returns a change of status as an item of a list.
pub(super) fn moved((step, change): (&str, &DecisionMove)) -> String {
    let reason = change.reason.as_deref().map(inline).filter(|reason| !reason.is_empty());
    format!(
        "* {}: {} ({}){}",
        change.at.strftime("%Y-%m-%d"),
        step,
        inline(&change.by),
        reason.map_or(String::new(), |reason| format!(": {reason}"))
    )
}

fn more_information(decided: &Decided) -> String {
    let reviews = &decided.decision.needs_review;
    let mut parts = vec!["## More Information".to_owned()];
    if !reviews.is_empty() {
        parts.push("### Needs Review".into());
        parts.extend(reviews.iter().map(|r| review(r, &decided.sources)));
    }
    parts.push("### Sources".into());
    if decided.sources.is_empty() {
        parts.push("No sources were cited.".into());
    }
    parts.extend(decided.sources.iter().map(source));
    parts.join("\n\n")
}

/// Returns a source with its quote as an item of a list.
pub(super) fn source(source: &DecisionSource) -> String {
    let mut parts = vec![format!("* **{}**", title(&source.title))];
    parts.extend(source.section.as_deref().map(inline));
    parts.extend(source.lines.map(lines));
    parts.push(format!("relevance {:.2}", source.relevance));
    parts.extend(source.uri.as_deref().map(|uri| format!("`{}`", code(uri))));
    format!("{}\n\n{}", parts.join(", "), block(&source.quote, "  > "))
}

/// Returns the review of a source as an item of a list: its words then, and the nearest ones now.
pub(super) fn review(review: &Review, sources: &[DecisionSource]) -> String {
    let source = sources.iter().find(|source| source.passage_id == review.passage_id);
    let document = title(source.map_or(&review.file, |source| &source.title));
    let now = match &review.nearest {
        Some(nearest) => {
            let text = nearest.text.as_deref().unwrap_or(ELSEWHERE);
            format!("  Nearest text now:\n\n{}", block(text, "  > "))
        }
        None => "  Nothing like it is there now; the document itself may be gone.".into(),
    };
    format!(
        "* **{document}** no longer says this since {}:\n\n{}\n\n{now}",
        review.since.strftime("%Y-%m-%d"),
        block(&review.was, "  > ")
    )
}

#[cfg(test)]
mod tests;
