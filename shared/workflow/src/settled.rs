//! Decisions in documents that settle what is asked.

use std::collections::HashMap;

use uuid::Uuid;
use wire::common::Settled;

use crate::document::Chunk;
use crate::evidence::{Passage, Source};
use crate::facts::{RecordedDecision, Side, Standing};
use crate::strategy::Evidence;
use crate::term::Terms;

/// How well a decision settles what is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// How well, above 0; comparable within one answer.
    pub fit: f64,
    /// The option that was chosen, where it is known.
    pub option: Option<String>,
}

/// The most decisions of an answer.
const MOST: usize = 3;

/// Finds the decisions among the evidence that settle what is asked as `fits` says, each document once: those that fit
/// best first, of these the one that stands before those that do not, and then by score.
pub fn settled(
    evidence: &[Evidence],
    fits: impl Fn(&Evidence, &RecordedDecision) -> Option<Fit>,
) -> Vec<Settled> {
    let mut best: HashMap<Uuid, f64> = HashMap::new();
    for own in evidence {
        let score = best.entry(own.chunk.document_id).or_default();
        *score = score.max(own.parts.total);
    }
    let fitting = evidence.iter().filter_map(|own| {
        let decision = own.chunk.facts.decision.as_ref()?;
        let chosen = decision.chosen.as_ref()?;
        Some((own, decision, chosen, fits(own, decision)?))
    });
    let mut fitting: Vec<_> = fitting.collect();
    fitting.sort_by(|a, b| {
        let score = |own: &Evidence| best.get(&own.chunk.document_id).copied().unwrap_or_default();
        let by_fit = b.3.fit.total_cmp(&a.3.fit);
        by_fit
            .then_with(|| standing(a.1).cmp(&standing(b.1)))
            .then_with(|| score(b.0).total_cmp(&score(a.0)))
            .then_with(|| a.0.chunk.id.cmp(&b.0.chunk.id))
    });
    fitting.truncate(MOST);
    let shown = fitting.into_iter().map(|(own, decision, chosen, fit)| Settled {
        chosen: Passage::of_fact(chosen, own.chunk.document_id, &own.chunk.version),
        option: fit.option,
        status: decision.status,
        date: decision.date.clone(),
        reasons_for: reasons(&own.chunk, decision, Side::For),
        reasons_against: reasons(&own.chunk, decision, Side::Against),
        source: Source::of(&own.chunk),
    });
    shown.collect()
}

/// The most reasons of a side.
const REASONS: usize = 3;

/// The reasons of one side that are on the choice itself, or on the option that its sentence names.
fn reasons(chunk: &Chunk, decision: &RecordedDecision, side: Side) -> Vec<Passage> {
    let options = Terms::new(decision.options.iter().map(String::as_str).enumerate());
    let chosen = decision.chosen.as_ref().map_or("", |own| own.text.as_str());
    let named: Vec<usize> = options.find(chosen).iter().map(|own| own.number).collect();
    let is_chosen = |option: u16| named.contains(&usize::from(option));
    let own = decision.reasons.iter().filter(|own| own.side == side);
    let own = own.filter(|own| own.option.is_none_or(is_chosen)).take(REASONS);
    own.map(|own| Passage::of_fact(&own.fact, chunk.document_id, &chunk.version)).collect()
}

/// The order of decisions that fit alike.
fn standing(decision: &RecordedDecision) -> u8 {
    match decision.status {
        Some(Standing::Accepted) => 0,
        None => 1,
        Some(Standing::Proposed) => 2,
        Some(Standing::Superseded) => 3,
        Some(Standing::Rejected) => 4,
    }
}
