//! Finds the records of a log that stand beside those of an answer and complete them.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::excerpt::Excerpt;
use super::record;
use super::understand::Understood;
use model::document::{DocumentType, Passage};

/// Returns the records that stand alone between two of `chosen`. If the question asks why, it also
/// returns the record before the first chosen one of each log, which may tell what led to it.
pub(super) fn beside(
    understood: &Understood<'_>,
    chosen: &[&Excerpt<'_>],
    is_why: bool,
) -> Vec<Passage> {
    let mut documents: BTreeMap<Uuid, BTreeSet<(u32, u32)>> = BTreeMap::new();
    for passage in chosen.iter().map(|excerpt| excerpt.passage) {
        if let (DocumentType::Log, Some(lines)) = (passage.document_type, passage.lines) {
            documents.entry(passage.document_id).or_default().insert(lines);
        }
    }
    let mut all = Vec::new();
    for (document, held) in documents {
        let starts: BTreeSet<u32> = held.iter().map(|(first, _)| *first).collect();
        let ends: BTreeSet<u32> = held.iter().map(|(_, last)| *last).collect();
        let before = starts.first().filter(|_| is_why).and_then(|first| first.checked_sub(1));
        let wanted = ends.iter().map(|last| last.saturating_add(1)).chain(before).collect();
        // Records that are damaged are told where all of them are examined.
        let found = records::at_lines(understood.loaded, document, &wanted).unwrap_or_default();
        let passages = found.into_iter().filter_map(|found| record::full(found, understood.loaded));
        all.extend(passages.filter(|passage| {
            let Some((first, last)) = passage.lines.filter(|lines| !held.contains(lines)) else {
                return false;
            };
            let follows = first.checked_sub(1).is_some_and(|before| ends.contains(&before));
            let is_between = follows && starts.contains(&last.saturating_add(1));
            (is_between || Some(last) == before) && understood.asking.filters.allow(passage)
        }));
    }
    all
}
