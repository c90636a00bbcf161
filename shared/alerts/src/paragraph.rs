//! Has a language model write a paragraph on what was found for the alerts of a case.

use std::collections::HashSet;

use answers::{KnowledgeBases, Paragraph};
use ask::{Ask, marked};
use futures_util::future::try_join;
use model::Result;
use model::document::Passage;
use model::evidence::{Place, Quote};
use ports::Answers;
use ports::chat::Chat;
use ports::degraded::Degraded;
use ports::question::Stamp;
use ports::scope::{Grant, Scope};
use text::order;
use uuid::Uuid;
use wire::alerts::Brief;
use wire::rcca::{Failure, RccaReport};

use crate::question::Asking;

/// The services that write a paragraph.
pub struct Writing<'a> {
    /// The model that writes and checks.
    pub chat: Chat<'a>,
    /// The knowledge bases, for the instructions and the form of citations.
    pub bases: &'a KnowledgeBases,
    /// The store of answers.
    pub answers: &'a dyn Answers,
    /// The id under which the paragraph is kept, and the time.
    pub stamp: Stamp,
}

/// Upper bounds for the past failures that are told of, and for the passages that a model reads.
const FAILURES: usize = 2;
const PASSAGES: usize = 10;

/// Has a model write a paragraph on `brief`, and adds it. `runbooks` are the passages of its
/// runbooks. Returns the parts that are missing.
///
/// # Errors
/// The errors of the index and of the model.
pub(crate) async fn add(
    writing: &Writing<'_>,
    ask: &Ask<'_>,
    grant: &Grant,
    case: Scope,
    askings: &[Asking],
    brief: &mut Brief,
    runbooks: Vec<Passage>,
) -> Result<Vec<Degraded>> {
    // The team's is the last one granted.
    let base = grant.scopes().iter().rev().find_map(|scope| writing.bases.base_of(scope));
    let Some(base) = base else { return Ok(Vec::new()) };
    let passages = read(ask, grant, brief, runbooks).await?;
    if passages.is_empty() {
        return Ok(Vec::new());
    }
    let passages: Vec<&Passage> = passages.iter().collect();
    let question = question(askings);
    let paragraph = Paragraph { base, scope: case, question: &question, passages: &passages };
    let given = paragraph.written(writing.chat, writing.answers, &writing.stamp).await?;
    let Some(given) = given else { return Ok(Vec::new()) };
    brief.answer_id = given.kept.answer_id;
    brief.answer = Some(given.report);
    Ok(given.degraded)
}

/// Returns the question for the model. Alerts are data: a text that reads like an order is left
/// out, and the name stands for it.
fn question(askings: &[Asking]) -> String {
    let text = |asking: &Asking| {
        let is_order = order::is_order(&asking.text);
        marked::line(if is_order { &asking.words } else { &asking.text })
    };
    let texts: Vec<String> = askings.iter().map(text).collect();
    format!("{ASKED} It is on now: {}", texts.join("; "))
}

/// The part of the question that is the same for all alerts.
const ASKED: &str = "What is to be done first, what caused the like before and what helped, and what was decided about it?";

/// Reads the passages in which a brief's findings stand: runbooks, then past failures, then
/// decisions.
async fn read(
    ask: &Ask<'_>,
    grant: &Grant,
    brief: &Brief,
    runbooks: Vec<Passage>,
) -> Result<Vec<Passage>> {
    let decisions: Vec<Uuid> = brief.decided.iter().map(|one| one.passage.passage_id).collect();
    let (told, decided) =
        try_join(told(ask, grant, &brief.past.report), ask.index.passages(grant, &decisions))
            .await?;
    let mut seen: HashSet<Uuid> = HashSet::new();
    let all = runbooks.into_iter().chain(told).chain(decided);
    Ok(all.filter(|passage| seen.insert(passage.id)).take(PASSAGES).collect())
}

/// Reads the passages in which the first past failures tell of their cause, of what was checked,
/// and of what helped.
async fn told(ask: &Ask<'_>, grant: &Grant, report: &RccaReport) -> Result<Vec<Passage>> {
    let failures = &report.results[..report.results.len().min(FAILURES)];
    let documents: Vec<Uuid> = failures.iter().map(|one| one.passage.document_id).collect();
    let passages = ask.index.documents(grant, &documents, &[]).await?;
    let mut told = Vec::new();
    for Failure { passage: Place { document_id, .. }, report: fields, .. } in failures {
        let checks = report.to_check.iter();
        let checks = checks.filter(|check| check.result.document_id == *document_id);
        let own = fields.root_cause.iter().chain(&fields.checked).chain(&fields.resolution);
        let quotes: Vec<&Quote> = own.chain(checks.map(|check| &check.quote)).collect();
        let is_told = |passage: &&Passage| {
            passage.document_id == *document_id
                && quotes.iter().any(|quote| passage.text.contains(&quote.text))
        };
        let mut own: Vec<Passage> = passages.iter().filter(is_told).cloned().collect();
        own.sort_by_key(|passage| passage.position);
        told.extend(own);
    }
    Ok(told)
}

#[cfg(test)]
mod tests;
