//! Evidence by alternative and criterion.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wire::trade::{AlternativeReport, TradeEvidence, TradeSource};

use super::ask::{Alternative, Criterion};
use super::judge::{Fact, Judge, Told};
use super::names::Names;
use super::quote;
use super::read::{self, Statement};
use crate::evidence::{PointKind, Source, round3};
use crate::strategy::Evidence;
use crate::topic::Topic;

/// The most pieces of evidence for one alternative and criterion.
const MOST: usize = 5;

/// The most pieces of evidence for one alternative that speak of no criterion.
const MOST_PLAIN: usize = 10;

/// The most pieces of evidence that name no alternative.
const MOST_GENERAL: usize = 10;

/// The most pieces of all alternatives together: an answer of 6 MB is the most that a function can give.
const MOST_PIECES: usize = 400;

/// What evidence is called that speaks of none of the criteria.
pub(super) const GENERAL: &str = "General";

/// All evidence, in its place.
pub(super) struct Study {
    pub alternatives: Vec<AlternativeReport>,
    pub general: Vec<TradeEvidence>,
    /// How many pieces more there were than an answer can hold.
    pub left_out: usize,
}

/// Groups evidence, which comes in reading order.
pub(super) fn study(
    alternatives: &[Alternative],
    (criteria, are_types): (&[Criterion], bool),
    (evidence, names): (&[Evidence], &Names),
    topic: &Topic,
) -> Study {
    let judge = Judge::new(criteria, are_types);
    let mut found: HashMap<(usize, usize), Vec<Candidate<'_>>> = HashMap::new();
    let mut general = Vec::new();
    let statements = read::statements(evidence, names);
    for statements in statements.chunk_by(|a, b| a.passage == b.passage) {
        let own = &evidence[statements[0].passage];
        let context = judge.context(&own.chunk);
        let may_be_general = LazyCell::new(|| is_general(own, topic));
        for statement in statements {
            if !statement.has_alternative() && !*may_be_general {
                continue;
            }
            for fact in judge.facts(&context, statement) {
                let criterion = fact.criterion.map_or(criteria.len(), |(number, _)| number);
                match fact.alternative {
                    Some(alternative) => {
                        let candidate = Candidate::new(own, statement, fact);
                        found.entry((alternative, criterion)).or_default().push(candidate);
                    }
                    None if fact.criterion.is_some() && *may_be_general => {
                        general.push(Candidate::new(own, statement, fact));
                    }
                    None => {}
                }
            }
        }
    }
    for ((_, criterion), candidates) in &mut found {
        let most = if *criterion < criteria.len() { MOST } else { MOST_PLAIN };
        *candidates = best(std::mem::take(candidates), most);
    }
    let left_out = cut(&mut found);
    let piece = |own: Candidate<'_>| {
        let criterion = own.fact.criterion.and_then(|(number, _)| criteria.get(number));
        own.piece(criterion.map_or(GENERAL, |own| own.name.as_str()))
    };
    let report = |(number, alternative): (usize, &Alternative)| {
        let by_criterion =
            (0..=criteria.len()).filter_map(|criterion| found.remove(&(number, criterion)));
        let criteria: Vec<TradeEvidence> = by_criterion.flatten().map(piece).collect();
        let source_count = documents(&criteria);
        AlternativeReport { name: alternative.names[0].clone(), criteria, source_count }
    };
    let alternatives = alternatives.iter().enumerate().map(report).collect();
    let general = best(general, MOST_GENERAL).into_iter().map(piece).collect();
    Study { alternatives, general, left_out }
}

/// Leaves no more than [`MOST_PIECES`], those with the highest scores; gives how many go.
fn cut(found: &mut HashMap<(usize, usize), Vec<Candidate<'_>>>) -> usize {
    let mut scores: Vec<f64> = found.values().flatten().map(|own| own.score).collect();
    let Some(too_many) = scores.len().checked_sub(MOST_PIECES).filter(|count| *count > 0) else {
        return 0;
    };
    scores.sort_by(f64::total_cmp);
    let least = scores[too_many];
    let mut room = MOST_PIECES - scores.iter().filter(|score| **score > least).count();
    let mut places: Vec<(usize, usize)> = found.keys().copied().collect();
    places.sort_unstable();
    for place in places {
        let Some(candidates) = found.get_mut(&place) else { continue };
        candidates.retain(|own| {
            let fits = own.score > least || (own.score >= least && room > 0);
            room -= usize::from(fits && own.score <= least);
            fits
        });
    }
    too_many
}

/// In how many documents the pieces stand.
pub(super) fn documents<'p>(pieces: impl IntoIterator<Item = &'p TradeEvidence>) -> usize {
    let documents: HashSet<_> =
        pieces.into_iter().map(|piece| piece.source.source.document_id).collect();
    documents.len()
}

/// What a passage says of no alternative counts where a search found it and it speaks of the question.
fn is_general(evidence: &Evidence, topic: &Topic) -> bool {
    let is_found = evidence
        .parts
        .rankings
        .iter()
        .any(|ranking| ranking.of == PointKind::Passage && ranking.rank.is_some());
    is_found && topic.is_of(&evidence.chunk, &evidence.parts)
}

/// Pieces are as plain as each other within this many steps from 0 to 1.
const STEPS: f64 = 6.0;

/// A value that is told less plainly than this part of the plainest one is likely of something else.
const PLAIN_ENOUGH: f64 = 0.55;

/// A fact that may become a piece of evidence.
struct Candidate<'e> {
    evidence: &'e Evidence,
    fact: Fact,
    quote: Range<usize>,
    score: f64,
    /// How plainly it speaks of its criterion, in steps.
    plainness: f64,
}

impl<'e> Candidate<'e> {
    fn new(evidence: &'e Evidence, statement: &Statement<'_>, fact: Fact) -> Candidate<'e> {
        let own = boosts(&fact).map(|(_, share)| share);
        let score = evidence.parts.with(evidence.parts.boosted() + own.sum::<f64>());
        let plainness =
            fact.criterion.map_or(0.0, |(_, strength)| (strength * STEPS).round() / STEPS);
        Candidate { evidence, fact, quote: statement.quote.clone(), score, plainness }
    }

    fn said(&self) -> (&'e str, Option<String>) {
        let value = self.fact.value.as_ref().map(|value| value.text.clone());
        (&self.evidence.chunk.text[self.quote.clone()], value)
    }

    fn piece(self, criterion: &str) -> TradeEvidence {
        let Candidate { evidence, fact, quote, plainness, .. } = self;
        let chunk = &evidence.chunk;
        let mut parts = evidence.parts.clone();
        for (name, share) in boosts(&fact) {
            parts.boost(name, share);
        }
        let shown = quote::shown(&chunk.text, quote, &fact.center);
        TradeEvidence {
            name: criterion.into(),
            evidence: chunk.text[shown].into(),
            side: fact.side,
            value: fact.value,
            score: parts.total,
            source: TradeSource { source: Source::of(chunk), score: parts.total },
            score_parts: parts,
            plainness,
        }
    }
}

/// What raises a fact's score.
fn boosts(fact: &Fact) -> impl Iterator<Item = (&'static str, f64)> {
    let by_alternative = fact.alternative.map(|_| match fact.told {
        Told::NamedAlternative => ("names the alternative", 0.1),
        Told::Under => ("stands below the alternative", 0.05),
        Told::Titled => ("stands in a document on the alternative", 0.01),
    });
    let by_criterion =
        fact.criterion.map(|(_, strength)| ("speaks of the criterion", round3(0.15 * strength)));
    let by_value = fact.value.is_some().then_some(("tells a value", 0.05));
    let by_argument = fact.side.map(|_| ("is a pro or a con", 0.05));
    [by_alternative, by_criterion, by_value, by_argument].into_iter().flatten()
}

/// The best of the candidates, each thing said once.
fn best(mut candidates: Vec<Candidate<'_>>, most: usize) -> Vec<Candidate<'_>> {
    candidates.sort_by(|a, b| {
        b.plainness.total_cmp(&a.plainness).then_with(|| b.score.total_cmp(&a.score))
    });
    let mut seen = HashSet::new();
    candidates.retain(|own| seen.insert(own.said()));
    let plainest =
        candidates.iter().filter(|own| own.fact.value.is_some()).map(|own| own.plainness);
    let least = PLAIN_ENOUGH * plainest.fold(0.0, f64::max);
    candidates.retain(|own| own.fact.value.is_none() || own.plainness >= least);
    candidates.truncate(most);
    candidates
}
