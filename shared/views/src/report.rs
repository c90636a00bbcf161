//! The parts that the reply of every workflow has besides its report.

use std::borrow::Cow;

use wire::common::{Abstained, Answer};
use wire::decisions::Related;
use wire::meta::MissingPart;

use crate::view::{Block, Card, Item, View};
use crate::wording::day;

/// The way in which the report of a workflow is shown.
#[derive(Debug, Clone, Copy)]
pub struct ReportView<R> {
    /// Names the kind of reply.
    pub kind: fn(&R) -> Cow<'static, str>,
    /// Shows the report.
    pub blocks: for<'a> fn(&'a R) -> Vec<Block<'a>>,
    /// True if the report is shown also where the answer abstains: it lists what is missing.
    pub is_shown_always: bool,
}

impl<R> ReportView<R> {
    /// Shows a reply: what it lacks, why it abstains or what it reports, and what the project
    /// decided.
    pub fn view<'a>(&self, answer: &'a Answer<R>, missing: &'a [MissingPart]) -> View<'a> {
        let mut blocks = notices(missing);
        blocks.extend(answer.abstained.iter().flat_map(abstained));
        if answer.abstained.is_none() || self.is_shown_always {
            blocks.extend((self.blocks)(&answer.report));
        }
        blocks.extend(decisions(answer.decisions.as_deref().unwrap_or_default()));
        if !answer.queries_written.is_empty() {
            let queries = answer.queries_written.join("; ");
            blocks.push(Block::remark(format!("A language model also searched for: {queries}")));
        }
        View { kind: (self.kind)(&answer.report), blocks }
    }
}

/// Tells the parts that the reply had to do without, and why.
pub(crate) fn notices(missing: &[MissingPart]) -> Vec<Block<'_>> {
    let notice = |missing: &'_ MissingPart| {
        (format!("Without {}", missing.part.replace('_', " ")), missing.reason.clone())
    };
    missing.iter().map(notice).map(|(part, reason)| Block::Notice(part, reason.into())).collect()
}

/// Tells why nothing fits, and what came nearest.
fn abstained(abstained: &Abstained) -> Vec<Block<'_>> {
    let nearest = abstained.nearest.iter().map(Card::place).collect();
    let nearest = Block::section("Nearest, all the same", "", vec![Block::Cards(nearest)]);
    let advice = "Ask in other words, or send some beside the question as queries.";
    let advice = nearest.is_some().then(|| Block::remark(advice));
    let verdict = Block::Verdict(abstained.sentence().into());
    std::iter::once(verdict).chain(nearest).chain(advice).collect()
}

/// Lists the project's earlier decisions.
fn decisions(decisions: &[Related]) -> Option<Block<'_>> {
    let items = decisions.iter().map(|decision| {
        let Related { decision_id, status, decided_at, strength, .. } = decision;
        let strength = strength.map(|strength| format!(", {}", strength.name()));
        let strength = strength.unwrap_or_default();
        let remark = format!("{}, {}{strength}, {decision_id}", status.name(), day(*decided_at));
        Item { remark, ..Item::plain(decision.decision.as_str()) }
    });
    Block::section("Decided earlier in this project", "", vec![Block::Items(items.collect())])
}
