//! Looks for past failures like the alerts of a case, and has a language model judge them.

use ask::Ask;
use ask::rerank::relevance;
use model::Result;
use model::evidence::Strength;
use ports::Projects;
use ports::degraded::Partial;
use ports::question::Question;
use wire::alerts::{Brief, CaseAlert};
use wire::common::{AbstainedReason, Answer, AnswerMode};
use wire::rcca::{RccaReport, RccaRequest};
use wire::trial::ModelPart;
use workflows::rcca;

use crate::digest::joined;
use crate::question::{Asking, askings, of_all, without_orders};
use crate::route::AlertRoute;

/// Looks for past failures by rules, in the time of a call.
pub(crate) async fn find(
    ask: &Ask<'_>,
    asked: (&Question, &[Asking]),
    knowledge: &[String],
    project: Option<&str>,
) -> Result<Partial<Answer<RccaReport>>> {
    rcca::run(ask, request(asked, knowledge, project, AnswerMode::Extractive)).await
}

/// Returns the brief of a case with the past failures that a language model finds to be like its
/// alerts, and with none where it finds none. Returns `None` if the model judged them before, does
/// not judge, or does not answer: what the rules found stays.
///
/// # Errors
/// The errors of the index and of the projects.
pub async fn judge(
    ask: &Ask<'_>,
    projects: &dyn Projects,
    route: &AlertRoute,
    alerts: &[CaseAlert],
    brief: &Brief,
) -> Result<Option<Brief>> {
    let chat = ask.writer.and_then(|writer| writer.chat);
    let is_able = chat.is_some_and(|chat| chat.doing(ModelPart::Grade).is_some());
    let askings = without_orders(askings(alerts));
    let question = of_all(&askings).filter(|_| is_able && !brief.is_judged);
    let Some(question) = question else { return Ok(None) };
    let project = joined(projects, route).await?;
    let asked = (&question, &askings[..]);
    let request = request(asked, &route.knowledge(), project, AnswerMode::Generative);
    let judged = rcca::run(ask, request).await?;
    // A model that fails has judged none, and neither has one that is not asked because one failure
    // is far ahead of the others.
    if !is_judged(&judged.reply) {
        return Ok(None);
    }
    let (before, past) = (weakness(&brief.past), judged.reply);
    let others = brief.missing.iter().filter(|sentence| Some(*sentence) != before.as_ref());
    let missing = weakness(&past).into_iter().chain(others.cloned()).collect();
    Ok(Some(Brief { past, missing, is_judged: true, ..brief.clone() }))
}

/// Returns true if a model judged what is told, or found nothing of it relevant.
fn is_judged(past: &Answer<RccaReport>) -> bool {
    let failures = past.report.results.iter().map(|failure| &failure.score_parts);
    let others = past.report.also_read.iter().map(|other| &other.score_parts);
    let reason = past.abstained.as_ref().map(|abstained| abstained.reason);
    failures.chain(others).any(|parts| relevance(parts).is_some())
        || reason == Some(AbstainedReason::NotRelevant)
}

/// The request for past failures: the names in words are other words for the whole.
fn request(
    (question, askings): (&Question, &[Asking]),
    knowledge: &[String],
    project: Option<&str>,
    mode: AnswerMode,
) -> RccaRequest {
    RccaRequest {
        question: question.as_str().into(),
        queries: askings.iter().map(|asking| asking.words.clone()).collect(),
        mode: Some(mode),
        like: Vec::new(),
        unlike: Vec::new(),
        project_id: project.map(str::to_owned),
        top_k: None,
        filters: serde_json::Map::new(),
        knowledge: knowledge.into(),
        note: Some(false),
        explain: false,
        max_bytes: None,
    }
}

/// Returns a sentence on what is weak about past failures, if something is.
pub(crate) fn weakness(past: &Answer<RccaReport>) -> Option<String> {
    let first = past.report.results.first();
    match (first.map(|failure| failure.strength), &past.abstained) {
        (_, Some(abstained)) => {
            Some(format!("No past failure is like this. {}", abstained.sentence()))
        }
        (None, None) => Some("No past failure is like this.".into()),
        (Some(Some(Strength::Weak)), None) => {
            Some("The past failures are only faintly like this.".into())
        }
        (Some(_), None) => None,
    }
}

/// Returns the past failures where none could be looked for.
pub(crate) fn none() -> Answer<RccaReport> {
    let report = RccaReport::empty();
    Answer { report, queries_written: Vec::new(), decisions: None, abstained: None }
}
