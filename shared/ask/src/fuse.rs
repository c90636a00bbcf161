//! Fuses many rankings into one. Each hit's score is scaled from the usual score of its search, 0,
//! to the best one, 1.
//!
//! Shaw, Fox: Combination of Multiple Searches, TREC-2, 1994 (`CombSUM`), with all scores on one
//! scale. Reciprocal ranks (Cormack, Clarke, Büttcher, SIGIR 2009) make the first and the eighth
//! hit nearly equal, however far apart their scores are; `tests/bench/README.md` compares both.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;
use uuid::Uuid;

use model::document::passage_id;
use model::evidence::{PointKind, RankingScore, RetrieverKind, ScoreParts};
use ports::Hit;
use ports::usual::Usual;

mod partial;

pub use partial::{by, exact_share};

/// The ranking of one search, with its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The number of the probe that was searched, from 0.
    pub probe: usize,
    /// The number of the caller's query, if it is one: see [`RankingScore::query`].
    pub query: Option<usize>,
    /// The kind of search.
    pub kind: RetrieverKind,
    /// The kind of points that were searched.
    pub of: PointKind,
    /// The weight of the ranking, above 0.
    pub weight: f64,
    /// Upper bound for the number of hits.
    pub depth: usize,
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// The usual cosines of the search; `None` for a search by words, whose usual score is 0.
    pub usual: Option<Usual>,
    /// The raw score that counts as 1; `None` for the score of its own first hit.
    pub best: Option<f32>,
}

/// Upper bound for the weight share of a ranking by shares. With this share its best hit comes
/// before all others.
const WHOLE: f64 = 0.5;

impl Ranking {
    /// Ranks passages by the share of the question that each has, which is the raw score. Returns
    /// `None` without hits. The hits come best first. All other rankings have the total weight
    /// `weights`; the new ranking's share of the whole weight is its best share, up to half.
    pub fn of_shares(kind: RetrieverKind, hits: Vec<Hit>, weights: f64) -> Option<Ranking> {
        let share = f64::from(hits.first()?.raw).min(WHOLE);
        (share > 0.0).then(|| Ranking {
            probe: 0,
            query: None,
            kind,
            of: PointKind::Passage,
            weight: weight_of(share, weights),
            depth: hits.len() + 1,
            hits,
            usual: None,
            best: None,
        })
    }
}

/// Makes the scores of several groups of rankings comparable if each group was searched separately:
/// the score that counts as 1 is the best one that any group has for the same search.
pub fn level(groups: &mut [Vec<Ranking>]) {
    let same = |a: &Ranking, b: &Ranking| {
        (a.probe, a.query, a.kind, a.of) == (b.probe, b.query, b.kind, b.of)
    };
    let best = |wanted: &Ranking| {
        let alike = groups.iter().flatten().filter(|group| same(group, wanted));
        alike.filter_map(|a| a.hits.first()).map(|hit| hit.raw).reduce(f32::max)
    };
    let bests: Vec<Vec<Option<f32>>> =
        groups.iter().map(|group| group.iter().map(best).collect()).collect();
    for (group, bests) in groups.iter_mut().zip(bests) {
        for (ranking, best) in group.iter_mut().zip(bests) {
            ranking.best = best;
        }
    }
}

impl Ranking {
    /// Scales a raw score: 0 is the usual score of this search, 1 is the best one.
    fn score(&self, raw: f32) -> f64 {
        let usual = self.usual.map_or(0.0, |usual| usual.mean);
        let first = self.best.or_else(|| self.hits.first().map(|hit| hit.raw));
        let best = first.map_or(usual, f64::from);
        let raw = f64::from(raw);
        if raw >= best { 1.0 } else { ((raw - usual) / (best - usual)).clamp(0.0, 1.0) }
    }

    /// Returns the score of a hit. `place` counts from 0.
    fn score_of(&self, place: usize, hit: &Hit) -> RankingScore {
        RankingScore {
            rank: Some(place + 1),
            raw: Some(hit.raw),
            z_score: self.usual.and_then(|usual| usual.z_score(hit.raw)),
            ..self.below(self.score(hit.raw))
        }
    }

    /// Returns the score of anything that a full ranking does not list: that of its last hit. A
    /// ranking that is not full has found everything that it can.
    fn unlisted(&self) -> Option<RankingScore> {
        let last = self.hits.last().filter(|_| self.hits.len() >= self.depth)?;
        Some(self.below(self.score(last.raw)))
    }

    fn below(&self, score: f64) -> RankingScore {
        RankingScore {
            probe: self.probe,
            query: self.query,
            retriever: self.kind,
            of: self.of,
            rank: None,
            raw: None,
            z_score: None,
            score,
            weight: self.weight,
        }
    }
}

/// A document as found by several rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The id of the document.
    pub document_id: Uuid,
    /// The version of the document.
    pub version: String,
    /// The passage with the highest scores; the first passage if only the document as a whole was
    /// found.
    pub passage_id: Uuid,
    /// The scores by all rankings that contain the document or count it as unlisted.
    pub rankings: Vec<RankingScore>,
    /// The weighted mean of the rankings' scores, `0.0..=1.0`.
    pub fusion: f64,
}

/// A map by the id of a document or a passage. The id is a hash already.
type ById<T> = HashMap<Uuid, T, RandomState>;

/// The scores of one ranking by document or passage id, each with the id of the hit's passage.
struct RankingScores {
    of: ById<(RankingScore, Uuid)>,
    unlisted: Option<RankingScore>,
}

impl RankingScores {
    /// Ranks documents: the rank of a document is the place of its best passage, counted in
    /// documents.
    fn of_documents(ranking: &Ranking, latest: &ById<&str>) -> RankingScores {
        let mut of: ById<(RankingScore, Uuid)> =
            HashMap::with_capacity_and_hasher(ranking.hits.len(), RandomState::default());
        for hit in ranking.hits.iter().filter(|hit| is_latest(hit, latest)) {
            let place = of.len();
            of.entry(hit.document_id)
                .or_insert_with(|| (ranking.score_of(place, hit), hit.passage_id));
        }
        RankingScores { of, unlisted: ranking.unlisted() }
    }

    fn of_passages(ranking: &Ranking, latest: &ById<&str>) -> RankingScores {
        let hits = ranking.hits.iter().filter(|hit| is_latest(hit, latest)).enumerate();
        let of = hits
            .map(|(place, hit)| (hit.passage_id, (ranking.score_of(place, hit), hit.passage_id)));
        RankingScores { of: of.collect(), unlisted: ranking.unlisted() }
    }

    fn score(&self, id: Uuid) -> Option<&RankingScore> {
        self.of.get(&id).map(|(score, _)| score).or(self.unlisted.as_ref())
    }
}

/// Fuses `rankings` of passages into one ranking of documents, and returns the best `most` of them.
///
/// If two versions of a document are found, only the higher one counts. Ties are ordered by the id
/// of the passage, so that the order is the same in each run.
pub fn documents(rankings: &[Ranking], most: usize) -> Vec<Found> {
    let latest = latest_versions(rankings);
    let weight = self::most(rankings);
    let scores: Vec<RankingScores> =
        rankings.iter().map(|ranking| RankingScores::of_documents(ranking, &latest)).collect();
    let scores_of = |id: Uuid| scores.iter().filter_map(move |score| score.score(id));
    let ids: BTreeSet<Uuid> = scores.iter().flat_map(|score| score.of.keys().copied()).collect();
    let mut order: Vec<(f64, Uuid, Uuid)> = ids
        .into_iter()
        .map(|id| {
            let best = best_passage(&scores, id);
            let passage = best.unwrap_or_else(|| passage_id(id, latest[&id], 0));
            (scores_of(id).map(share).sum::<f64>() / weight, passage, id)
        })
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    order.truncate(most);
    // Many documents are found, and few are read.
    let found = order.into_iter().map(|(fusion, passage_id, document_id)| {
        let (version, rankings) = (latest[&document_id].into(), scores_of(document_id).cloned());
        Found { document_id, version, passage_id, rankings: rankings.collect(), fusion }
    });
    found.collect()
}

/// Returns the passage of a document to which the searches for passages give the highest score.
fn best_passage(scores: &[RankingScores], document: Uuid) -> Option<Uuid> {
    let ranked = scores.iter().filter_map(|score| score.of.get(&document));
    let mut sums: Vec<(Uuid, f64)> = Vec::new();
    for (ranking, passage) in ranked.filter(|(ranking, _)| ranking.of == PointKind::Passage) {
        match sums.iter_mut().find(|(sum, _)| sum == passage) {
            Some((_, sum)) => *sum += share(ranking),
            None => sums.push((*passage, share(ranking))),
        }
    }
    let best = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    best.map(|(passage, _)| passage)
}

/// The scores of each passage and of its document by all rankings.
pub struct PassageScores {
    /// The scores of each ranking, with true for a ranking of documents.
    scores: Vec<(bool, RankingScores)>,
    most: f64,
}

/// Fuses `rankings` of passages into scores of passages.
///
/// A ranking of documents counts for every passage of its documents. If two versions of a document
/// are found, only the higher one counts.
pub fn passage_scores(rankings: &[Ranking]) -> PassageScores {
    let latest = latest_versions(rankings);
    let scores = rankings.iter().map(|ranking| match ranking.of {
        PointKind::Passage | PointKind::Decision | PointKind::Accepted => {
            (false, RankingScores::of_passages(ranking, &latest))
        }
        // A document has several such points if a model wrote questions that it answers.
        PointKind::Document | PointKind::FailureReport => {
            (true, RankingScores::of_documents(ranking, &latest))
        }
    });
    PassageScores { scores: scores.collect(), most: most(rankings) }
}

impl PassageScores {
    /// Returns true if a search for passages found this passage in the latest version of its
    /// document.
    pub fn has(&self, passage: Uuid) -> bool {
        self.scores
            .iter()
            .any(|(is_of_documents, scores)| !is_of_documents && scores.of.contains_key(&passage))
    }

    /// Returns the score of a passage with its parts.
    pub fn parts(&self, document: Uuid, passage: Uuid) -> ScoreParts {
        let score = |(is_of_documents, scores): &(bool, RankingScores)| {
            scores.score(if *is_of_documents { document } else { passage }).cloned()
        };
        let rankings: Vec<RankingScore> = self.scores.iter().filter_map(score).collect();
        let fusion = rankings.iter().map(share).sum::<f64>() / self.most;
        ScoreParts::new(rankings, fusion)
    }
}

/// Returns the weight that gives a ranking this share of the whole weight, where the other rankings
/// have the total weight `weights`.
fn weight_of(share: f64, weights: f64) -> f64 {
    weights * share / (1.0 - share)
}

/// Returns the highest possible score: that of a hit that is best in every ranking.
fn most(rankings: &[Ranking]) -> f64 {
    rankings.iter().map(|ranking| ranking.weight).sum()
}

fn share(ranking: &RankingScore) -> f64 {
    ranking.weight * ranking.score
}

fn latest_versions(rankings: &[Ranking]) -> ById<&str> {
    let mut latest: ById<&str> = HashMap::default();
    for hit in rankings.iter().flat_map(|ranking| &ranking.hits) {
        let version = latest.entry(hit.document_id).or_insert(&hit.version);
        if **version < *hit.version {
            *version = &hit.version;
        }
    }
    latest
}

fn is_latest(hit: &Hit, latest: &ById<&str>) -> bool {
    latest.get(&hit.document_id) == Some(&hit.version.as_str())
}

#[cfg(test)]
mod tests;
