//! Search over several kinds of sources at once: routed, fused, with its conflicts.

use futures_util::future::join;
use wire::common::Answer;
use wire::meta::CacheUse;
use wire::request::WorkflowRequest;
use wire::search::{SearchReport, SearchRequest};
use wire::trail::Answered;
use wire::trial::ModelPart;

use ask::abstain::abstained;
use ask::evidence::best_first;
use ask::retrieve::{Plan, Retriever, language};
use ask::strategy::Request;
use ask::{related, strategy};
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::evidence::{PointKind, SearchKind};
use model::{Error, Result};
use ports::degraded::{Degraded, Partial};
use ports::desk::Desk;
use ports::scope::Membership;
use ports::{Clock, SearchCache};

mod cache;
mod context;
mod each;
mod found;
mod merge;
mod rank;
mod ready;
mod report;
mod route;
mod source;
mod symbol;

use context::Asked;
use each::Asking;
use found::Found;
use ready::Ready;
use route::Route;
pub use source::{SourceConfig, Sources, Trouble};

/// The services that a search needs.
pub struct Services<'a> {
    /// Embeds and searches.
    pub retriever: &'a Retriever<'a>,
    /// The sources.
    pub sources: &'a Sources,
    /// Measures time.
    pub clock: &'a dyn Clock,
    /// Keeps answers.
    pub cache: &'a dyn SearchCache,
}

/// The most hits of a search of one source.
const DEPTH: usize = 30;

/// The searches of the question in each source.
const SEARCHES: [(SearchKind, PointKind, f64); 4] =
    [(Dense, Document, 0.6), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// The most decisions of the project beside an answer, of any status.
const DECISIONS: usize = 5;

/// Asks the sources that the question is for, and fuses what they find. The second value says whether it was answered before.
///
/// # Errors
/// [`model::Error::Invalid`] names what the caller can repair; see also [`ports::scope::grant`].
pub async fn run(
    services: &Services<'_>,
    desk: &Desk<'_>,
    wanted: SearchRequest,
) -> Result<(Partial<Answer<SearchReport>>, CacheUse)> {
    let asked = Asked::parse(services.sources, &wanted)?;
    let request = Request::parse(wanted.common(), desk).await?;
    let key = cache::key(services, &request, &wanted);
    let kept = cache::look(services, &request, &key, desk).await;
    if let Some(answer) = kept.answer {
        return Ok((Partial::whole(answer), CacheUse::Hit));
    }
    let mut search = Search { services, desk, asked, degraded: Vec::new() };
    let (answer, cached_for) = search.answer(request.clone()).await?;
    if search.degraded.is_empty() && request.project.is_none() {
        let keeping =
            cache::keep(services, &request, &key, (&kept.corpus, cached_for), &answer, desk);
        search.degraded.extend(
            keeping.await.err().map(|error| Degraded { part: "kept answer".into(), error }),
        );
    }
    Ok((Partial { reply: answer, degraded: search.degraded }, CacheUse::Miss))
}

struct Search<'a> {
    services: &'a Services<'a>,
    desk: &'a Desk<'a>,
    asked: Asked,
    degraded: Vec<Degraded>,
}

impl Search<'_> {
    /// Answers anew; the second value is how long the answer may be given again.
    async fn answer(
        &mut self,
        request: Request,
    ) -> Result<(Answer<SearchReport>, jiff::SignedDuration)> {
        let sources = self.services.sources;
        let mut ready = self.ready(request).await?;
        let route = self.route(&ready);
        let mut found = self.found(&mut ready, &route).await?;
        let is_relevant = self.weigh(&ready, &mut found).await;
        let unknown = std::mem::take(&mut found.unknown);
        let abstained = abstained(&found.evidence, unknown, is_relevant);
        if abstained.is_some() {
            found.evidence.clear();
        }
        let Ready { request, membership, queries_written, .. } = ready;
        strategy::show_parts(&mut found.evidence, request.explain);
        strategy::show_parts(&mut found.decisions, request.explain);
        let cached_for = found.cached_for(sources);
        let decisions = membership.as_ref().map(|_| {
            let decisions = std::mem::take(&mut found.decisions);
            related::related(decisions, request.question.as_str(), DECISIONS)
        });
        let count = decisions.as_ref().map_or(0, Vec::len);
        let context = self.asked.in_context(count, membership.is_some());
        let ranking = rank::Ranking {
            sources: sources.all(),
            intent: route.intent,
            now: self.desk.stamp.time,
            files: &self.asked.files,
        };
        let (most, judge) =
            (request.top_k.value(), self.services.retriever.judge(&request, ModelPart::Check));
        let judging = (judge, &mut self.degraded);
        let report = report::report(found, &route, &ranking, (most, context), judging).await;
        self.note(&request, membership.as_ref(), &report).await;
        Ok((Answer { report, queries_written, decisions, abstained }, cached_for))
    }

    /// Orders the evidence, after a reranker and the project had their say; whether any of it is relevant.
    async fn weigh(&mut self, ready: &Ready, found: &mut Found) -> bool {
        let evidence = &mut found.evidence;
        if !ready.queries_written.is_empty() {
            evidence.iter_mut().for_each(strategy::without_nearness);
        }
        let retriever = self.services.retriever;
        let again = retriever.look_again(&ready.request, (evidence, found.weights)).await;
        if let Some(membership) = &ready.membership {
            related::weigh(membership.project(), evidence);
        }
        best_first(evidence);
        again.unwrap_or_else(|error| {
            self.degraded.push(Degraded { part: "rerank".into(), error });
            true
        })
    }

    /// The sources that the caller names, or those that a language model chose; else all.
    fn route(&self, ready: &Ready) -> Route {
        let (sources, written) = (self.services.sources, ready.route_written.as_ref());
        if let Some(named) = &self.asked.sources {
            let intent = written.map(|written| written.intent);
            return Route::named(named.clone(), intent, sources.all());
        }
        let by_model = written.and_then(|written| Route::by_model(written, sources));
        let mut route = by_model.unwrap_or_else(|| Route::all(sources));
        if !self.asked.errors.is_empty() {
            route.add_named("runtime", sources);
        }
        route
    }

    /// Asks the chosen sources and, where these do not suffice, the others.
    async fn found(&mut self, ready: &mut Ready, route: &Route) -> Result<Found> {
        let Ready { request, probes, membership, lookup, excluded, .. } = ready;
        let (index, all) = (self.services.retriever.index, self.services.sources.all());
        let language = language(probes);
        let plan = Plan::of_probes(probes, true, language);
        let asking = Asking {
            index,
            clock: self.services.clock,
            grant: &request.grant,
            filters: &request.filters,
            plan: &plan,
            excluded,
        };
        let first = probes.first().filter(|_| membership.is_some());
        let decisions = first.map(|first| Plan::of_decisions(PointKind::Decision, first, language));
        let beside = found::beside(index, request, (decisions, &*lookup), language);
        let symbols =
            symbol::ranking(index, request, (probes, excluded), self.services.sources, route);
        let (replies, (beside, symbols)) =
            join(asking.ask(all, &route.chosen, &mut self.degraded), join(beside, symbols)).await;
        let beside = self.without("lookup", beside);
        let mut found = Found::new(replies, beside);
        found.symbols = self.without("symbols", symbols);
        if self.asked.sources.is_none() && !found.suffices(request.top_k.value()) {
            let others: Vec<usize> =
                (0..all.len()).filter(|place| !route.chosen.contains(place)).collect();
            found.later(asking.ask(all, &others, &mut self.degraded).await);
        }
        if found.replies.iter().all(|reply| reply.rankings.is_none()) {
            return Err(Error::unavailable("the index", "no source answered"));
        }
        found.fuse(all, lookup, excluded);
        Ok(found)
    }

    /// Returns the result, or the default and a note in `degraded` where that part failed.
    fn without<T: Default>(&mut self, part: &'static str, found: Result<T>) -> T {
        found.unwrap_or_else(|error| {
            self.degraded.push(Degraded { part: part.into(), error });
            T::default()
        })
    }

    async fn note(
        &mut self,
        request: &Request,
        membership: Option<&Membership>,
        report: &SearchReport,
    ) {
        let Some(membership) = membership.filter(|_| request.is_noted) else { return };
        let results = report
            .results
            .iter()
            .map(|result| (result.finding.passage.passage_id, result.finding.score));
        let results = Answered::best(results);
        let note = strategy::note(self.desk, membership, &request.question, "search", results);
        let failed = note.await.err();
        self.degraded.extend(failed.map(|error| Degraded { part: "trail".into(), error }));
    }
}

#[cfg(test)]
mod tests;
