//! Many rankings into one: each hit's own score, from what is usual for that search to its best.
//!
//! Shaw, Fox: Combination of Multiple Searches, TREC-2, 1994 (`CombSUM`), of scores that are brought to one scale. Reciprocal
//! ranks (Cormack, Clarke, Büttcher, SIGIR 2009) make the first and the eighth nearly equal, however far apart they stand;
//! `tests/bench/README.md` has both side by side.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::RandomState;
use uuid::Uuid;

use model::document::passage_id;
use model::evidence::{PointKind, RankingScore, RetrieverKind, ScoreParts};
use ports::Hit;
use ports::usual::Usual;

mod partial;

pub use partial::{by, exact_share};

/// One search's ranking and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Which probe was searched, from 0.
    pub probe: usize,
    /// Which of the caller's queries, or absent: see [`RankingScore::query`].
    pub query: Option<usize>,
    /// How it was searched.
    pub kind: RetrieverKind,
    /// What was searched.
    pub of: PointKind,
    /// How much the ranking counts, above 0.
    pub weight: f64,
    /// The most hits that it has.
    pub depth: usize,
    /// What it found, best first.
    pub hits: Vec<Hit>,
    /// What is usual for its cosines; `None` where it searched by words, whose score is usually 0.
    pub usual: Option<Usual>,
    /// The raw score that counts as 1; `None` for that of its own first hit.
    pub best: Option<f32>,
}

/// The most of all weights that a ranking by shares has: it stands before all others then.
const WHOLE: f64 = 0.5;

impl Ranking {
    /// Ranks passages by the share of the question that each has, which is its raw score; `None` of none. The hits come best first,
    /// and the ranking weighs as much beside all others, which weigh `weights` together, as its best share, up to half.
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

/// Makes the scores of several groups of rankings comparable, each of which was searched apart: what counts as 1 is the best
/// that any group has for the same search.
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
    /// Where a hit's score stands between what is usual for this search, 0, and its best, 1.
    fn score(&self, raw: f32) -> f64 {
        let usual = self.usual.map_or(0.0, |usual| usual.mean);
        let first = self.best.or_else(|| self.hits.first().map(|hit| hit.raw));
        let best = first.map_or(usual, f64::from);
        let raw = f64::from(raw);
        if raw >= best { 1.0 } else { ((raw - usual) / (best - usual)).clamp(0.0, 1.0) }
    }

    /// `place` counts from 0.
    fn score_of(&self, place: usize, hit: &Hit) -> RankingScore {
        RankingScore {
            rank: Some(place + 1),
            raw: Some(hit.raw),
            z_score: self.usual.and_then(|usual| usual.z_score(hit.raw)),
            ..self.below(self.score(hit.raw))
        }
    }

    /// The ranking of what a full ranking does not list: it counts as its last hit. A ranking that is not full has found
    /// everything that it can.
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

/// A document as several rankings found it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The document.
    pub document_id: Uuid,
    /// Its version.
    pub version: String,
    /// The passage of it that the rankings score highest; its first one where only the document as a whole was found.
    pub passage_id: Uuid,
    /// Every ranking that says something of it.
    pub rankings: Vec<RankingScore>,
    /// The mean of the rankings' scores by their weights, `0.0..=1.0`.
    pub fusion: f64,
}

/// By the id of a document or a passage, which is a hash already.
type ById<T> = HashMap<Uuid, T, RandomState>;

/// The scores of one ranking by the id of what they are of, each with the hit's chunk.
struct RankingScores {
    of: ById<(RankingScore, Uuid)>,
    unlisted: Option<RankingScore>,
}

impl RankingScores {
    /// A document's rank is the place of its best chunk among the documents there.
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

/// Fuses `rankings` of chunks into one ranking of documents, best first.
///
/// Where two versions of a document are found, only the higher one counts. Ties go by the chunk's id, so the order never
/// changes between runs.
pub fn documents(rankings: &[Ranking]) -> Vec<Found> {
    let latest = latest_versions(rankings);
    let most = most(rankings);
    let scores: Vec<RankingScores> =
        rankings.iter().map(|ranking| RankingScores::of_documents(ranking, &latest)).collect();
    let ids: BTreeSet<Uuid> = scores.iter().flat_map(|score| score.of.keys().copied()).collect();
    let found = ids.into_iter().map(|document_id| {
        let version = latest[&document_id];
        let passage_id = best_passage(&scores, document_id)
            .unwrap_or_else(|| passage_id(document_id, version, 0));
        let rankings: Vec<RankingScore> =
            scores.iter().filter_map(|score| score.score(document_id)).cloned().collect();
        let fusion = rankings.iter().map(share).sum::<f64>() / most;
        Found { document_id, version: version.into(), passage_id, rankings, fusion }
    });
    let mut found: Vec<Found> = found.collect();
    found.sort_by(|a, b| {
        b.fusion.total_cmp(&a.fusion).then_with(|| a.passage_id.cmp(&b.passage_id))
    });
    found
}

/// The passage of a document to which the searches for passages give most.
fn best_passage(scores: &[RankingScores], document: Uuid) -> Option<Uuid> {
    let ranked = scores.iter().filter_map(|score| score.of.get(&document));
    let mut sums: Vec<(Uuid, f64)> = Vec::new();
    for (ranking, chunk) in ranked.filter(|(ranking, _)| ranking.of == PointKind::Passage) {
        match sums.iter_mut().find(|(sum, _)| sum == chunk) {
            Some((_, sum)) => *sum += share(ranking),
            None => sums.push((*chunk, share(ranking))),
        }
    }
    let best = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    best.map(|(chunk, _)| chunk)
}

/// What the rankings say of each passage, and of its document.
pub struct Passages {
    /// Whether the ranking is of documents, and its scores.
    scores: Vec<(bool, RankingScores)>,
    most: f64,
}

/// Fuses `rankings` of chunks into scores of passages.
///
/// A ranking of documents counts for every passage of the documents it has. Where two versions of a document are found,
/// only the higher one counts.
pub fn passages(rankings: &[Ranking]) -> Passages {
    let latest = latest_versions(rankings);
    let scores = rankings.iter().map(|ranking| match ranking.of {
        PointKind::Passage | PointKind::Decision | PointKind::Accepted => {
            (false, RankingScores::of_passages(ranking, &latest))
        }
        // A document has several where a model wrote questions that it answers.
        PointKind::Document | PointKind::FailureReport => {
            (true, RankingScores::of_documents(ranking, &latest))
        }
    });
    Passages { scores: scores.collect(), most: most(rankings) }
}

impl Passages {
    /// Whether a search for passages found this one in its document's latest version.
    pub fn has(&self, chunk: Uuid) -> bool {
        self.scores
            .iter()
            .any(|(is_of_documents, scores)| !is_of_documents && scores.of.contains_key(&chunk))
    }

    /// How the score of a passage comes about.
    pub fn parts(&self, document: Uuid, chunk: Uuid) -> ScoreParts {
        let score = |(is_of_documents, scores): &(bool, RankingScores)| {
            scores.score(if *is_of_documents { document } else { chunk }).cloned()
        };
        let rankings: Vec<RankingScore> = self.scores.iter().filter_map(score).collect();
        let fusion = rankings.iter().map(share).sum::<f64>() / self.most;
        ScoreParts::new(rankings, fusion)
    }
}

/// The weight with which a ranking has this share of all weights, where the others have `weights` together.
fn weight_of(share: f64, weights: f64) -> f64 {
    weights * share / (1.0 - share)
}

/// What would have the best score of every ranking.
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
