//! Finds decisions in documents that settle which of the alternatives to take.

use std::collections::HashSet;

use wire::common::DocumentedDecision;

use super::assigned::Assignments;
use super::names::Names;
use super::read::about;
use super::wanted::Alternative;
use ask::evidence::Evidence;
use ask::settled::{Fit, settled};
use model::evidence::Strength;
use model::facts::{Fact, RecordedDecision, range};
use text::question::{ENOUGH, QuestionTerms};

/// Finds the decisions on the alternatives: documents that choose one of them, and that name
/// another one or are about the question's subject, as the nearest of all documents is where it is
/// strong. Without alternatives, those that are about its subject.
pub(super) fn decided(
    alternatives: &[Alternative],
    evidence: &[Evidence],
    names: &Names,
    assignments: &Assignments,
    topic: &QuestionTerms,
) -> Vec<DocumentedDecision> {
    let best = evidence.iter().max_by(|a, b| a.parts.total.total_cmp(&b.parts.total));
    let best = best.filter(|best| best.parts.strength == Some(Strength::Strong));
    let nearest = best.map(|best| best.passage.document_id);
    settled(evidence, |passage, decision| {
        let chosen = decision.chosen.as_ref()?;
        let title = passage.passage.title.as_str();
        // If the choice itself names an alternative, a model cannot change it.
        let option = about(&chosen.text, names)
            .or_else(|| assigned(passage, chosen, assignments))
            .or_else(|| about(title, names));
        let share = topic.share(&[title, &chosen.text]);
        let count = count(passage, decision, evidence, names, assignments);
        let is_nearest = nearest == Some(passage.passage.document_id);
        let is_about = share >= ENOUGH || is_nearest;
        let names_some = option.is_some() || count > 1 || alternatives.is_empty();
        let settles = (option.is_some() && count > 1) || (names_some && is_about);
        let name = option.map(|option| alternatives[option].names[0].clone());
        // The words of the title and the choice count more than the number of named alternatives.
        let fit = f64::from(u8::from(option.is_some())) + share;
        settles.then_some(Fit { fit, option: name })
    })
}

/// Returns the alternative that a language model assigned to the choice, if it is the only one.
fn assigned(passage: &Evidence, chosen: &Fact, assignments: &Assignments) -> Option<usize> {
    let (begin, length) = (chosen.start as usize, chosen.text.len());
    let statements =
        passage.passage.facts.statements.list.iter().zip(assignments.get(&passage.passage.id)?);
    let of_choice = statements.filter(|(statement, _)| {
        let quote = range(statement.quote);
        quote.start < begin + length && begin < quote.end
    });
    let mut options = of_choice.flat_map(|(_, options)| options);
    let first = options.next()?;
    options.all(|option| option == first).then_some(*first)
}

/// Returns the number of alternatives that the decision's document names, or that a language model
/// finds in it.
fn count(
    deciding: &Evidence,
    decision: &RecordedDecision,
    evidence: &[Evidence],
    names: &Names,
    assignments: &Assignments,
) -> usize {
    let mut found: HashSet<usize> = HashSet::new();
    for (place, passage) in evidence.iter().enumerate() {
        if passage.passage.document_id == deciding.passage.document_id {
            found.extend(names.passage(place).whole().iter().map(|mention| mention.number));
            found.extend(assignments.get(&passage.passage.id).into_iter().flatten().flatten());
        }
    }
    found.extend(decision.options.iter().filter_map(|option| about(option, names)));
    found.len()
}

#[cfg(test)]
#[path = "decided_tests.rs"]
mod tests;
