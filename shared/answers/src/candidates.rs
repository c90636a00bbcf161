//! Collects candidates for the answer to a question about a case: records and lines, not whole
//! passages.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;
use wire::records::{Condition, RecordsRequest, Scalar, Select};

use super::exact::has_time;
use super::record;
use super::understand::Understood;
use ask::evidence::Evidence;
use model::Result;
use model::document::Passage;
use records::question::Conditions;
use records::{Loaded, best_of_templates};

/// Upper bound for the number of records among which each is examined. Of more records, only those
/// whose templates were found are examined.
const LOOKED_AT: u64 = 200_000;

/// Columns that only records have. If a condition requires one of them, no setting or text answers.
const OF_RECORDS: [&str; 5] = ["time", "clock", "line", "level", "code"];

/// The number of records for which each record stands, by its document and its first line.
pub(super) type Alike = HashMap<(Uuid, u32), usize>;

/// The candidates for an answer.
#[derive(Default)]
pub(super) struct Candidates {
    /// For each template of the logs the record with the most words of the question, and the
    /// passages that are not records.
    pub passages: Vec<Passage>,
    /// The records of each template with as many words of the question.
    pub alike: Alike,
    /// The conditions that the question certainly states, if any record satisfies them.
    pub held: Option<Conditions>,
}

/// Collects the candidates. `passages` are all passages of a small case; otherwise the found ones
/// are used.
pub(super) fn candidates(
    understood: &Understood<'_>,
    evidence: &[Evidence],
    passages: Option<Vec<Passage>>,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Candidates> {
    let Understood { asking, loaded, .. } = understood;
    let given = record::conditions_of_records(&asking.filters);
    let mut held = understood.stated.conditions.clone();
    held.extend(given.clone());
    let (mut all, mut alike) = best(understood, &held, evidence, may_go_on)?;
    let has_more_conditions = held.len() > given.len();
    if all.is_empty() && has_more_conditions {
        // Where a time is all that is asked for, records of other times are no answer.
        let is_whole = understood.stated.is_whole() && has_time(&held);
        held = given.clone();
        if !is_whole {
            (all, alike) = best(understood, &held, evidence, may_go_on)?;
        }
    }
    if !held.keys().any(|key| OF_RECORDS.contains(&key.as_str())) {
        let logs = logs(loaded);
        let found = || evidence.iter().map(|e| e.passage.clone()).collect();
        let others = passages.unwrap_or_else(found).into_iter();
        all.extend(others.filter(|other| !logs.contains(&other.document_id)));
    }
    let has_more_conditions = held.len() > given.len();
    let held = has_more_conditions.then_some(held);
    Ok(Candidates { passages: all, alike, held })
}

/// Returns the documents whose records have templates.
pub(super) fn logs(loaded: &Loaded) -> HashSet<Uuid> {
    let logs =
        loaded.documents.iter().filter(|document| !document.file.header.templates.is_empty());
    logs.map(|log| log.document.document_id).collect()
}

fn best(
    understood: &Understood<'_>,
    conditions: &Conditions,
    evidence: &[Evidence],
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<(Vec<Passage>, Alike)> {
    let Understood { asking, loaded, .. } = understood;
    let mut conditions = conditions.clone();
    let records: u64 = loaded.documents.iter().map(|document| document.file.header.records).sum();
    if records > LOOKED_AT && conditions.is_empty() {
        conditions.insert("template".into(), Condition::AnyOf(templates(loaded, evidence)));
    }
    let request = RecordsRequest { conditions, select: Select::List, ..RecordsRequest::default() };
    let mut weight = |text: &str| understood.words.mask(text).count();
    let all = best_of_templates(loaded, &request, &mut weight, may_go_on)?;
    let mut alike = Alike::new();
    let passages = all.into_iter().filter_map(|best| {
        let (line, count) = (best.record.lines.0, best.alike);
        let passage = record::full(best, loaded)?;
        alike.insert((passage.document_id, line), count);
        Some(passage)
    });
    let passages = passages.filter(|passage| asking.filters.allow(passage)).collect();
    Ok((passages, alike))
}

/// Returns the templates whose passages were found.
fn templates(loaded: &Loaded, evidence: &[Evidence]) -> Vec<Scalar> {
    let id = |evidence: &Evidence| {
        let document = evidence.passage.document_id;
        let log = loaded.documents.iter().find(|log| log.document.document_id == document)?;
        let template = log.file.header.templates.get(evidence.passage.position as usize)?;
        Some(Scalar::Text(template.id.clone()))
    };
    let ids: Vec<Scalar> = evidence.iter().filter_map(id).collect();
    // A condition without values is invalid. This value matches no template.
    if ids.is_empty() { vec!["none".into()] } else { ids }
}
