//! Searches several kinds of sources at once: chooses the sources, fuses their results, and finds
//! the conflicts.

use jiff::SignedDuration;
use wire::common::Answer;
use wire::meta::CacheUse;
use wire::request::WorkflowRequest;
use wire::search::{SearchReport, SearchRequest};
use wire::trail::Answered;
use wire::trial::ModelPart;

use ask::Ask;
use ask::fit;
use ask::lookup::Lookup;
use ask::plan::{Plan, Way};
use ask::question::Asked;
use ask::reply::Told;
use ask::written::narrowest;
use model::Result;
use model::evidence::PointKind;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use ports::degraded::{Degraded, Partial};
use ports::{Clock, SearchCache};

mod cache;
mod context;
mod each;
mod found;
mod merge;
mod rank;
mod report;
mod route;
mod source;
mod symbol;
pub mod view;

pub use view::VIEW;

use context::Context;
use report::RoutedSearch;
use route::Route;
pub use source::{SourceConfig, Sources, Trouble};

/// The services that a search needs.
pub struct Services<'a> {
    /// The stages of a question: they embed, search and judge.
    pub ask: &'a Ask<'a>,
    /// The sources.
    pub sources: &'a Sources,
    /// The clock that measures time.
    pub clock: &'a dyn Clock,
    /// The store of answers.
    pub cache: &'a dyn SearchCache,
}

/// Upper bound for the hits of a search in one source.
const DEPTH: usize = 30;

/// The ways to search for the question in each source.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.6), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// Searches the sources chosen for the question, and fuses their results. The second value tells
/// whether the answer came from the cache.
///
/// # Errors
/// [`model::Error::Invalid`] for a field that the caller can correct; see also
/// [`ports::scope::grant`].
pub async fn run(
    services: &Services<'_>,
    wanted: SearchRequest,
) -> Result<(Partial<Answer<SearchReport>>, CacheUse)> {
    let context = Context::parse(services.sources, &wanted)?;
    let mut asked = services.ask.checked(wanted.common()).await?;
    let key = cache::key(services, &asked, &wanted);
    let kept = cache::read(services, &asked, &key).await;
    if let Some(answer) = kept.answer {
        return Ok((Partial::whole(answer), CacheUse::Hit));
    }
    services.ask.write_queries(&mut asked, &services.sources.choices()).await?;
    asked.errors = context.errors(&asked)?;
    let (scope, has_project) = (narrowest(&asked.grant).clone(), asked.project.is_some());
    let (mut answer, lasts) = answer(services, &context, asked).await?;
    if answer.degraded.is_empty() && !has_project {
        let keeping = cache::keep(services, &scope, &key, kept.corpus, lasts, &answer.reply);
        let failed = keeping.await.err();
        let missing = failed.map(|error| Degraded { part: "kept answer".into(), error });
        answer.degraded.extend(missing);
    }
    Ok((answer, CacheUse::Miss))
}

pub(crate) fn plan(asked: &Asked) -> Plan {
    Plan::of(asked, &WAYS, DEPTH).looking_up(Lookup::of(asked)).deciding(PointKind::Decision)
}

/// Makes a new answer. The second value is the time for which it may be cached.
async fn answer(
    services: &Services<'_>,
    context: &Context,
    mut asked: Asked,
) -> Result<(Partial<Answer<SearchReport>>, SignedDuration)> {
    let Services { ask, sources, .. } = services;
    let mut plan = plan(&asked);
    let vectors = ask.embedded(&mut asked, &mut plan).await?;
    let route = Route::of(context, asked.route.as_ref(), sources);
    let (mut found, replies) =
        found::found(services, &mut asked, plan, &vectors, &route, context).await?;
    ask.rank(&mut asked, &mut found).await;
    let fit = fit::verdict(&mut found);
    let decisions = found.related.as_ref().map(Vec::len);
    let ranking = rank::Ranking {
        sources: sources.all(),
        intent: route.intent,
        now: ask.context.stamp.time,
        files: &context.files,
    };
    let own = context.as_source(decisions);
    let search = RoutedSearch { route: &route, replies: &replies, context: own };
    let (most, judge) = (asked.top_k.value(), ask.model(&asked, ModelPart::Check));
    let degraded = &mut asked.degraded;
    let report = report::report(found.evidence, search, &ranking, most, judge, degraded).await;
    let results = report.results.iter().map(|result| &result.result);
    let results = results.map(|result| (result.passage.passage_id, result.score));
    let told =
        Told { workflow: "search".into(), is_told: true, results: Answered::best(results), report };
    let lasts = replies.cached_for(sources);
    Ok((ask.reply(asked, found.related, fit, told).await, lasts))
}

#[cfg(test)]
mod tests;
