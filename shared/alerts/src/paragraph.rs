//! Has a language model write a paragraph on what was found for the alerts of a case.

use std::collections::HashSet;

use answers::{KnowledgeBases, Paragraph};
use ask::{Ask, marked};
use futures_util::future::try_join;
use model::Result;
use model::document::Passage;
use model::evidence::Quote;
use ports::chat::Chat;
use ports::context::RequestContext;
use ports::question::Question;
use ports::scope::{Grant, Scope, grant};
use ports::{Answers, Index};
use uuid::Uuid;
use wire::alerts::{AlertCase, Brief};
use wire::rcca::RccaReport;

use crate::question::{Asking, askings, without_orders};
use crate::route::AlertRoute;

/// The services that write a paragraph.
pub struct Writing<'a> {
    /// The model that writes and checks.
    pub chat: Chat<'a>,
    /// The knowledge bases, for the instructions and the form of citations.
    pub bases: &'a KnowledgeBases,
    /// The store of answers.
    pub answers: &'a dyn Answers,
    /// The stages of a question. Its caller is the route's machine.
    pub ask: Ask<'a>,
}

/// Upper bounds for the past failures that are told of, and for the passages that a model reads.
const FAILURES: usize = 2;
const PASSAGES: usize = 10;

/// The part of the question that is the same for all alerts.
const ASKED: &str = "What is to be done first, what caused the like before and what helped, and what was decided about it?";

/// Returns the brief of a case with a paragraph on it, which is kept as an answer of the case under
/// the id of the request. Returns `None` if there is nothing to write of, the model does not write
/// answers, or no claim stands in what it cites.
///
/// # Errors
/// The errors of the index and of the model.
pub async fn write(
    writing: &Writing<'_>,
    route: &AlertRoute,
    case: &AlertCase,
) -> Result<Option<Brief>> {
    let Some(brief) = &case.brief else { return Ok(None) };
    let RequestContext { caller, members, stamp, .. } = writing.ask.context;
    let grant = grant(caller, &route.knowledge(), members).await?;
    // The team's is the last one granted.
    let base = grant.scopes().iter().rev().find_map(|scope| writing.bases.base_of(scope));
    let passages = read(writing.ask.index, &grant, brief).await?;
    let Some(base) = base.filter(|_| !passages.is_empty()) else { return Ok(None) };
    let passages: Vec<&Passage> = passages.iter().collect();
    let question = question(&without_orders(askings(&case.alerts)));
    let scope = Scope::Case(case.case.case_id.clone());
    let paragraph = Paragraph { base, scope, question: &question, passages: &passages };
    let given = paragraph.written(writing.chat, writing.answers, stamp).await?;
    Ok(given.map(|mut given| {
        given.report.say_once();
        let (answer, answer_id) = (Some(given.report), given.kept.answer_id);
        Brief { answer, answer_id, ..brief.clone() }
    }))
}

/// Returns the question for the model.
fn question(askings: &[Asking]) -> String {
    let texts: Vec<String> = askings.iter().map(|asking| marked::line(&asking.text)).collect();
    let texts: String = texts.join("; ").chars().take(Question::LIMIT).collect();
    format!("{ASKED} It is on now: {texts}")
}

/// Reads the passages in which a brief's findings stand: runbooks, then past failures, then
/// decisions.
async fn read(index: &dyn Index, grant: &Grant, brief: &Brief) -> Result<Vec<Passage>> {
    let runbooks = brief.runbooks.iter().map(|one| one.passage.passage_id);
    let decisions = brief.decided.iter().map(|one| one.passage.passage_id);
    let wanted: Vec<Uuid> = runbooks.chain(decisions).collect();
    let found = async {
        if wanted.is_empty() { Ok(Vec::new()) } else { index.passages(grant, &wanted).await }
    };
    let (found, told) = try_join(found, told(index, grant, &brief.past.report)).await?;
    let (runbooks, decisions) = wanted.split_at(brief.runbooks.len());
    let those = |ids: &[Uuid]| -> Vec<&Passage> {
        ids.iter().filter_map(|id| found.iter().find(|one| one.id == *id)).collect()
    };
    let all = those(runbooks).into_iter().chain(&told).chain(those(decisions));
    let mut seen: HashSet<Uuid> = HashSet::new();
    Ok(all.filter(|passage| seen.insert(passage.id)).take(PASSAGES).cloned().collect())
}

/// Reads the passages in which the first past failures tell of their cause, of what was checked,
/// and of what helped.
async fn told(index: &dyn Index, grant: &Grant, report: &RccaReport) -> Result<Vec<Passage>> {
    let failures = &report.results[..report.results.len().min(FAILURES)];
    if failures.is_empty() {
        return Ok(Vec::new());
    }
    let documents: Vec<Uuid> = failures.iter().map(|one| one.passage.document_id).collect();
    let fields = failures.iter().map(|one| &one.report);
    let quotes =
        fields.flat_map(|of| of.root_cause.iter().chain(&of.checked).chain(&of.resolution));
    let checks = report.to_check.iter().map(|check| &check.quote);
    let quotes: Vec<&Quote> = quotes.chain(checks).collect();
    let mut told = index.documents(grant, &documents, &[]).await?;
    told.retain(|passage| quotes.iter().any(|quote| passage.text.contains(&quote.text)));
    let rank = |passage: &Passage| documents.iter().position(|id| *id == passage.document_id);
    told.sort_by_key(|passage| (rank(passage), passage.position));
    Ok(told)
}

#[cfg(test)]
mod tests;
