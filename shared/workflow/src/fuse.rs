//! Many rankings into one: weighted reciprocal rank fusion.
//!
//! Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual rank learning methods,
//! SIGIR 2009.

use std::collections::HashMap;

use uuid::Uuid;

use crate::document::chunk_id;
use crate::evidence::{Leg, LegKind, PointKind, ScoreParts};
use crate::ports::Hit;

/// The constant of reciprocal rank fusion.
const K: f64 = 60.0;

/// One search's ranking and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Which probe was searched, from 0.
    pub probe: usize,
    /// Which of the caller's queries, see [`crate::strategy::Probe`].
    pub query: Option<usize>,
    /// How it was searched.
    pub kind: LegKind,
    /// What was searched.
    pub of: PointKind,
    /// How much the ranking counts, above 0.
    pub weight: f64,
    /// What it found, best first.
    pub hits: Vec<Hit>,
}

/// A document as several rankings found it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The document.
    pub document_id: Uuid,
    /// Its version.
    pub version: String,
    /// The passage of it that the heaviest ranks found; its first one where only its lead was found.
    pub chunk_id: Uuid,
    /// Every ranking that has it.
    pub legs: Vec<Leg>,
    /// The legs' weighted reciprocal ranks over the most they could be, `0.0..=1.0`.
    pub fused: f64,
}

/// Fuses `rankings` of chunks into one ranking of documents, best first.
///
/// A document's rank in a ranking is the place of its best chunk among the documents there. Where two versions of a
/// document are found, only the higher one counts. Ties go by the chunk's id, so the order never changes between runs.
pub fn documents(rankings: &[Ranking]) -> Vec<Found> {
    let latest = latest_versions(rankings);
    let most = most(rankings);
    let mut legs: HashMap<Uuid, Vec<(Leg, Uuid)>> = HashMap::new();
    for ranking in rankings {
        for (rank, hit) in best_of_each_document(&ranking.hits, &latest).enumerate() {
            legs.entry(hit.document_id).or_default().push((leg(ranking, rank, hit), hit.chunk_id));
        }
    }
    let mut found: Vec<Found> =
        legs.into_iter().map(|(id, legs)| fused((id, latest[&id]), legs, most)).collect();
    found.sort_by(|a, b| b.fused.total_cmp(&a.fused).then_with(|| a.chunk_id.cmp(&b.chunk_id)));
    found
}

/// The rankings that have each passage, and those that have its document's lead.
#[derive(Debug, Clone, PartialEq)]
pub struct Passages {
    found: HashMap<Uuid, Vec<Leg>>,
    leads: HashMap<Uuid, Vec<Leg>>,
    most: f64,
}

/// Fuses `rankings` of chunks into scores of passages.
///
/// A ranking of leads counts for every passage of the documents it has. Where two versions of a document are found,
/// only the higher one counts.
pub fn passages(rankings: &[Ranking]) -> Passages {
    let latest = latest_versions(rankings);
    let mut found: HashMap<Uuid, Vec<Leg>> = HashMap::new();
    let mut leads: HashMap<Uuid, Vec<Leg>> = HashMap::new();
    for ranking in rankings {
        match ranking.of {
            PointKind::Passage | PointKind::Decision | PointKind::Accepted => {
                let hits = ranking.hits.iter().filter(|hit| is_latest(hit, &latest));
                for (rank, hit) in hits.enumerate() {
                    found.entry(hit.chunk_id).or_default().push(leg(ranking, rank, hit));
                }
            }
            // A document has several where a model wrote questions that it answers.
            PointKind::Lead | PointKind::FailureLead => {
                let hits = best_of_each_document(&ranking.hits, &latest);
                for (rank, hit) in hits.enumerate() {
                    leads.entry(hit.document_id).or_default().push(leg(ranking, rank, hit));
                }
            }
        }
    }
    Passages { found, leads, most: most(rankings) }
}

impl Passages {
    /// Whether a search for passages found this one in its document's latest version.
    pub fn has(&self, chunk: Uuid) -> bool {
        self.found.contains_key(&chunk)
    }

    /// How the score of a passage comes about; 0 where nothing found it nor its document's lead.
    pub fn parts(&self, document: Uuid, chunk: Uuid) -> ScoreParts {
        let legs = [self.found.get(&chunk), self.leads.get(&document)];
        let legs: Vec<Leg> = legs.into_iter().flatten().flatten().cloned().collect();
        let fused = legs.iter().map(share).sum::<f64>() / self.most;
        ScoreParts::new(legs, fused)
    }
}

/// The score by some of the rankings only: by those whose legs `counts`, which together have `weights`. Boosts stay.
pub fn by(parts: &ScoreParts, counts: impl Fn(&Leg) -> bool, weights: f64) -> ScoreParts {
    let legs: Vec<Leg> = parts.legs.iter().filter(|leg| counts(leg)).cloned().collect();
    let fused = legs.iter().map(share).sum::<f64>() / (weights / (K + 1.0));
    let mut own = ScoreParts::new(legs, fused);
    for boost in &parts.boosts {
        own.boost(&boost.name, boost.share);
    }
    own
}

/// What a passage would have that is first in every ranking.
fn most(rankings: &[Ranking]) -> f64 {
    rankings.iter().map(|ranking| ranking.weight / (K + 1.0)).sum()
}

/// What one leg adds before it is divided by the most all could add.
fn share(leg: &Leg) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "ranks are small")]
    let rank = leg.rank as f64;
    leg.weight / (K + rank)
}

/// `place` counts from 0.
fn leg(ranking: &Ranking, place: usize, hit: &Hit) -> Leg {
    Leg {
        probe: ranking.probe,
        query: ranking.query,
        leg: ranking.kind,
        of: ranking.of,
        rank: place + 1,
        raw: hit.raw,
        weight: ranking.weight,
    }
}

fn fused((document_id, version): (Uuid, &str), legs: Vec<(Leg, Uuid)>, most: f64) -> Found {
    let mut chunks: Vec<(Uuid, f64)> = Vec::new();
    for (leg, chunk) in legs.iter().filter(|(leg, _)| leg.of == PointKind::Passage) {
        match chunks.iter_mut().find(|(own, _)| own == chunk) {
            Some((_, sum)) => *sum += share(leg),
            None => chunks.push((*chunk, share(leg))),
        }
    }
    let best = chunks.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let legs: Vec<Leg> = legs.into_iter().map(|(leg, _)| leg).collect();
    let fused = legs.iter().map(share).sum::<f64>() / most;
    let chunk_id = best.map_or_else(|| chunk_id(document_id, version, 0), |(chunk, _)| chunk);
    Found { document_id, version: version.into(), chunk_id, legs, fused }
}

fn latest_versions(rankings: &[Ranking]) -> HashMap<Uuid, &str> {
    let mut latest: HashMap<Uuid, &str> = HashMap::new();
    for hit in rankings.iter().flat_map(|ranking| &ranking.hits) {
        let version = latest.entry(hit.document_id).or_insert(&hit.version);
        if **version < *hit.version {
            *version = &hit.version;
        }
    }
    latest
}

fn is_latest(hit: &Hit, latest: &HashMap<Uuid, &str>) -> bool {
    latest.get(&hit.document_id) == Some(&hit.version.as_str())
}

fn best_of_each_document<'h>(
    hits: &'h [Hit],
    latest: &HashMap<Uuid, &str>,
) -> impl Iterator<Item = &'h Hit> {
    let mut seen = std::collections::HashSet::new();
    hits.iter().filter(move |hit| is_latest(hit, latest) && seen.insert(hit.document_id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hit(document: u128, version: &str) -> Hit {
        let document_id = Uuid::from_u128(document);
        Hit {
            chunk_id: crate::document::chunk_id(document_id, version, 0),
            document_id,
            version: version.into(),
            raw: 0.5,
            chunk: None,
        }
    }

    fn ranking(weight: f64, documents: &[u128]) -> Ranking {
        let hits = documents.iter().map(|document| hit(*document, "1")).collect();
        Ranking {
            probe: 0,
            query: None,
            kind: LegKind::Dense,
            of: PointKind::Passage,
            weight,
            hits,
        }
    }

    fn order(rankings: &[Ranking]) -> Vec<u128> {
        documents(rankings).iter().map(|found| found.document_id.as_u128()).collect()
    }

    #[test]
    fn first_in_every_ranking_is_a_perfect_score() {
        let found = documents(&[ranking(1.0, &[7, 8]), ranking(0.5, &[7])]);
        assert!((found[0].fused - 1.0).abs() < 1e-9);
    }

    #[test]
    fn weights_decide_whose_first_is_first() {
        assert_eq!(order(&[ranking(1.0, &[1, 2]), ranking(0.4, &[2, 1])]), [1, 2]);
        assert_eq!(order(&[ranking(0.4, &[1, 2]), ranking(1.0, &[2, 1])]), [2, 1]);
    }

    #[test]
    fn of_two_versions_only_the_higher_one_counts() {
        let hits = vec![hit(1, "1"), hit(2, "1"), hit(1, "2")];
        let found = documents(&[Ranking {
            probe: 0,
            query: None,
            kind: LegKind::Bm25,
            of: PointKind::Passage,
            weight: 1.0,
            hits,
        }]);
        assert_eq!(found[0].document_id.as_u128(), 2);
        assert_eq!(found[1].chunk_id, hit(1, "2").chunk_id);
    }

    #[test]
    fn of_several_leads_of_a_document_the_best_counts() {
        let leads = Ranking { of: PointKind::Lead, ..ranking(1.0, &[2, 2, 1]) };
        let passages = passages(&[leads]);
        let ranks = |document| -> Vec<usize> {
            let parts = passages.parts(Uuid::from_u128(document), Uuid::nil());
            parts.legs.iter().map(|leg| leg.rank).collect()
        };
        assert_eq!((ranks(2), ranks(1)), (vec![1], vec![2]));
    }

    #[test]
    fn a_lead_counts_for_every_passage_of_its_document() {
        let lead = Ranking { of: PointKind::Lead, ..ranking(1.0, &[2, 1]) };
        let passages = passages(&[ranking(0.5, &[1, 2]), lead]);
        let parts =
            |document| passages.parts(Uuid::from_u128(document), hit(document, "1").chunk_id);
        assert_eq!(parts(1).legs.iter().map(|leg| leg.rank).collect::<Vec<_>>(), [1, 2]);
        assert!(parts(2).fused > parts(1).fused);
        let unfound = passages.parts(Uuid::from_u128(2), Uuid::nil());
        assert_eq!((unfound.legs.len(), passages.has(Uuid::nil())), (1, false));
        assert!(passages.parts(Uuid::nil(), Uuid::nil()).total <= 0.0);
    }

    proptest! {
        #[test]
        fn the_legs_give_the_fused_score_exactly(lists in prop::collection::vec((0.1f64..2.0, prop::collection::vec(0u128..30, 0..20)), 1..6)) {
            let rankings: Vec<Ranking> = lists.iter().map(|(weight, documents)| ranking(*weight, documents)).collect();
            let most: f64 = rankings.iter().map(|ranking| ranking.weight / 61.0).sum();
            for found in documents(&rankings) {
                let sum: f64 = found.legs.iter().map(share).sum();
                prop_assert!((found.fused - sum / most).abs() < 1e-12);
                prop_assert!(found.fused > 0.0 && found.fused <= 1.0 + 1e-12);
            }
        }

        #[test]
        fn every_document_is_found_once_and_best_first(lists in prop::collection::vec(prop::collection::vec(0u128..30, 0..20), 1..6)) {
            let rankings: Vec<Ranking> = lists.iter().map(|documents| ranking(1.0, documents)).collect();
            let found = documents(&rankings);
            let mut ids: Vec<Uuid> = found.iter().map(|found| found.document_id).collect();
            ids.sort_unstable();
            ids.dedup();
            prop_assert_eq!(ids.len(), found.len());
            prop_assert!(found.windows(2).all(|pair| pair[0].fused >= pair[1].fused));
        }
    }
}
