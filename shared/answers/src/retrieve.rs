//! The second stage retrieves the evidence: the records for a query, the lines that are named, or
//! the nearest passages.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use futures_util::future::try_join;
use wire::records::RecordsReply;

use super::candidates::{Alike, Candidates, candidates, logs};
use super::exact::{Exact, exactly};
use super::from_records::Rows;
use super::knowledge::Style;
use super::understand::Understood;
use super::{Services, search};
use ask::evidence::Evidence;
use ask::fit;
use model::Result;
use model::document::Passage;
use ports::CacheRead;
use ports::degraded::Degraded;
use ports::filter::{Condition, Field};
use ports::question::Question;
use records::mention;
use records::question::Conditions;

/// Upper bound for the passages of a case that is read whole, so that nothing in it is missed:
/// about two megabytes.
const SMALL: usize = 2_000;

/// Upper bound for the documents whose passages are fetched by name. With more documents, all
/// passages are fetched.
const NAMED: usize = 100;

/// Upper bound for the passages in which named lines are searched.
const SCANNED: usize = 500;

/// The evidence for a question.
pub(super) enum Retrieved {
    /// The question names a file that does not exist.
    Nothing,
    /// The records that a query found.
    Records(Box<RecordsReply>, Rows),
    /// Passages with the lines that the question names, if the lines are not records.
    Lines(Vec<Passage>, Vec<(u32, u32)>),
    /// The passages nearest to the question.
    Passages(NearestPassages),
}

/// The passages nearest to a question.
pub(super) struct NearestPassages {
    /// The passages that were found, best first.
    pub evidence: Vec<Evidence>,
    /// The share of the question's words, weighted by rarity, that the best passage and its title
    /// have.
    pub words: f64,
    /// True if a name or many words of the question occur nowhere.
    pub is_foreign: bool,
    /// Further parts that may answer: in a case its records and lines, for a procedure the whole
    /// best document.
    pub whole: Vec<Passage>,
    /// The records for which those of `whole` stand.
    pub alike: Alike,
    /// The records beside those of the answer, once these are chosen.
    pub beside: OnceLock<Vec<Passage>>,
    /// The documents that the question names.
    pub named: Vec<String>,
    /// The conditions on records that the question certainly states, if any record satisfies them.
    pub held: Option<Conditions>,
    /// The queries that a language model wrote for the question.
    pub written: Vec<Question>,
    /// New embeddings, with their keys in the cache.
    pub vectors: Vec<(String, Vec<f32>)>,
}

/// Retrieves the evidence. If a model fails, the failure is added to `degraded`.
pub(super) async fn retrieved(
    services: &Services<'_>,
    understood: &Understood<'_>,
    read: &mut CacheRead,
    degraded: &mut Vec<Degraded>,
) -> Result<Retrieved> {
    if understood.style() == Style::Forensic
        && let Some(exact) = exactly(services, understood, degraded).await?
    {
        return Ok(match exact {
            Exact::Nothing => Retrieved::Nothing,
            Exact::Records(reply, rows) => Retrieved::Records(reply, rows),
        });
    }
    if let Some(lines) = lines(services, understood).await? {
        return Ok(lines);
    }
    Ok(Retrieved::Passages(nearest(services, understood, read, degraded).await?))
}

/// Returns the passages with the lines that the question names; `None` if it names no line.
async fn lines(services: &Services<'_>, understood: &Understood<'_>) -> Result<Option<Retrieved>> {
    let ranges = understood.stated.lines.clone();
    if ranges.is_empty() || understood.style() != Style::Forensic {
        return Ok(None);
    }
    let mut filters = understood.filters.clone();
    filters.0.push(Condition::Lines(ranges.clone()));
    let (passages, _) = search::scan(services, understood.grant, &filters, SCANNED).await?;
    Ok(Some(Retrieved::Lines(passages, ranges)))
}

async fn nearest(
    services: &Services<'_>,
    understood: &Understood<'_>,
    read: &mut CacheRead,
    degraded: &mut Vec<Degraded>,
) -> Result<NearestPassages> {
    let Understood { asking, texts, .. } = understood;
    let mut asked = understood.asked();
    services.ask.write_queries(&mut asked, &[]).await?;
    degraded.append(&mut asked.degraded);
    let queries = asked.queries.iter().chain(&asked.written);
    let queries = queries.map(|query| query.as_str().to_owned());
    let searched: Vec<String> = texts.iter().cloned().chain(queries).collect();
    let (embedded, vectors) =
        search::embed(services, asking.base, &searched, read, degraded).await?;
    let searched = search::passages(services, asking.base, texts, embedded, &asked);
    let (mut found, more) = try_join(searched, more(services, understood)).await?;
    let named = match understood.loaded.listed.as_slice() {
        [] => mention::named(&names(&found.evidence), understood.question()),
        _ => understood.stated.mentioned.named.clone(),
    };
    search::weigh(&mut found.evidence, &named);
    let words = search::rank(&mut found, &understood.words);
    let is_foreign = fit::is_foreign(&found);
    let evidence = found.evidence;
    let Candidates { passages: whole, alike, held } = match understood.style() {
        Style::Forensic => candidates(understood, &evidence, more, services.may_go_on)?,
        style => {
            let passages = search::whole(services, understood, style, &evidence).await?;
            Candidates { passages, ..Candidates::default() }
        }
    };
    Ok(NearestPassages {
        evidence,
        words,
        is_foreign,
        whole,
        alike,
        beside: OnceLock::new(),
        named,
        held,
        written: asked.written,
        vectors,
    })
}

/// Returns the names of the documents that were found, each once.
fn names(evidence: &[Evidence]) -> Vec<&str> {
    let names: BTreeSet<&str> = evidence.iter().map(|e| e.passage.name.as_str()).collect();
    names.into_iter().collect()
}

/// Returns all passages of a small case except for those of its logs, whose records are examined;
/// `None` if there are more, or if the style does not read line by line.
async fn more(
    services: &Services<'_>,
    understood: &Understood<'_>,
) -> Result<Option<Vec<Passage>>> {
    if understood.style() != Style::Forensic {
        return Ok(None);
    }
    let logs = logs(understood.loaded);
    let listed = understood.loaded.listed.iter();
    let others = listed.filter(|document| !logs.contains(&document.document_id));
    let names: Vec<String> = others.map(|document| document.name.clone()).collect();
    if names.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut filters = understood.filters.clone();
    if names.len() <= NAMED {
        filters.0.push(Condition::AnyOf(Field::Name, names));
    }
    let (passages, is_all) = search::scan(services, understood.grant, &filters, SMALL).await?;
    Ok(is_all.then_some(passages))
}
