//! How a workflow asks, weighs and answers.

use std::collections::BTreeSet;

use futures_util::future::try_join;
use serde::Serialize;

use crate::abstain::{Lookup, abstained, nearest, untold};
use crate::evidence::{Evidence, best_first};
use crate::related;
use crate::rerank::Sorting;
use crate::retrieve::{Retrieval, Retrieved, Retriever};
use model::Result;
use model::evidence::{PointKind, SearchKind};
use ports::degraded::{Degraded, Partial};
use ports::desk::Desk;
use ports::question::Question;
use ports::scope;
use ports::scope::Membership;

pub mod examples;
pub mod queries;
mod request;
mod without_facts;
mod written;

pub use request::Request;
pub use written::{Choice, PROMPT, Writer, Written, narrowest, queries_of, without_nearness};

use wire::common::Answer;
use wire::trail::{Answered, Asked as Record};
use wire::trial::ModelPart;
use without_facts::without_facts;

/// One text to search for, and how much each way of searching it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The text.
    pub text: String,
    /// The ways to search it, what is searched, and how much each counts, above 0.
    pub searches: Vec<(SearchKind, PointKind, f64)>,
    /// The most hits that each of these searches gives.
    pub depth: usize,
    /// The caller's query that it is, from 0; absent for the question and what the workflow searches besides.
    pub query: Option<usize>,
}

/// What a strategy ranks, and how much of it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Passages as the searches found them, however many. Nothing else is read.
    Passages,
    /// The `top_k` best documents, each with its facts and the passage that was found best.
    Documents,
    /// All passages of the `top_k` best documents, those that no search found among them.
    EveryPassage,
}

/// A workflow's own part: pure, and holding the request's parameters.
pub trait Strategy {
    /// What the caller gets back.
    type Report: Serialize;

    /// What is ranked.
    const READING: Reading;

    /// Whether it selects facts that an ingest read, see [`model::facts`].
    const SELECTS_FACTS: bool;

    /// Whether nothing is told where a name or many words of the question stand nowhere. A workflow that names itself what is
    /// missing tells the rest.
    const ABSTAINS: bool;

    /// The part of a language model that sorts the passages, see [`Strategy::sorting`]. No reranker looks at them then: it has one
    /// ranking.
    const SORTED: Option<ModelPart> = None;

    /// Which decisions of the project are looked for.
    const DECISIONS: PointKind = PointKind::Accepted;

    /// The workflow's name in the trail.
    fn name(&self) -> &str;

    /// The texts to search for, the question itself first.
    fn probes(&self, question: &Question) -> Vec<Probe>;

    /// By what a language model sorts what was found; `None` where there is nothing to sort by.
    fn sorting(&self, _evidence: &[Evidence]) -> Option<Sorting> {
        None
    }

    /// How many documents are read beyond `top_k`, because [`Strategy::keep`] keeps some kinds of them only.
    const SPARE: usize = 0;

    /// Keeps of the documents that were read, best first, those that are shown.
    fn keep(&self, evidence: &mut Vec<Evidence>, most: usize) {
        evidence.truncate(most);
    }

    /// Adjusts scores; the order is restored afterwards.
    fn weigh(&self, _evidence: &mut [Evidence]) {}

    /// Shapes evidence, best first, into the answer.
    fn report(&self, evidence: Vec<Evidence>) -> Self::Report;

    /// Whether the report shows any passage or decision.
    fn tells(report: &Self::Report) -> bool;

    /// The passages that the report shows, for the trail.
    fn results(report: &Self::Report) -> Vec<Answered>;
}

/// How many decisions are shown beside an answer.
const DECISIONS: usize = 5;

/// Answers `request` the way `strategy` prescribes.
///
/// Where a project is named, its profile and the caller's membership are read while the question is embedded, and
/// before anything is searched; then its decisions are searched in the same call as the documents, and the question is
/// noted in its trail. That the note fails does not fail the answer.
pub async fn run<S: Strategy>(
    strategy: &S,
    request: Request,
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
) -> Result<Partial<Answer<S::Report>>> {
    let mut degraded = Vec::new();
    let written = written(&request, &[], retriever, desk, &mut degraded).await?.queries;
    // What a model thinks of says nothing of what there is.
    let lookup = lookup::<S>(&request);
    let queries_written: Vec<String> = written.iter().map(|w| w.as_str().to_owned()).collect();
    let request = Request { queries: [request.queries, written].concat(), ..request };
    let (mut found, request, membership) =
        searched(strategy, (request, lookup), retriever, desk).await?;
    let mut evidence = std::mem::take(&mut found.evidence);
    if !queries_written.is_empty() {
        evidence.iter_mut().for_each(without_nearness);
    }
    if S::SELECTS_FACTS {
        degraded.extend(without_facts(&evidence, S::READING));
    }
    let judged = (evidence.as_mut_slice(), found.weights);
    let is_relevant = is_relevant(strategy, (&request, retriever), judged, &mut degraded).await;
    strategy.weigh(&mut evidence);
    if let Some(membership) = &membership {
        related::weigh(membership.project(), &mut evidence);
    }
    best_first(&mut evidence);
    if S::READING == Reading::Documents {
        strategy.keep(&mut evidence, request.top_k.value());
    }
    let abstained =
        if S::ABSTAINS { abstained(&evidence, found.unknown, is_relevant) } else { None };
    if abstained.is_some() {
        evidence.clear();
    }
    let nearest = nearest(&evidence);
    show_parts(&mut evidence, request.explain);
    show_parts(&mut found.decisions, request.explain);
    let report = strategy.report(evidence);
    let decisions = membership
        .as_ref()
        .map(|_| related::related(found.decisions, request.question.as_str(), DECISIONS));
    let is_told = S::tells(&report) || decisions.as_ref().is_some_and(|all| !all.is_empty());
    let abstained = abstained.or_else(|| (!is_told).then(|| untold(nearest)));
    if let Some(membership) = membership.as_ref().filter(|_| request.is_noted) {
        let results = S::results(&report);
        let note = note(desk, membership, &request.question, strategy.name(), results);
        degraded.extend(note.await.err().map(|error| Degraded { part: "trail".into(), error }));
    }
    let reply = Answer { report, queries_written, decisions, abstained };
    Ok(Partial { reply, degraded })
}

/// Shows how scores come about, or leaves it out of the reply.
pub fn show_parts(evidence: &mut [Evidence], is_shown: bool) {
    for found in evidence {
        found.parts.is_shown = is_shown;
    }
}

/// Has what was found sorted, or judged where the workflow abstains; whether any of it is relevant.
async fn is_relevant<S: Strategy>(
    strategy: &S,
    (request, retriever): (&Request, &Retriever<'_>),
    found: (&mut [Evidence], f64),
    degraded: &mut Vec<Degraded>,
) -> bool {
    let looked = if let Some(part) = S::SORTED {
        let model = retriever.judge(request, part);
        match model.zip(model.and_then(|_| strategy.sorting(found.0))) {
            Some((model, sorting)) => sorting.by(model, &request.question, found.0).await,
            None => Ok(true),
        }
    } else if S::ABSTAINS {
        retriever.look_again(request, found).await
    } else {
        Ok(true)
    };
    looked.unwrap_or_else(|error| {
        degraded.push(Degraded { part: "rerank".into(), error });
        true
    })
}

/// What a language model writes beside the question, where it is to; sources are chosen of `choices`.
pub async fn written(
    request: &Request,
    choices: &[Choice<'_>],
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
    degraded: &mut Vec<Degraded>,
) -> Result<Written> {
    let Some(writer) = retriever.writer.filter(|writer| writer.is_to_write(request)) else {
        return Ok(Written::default());
    };
    // A stranger to the project costs no call of the model.
    membership(desk, request.project.as_deref()).await?;
    Ok(writer.beside(request, choices, desk.stamp.time, degraded).await)
}

fn lookup<S: Strategy>(request: &Request) -> Lookup {
    if S::ABSTAINS {
        Lookup::of(&request.question, &request.queries, &request.filters)
    } else {
        Lookup::exact(&request.question)
    }
}

/// What the probes find, with what the request became once the caller's membership was known.
async fn searched<S: Strategy>(
    strategy: &S,
    (request, lookup): (Request, Lookup),
    retriever: &Retriever<'_>,
    desk: &Desk<'_>,
) -> Result<(Retrieved, Request, Option<Membership>)> {
    let mut probes = queries::shared(strategy.probes(&request.question), &request.queries);
    let (mut vectors, membership) =
        try_join(retriever.embed(&probes), membership(desk, request.project.as_deref())).await?;
    let request = match &membership {
        Some(membership) => Request { grant: request.grant.with(membership), ..request },
        None => request,
    };
    let Request { examples, grant, .. } = &request;
    let excluded = match (probes.first_mut(), vectors.first_mut()) {
        (Some(probe), Some(vector)) => {
            examples.applied(retriever.index, grant, (&mut probe.text, vector)).await?
        }
        _ => BTreeSet::new(),
    };
    let probes = probes.into_iter().zip(vectors).collect();
    let decisions = membership.as_ref().map(|_| S::DECISIONS);
    let retrieval = Retrieval { reading: S::READING, spare: S::SPARE, decisions, lookup, excluded };
    let mut found = retriever.retrieve(probes, &request, retrieval).await?;
    // A summary is in no place that could be cited: it is for finding.
    found.evidence.retain(|f| !f.chunk.is_summary());
    Ok((found, request, membership))
}

/// Checks that the caller belongs to the project, if one is named.
///
/// # Errors
/// See [`scope::membership`].
pub async fn membership(desk: &Desk<'_>, project: Option<&str>) -> Result<Option<Membership>> {
    let Some(project) = project else { return Ok(None) };
    scope::membership(desk.caller, project, desk.profiles).await.map(Some)
}

/// Notes a question in the project's trail.
///
/// # Errors
/// Those of the table.
pub async fn note(
    desk: &Desk<'_>,
    membership: &Membership,
    question: &Question,
    workflow: &str,
    mut results: Vec<Answered>,
) -> Result<()> {
    results.truncate(Record::RESULTS);
    let asked = Record {
        query_id: desk.stamp.id.clone(),
        question: question.as_str().into(),
        workflow: workflow.into(),
        results,
        by: desk.caller.sub.clone(),
        at: desk.stamp.time,
    };
    desk.notes.record(&membership.project().project_id, &asked).await
}
