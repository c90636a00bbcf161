//! What to know before a piece of work as it is shown: heading by heading, then the project's own
//! decisions.

use views::wording::{count, day, file_at};
use views::{Block, Card, ReportView, not_covered};
use wire::plan::{PlanReport, Precedent};

/// Shows what documents offer for a plan, what the project decided, and the gaps.
pub const VIEW: ReportView<PlanReport> =
    ReportView { kind: |_| "What to know before".into(), blocks, is_shown_always: true };

fn blocks(report: &PlanReport) -> Vec<Block<'_>> {
    let headings = [
        ("Templates", &report.templates),
        ("Risks", &report.risks),
        ("Lessons learned", &report.lessons_learned),
        ("Precedents", &report.precedents),
    ];
    let mut number = 0;
    let mut blocks = Vec::new();
    for (title, items) in headings {
        let cards = items.iter().map(|item| {
            number += 1;
            Card::result(number, &item.result).also_in("Also", &item.also_in)
        });
        let cards = Block::Cards(cards.collect());
        blocks.extend(Block::section(title, count(items.len(), "passage"), vec![cards]));
    }
    if blocks.is_empty() {
        blocks.push(Block::remark("No indexed document speaks of this."));
    }
    let decisions = report.project_decisions.iter().map(decision).collect();
    let decisions = vec![Block::Cards(decisions)];
    blocks.extend(Block::section("Decided earlier in this project", "", decisions));
    blocks.extend(not_covered(&report.gaps));
    blocks
}

/// A decision, how it stands, why it was taken and on what it rests.
fn decision(precedent: &Precedent) -> Card<'_> {
    let decision = &precedent.decided.decision;
    let files = precedent.decided.sources.iter();
    let files: Vec<String> = files.map(|source| file_at(&source.file, source.lines)).collect();
    let later = decision.superseded_by.as_ref();
    let remarks = [
        later.map(|later| format!("{later} took its place")),
        (!decision.needs_review.is_empty()).then(|| "Its evidence changed".into()),
        (!files.is_empty()).then(|| format!("Rests on {}", files.join(", "))),
        Some(decision.decision_id.clone()),
    ];
    Card {
        title: decision.decision.as_str().into(),
        strength: precedent.strength,
        tags: vec![decision.status.name().into(), day(decision.decided_at).into()],
        text: Some(&decision.rationale),
        remarks: remarks.into_iter().flatten().collect(),
        ..Card::default()
    }
}
