//! Decisions that settle which of the alternatives to take.

use std::collections::HashSet;

use wire::common::Settled;

use super::ask::Alternative;
use super::names::Names;
use super::read::about;
use crate::facts::RecordedDecision;
use crate::settled::{Fit, settled};
use crate::strategy::Evidence;
use crate::topic::{ENOUGH, Topic};

/// Finds the decisions on the alternatives: documents that choose one of them and name another one, or are on the
/// question's subject.
pub(super) fn decided(
    alternatives: &[Alternative],
    (evidence, names): (&[Evidence], &Names),
    topic: &Topic,
) -> Vec<Settled> {
    settled(evidence, |passage, decision| {
        let chosen = decision.chosen.as_ref()?;
        let title = passage.chunk.title.as_str();
        let option = about(&chosen.text, names).or_else(|| about(title, names));
        let share = topic.share(&[title, &chosen.text]);
        let count = count(passage, decision, (evidence, names));
        let settles =
            (option.is_some() && count > 1) || ((option.is_some() || count > 1) && share >= ENOUGH);
        let name = option.map(|option| alternatives[option].names[0].clone());
        // What the title and the choice itself say counts more than how many are named.
        let fit = f64::from(u8::from(option.is_some())) + share;
        settles.then_some(Fit { fit, option: name })
    })
}

/// Returns how many of the alternatives the decision's document names.
fn count(
    deciding: &Evidence,
    decision: &RecordedDecision,
    (all, names): (&[Evidence], &Names),
) -> usize {
    let mut found: HashSet<usize> = HashSet::new();
    for (place, passage) in all.iter().enumerate() {
        if passage.chunk.document_id == deciding.chunk.document_id {
            found.extend(names.passage(place).whole().iter().map(|mention| mention.number));
        }
    }
    found.extend(decision.options.iter().filter_map(|option| about(option, names)));
    found.len()
}

#[cfg(test)]
#[path = "decided_tests.rs"]
mod tests;
