//! Checks whether the quotes of a kept answer are still in its documents.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;
use wire::answer::{AnswerReport, Citation, CitationNow, CitationStanding, Currency};

use super::excerpt;
use ask::claim;
use model::Result;
use model::document::Passage;
use model::evidence::PointKind;
use ports::filter::{Condition, Field, Filters};
use ports::scope::{Grant, Scope};
use ports::{Brings, Documents, Index, Ranked, Search, SearchBy};
use text::language::Language;

/// Upper bound for the missing quotes that are searched for. Further ones are `changed` or `gone`.
const SOUGHT: usize = 64;

/// The number of passages that are examined for each.
const DEPTH: usize = 5;

/// Upper bound for the characters of a quote that are searched for.
const LONGEST: usize = 500;

/// The services that know the current documents.
pub struct Library<'a> {
    /// The index with the passages.
    pub index: &'a dyn Index,
    /// The list of documents.
    pub documents: &'a dyn Documents,
}

/// Marks each citation with the current state of its quote, and the answer with its validity.
pub(super) async fn tell(
    library: &Library<'_>,
    scope: &Scope,
    grant: &Grant,
    report: &mut AnswerReport,
) -> Result<()> {
    let ids: BTreeSet<Uuid> =
        report.citations.iter().map(|citation| citation.passage.passage_id).collect();
    let ids: Vec<Uuid> = ids.into_iter().collect();
    let live = library.index.passages(grant, &ids).await?;
    let live: HashMap<Uuid, Passage> =
        live.into_iter().map(|passage| (passage.id, passage)).collect();
    let stands = |citation: &Citation| {
        live.get(&citation.passage.passage_id).is_some_and(|passage| has(passage, citation))
    };
    let away: Vec<&Citation> =
        report.citations.iter().filter(|citation| !stands(citation)).collect();
    let found = sought(library.index, grant, &away).await?;
    let mut gone: HashMap<Uuid, bool> = HashMap::new();
    let documents = away.iter().map(|away| (away.passage.document_id, scope_of(away, scope)));
    for (document, scope) in documents.collect::<BTreeMap<Uuid, Scope>>() {
        let record = library.documents.document(&scope, document).await?;
        gone.insert(document, record.is_none_or(|record| record.live.is_none()));
    }
    let mut found = found.into_iter();
    let standings: Vec<CitationNow> = report
        .citations
        .iter()
        .map(|citation| {
            if stands(citation) {
                return CitationNow::of(CitationStanding::AsQuoted);
            }
            let passages = found.next().unwrap_or_default();
            if gone.get(&citation.passage.document_id).copied().unwrap_or(true) {
                CitationNow::of(CitationStanding::Gone)
            } else {
                now(citation, &passages)
            }
        })
        .collect();
    for (citation, now) in report.citations.iter_mut().zip(standings) {
        citation.now = Some(now);
    }
    report.now = Some(currency(&report.citations));
    Ok(())
}

/// Returns the scope of a cited document, of an answer that is kept for `own`: a person's documents
/// are cited in answers of that person alone.
pub(super) fn scope_of(citation: &Citation, own: &Scope) -> Scope {
    let known = citation.passage.knowledge.as_deref();
    known.and_then(Scope::parse).unwrap_or_else(|| own.clone())
}

/// Returns the passages of each citation's document that are most similar to its quote by words.
async fn sought(index: &dyn Index, grant: &Grant, away: &[&Citation]) -> Result<Vec<Vec<Passage>>> {
    let away = &away[..away.len().min(SOUGHT)];
    if away.is_empty() {
        return Ok(Vec::new());
    }
    let names: BTreeSet<String> = away.iter().map(|a| a.passage.file.clone()).collect();
    let filters = Filters(vec![Condition::AnyOf(Field::Name, names.into_iter().collect())]);
    let search = |citation: &&Citation| {
        let text: String = citation.quote.chars().take(LONGEST).collect();
        let by = SearchBy::Bm25(text.clone(), Language::of(&text));
        Search { of: PointKind::Passage, by, depth: DEPTH, brings: Brings::Passages }
    };
    let found = index.search(grant, &filters, away.iter().map(search).collect()).await?;
    let all: HashMap<Uuid, Passage> = found
        .iter()
        .flat_map(|hit| &hit.hits)
        .filter_map(|hit| hit.passage.as_deref())
        .map(|passage| (passage.id, passage.clone()))
        .collect();
    let of = |(x, found): (&&Citation, Ranked)| {
        let hits = found.hits.into_iter().filter(|hit| hit.document_id == x.passage.document_id);
        hits.filter_map(|hit| all.get(&hit.passage_id).cloned()).collect()
    };
    Ok(away.iter().zip(found).map(of).collect())
}

/// Returns true if a passage has the quote, ignoring differences in white space.
fn has(passage: &Passage, citation: &Citation) -> bool {
    flat(&passage.text).contains(&flat(&citation.quote))
}

/// Marks a quote that is no longer in its place as moved or changed.
fn now(citation: &Citation, passages: &[Passage]) -> CitationNow {
    if let Some(passage) = passages.iter().find(|passage| has(passage, citation)) {
        let at = passage.text.find(&citation.quote);
        let lines = at.and_then(|at| excerpt::lines(passage, &(at..at + citation.quote.len())));
        return CitationNow {
            passage_id: Some(passage.id),
            lines: lines.or(passage.lines),
            ..CitationNow::of(CitationStanding::Moved)
        };
    }
    let mut others = passages.iter().filter_map(|passage| {
        let text = claim::contradiction(&citation.quote, &passage.text, passage.document_type)?;
        Some((passage.id, text))
    });
    match others.next() {
        Some((id, text)) => CitationNow {
            passage_id: Some(id),
            instead: Some(text),
            ..CitationNow::of(CitationStanding::Changed)
        },
        None => CitationNow::of(CitationStanding::Changed),
    }
}

fn currency(citations: &[Citation]) -> Currency {
    let standings = || citations.iter().filter_map(|citation| citation.now.as_ref());
    if standings().any(|now| now.instead.is_some()) {
        Currency::Contradicted
    } else if standings()
        .any(|now| matches!(now.standing, CitationStanding::Changed | CitationStanding::Gone))
    {
        Currency::Stale
    } else {
        Currency::Current
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
