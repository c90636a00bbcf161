//! The changes of a project from period to period.

use anyhow::Result;
use console::style;
use wire::trail::{Digest, DigestLine, DigestList};

use super::{Listed, profile};
use crate::api::Api;
use crate::page;
use crate::wording::{count, day, flat, titled, wrapped};

pub(super) fn list(api: &Api, is_json: bool, listed: &Listed) -> Result<()> {
    let path = format!("{}/digests", listed.named.path());
    page::print(page::list(api, &path, &[], "digests", listed.limit)?, is_json, render)
}

fn render(list: &DigestList, width: usize) -> Vec<String> {
    if list.digests.is_empty() {
        return vec!["There is no digest yet.".into()];
    }
    let mut lines = Vec::new();
    for digest in &list.digests {
        lines.extend(digest_lines(digest, width));
        lines.push(String::new());
    }
    lines.pop();
    if list.cursor.is_some() {
        lines.extend([String::new(), "There are older ones; --limit shows them.".into()]);
    }
    lines
}

/// The period, and below it what is new, by what became of it.
fn digest_lines(digest: &Digest, width: usize) -> Vec<String> {
    let period = format!("{} to {}", day(digest.from), day(digest.to));
    let asked = format!("{}, {} asked", digest.name, count(digest.questions, "question"));
    let mut lines = vec![titled(&period, &asked)];
    let superseded = digest.superseded.iter().map(|decision| {
        let line = &decision.line;
        format!("{} ({}) by {}", flat(&line.decision), line.decision_id, decision.by)
    });
    let gaps = digest.knowledge_gaps.iter().map(|gap| {
        let last = day(gap.last_asked);
        format!("\"{}\" {} times, last on {last}", flat(&gap.question), gap.times)
    });
    let moves =
        digest.status_moves.iter().flat_map(|status_move| profile::move_lines(status_move, width));
    let sections = [
        ("New decisions", decision_texts(&digest.new_decisions)),
        ("Accepted", decision_texts(&digest.accepted)),
        ("Rejected", decision_texts(&digest.rejected)),
        ("Superseded", superseded.collect()),
        ("Without a source", decision_texts(&digest.unsupported)),
        ("To review", decision_texts(&digest.needs_review)),
        ("Asked without a result", gaps.collect()),
    ];
    for (title, items) in sections.into_iter().filter(|(_, items)| !items.is_empty()) {
        lines.push(format!("  {}", style(title).bold()));
        lines.extend(items.iter().flat_map(|item| wrapped(item, "    - ", "      ", width)));
    }
    if !digest.status_moves.is_empty() {
        lines.push(format!("  {}", style("Moves of the project").bold()));
    }
    lines.extend(moves.map(|line| format!("  {line}")));
    lines
}

fn decision_texts(decisions: &[DigestLine]) -> Vec<String> {
    let text = |line: &DigestLine| {
        format!("{} ({}, {})", flat(&line.decision), line.status.name(), line.decision_id)
    };
    decisions.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::reply;

    #[test]
    fn a_digest_names_what_changed_and_leaves_out_what_did_not() {
        let line = |id: &str, status: &str| json!({"decision_id": id, "decision": "One\ncluster", "status": status});
        let digest = json!({
            "project_id": "01J", "name": "Hosting", "from": "2026-11-13T00:00:00Z", "to": "2026-11-20T00:00:00Z", "made_at": "2026-11-20T01:00:00Z",
            "new_decisions": [line("01E", "accepted"), line("01F", "proposed")], "accepted": [], "rejected": [],
            "superseded": [
                {"decision_id": "01D", "decision": "Two clusters", "status": "superseded", "by": "01E"},
                {"decision_id": "01C", "decision": "No cluster", "status": "superseded", "by": "01D"},
            ],
            "unsupported": [line("01F", "proposed")], "needs_review": [],
            "knowledge_gaps": [{"question": "What does\nit cost?", "times": 3, "last_asked": "2026-11-19T10:00:00Z"}],
            "status_moves": [{"from": "planning", "to": "active", "by": "ana", "at": "2026-11-14T08:00:00Z"}], "questions": 1,
        });
        console::set_colors_enabled(false);
        let list = json!({"digests": [digest], "cursor": null});
        insta::assert_snapshot!(render(&reply(list), 80).join("\n"), @r#"
        2026-11-13 to 2026-11-20  Hosting, 1 question asked
          New decisions
            - One cluster (accepted, 01E)
            - One cluster (proposed, 01F)
          Superseded
            - Two clusters (01D) by 01E
            - No cluster (01C) by 01D
          Without a source
            - One cluster (proposed, 01F)
          Asked without a result
            - "What does it cost?" 3 times, last on 2026-11-19
          Moves of the project
            - 2026-11-14 planning to active, by ana
        "#);
    }
}
