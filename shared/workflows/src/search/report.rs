//! Makes the report of a search: its routing, results and conflicts.

use std::collections::BTreeSet;

use wire::search::{
    AskedWhen, Conflict, RoutedSource, Routing, SearchReport, SearchResult, SearchTotals,
};

use super::each::Replies;
use super::merge::{self, Merged};
use super::rank::Ranking;
use super::route::Route;
use super::source::SourceConfig;
use crate::conflict::{self, Judge, PAIRS_OF_CALL};
use ask::evidence::Evidence;
use model::document::Passage;
use model::evidence::PassageResult;
use ports::Model;
use ports::degraded::Degraded;

/// The number of best passages that are merged, related and ranked.
const DEEP: usize = 70;

/// Upper bound for the conflicts that are shown.
const CONFLICTS: usize = 10;

/// A search in the sources that a route chose.
pub(super) struct RoutedSearch<'a> {
    pub(super) route: &'a Route,
    /// The answers of the sources.
    pub(super) replies: &'a Replies,
    /// The caller's own source, if there is one.
    pub(super) context: Option<RoutedSource>,
}

/// Makes a report of the results, with at most `most` results. `judge` confirms conflicts.
pub(super) async fn report(
    mut evidence: Vec<Evidence>,
    search: RoutedSearch<'_>,
    ranking: &Ranking<'_>,
    most: usize,
    judge: Option<&dyn Model>,
    degraded: &mut Vec<Degraded>,
) -> SearchReport {
    evidence.truncate(DEEP);
    let mut merged = merge::merged(evidence);
    let related = merge::related(&merged);
    for (passage, related) in merged.iter_mut().zip(&related) {
        ranking.boost(passage, related);
    }
    let mut all: Vec<_> = merged.into_iter().zip(related).collect();
    all.sort_by(|(a, _), (b, _)| {
        let by_score = b.best.parts.total.total_cmp(&a.best.parts.total);
        by_score.then_with(|| a.best.passage.id.cmp(&b.best.passage.id))
    });
    all.truncate(most);
    let result_ids: BTreeSet<_> = all.iter().map(|(a, _)| a.best.passage.id).collect();
    let passages: Vec<&Passage> =
        all.iter().flat_map(|(a, _)| std::iter::once(&a.best.passage).chain(&a.others)).collect();
    let conflicts = conflicts(&passages, judge, degraded).await;
    let conflicts = judged(conflicts, &passages, ranking);
    let results: Vec<SearchResult> = all
        .into_iter()
        .map(|(merged, mut related)| {
            related.retain(|other| result_ids.contains(&other.result.passage_id));
            result(merged, related, ranking.sources)
        })
        .collect();
    let totals = totals(&results, search.replies.all.len());
    let mut routing = routing(search.replies, search.route, ranking.sources);
    routing.sources.extend(search.context);
    SearchReport { result_type: "search".into(), routing, results, conflicts, totals }
}

/// Returns the conflicts that a language model confirms; without a model, or if it fails, those
/// that rules find.
async fn conflicts(
    passages: &[&Passage],
    judge: Option<&dyn Model>,
    degraded: &mut Vec<Degraded>,
) -> Vec<Conflict> {
    let by_rules = || conflict::conflicts(passages, CONFLICTS);
    let Some(model) = judge else { return by_rules() };
    let judge = Judge { model, pairs: PAIRS_OF_CALL };
    match conflict::confirmed(passages, CONFLICTS, judge).await {
        Ok((confirmed, _)) => confirmed,
        Err(error) => {
            degraded.push(Degraded { part: "conflicts".into(), error });
            by_rules()
        }
    }
}

fn result(
    merged: Merged,
    related: Vec<wire::search::RelatedResult>,
    sources: &[SourceConfig],
) -> SearchResult {
    let also_at = merged.also_at();
    let passages: Vec<&Passage> =
        std::iter::once(&merged.best.passage).chain(&merged.others).collect();
    let having = sources.iter().filter(|source| passages.iter().any(|passage| source.has(passage)));
    let sources = having.map(|source| source.name.clone()).collect();
    let symbols = merged.best.passage.facts.symbols.clone();
    let result = PassageResult::of(merged.best.passage, merged.best.parts);
    SearchResult { result, sources, symbols, also_at, related }
}

/// Marks in each conflict which side is the newest and which has the most authority.
fn judged(
    mut conflicts: Vec<Conflict>,
    passages: &[&Passage],
    ranking: &Ranking<'_>,
) -> Vec<Conflict> {
    for conflict in &mut conflicts {
        let of = |id| passages.iter().find(|passage| passage.id == id);
        let times: Vec<_> = conflict
            .sides
            .iter()
            .map(|side| of(side.passage.passage_id).map(|passage| passage.written_at()))
            .collect();
        let authorities: Vec<f64> = conflict
            .sides
            .iter()
            .map(|side| {
                of(side.passage.passage_id).map_or(0.0, |passage| ranking.authority(passage))
            })
            .collect();
        let newest = times.iter().flatten().max().copied();
        let is_one_time = times.iter().all(|time| *time == newest);
        let most = authorities.iter().copied().fold(0.0, f64::max);
        let is_one_authority = authorities.iter().all(|authority| *authority >= most);
        for ((side, time), authority) in conflict.sides.iter_mut().zip(times).zip(authorities) {
            side.is_newest = time == newest && !is_one_time;
            side.has_most_authority = authority >= most && !is_one_authority;
        }
    }
    conflicts
}

#[expect(clippy::cast_precision_loss, reason = "at most fifty")]
fn totals(results: &[SearchResult], sources_asked: usize) -> SearchTotals {
    let used: BTreeSet<&String> = results.iter().flat_map(|result| &result.sources).collect();
    let is_shared = |result: &&SearchResult| {
        let others = result.related.iter().filter_map(|related| {
            results
                .iter()
                .find(|other| other.result.passage.passage_id == related.result.passage_id)
        });
        result.sources.len() > 1 || others.into_iter().any(|other| other.sources != result.sources)
    };
    let shared = results.iter().filter(is_shared).count();
    let shared = shared as f64 / results.len().max(1) as f64;
    SearchTotals { sources_asked, sources_used: used.len(), shared }
}

fn routing(replies: &Replies, route: &Route, sources: &[SourceConfig]) -> Routing {
    let turn = |place: usize| route.chosen.iter().position(|chosen| *chosen == place);
    let routed = |place: usize| {
        let reply = replies.all.iter().enumerate().find(|(_, reply)| reply.source == place);
        let asked = match &reply {
            None => AskedWhen::No,
            Some((number, _)) if *number < replies.later => AskedWhen::First,
            Some(_) => AskedWhen::Later,
        };
        RoutedSource {
            name: sources[place].name.clone(),
            asked,
            found: reply.as_ref().and_then(|(_, r)| r.found),
            ms: reply.as_ref().map(|(_, r)| u64::try_from(r.took.as_millis()).unwrap_or(u64::MAX)),
        }
    };
    let mut places: Vec<usize> = (0..sources.len()).collect();
    let order = |place: usize| turn(place).unwrap_or(usize::MAX);
    places.sort_by_key(|place| order(*place));
    let all = places.into_iter().map(routed).collect();
    Routing { intent: route.intent, reason: route.reason.clone(), sources: all }
}
