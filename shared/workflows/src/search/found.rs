//! Searches the sources, and fuses their results into one list of evidence.

use std::collections::HashSet;

use futures_util::future::join;
use uuid::Uuid;

use super::Services;
use super::context::Context;
use super::each::{Asking, Replies, Reply};
use super::route::Route;
use super::source::SourceConfig;
use super::symbol;
use ask::fuse::{self, Ranking};
use ask::groups::Groups;
use ask::plan::Plan;
use ask::question::Asked;
use ask::read::passages;
use ask::search::{Found, fill};
use ask::searches::Searches;
use ask::unknown::unknown;
use model::evidence::{NEAR, PointKind, RetrieverKind};
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::{Hit, Ranked};

/// Searches the chosen sources and, if these do not suffice, the others. A separate call looks up
/// names, words, strings and decisions, and another one symbols.
///
/// # Errors
/// [`Error::Unavailable`] if no source answers.
pub(super) async fn found(
    services: &Services<'_>,
    asked: &mut Asked,
    mut plan: Plan,
    vectors: &[Vec<f32>],
    route: &Route,
    context: &Context,
) -> Result<(Found, Replies)> {
    let (index, all) = (services.ask.index, services.sources.all());
    let mut searches = Searches::of(&plan, vectors, asked.membership.is_some());
    let (mut degraded, Asked { grant, filters, .. }) = (Vec::new(), &*asked);
    let groups = std::mem::take(&mut searches.groups);
    let (of_sources, beside) = groups.apart();
    searches.groups = of_sources;
    let (searches_of, excluded) = (&searches, &plan.excluded);
    let clock = services.clock;
    let asking = Asking { index, clock, grant, filters, searches: searches_of, excluded };
    let beside = beside.sent(index, grant, filters);
    let symbols = symbol::ranking(services, asked, &plan, vectors, route);
    let first = asking.ask(all, &route.chosen, &mut degraded);
    let (first, (beside, symbols)) = join(first, join(beside, symbols)).await;
    let mut beside: Groups<Ranked> = without("lookup", beside, &mut degraded);
    let symbols = without("symbols", symbols, &mut degraded);
    let mut replies = Replies { later: first.len(), all: first };
    if context.sources.is_none() && !suffices(&replies, symbols.is_some(), asked.top_k.value()) {
        let others: Vec<usize> =
            (0..all.len()).filter(|place| !route.chosen.contains(place)).collect();
        replies.all.extend(asking.ask(all, &others, &mut degraded).await);
    }
    asked.degraded.append(&mut degraded);
    if replies.all.iter().all(|reply| reply.rankings.is_none()) {
        return Err(Error::unavailable("the index", "no source answered"));
    }
    let mut decisions = searches.decisions;
    fill(&mut decisions, std::mem::take(&mut beside.decisions), &plan.excluded);
    let has_symbols = symbols.is_some();
    let (fused, has_string) = fused(&mut replies.all, all, &mut plan, &beside, symbols);
    let mut found = Found { decisions: passages(&mut decisions), ..fused };
    let read = found.read(&beside.exact);
    // A symbol that is defined counts as known, whatever its parts.
    let is_known = has_symbols || has_string;
    let unknown = unknown(&plan.lookup, &read, is_known, index, &asked.grant).await;
    found.unknown = without("lookup", unknown, &mut asked.degraded);
    found.forget_nearness(asked);
    Ok((found, replies))
}

/// Returns the result; if it failed, the default, with a note in `degraded`.
fn without<T: Default>(part: &'static str, found: Result<T>, degraded: &mut Vec<Degraded>) -> T {
    found.unwrap_or_else(|error| {
        degraded.push(Degraded { part: part.into(), error });
        T::default()
    })
}

/// Returns true if the first sources suffice: they have a passage far above the usual nearness to
/// the question, or define a symbol of the question. If there are too few passages to compute this,
/// enough passages suffice.
fn suffices(replies: &Replies, has_symbols: bool, wanted: usize) -> bool {
    let of_passages = |ranking: &&Ranking| {
        ranking.kind == RetrieverKind::Dense && ranking.of == PointKind::Passage
    };
    let dense = || replies.rankings().filter(of_passages);
    let z_score = |ranking: &Ranking| ranking.usual?.z_score(ranking.hits.first()?.raw);
    let mut known = dense().filter_map(z_score).peekable();
    if has_symbols {
        return true;
    }
    if known.peek().is_some() {
        return known.any(|score| score >= NEAR);
    }
    let passages: HashSet<Uuid> =
        dense().flat_map(|ranking| &ranking.hits).map(|hit| hit.passage_id).collect();
    passages.len() >= wanted
}

/// Fuses all rankings into evidence. Each source is ranked by its own rankings, with scores that
/// are comparable across sources.
fn fused(
    replies: &mut [Reply],
    sources: &[SourceConfig],
    plan: &mut Plan,
    beside: &Groups<Ranked>,
    symbols: Option<Ranking>,
) -> (Found, bool) {
    let rankings = |reply: &mut Reply| {
        let rankings = reply.rankings.as_mut().map(std::mem::take);
        rankings.map(|rankings| (reply.source, rankings))
    };
    let (places, mut groups): (Vec<usize>, Vec<Vec<Ranking>>) =
        replies.iter_mut().filter_map(rankings).unzip();
    let mut weights = groups.first().into_iter().flatten().map(|ranking| ranking.weight).sum();
    let all = groups.iter().flatten();
    let exact = plan.lookup.exact_ranking(&beside.exact, all, weights, &plan.excluded);
    let has_string = exact.is_some();
    let more: Vec<Ranking> = exact.into_iter().chain(symbols).collect();
    weights += more.iter().map(|ranking| ranking.weight).sum::<f64>();
    for (place, group) in places.iter().zip(&mut groups) {
        group.extend(more.iter().map(|ranking| of_source(ranking, &sources[*place])));
    }
    fuse::level(&mut groups);
    let mut evidence = Vec::new();
    let mut seen: HashSet<Uuid> = HashSet::new();
    for (place, mut group) in places.into_iter().zip(groups) {
        let mut found = passages(&mut group);
        found.retain(|passage| {
            let is_of = sources[place].has(&passage.passage);
            is_of && !passage.passage.is_summary() && seen.insert(passage.passage.id)
        });
        evidence.extend(found);
    }
    let found = Found { evidence, weights, is_relevant: true, ..Found::default() };
    (found, has_string)
}

/// Returns the hits of a ranking that belong to one source. A hit without its passage may belong to
/// any.
fn of_source(ranking: &Ranking, source: &SourceConfig) -> Ranking {
    let has = |hit: &&Hit| hit.passage.as_ref().is_none_or(|passage| source.has(passage));
    let hits = ranking.hits.iter().filter(has).cloned().collect();
    Ranking { hits, ..ranking.clone() }
}
