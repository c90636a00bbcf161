//! Finds decisions in documents that settle a question.

use std::collections::HashMap;

use uuid::Uuid;
use wire::common::DocumentedDecision;

use crate::evidence::Evidence;
use model::document::Lifecycle;
use model::evidence::{Place, Quote};
use model::facts::{RecordedDecision, Side};
use text::subject::subjects;
use text::term::Terms;

/// The degree to which a decision settles a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The degree, above 0; comparable within one answer.
    pub fit: f64,
    /// The option that was chosen, if it is known.
    pub option: Option<String>,
}

/// Upper bound for the decisions of an answer.
const MOST: usize = 3;

/// Returns the decisions in the evidence that settle the question according to `fits`. The best fit
/// comes first, then by status (accepted decisions before others), then by score.
pub fn settled(
    evidence: &[Evidence],
    fits: impl Fn(&Evidence, &RecordedDecision) -> Option<Fit>,
) -> Vec<DocumentedDecision> {
    let mut best: HashMap<Uuid, f64> = HashMap::new();
    for passage in evidence {
        let score = best.entry(passage.passage.document_id).or_default();
        *score = score.max(passage.parts.total);
    }
    let fitting = evidence.iter().filter_map(|passage| {
        let decision = passage.passage.facts.decision.as_ref()?;
        let chosen = decision.chosen.as_ref()?;
        Some((passage, decision, chosen, fits(passage, decision)?))
    });
    let mut fitting: Vec<_> = fitting.collect();
    fitting.sort_by(|a, b| {
        let score = |evidence: &Evidence| {
            best.get(&evidence.passage.document_id).copied().unwrap_or_default()
        };
        let by_fit = b.3.fit.total_cmp(&a.3.fit);
        by_fit
            .then_with(|| standing(a.1).cmp(&standing(b.1)))
            .then_with(|| score(b.0).total_cmp(&score(a.0)))
            .then_with(|| a.0.passage.id.cmp(&b.0.passage.id))
    });
    fitting.truncate(MOST);
    let decisions =
        fitting.into_iter().map(|(passage, decision, chosen, fit)| DocumentedDecision {
            chosen: chosen.clone().into(),
            option: fit.option,
            status: decision.status,
            date: decision.date.clone(),
            reasons_for: reasons(decision, Side::For),
            reasons_against: reasons(decision, Side::Against),
            passage: Place::of(&passage.passage),
        });
    decisions.collect()
}

/// Upper bound for the reasons of a side.
const REASONS: usize = 3;

/// Returns the reasons of one side that are about the choice itself, or about the option that the
/// sentence of the choice names first, apart from mere comparisons.
fn reasons(decision: &RecordedDecision, side: Side) -> Vec<Quote> {
    let options = Terms::new(decision.options.iter().map(String::as_str).enumerate());
    let chosen = decision.chosen.as_ref().map_or("", |d| d.text.as_str());
    let named = subjects(chosen, 0, &options.find(chosen)).named;
    let is_chosen =
        |option: u16| named.first().is_some_and(|mention| mention.number == usize::from(option));
    let reasons = decision.reasons.iter().filter(|reason| reason.side == side);
    let reasons = reasons.filter(|reason| reason.option.is_none_or(is_chosen)).take(REASONS);
    reasons.map(|reason| reason.fact.clone().into()).collect()
}

/// Returns the rank of a decision's status among decisions that fit equally.
fn standing(decision: &RecordedDecision) -> u8 {
    match decision.status {
        Some(Lifecycle::Accepted) => 0,
        None => 1,
        Some(Lifecycle::Draft | Lifecycle::Proposed) => 2,
        Some(Lifecycle::Superseded | Lifecycle::Deprecated) => 3,
        Some(Lifecycle::Rejected | Lifecycle::Retracted) => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::facts::Reason;
    use testing::passages;

    #[test]
    fn reasons_are_of_the_option_that_was_chosen_and_of_none_that_it_is_compared_with() {
        let passage = passages(
            "# Broker\n\nInstead of Tidewire we take Halyard: it costs less than Tidewire.\n",
        )
        .swap_remove(0);
        let fact = |text: &str| {
            let start = passage.text.find(text).unwrap_or_default();
            passage.fact(start..start + text.len().min(passage.text.len() - start))
        };
        let reason =
            |option| Reason { fact: fact("it costs"), side: Side::For, option: Some(option) };
        let decision = RecordedDecision {
            chosen: Some(fact("Instead of Tidewire we take Halyard: it costs less than Tidewire.")),
            options: vec!["Tidewire".into(), "Halyard".into()],
            reasons: vec![reason(0), reason(1)],
            ..RecordedDecision::default()
        };
        assert_eq!(reasons(&decision, Side::For).len(), 1);
        let other = RecordedDecision { reasons: vec![reason(0)], ..decision };
        assert!(reasons(&other, Side::For).is_empty());
    }
}
