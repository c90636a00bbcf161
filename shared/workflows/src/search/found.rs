//! Fuses the findings of all sources into one list of evidence.

use std::collections::{BTreeSet, HashSet};

use jiff::SignedDuration;
use uuid::Uuid;

use super::each::Reply;
use super::source::{SourceConfig, Sources};
use ask::abstain::{Lookup, Unknown};
use ask::evidence::Evidence;
use ask::fuse;
use ask::fuse::Ranking;
use ask::retrieve::{Plan, exact_ranking, fill, passages};
use ask::strategy::Request;
use model::Result;
use model::evidence::{PointKind, RetrieverKind};
use ports::scope::Grant;
use ports::usual::NEAR;
use ports::{Index, Ranked};
use text::language::Language;

/// Findings of the searches beside those of the sources.
#[derive(Default)]
pub(super) struct Beside {
    /// The hits of the lookup's searches.
    looked_up: Vec<Ranked>,
    /// The project's decisions.
    decisions: Vec<Evidence>,
}

/// Looks names, words and strings up among all sources, and searches the project's decisions, in one call.
pub(super) async fn beside(
    index: &dyn Index,
    request: &Request,
    (decisions, lookup): (Option<Plan>, &Lookup),
    language: Language,
) -> Result<Beside> {
    let Plan { mut rankings, mut searches } = decisions.unwrap_or_default();
    searches.extend(lookup.searches(language));
    if searches.is_empty() {
        return Ok(Beside { looked_up: Vec::new(), decisions: Vec::new() });
    }
    let grant: &Grant = &request.grant;
    let mut found = index.search(grant, &request.filters, searches).await?;
    let looked_up = found.split_off(rankings.len().min(found.len()));
    fill(&mut rankings, found, &BTreeSet::new());
    Ok(Beside { looked_up, decisions: passages(&mut rankings) })
}

/// Findings, with the sources that they come from.
pub(super) struct Found {
    pub(super) replies: Vec<Reply>,
    /// From this reply on the sources were asked later.
    pub(super) later: usize,
    pub(super) evidence: Vec<Evidence>,
    pub(super) decisions: Vec<Evidence>,
    pub(super) unknown: Unknown,
    pub(super) weights: f64,
    /// The ranking by symbols that the question names.
    pub(super) symbols: Option<Ranking>,
    looked_up: Vec<Ranked>,
}

impl Found {
    pub(super) fn new(replies: Vec<Reply>, beside: Beside) -> Found {
        Found {
            later: replies.len(),
            replies,
            evidence: Vec::new(),
            decisions: beside.decisions,
            unknown: Unknown::default(),
            weights: 0.0,
            symbols: None,
            looked_up: beside.looked_up,
        }
    }

    /// Returns true where the first sources have something that stands far above what is usual for the question, or defines what it
    /// names; where too few passages are there to tell, enough passages.
    pub(super) fn suffices(&self, wanted: usize) -> bool {
        let rankings = || self.replies.iter().filter_map(|reply| reply.rankings.as_ref()).flatten();
        let dense = || {
            rankings().filter(|ranking| {
                ranking.kind == RetrieverKind::Dense && ranking.of == PointKind::Passage
            })
        };
        let z_score = |ranking: &Ranking| ranking.usual?.z_score(ranking.hits.first()?.raw);
        let mut known = dense().filter_map(z_score).peekable();
        if self.symbols.is_some() {
            return true;
        }
        if known.peek().is_some() {
            return known.any(|k| k >= NEAR);
        }
        let passages: HashSet<Uuid> =
            dense().flat_map(|d| &d.hits).map(|hit| hit.passage_id).collect();
        passages.len() >= wanted
    }

    /// Adds what the other sources found.
    pub(super) fn later(&mut self, replies: Vec<Reply>) {
        self.replies.extend(replies);
    }

    /// Returns the time for which an answer of these sources may be given again: the shortest of theirs.
    pub(super) fn cached_for(&self, sources: &Sources) -> SignedDuration {
        let asked = self.replies.iter().map(|reply| sources.all()[reply.source].cache);
        asked.min().unwrap_or_default()
    }

    /// Fuses all rankings into evidence: each source by its own, with scores that compare across sources.
    pub(super) fn fuse(
        &mut self,
        sources: &[SourceConfig],
        lookup: &mut Lookup,
        excluded: &BTreeSet<Uuid>,
    ) {
        let mut groups: Vec<(usize, Vec<Ranking>)> = self
            .replies
            .iter_mut()
            .filter_map(|reply| Some((reply.source, reply.rankings.as_mut().map(std::mem::take)?)))
            .collect();
        let length = groups.first().map_or(0, |(_, group)| group.len());
        let mut flat: Vec<Ranking> =
            groups.iter_mut().flat_map(|(_, group)| std::mem::take(group)).collect();
        self.weights = flat.iter().take(length).map(|f| f.weight).sum();
        self.unknown = lookup.unknown(&self.looked_up, &flat);
        let exact = exact_ranking(lookup, &self.looked_up, &flat, self.weights, excluded);
        if exact.is_some() || self.symbols.is_some() {
            // What stands there whole is known, whatever its parts.
            self.unknown.words.clear();
        }
        let more: Vec<Ranking> = exact.into_iter().chain(self.symbols.clone()).collect();
        self.weights += more.iter().map(|m| m.weight).sum::<f64>();
        for (source, group) in &mut groups {
            let rest = flat.split_off(length.min(flat.len()));
            *group = std::mem::replace(&mut flat, rest);
            let of_source = |ranking: &Ranking| {
                let has = |hit: &ports::Hit| {
                    hit.chunk.as_ref().is_none_or(|chunk| sources[*source].has(chunk))
                };
                let hits = ranking.hits.iter().filter(|hit| has(hit)).cloned().collect();
                Ranking { hits, ..ranking.clone() }
            };
            group.extend(more.iter().map(of_source));
        }
        let (places, mut rankings): (Vec<usize>, Vec<Vec<Ranking>>) = groups.into_iter().unzip();
        fuse::level(&mut rankings);
        let mut seen: HashSet<Uuid> = HashSet::new();
        for (place, mut group) in places.into_iter().zip(rankings) {
            let mut evidence = passages(&mut group);
            evidence.retain(|passage| {
                let is_of = sources[place].has(&passage.chunk);
                is_of && !passage.chunk.is_summary() && seen.insert(passage.chunk.id)
            });
            self.evidence.extend(evidence);
        }
    }
}
