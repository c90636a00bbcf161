//! Quotes the sources of a decision from the index, or from stored answers while the index does not
//! answer.

use std::collections::HashMap;

use serde::Deserialize;
use uuid::Uuid;
use wire::answer::Citation;
use wire::decisions::{DecisionSource, NewDecision, Reference};

use super::ProjectContext;
use model::document::Passage;
use model::{Error, Result};
use ports::KeptAnswer;
use ports::scope::{Grant, Scope};

/// The service that did not answer, for a source that is nowhere else.
const INDEX_ALONE: &str =
    "the index, which alone has the sources that no answer in `answers` cites,";

/// The part of a stored answer that sources need.
#[derive(Deserialize)]
struct Answer {
    citations: Vec<Citation>,
}

/// Quotes the named passages.
///
/// # Errors
/// [`Error::Invalid`] with the source that is not a passage the caller may read, or with the answer
/// that is not stored for the caller; [`Error::Unavailable`] if the index does not answer and a
/// source is in none of the answers.
pub(super) async fn sources(
    context: &ProjectContext<'_>,
    grant: &Grant,
    new: &NewDecision,
) -> Result<Vec<DecisionSource>> {
    if new.sources.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = new.sources.iter().map(|source| source.passage_id).collect();
    let found = match context.index.passages(grant, &ids).await {
        Err(Error::Unavailable { cause, .. }) => {
            let answers = answers(context, grant, new).await?;
            let quoted = new.sources.iter().map(|source| cited(&answers, source));
            let quoted: Option<Vec<DecisionSource>> = quoted.collect();
            return quoted.ok_or(Error::Unavailable { service: INDEX_ALONE, cause });
        }
        found => found?,
    };
    let found: HashMap<Uuid, Passage> =
        found.into_iter().map(|passage| (passage.id, passage)).collect();
    let is_private =
        |passage: &Passage| !matches!(passage.scope, Some(Scope::Global | Scope::Project(_)));
    if let Some(passage) = found.values().find(|passage| is_private(passage)).filter(|_| !new.share)
    {
        return Err(unshared(&passage.name));
    }
    let source = |(place, source): (usize, &Reference)| {
        let passage = found.get(&source.passage_id).ok_or_else(|| {
            let reason = format!("`{}` is no passage that can be found", source.passage_id);
            Error::invalid(format!("sources[{place}].passage_id"), reason)
        })?;
        Ok(source_of(passage, source.relevance))
    };
    new.sources.iter().enumerate().map(source).collect()
}

/// Refuses a source that not all members of the project may read, unless the caller shares it.
fn unshared(name: &str) -> Error {
    let reason = format!(
        "not all members of the project may read `{name}`, and all would read what is quoted of it: send `share: true` if that is meant"
    );
    Error::invalid("share", reason)
}

/// Reads the stored answers, each of a granted knowledge base.
async fn answers(
    context: &ProjectContext<'_>,
    grant: &Grant,
    new: &NewDecision,
) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for (place, id) in new.answers.iter().enumerate() {
        let kept = match ulid::Ulid::from_string(id) {
            Ok(_) => context.answers.answer(id, context.stamp.time).await?,
            Err(_) => None,
        };
        let is_granted = |answer: &KeptAnswer| grant.scopes().contains(&answer.scope);
        let kept = kept.filter(is_granted).ok_or_else(|| {
            let reason = format!("`{id}` is no kept answer of a knowledge base in `knowledge`");
            Error::invalid(format!("answers[{place}]"), reason)
        })?;
        if kept.scope != Scope::Global && !new.share {
            return Err(unshared(&format!("the knowledge base of the answer {id}")));
        }
        let answer = serde_json::from_str(&kept.body);
        answers.push(answer.map_err(|error| Error::unavailable("the table", error))?);
    }
    Ok(answers)
}

/// Returns the source as the first answer that cites it quotes it.
fn cited(answers: &[Answer], source: &Reference) -> Option<DecisionSource> {
    let of = |answer: &Answer| -> Vec<Citation> {
        let citations = answer.citations.iter();
        citations
            .filter(|citation| citation.passage.passage_id == source.passage_id)
            .cloned()
            .collect()
    };
    let citations = answers.iter().map(of).find(|a| !a.is_empty())?;
    let quotes: Vec<&str> = citations.iter().map(|citation| citation.quote.as_str()).collect();
    let quote = quotes.join("\n");
    let first = citations.into_iter().next()?;
    Some(DecisionSource {
        passage_id: first.passage.passage_id,
        relevance: source.relevance,
        document_id: first.passage.document_id,
        file: first.passage.file,
        title: first.passage.title,
        section: first.passage.section,
        uri: None,
        lines: first.lines,
        quote,
        is_excerpt: true,
        hash: first.hash,
    })
}

fn source_of(passage: &Passage, relevance: f64) -> DecisionSource {
    DecisionSource {
        passage_id: passage.id,
        relevance,
        document_id: passage.document_id,
        file: passage.name.clone(),
        title: passage.title.clone(),
        section: Some(passage.section.clone()).filter(|section| !section.is_empty()),
        uri: passage.uri.clone(),
        lines: passage.lines,
        hash: passage.hash(),
        quote: passage.text.clone(),
        is_excerpt: false,
    }
}
