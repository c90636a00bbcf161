//! Groups evidence by alternative and criterion.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wire::trade::{AlternativeReport, TradeEvidence};

use super::assigned::Assignments;
use super::judge::{Attribution, Fact, Judge};
use super::names::Names;
use super::quote;
use super::read::{self, Statement};
use super::wanted::{Alternative, Criterion};
use ask::evidence::Evidence;
use model::evidence::{Place, PointKind, round3};
use text::question::QuestionTerms;

/// Upper bound for the pieces of evidence for one alternative and criterion.
const MOST: usize = 5;

/// Upper bound for the pieces of evidence for one alternative without a criterion.
const MOST_PLAIN: usize = 10;

/// Upper bound for the pieces of evidence without an alternative.
const MOST_GENERAL: usize = 10;

/// Upper bound for the pieces of all alternatives together, because a function can return at most 6
/// MB.
const MOST_PIECES: usize = 400;

/// The name of evidence for none of the criteria.
pub(super) const GENERAL: &str = "General";

/// All evidence, grouped.
pub(super) struct Study {
    pub alternatives: Vec<AlternativeReport>,
    pub general: Vec<TradeEvidence>,
    /// The number of pieces that did not fit into the answer.
    pub left_out: usize,
}

/// Groups evidence, which comes in reading order.
pub(super) fn study(
    alternatives: &[Alternative],
    criteria: &[Criterion],
    are_types: bool,
    evidence: &[Evidence],
    names: &Names,
    assignments: &Assignments,
    topic: &QuestionTerms,
) -> Study {
    let judge = Judge::new(criteria, are_types);
    let mut found: HashMap<(usize, usize), Vec<Candidate<'_>>> = HashMap::new();
    let mut general = Vec::new();
    let statements = read::statements(evidence, names, assignments);
    for statements in statements.chunk_by(|a, b| a.passage == b.passage) {
        let passage = &evidence[statements[0].passage];
        let context = LazyCell::new(|| judge.context(&passage.passage));
        let may_be_general = LazyCell::new(|| is_general(passage, topic));
        for statement in statements {
            if !statement.has_alternative() && !*may_be_general {
                continue;
            }
            for fact in judge.facts(&context, statement) {
                let criterion = fact.criterion.map_or(criteria.len(), |(number, _)| number);
                match fact.alternative {
                    Some(alternative) => {
                        let candidate = Candidate::new(passage, statement, fact);
                        found.entry((alternative, criterion)).or_default().push(candidate);
                    }
                    None if fact.criterion.is_some() && *may_be_general => {
                        general.push(Candidate::new(passage, statement, fact));
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
    let piece = |candidate: Candidate<'_>| {
        let criterion = candidate.fact.criterion.and_then(|(number, _)| criteria.get(number));
        candidate.piece(criterion.map_or(GENERAL, |criterion| criterion.name.as_str()))
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

/// Keeps at most [`MOST_PIECES`], those with the highest scores. Returns the number of the others.
fn cut(found: &mut HashMap<(usize, usize), Vec<Candidate<'_>>>) -> usize {
    let mut scores: Vec<f64> = found.values().flatten().map(|candidate| candidate.score).collect();
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
        candidates.retain(|candidate| {
            let fits = candidate.score > least || (candidate.score >= least && room > 0);
            room -= usize::from(fits && candidate.score <= least);
            fits
        });
    }
    too_many
}

/// Returns the number of documents from which the pieces come.
pub(super) fn documents<'p>(pieces: impl IntoIterator<Item = &'p TradeEvidence>) -> usize {
    let documents: HashSet<_> = pieces.into_iter().map(|piece| piece.passage.document_id).collect();
    documents.len()
}

/// Returns true if the statements of a passage without an alternative count: a search found the
/// passage, and it is about the question.
fn is_general(evidence: &Evidence, topic: &QuestionTerms) -> bool {
    let is_found = evidence
        .parts
        .rankings
        .iter()
        .any(|ranking| ranking.of == PointKind::Passage && ranking.rank.is_some());
    is_found && evidence.is_of(topic)
}

/// The number of steps of plainness from 0 to 1. Pieces of the same step are equally plain.
const STEPS: f64 = 6.0;

/// Lower bound for the plainness of a value, as a share of the plainest one's. A less plain value
/// is probably about something else.
const PLAIN_ENOUGH: f64 = 0.55;

/// A fact that may become a piece of evidence.
struct Candidate<'e> {
    evidence: &'e Evidence,
    fact: Fact<'e>,
    quote: Range<usize>,
    score: f64,
    /// The plainness with which it refers to its criterion, in steps.
    plainness: f64,
}

impl<'e> Candidate<'e> {
    fn new(evidence: &'e Evidence, statement: &Statement<'_>, fact: Fact<'e>) -> Candidate<'e> {
        let shares = boosts(&fact).map(|(_, share)| share);
        let score = evidence.parts.with(evidence.parts.boosted() + shares.sum::<f64>());
        let plainness =
            fact.criterion.map_or(0.0, |(_, strength)| (strength * STEPS).round() / STEPS);
        Candidate { evidence, fact, quote: statement.quote.clone(), score, plainness }
    }

    /// Returns the quote, and the text of the value.
    fn content(&self) -> (&'e str, Option<&'e str>) {
        let value = self.fact.value.map(|value| value.text.as_str());
        (&self.evidence.passage.text[self.quote.clone()], value)
    }

    fn piece(self, criterion: &str) -> TradeEvidence {
        let Candidate { evidence, fact, quote, plainness, .. } = self;
        let passage = &evidence.passage;
        let mut parts = evidence.parts.clone();
        for (name, share) in boosts(&fact) {
            parts.boost(name, share);
        }
        let part = quote::shorten(&passage.text, quote, &fact.center);
        TradeEvidence {
            name: criterion.into(),
            evidence: passage.text[part].into(),
            side: fact.side,
            value: fact.value.cloned(),
            score: parts.total,
            strength: parts.strength,
            passage: Place::of(passage),
            score_parts: parts,
            plainness,
        }
    }
}

/// Returns the boosts of a fact's score, by name and share.
fn boosts(fact: &Fact<'_>) -> impl Iterator<Item = (&'static str, f64)> {
    let by_alternative = fact.alternative.map(|_| match fact.attribution {
        Attribution::NamedAlternative => ("names the alternative", 0.1),
        Attribution::Under => ("stands below the alternative", 0.05),
        Attribution::Assigned => ("a language model gives it to the alternative", 0.1),
    });
    let by_criterion =
        fact.criterion.map(|(_, strength)| ("speaks of the criterion", round3(0.15 * strength)));
    let by_value = fact.value.is_some().then_some(("tells a value", 0.05));
    let by_argument = fact.side.map(|_| ("is a pro or a con", 0.05));
    [by_alternative, by_criterion, by_value, by_argument].into_iter().flatten()
}

/// Returns the best of the candidates, without repetitions.
fn best(mut candidates: Vec<Candidate<'_>>, most: usize) -> Vec<Candidate<'_>> {
    candidates.sort_by(|a, b| {
        b.plainness.total_cmp(&a.plainness).then_with(|| b.score.total_cmp(&a.score))
    });
    let mut seen = HashSet::new();
    candidates.retain(|candidate| seen.insert(candidate.content()));
    let plainest = candidates
        .iter()
        .filter(|candidate| candidate.fact.value.is_some())
        .map(|candidate| candidate.plainness);
    let least = PLAIN_ENOUGH * plainest.fold(0.0, f64::max);
    candidates.retain(|candidate| candidate.fact.value.is_none() || candidate.plainness >= least);
    candidates.truncate(most);
    candidates
}
