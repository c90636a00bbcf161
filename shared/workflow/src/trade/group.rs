//! Evidence by alternative and criterion.

use std::collections::{HashMap, HashSet};

use super::ask::{Alternative, Criterion};
use super::judge::{Fact, Judge, Told};
use super::read::{self, Statement};
use super::{AlternativeReport, Piece, PieceSource, quote};
use crate::evidence::{PointKind, Source, round3};
use crate::strategy::Evidence;
use crate::term::{Terms, stems};
use crate::topic::Topic;

/// The most pieces of evidence for one alternative and criterion.
const MOST: usize = 5;

/// The most pieces of evidence that name no alternative.
const MOST_GENERAL: usize = 10;

/// What evidence is called that speaks of none of the criteria.
pub(super) const GENERAL: &str = "General";

/// All evidence, in its place.
pub(super) struct Study {
    pub alternatives: Vec<AlternativeReport>,
    pub general: Vec<Piece>,
}

/// Groups evidence, which comes in reading order.
pub(super) fn study(
    alternatives: &[Alternative],
    (criteria, are_types): (&[Criterion], bool),
    evidence: &[Evidence],
    topic: &Topic,
) -> Study {
    let judge = Judge::new(criteria, are_types);
    let names = names(alternatives);
    let terms = Terms::new(names.iter().map(|(number, name)| (*number, name.as_str())));
    let mut pieces: HashMap<(usize, usize), Vec<Piece>> = HashMap::new();
    let mut general = Vec::new();
    for statement in read::statements(evidence, &terms) {
        let own = &evidence[statement.passage];
        for fact in judge.facts(&own.chunk, &statement) {
            let criterion = fact.criterion.map_or(criteria.len(), |(number, _)| number);
            let name = criteria.get(criterion).map_or(GENERAL, |own| own.name.as_str());
            match fact.alternative {
                Some(alternative) => {
                    let piece = piece(own, &statement, &fact, name);
                    pieces.entry((alternative, criterion)).or_default().push(piece);
                }
                None if is_general(own, &fact, topic) => {
                    general.push(piece(own, &statement, &fact, name));
                }
                None => {}
            }
        }
    }
    let report = |(number, alternative): (usize, &Alternative)| {
        let by_criterion =
            (0..=criteria.len()).filter_map(|criterion| pieces.remove(&(number, criterion)));
        let criteria: Vec<Piece> = by_criterion.flat_map(|own| best(own, MOST)).collect();
        let source_count = documents(&criteria);
        AlternativeReport { name: alternative.names[0].clone(), criteria, source_count }
    };
    let alternatives = alternatives.iter().enumerate().map(report).collect();
    Study { alternatives, general: best(general, MOST_GENERAL) }
}

/// In how many documents the pieces stand.
pub(super) fn documents<'p>(pieces: impl IntoIterator<Item = &'p Piece>) -> usize {
    let documents: HashSet<_> =
        pieces.into_iter().map(|piece| piece.source.source.document_id).collect();
    documents.len()
}

/// Evidence without an alternative counts where it speaks of the question, and tells a value by one of the criteria.
fn is_general(evidence: &Evidence, fact: &Fact, topic: &Topic) -> bool {
    let is_found = evidence.parts.legs.iter().any(|leg| leg.of == PointKind::Passage);
    let tells = fact.value.is_some() && fact.criterion.is_some();
    is_found && tells && topic.is_of(&evidence.chunk, &evidence.parts)
}

/// Pieces are as plain as each other within this many steps from 0 to 1.
const STEPS: f64 = 6.0;

/// A value that is told less plainly than this part of the plainest one is likely of something else.
const PLAIN_ENOUGH: f64 = 0.55;

/// The best of the pieces, each thing said once.
fn best(mut pieces: Vec<Piece>, most: usize) -> Vec<Piece> {
    let plainness = |piece: &Piece| round3((piece.plainness * STEPS).round() / STEPS);
    pieces.sort_by(|a, b| {
        plainness(b).total_cmp(&plainness(a)).then_with(|| b.score.total_cmp(&a.score))
    });
    let mut seen = HashSet::new();
    pieces.retain(|piece| {
        let value = piece.value.as_ref().map(|value| value.text.clone());
        seen.insert((piece.evidence.clone(), value))
    });
    let plainest = pieces.iter().filter(|piece| piece.value.is_some()).map(plainness);
    let least = PLAIN_ENOUGH * plainest.fold(0.0, f64::max);
    pieces.retain(|piece| piece.value.is_none() || plainness(piece) >= least);
    pieces.truncate(most);
    pieces
}

fn piece(evidence: &Evidence, statement: &Statement, fact: &Fact, criterion: &str) -> Piece {
    let chunk = &evidence.chunk;
    let mut parts = evidence.parts.clone();
    if fact.alternative.is_some() {
        let (name, share) = match fact.told {
            Told::Named => ("names the alternative", 0.1),
            Told::Under => ("stands below the alternative", 0.05),
            Told::Titled => ("stands in a document on the alternative", 0.01),
        };
        parts.boost(name, share);
    }
    if let Some((_, strength)) = fact.criterion {
        parts.boost("speaks of the criterion", round3(0.15 * strength));
    }
    if fact.value.is_some() {
        parts.boost("tells a value", 0.05);
    }
    if fact.argues {
        parts.boost("is a pro or a con", 0.05);
    }
    let shown = quote::shown(&chunk.text, statement.quote.clone(), &fact.center);
    Piece {
        name: criterion.into(),
        evidence: chunk.text[shown].into(),
        value: fact.value.clone(),
        score: parts.total,
        source: PieceSource { source: Source::of(chunk), score: parts.total },
        score_parts: parts,
        plainness: fact.criterion.map_or(0.0, |(_, strength)| strength),
    }
}

/// All names of the alternatives with their places: those that the caller gives, what stands before brackets, and what
/// tells an alternative from another one that shares words with it ("EKS Fargate" from "EKS managed nodes").
fn names(alternatives: &[Alternative]) -> Vec<(usize, String)> {
    let mut names: Vec<(usize, String)> = Vec::new();
    for (number, alternative) in alternatives.iter().enumerate() {
        for name in &alternative.names {
            names.push((number, name.clone()));
            let bare = name.split('(').next().unwrap_or_default().trim();
            names.extend((!bare.is_empty() && bare != name).then(|| (number, bare.to_owned())));
        }
        names.extend(rest(alternative, alternatives).map(|rest| (number, rest)));
    }
    let mut owners: HashMap<Vec<String>, usize> = HashMap::new();
    names.retain(|(number, name)| *owners.entry(stems(name)).or_insert(*number) == *number);
    names
}

/// The words at the end of a name whose beginning it shares with another alternative.
fn rest(alternative: &Alternative, all: &[Alternative]) -> Option<String> {
    let words: Vec<&str> = alternative.names[0].split_whitespace().collect();
    let shared = all
        .iter()
        .filter(|other| *other != alternative)
        .map(|other| {
            let theirs = other.names[0].split_whitespace();
            words.iter().zip(theirs).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
        })
        .max()?;
    let rest = words.get(shared..).filter(|rest| shared > 0 && !rest.is_empty())?.join(" ");
    (rest.chars().filter(|c| c.is_alphabetic()).count() >= 4).then_some(rest)
}
