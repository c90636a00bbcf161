//! Finds past failures that resemble the one described (root cause and corrective action), with
//! their causes.

use wire::common::Answer;
use wire::rcca::{AlsoRead, Check, Failure, FailureFields, RccaReport, RccaRequest, TimelineEvent};
use wire::request::WorkflowRequest;
use wire::trail::Answered;

use ask::Ask;
use ask::evidence::Evidence;
use ask::fit;
use ask::lookup::Lookup;
use ask::missing_facts::missing_facts;
use ask::plan::{Keep, Plan, Way};
use ask::question::Asked;
use ask::reply::Told;
use ask::rerank::{Limits, relevance};
use ask::search::Found;
use model::Result;
use model::document::Passage;
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::evidence::{Place, PointKind, Quote, ScoreParts, Strength};
use model::facts::{Fact, FailureReport};
use ports::degraded::Partial;
use ports::question::Question;
use text::question::{ENOUGH, QuestionTerms, telling};
use text::sentence;

use ports::Trail;
use views::ReportView;

use crate::Workflow;

mod cause;
mod view;

pub use view::VIEW;

impl Workflow for wire::rcca::Rcca {
    const VIEW: ReportView<RccaReport> = VIEW;

    async fn run(
        ask: &Ask<'_>,
        _: &dyn Trail,
        request: RccaRequest,
    ) -> Result<Partial<Answer<RccaReport>>> {
        run(ask, request).await
    }
}

/// Finds past failures that resemble the one described.
///
/// # Errors
/// [`model::Error::Invalid`] for a field that the caller can correct; see also
/// [`ports::scope::grant`].
pub async fn run(ask: &Ask<'_>, request: RccaRequest) -> Result<Partial<Answer<RccaReport>>> {
    let mut asked = ask.question(request.common()).await?;
    let mut found = ask.search(plan(&asked), &mut asked).await?;
    asked.degraded.extend(missing_facts(&found.evidence));
    ask.rank(&mut asked, &mut found).await;
    keep(&mut found, asked.top_k.value(), request.top_k.is_none());
    let fit = fit::verdict(&mut found);
    let report = report(found.evidence, &asked);
    let told = Told {
        workflow: "rcca".into(),
        is_told: !(report.results.is_empty() && report.also_read.is_empty()),
        results: shown(&report),
        report,
    };
    Ok(ask.reply(asked, found.related, fit, told).await)
}

/// Upper bound for the hits of a search for the question. The right document is hardly ever below
/// it.
const DEPTH: usize = 60;

/// The ways to search for the question. Failure reports are searched once more by themselves, so
/// that they come before documents that only mention the same things. Searches for the question
/// with "symptoms" or "root cause" after it find nothing more.
const WAYS: [Way; 5] = [
    (Dense, Document, 0.7),
    (Dense, PointKind::FailureReport, 0.3),
    (Dense, Passages, 1.0),
    (Bm25, Document, 0.5),
    (Bm25, Passages, 0.5),
];

/// The number of additional documents that are read, because guides and decisions are among the
/// reports.
const SPARE: usize = 10;

pub(crate) fn plan(asked: &Asked) -> Plan {
    let plan = Plan::of(asked, &WAYS, DEPTH).looking_up(Lookup::of(asked));
    plan.keeping(Keep::Documents { spare: SPARE })
}

/// Lower bound for the score of a failure, as a share of the best failure's score. It was chosen on
/// 50 questions, of which it removes the right report from the first five for none. It does so for
/// none of 50 unread questions either, and lists 2.7 reports instead of five for these.
const FAR: f64 = 0.75;

/// Upper bound for the documents that are listed beside failures.
const OTHERS: usize = 3;

/// Keeps the documents to show, which come best first: `most` failures and a few others. If
/// `drops_far` is true, failures far below the best one are left out; the caller then has not
/// stated a number.
fn keep(found: &mut Found, most: usize, drops_far: bool) {
    let (mut failures, mut others) = (0, 0);
    let is_far = far(found);
    found.evidence.retain(|one| {
        let (count, most) = match one.facts.report {
            Some(_) if drops_far && is_far(one) => return false,
            Some(_) => (&mut failures, most),
            None => (&mut others, OTHERS),
        };
        *count += 1;
        *count <= most
    });
}

/// Returns what is far from the question: what a language model graded as something else; else what
/// has a far lower score than the best failure, unless a reranker judged, because its judgement is
/// more exact.
fn far(found: &Found) -> impl Fn(&Evidence) -> bool + use<> {
    let (is_graded, floor) = (found.is_graded, Limits::default().floor);
    let is_judged = found.evidence.iter().any(|one| relevance(&one.parts).is_some());
    let best = found.evidence.iter().find(|one| one.facts.report.is_some() && !is_judged);
    let least = best.map_or(0.0, |best| FAR * best.parts.total);
    move |one| {
        if is_graded {
            relevance(&one.parts).is_none_or(|given| given < floor)
        } else {
            one.parts.total < least
        }
    }
}

fn report(evidence: Vec<Evidence>, asked: &Asked) -> RccaReport {
    let texts = std::iter::once(&asked.question).chain(&asked.queries);
    let texts: Vec<&str> = texts.map(Question::as_str).collect();
    let words = QuestionTerms::of(&texts.join("\n"));
    let (mut results, mut also_read) = (Vec::new(), Vec::new());
    for passage in evidence {
        match &passage.facts.report {
            Some(report) => {
                // The entry of a list is a report of its own.
                let report = passage.passage.facts.report.as_ref().unwrap_or(report);
                results.push(failure(fields(report), passage.passage, passage.parts, &words));
            }
            None => also_read.push(AlsoRead {
                score: passage.parts.total,
                strength: passage.parts.strength,
                passage: Place::of(&passage.passage),
                matched: matched(&passage.passage, &words, &[]),
                score_parts: passage.parts,
            }),
        }
    }
    let first = results.first();
    let is_strong = |strength| strength == Some(Strength::Strong);
    let leads = |read: &AlsoRead| {
        first.is_none_or(|first| is_strong(read.strength) && !is_strong(first.strength))
    };
    for read in &mut also_read {
        if !leads(read) {
            read.matched = None;
        }
    }
    let to_check = take_not_mentioned(&mut results, asked.question.as_str());
    RccaReport {
        result_type: "rcca_analysis".into(),
        causes: cause::group(&results),
        to_check,
        also_read,
        total_results: results.len(),
        results,
    }
}

/// Returns the passages that a report shows, for the trail.
fn shown(report: &RccaReport) -> Vec<Answered> {
    let failures = report.results.iter().map(|result| (result.passage.passage_id, result.score));
    let others = report.also_read.iter().map(|other| (other.passage.passage_id, other.score));
    Answered::best(failures.chain(others))
}

fn failure(
    fields: FailureFields,
    passage: Passage,
    score_parts: ScoreParts,
    asked: &QuestionTerms,
) -> Failure {
    let is_silent = fields == FailureFields::default();
    let is_told = is_silent && passage.text.len() <= MATCHED;
    let told: Vec<&Quote> = fields.told().chain(&fields.checked).collect();
    Failure {
        passage: Place::of(&passage),
        matched: if is_told { None } else { matched(&passage, asked, &told) },
        score: score_parts.total,
        strength: score_parts.strength,
        report: fields,
        score_parts,
        text: if is_silent { passage.text } else { String::new() },
    }
}

/// Upper bound for the bytes of the words that are nearest to the question.
const MATCHED: usize = 400;

/// Returns the words of a passage from the sentence nearest to the question on; `None` if that
/// sentence is `told` already.
fn matched(passage: &Passage, asked: &QuestionTerms, told: &[&Quote]) -> Option<Quote> {
    let nearest = asked.nearest(&passage.text)?;
    let words = passage.text[nearest.clone()].trim();
    if told.iter().any(|quote| quote.text.contains(words)) {
        return None;
    }
    let most = passage.text.floor_char_boundary(nearest.start + MATCHED);
    let following = sentence::sentences(&passage.text[nearest.end..]);
    let ends = following.map(|range| nearest.end + range.end);
    let end = ends.take_while(|end| *end <= most).last().unwrap_or(nearest.end.min(most));
    let range = nearest.start..end;
    Some(Quote::of(passage, sentence::trimmed(&passage.text, range)))
}

/// Returns true if the root cause is told by the same words.
fn is_cause(told: &Fact, report: &FailureReport) -> bool {
    report.root_cause.as_ref().is_some_and(|cause| cause.text == told.text)
}

fn fields(report: &FailureReport) -> FailureFields {
    let quote = |fact: &Fact| Quote::from(fact.clone());
    let quotes = |facts: &[Fact]| facts.iter().map(quote).collect();
    FailureFields {
        symptoms: quotes(&report.symptoms),
        root_cause: report.root_cause.as_ref().map(quote),
        contributing_factors: quotes(&report.contributing_factors),
        // A summary may tell cause and resolution in one sentence: it is shown once.
        resolution: report.resolution.as_ref().filter(|told| !is_cause(told, report)).map(quote),
        impact: quotes(&report.impact),
        timeline: report
            .timeline
            .iter()
            .map(|r| TimelineEvent { time: r.time.clone(), event: quote(&r.event) })
            .collect(),
        checked: quotes(&report.checked),
        denied: quotes(&report.denied),
        actions: quotes(&report.actions),
    }
}

/// The number of first results from which examinations are taken.
const CHECKED: usize = 3;

/// Upper bound for the examinations of one result.
const MOST_CHECKS: usize = 2;

/// Moves the examinations out of the first results' reports, except for those that the question
/// mentions. The question mentions an examination if they share most words of the shorter one.
fn take_not_mentioned(results: &mut [Failure], question: &str) -> Vec<Check> {
    let asked = QuestionTerms::of(question);
    let of_result = |result: &mut Failure| {
        // Text that is already a symptom, the cause or the resolution is not repeated.
        let FailureFields { symptoms, root_cause, resolution, checked, .. } = &mut result.report;
        let told = || symptoms.iter().chain(&*root_cause).chain(&*resolution);
        checked.retain(|check| told().all(|told| !told.text.contains(&check.text)));
        let is_open = |check: &mut Quote| !is_mentioned(&check.text, &asked);
        let open = result.report.checked.extract_if(.., is_open).take(MOST_CHECKS);
        let open: Vec<Quote> = open.collect();
        open.into_iter()
            .map(|quote| Check { quote, result: result.passage.clone() })
            .collect::<Vec<_>>()
    };
    results.iter_mut().take(CHECKED).flat_map(of_result).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn is_mentioned(check: &str, asked: &QuestionTerms) -> bool {
    let shared = asked.count_in(check);
    let least = telling(check).len().min(asked.words().len()) as f64;
    f64::from(shared) >= ENOUGH * least
}

#[cfg(test)]
mod tests;
