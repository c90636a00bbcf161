//! Finds the knowledge for a piece of work: templates, risks, lessons learned and precedents.

use std::collections::HashMap;

use futures_util::future::try_join_all;

use ask::Ask;
use ask::evidence::Evidence;
use ask::facet::{self, Listed, Places, Serving};
use ask::lookup::Lookup;
use ask::missing_facts::missing_facts;
use ask::plan::{Plan, Way};
use ask::question::Asked;
use ask::reply::Told;
use ask::{fit, fuse, rank, succession};
use model::Result;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::evidence::{BOOST_CAP, PassageResult, PointKind, RankingScore};
use ports::Trail;
use ports::question::Question;
use ports::usual::RATHER_NEAR;
use text::question::QuestionTerms;

use views::ReportView;

use crate::Workflow;

mod kind;
mod view;

pub use view::VIEW;

use ports::degraded::{Degraded, Partial};

use kind::{Good, PROBES};
use wire::common::{Answer, Gap};
use wire::decisions::{Decided, Decision, Related};
use wire::plan::{PlanItem, PlanReport, PlanRequest, Precedent};
use wire::request::{CommonFields, WorkflowRequest};
use wire::trail::Answered;

impl Workflow for wire::plan::Plan {
    const VIEW: ReportView<PlanReport> = VIEW;

    async fn run(
        ask: &Ask<'_>,
        trail: &dyn Trail,
        request: PlanRequest,
    ) -> Result<Partial<Answer<PlanReport>>> {
        run(ask, trail, request).await
    }
}

/// The number of passages that a heading lists for a caller who states none.
const DEFAULT_RESULTS: u32 = 5;

/// Upper bound for the sources of a decision that are shown.
const SOURCES: usize = 5;

/// Finds the knowledge for a plan.
///
/// # Errors
/// [`model::Error::Invalid`] for a field that the caller can correct; see also
/// [`ports::scope::grant`].
pub async fn run(
    ask: &Ask<'_>,
    trail: &dyn Trail,
    request: PlanRequest,
) -> Result<Partial<Answer<PlanReport>>> {
    let top_k = Some(request.top_k.unwrap_or(DEFAULT_RESULTS));
    let mut asked = ask.question(CommonFields { top_k, ..request.common() }).await?;
    let mut found = ask.search(plan(&asked), &mut asked).await?;
    asked.degraded.extend(missing_facts(&found.evidence));
    rank::order(&asked, &mut found);
    let fit = fit::undecided(&found);
    let queries = asked.queries.iter().map(Question::as_str);
    let topic = QuestionTerms::of_matter(asked.question.as_str()).or(queries);
    let report = report(found.evidence, &topic, asked.top_k.value());
    let told = Told {
        workflow: "plan".into(),
        is_told: report.gaps.len() < PROBES.len(),
        results: shown(&report),
        report,
    };
    let mut answer = ask.reply(asked, found.related, fit, told).await;
    let related = answer.reply.decisions.take().unwrap_or_default();
    match precedents(trail, &request.project_id, related).await {
        Ok(precedents) => answer.reply.report.project_decisions = precedents,
        Err(error) => answer.degraded.push(Degraded { part: "decisions".into(), error }),
    }
    Ok(answer)
}

/// Returns the decisions that were found, as the table holds them.
async fn precedents(
    trail: &dyn Trail,
    project: &str,
    related: Vec<Related>,
) -> Result<Vec<Precedent>> {
    if related.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = related.iter().map(|r| r.decision_id.clone()).collect();
    let found = trail.decisions_named(project, &ids).await?;
    let mut found: HashMap<String, Decision> =
        found.into_iter().map(|decision| (decision.decision_id.clone(), decision)).collect();
    let pairs = related.into_iter().filter_map(|r| Some((found.remove(&r.decision_id)?, r)));
    try_join_all(pairs.map(|(decision, related)| precedent(trail, project, decision, related)))
        .await
}

async fn precedent(
    trail: &dyn Trail,
    project: &str,
    decision: Decision,
    related: Related,
) -> Result<Precedent> {
    let line = succession::line(trail, project, &decision).await?;
    let id = &decision.decision_id;
    let sources = trail.sources(project, id, id).await?;
    let mut sources: Vec<_> = sources.into_iter().map(|(_, source)| source).collect();
    sources.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    sources.truncate(SOURCES);
    let decided = Decided { decision, sources };
    Ok(Precedent {
        decided,
        line,
        score: related.score,
        strength: related.strength,
        score_parts: related.score_parts,
    })
}

/// Upper bound for the hits of a search for the question.
const DEPTH: usize = 40;

/// Upper bound for the hits of a search for a heading.
const HEADING_DEPTH: usize = 20;

/// The ways to search for the question.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.6), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];

/// The ways to search for a heading.
const HEADING_WAYS: [Way; 2] = [(Dense, Passages, 0.4), (Bm25, Passages, 0.2)];

/// Upper bound for the boost by a heading. The rest of the total of all boosts is left to the
/// project's profile.
const MOST_BOOST: f64 = BOOST_CAP - 0.05;

/// Lower bound for the strength with which a passage serves a heading.
const ENOUGH: f64 = 0.5;

pub(crate) fn plan(asked: &Asked) -> Plan {
    let heading = |plan: Plan, (_, words): &(&str, &str)| {
        plan.and(format!("{} {words}", asked.question.as_str()), &HEADING_WAYS, HEADING_DEPTH)
    };
    let plan = PROBES.iter().fold(Plan::of(asked, &WAYS, DEPTH), heading);
    plan.looking_up(Lookup::exact(&asked.question)).deciding(PointKind::Decision)
}

fn report(mut evidence: Vec<Evidence>, topic: &QuestionTerms, most: usize) -> PlanReport {
    evidence.retain(|e| bears_on(e, topic));
    let exact = fuse::exact_share(evidence.iter().map(|evidence| &evidence.parts));
    let scored = |evidence: &Evidence| scored(evidence, exact);
    let (listed, coverage) = facet::list(evidence, PROBES.len(), Places::of(most), scored);
    let mut items: [Vec<PlanItem>; 4] = Default::default();
    for entry in listed {
        items[entry.facet].push(item(entry));
    }
    let [templates, risks, lessons_learned, precedents] = items;
    let empty = Good::ALL.into_iter().zip(coverage).filter(|(_, z)| z.passages == 0);
    let gap = |(good, _)| Gap { facet: PROBES[good as usize].0.into() };
    PlanReport {
        result_type: "plan_analysis".into(),
        templates,
        risks,
        lessons_learned,
        precedents,
        gaps: empty.map(gap).collect(),
        project_decisions: Vec::new(),
    }
}

/// Returns the passages that a report shows, for the trail.
fn shown(report: &PlanReport) -> Vec<Answered> {
    let PlanReport { templates, risks, lessons_learned, precedents, .. } = report;
    let items = [templates, risks, lessons_learned, precedents].into_iter().flatten();
    Answered::best(items.map(|item| (item.result.passage.passage_id, item.result.score)))
}

/// Returns true if the passage is about the planned work. The question of a planner says more than
/// the subject (how, by when, for whom), so a part of its words is enough if the meaning is near.
fn bears_on(evidence: &Evidence, topic: &QuestionTerms) -> bool {
    let has_some = || topic.share(&evidence.texts()) >= SOME;
    evidence.is_of(topic) || evidence.is_near(RATHER_NEAR) && has_some()
}

/// Lower bound for the share of the question's words in a passage that is only rather near.
const SOME: f64 = 0.25;

/// Returns the headings that a passage serves by its content, with its score by the searches for
/// the question and for the heading.
fn scored(evidence: &Evidence, exact: f64) -> Vec<Serving> {
    let weights: f64 = WAYS.iter().chain(&HEADING_WAYS).map(|(_, _, weight)| weight).sum();
    let read = evidence.passage.facts.plan.map(|plan| f64::from(plan) / 1_000.0);
    let strengths = Good::ALL.into_iter().zip(read);
    let score = |(good, strength): (Good, f64)| {
        let place = good as usize;
        let counts = |ranking: &RankingScore| ranking.probe == 0 || ranking.probe == place + 1;
        let mut parts = fuse::by(&evidence.parts, counts, weights, exact);
        parts.boost(good.reason(), (MOST_BOOST * strength * 1_000.0).round() / 1_000.0);
        Serving { facet: place, parts, is_well: false }
    };
    strengths.filter(|(_, strength)| *strength >= ENOUGH).map(score).collect()
}

fn item(listed: Listed) -> PlanItem {
    let also_in = listed.also_in.iter().map(|place| PROBES[*place].0.to_owned()).collect();
    let Evidence { passage, parts, .. } = listed.evidence;
    PlanItem { result: PassageResult::of(passage, parts), also_in }
}

#[cfg(test)]
mod tests;
