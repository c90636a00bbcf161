//! Searches: each is exact.

use std::collections::{BTreeSet, HashMap, HashSet};

use model::document::DocumentType;
use model::evidence::PointKind;
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::usual::{SAMPLE, Usual, product};
use ports::{Brings, Hit, Ranked, Search, SearchBy};
use text::language::Language;
use uuid::Uuid;
use wire::decisions::DecisionStatus;

use super::bm25;
use super::points::{Entry, Points};

/// Returns the result of each search.
pub(super) fn all(
    points: &Points,
    grant: &Grant,
    filters: &Filters,
    searches: &[Search],
) -> Vec<Ranked> {
    // Filters are about documents.
    let is_allowed = |entry: &Entry| {
        entry.is_seen(grant) && (entry.kind.is_decision() || filters.allow(&entry.passage))
    };
    let samples = samples(points, grant);
    // The same vector is searched among points of several kinds.
    let mut known: Vec<(&SearchBy, Option<Usual>)> = Vec::new();
    let mut brought = HashSet::new();
    let ranked = |search| {
        let search: &Search = search;
        let mut hits = match &search.by {
            SearchBy::Dense(vector) => nearest(points, search.of, vector, &is_allowed),
            SearchBy::Bm25(text, language) => {
                matching(points, search.of, text, *language, &is_allowed)
            }
        };
        let order = |one: &(f32, &Entry), other: &(f32, &Entry)| {
            other.0.total_cmp(&one.0).then_with(|| place(one.1).cmp(&place(other.1)))
        };
        if hits.len() > search.depth && search.depth > 0 {
            hits.select_nth_unstable_by(search.depth - 1, order);
        }
        hits.truncate(search.depth);
        hits.sort_by(order);
        let hits = hits.into_iter().map(|(raw, entry)| {
            let is_first = search.brings != Brings::Ids && brought.insert(entry.passage.id);
            hit(entry, raw, is_first)
        });
        let usual = known.iter().find(|(by, _)| **by == search.by).map(|(_, usual)| *usual);
        let usual = usual.unwrap_or_else(|| {
            known.push((&search.by, self::usual(&samples, &search.by)));
            known.last().and_then(|(_, usual)| *usual)
        });
        Ranked { hits: hits.collect(), usual }
    };
    searches.iter().map(ranked).collect()
}

fn hit(entry: &Entry, raw: f32, has_passage: bool) -> Hit {
    let passage = &entry.passage;
    Hit {
        passage_id: passage.id,
        document_id: passage.document_id,
        version: passage.version.clone(),
        raw,
        passage: has_passage.then(|| Box::new(passage.clone())),
    }
}

fn nearest<'p>(
    points: &'p Points,
    kind: PointKind,
    vector: &[f32],
    is_allowed: &impl Fn(&Entry) -> bool,
) -> Vec<(f32, &'p Entry)> {
    let wanted = points.all().filter(|entry| is_of(entry, kind) && is_allowed(entry));
    wanted.map(|entry| (product(&entry.vector, vector), entry)).collect()
}

fn matching<'p>(
    points: &'p Points,
    kind: PointKind,
    text: &str,
    language: Language,
    is_allowed: &impl Fn(&Entry) -> bool,
) -> Vec<(f32, &'p Entry)> {
    let words: BTreeSet<String> = bm25::words(text, language).collect();
    let mut scores: HashMap<u32, f32> = HashMap::new();
    for word in &words {
        let having = points.having(word);
        let rarity = bm25::rarity(having.len(), points.count());
        for (place, weight) in having {
            *scores.entry(*place).or_default() += rarity * weight;
        }
    }
    let found = scores.into_iter().filter_map(|(place, score)| Some((score, points.at(place)?)));
    found.filter(|(_, entry)| is_of(entry, kind) && is_allowed(entry)).collect()
}

/// The place of a point among those with its score. It does not depend on when the document was
/// ingested, so that the same documents are found in the same order.
fn place(entry: &Entry) -> (Uuid, u32) {
    (entry.passage.document_id, entry.passage.position)
}

/// A sample of the passages of a scope, and the number of all of them.
type Sample<'p> = (u64, Vec<&'p [f32]>);

/// Returns a sample of each granted scope: its passages with the lowest ids, which are hashes.
fn samples<'p>(points: &'p Points, grant: &Grant) -> Vec<Sample<'p>> {
    let of_scope = |scope: &Scope| {
        let passages = points.all().filter(|entry| {
            entry.is_live && entry.kind == PointKind::Passage && entry.scope == *scope
        });
        let mut passages: Vec<(Uuid, &[f32])> =
            passages.map(|entry| (entry.passage.id, entry.vector.as_slice())).collect();
        let count = passages.len() as u64;
        if passages.len() > SAMPLE {
            passages.select_nth_unstable_by_key(SAMPLE - 1, |(id, _)| *id);
            passages.truncate(SAMPLE);
        }
        (count, passages.into_iter().map(|(_, vector)| vector).collect())
    };
    let has_passages = |scope: &&Scope| !matches!(scope, Scope::Project(_));
    grant.scopes().iter().filter(has_passages).map(of_scope).collect()
}

fn usual(samples: &[Sample<'_>], by: &SearchBy) -> Option<Usual> {
    let SearchBy::Dense(vector) = by else { return None };
    let cosines = |(count, vectors): &Sample<'_>| {
        (*count, vectors.iter().map(|other| product(vector, other)).collect())
    };
    Usual::of_scopes(&samples.iter().map(cosines).collect::<Vec<_>>())
}

/// Returns true if a point is of this kind.
fn is_of(entry: &Entry, kind: PointKind) -> bool {
    entry.kind.name() == kind.name()
        && match kind {
            PointKind::Passage | PointKind::Document | PointKind::Decision => true,
            PointKind::FailureReport => entry.passage.document_type == DocumentType::Postmortem,
            PointKind::Accepted => {
                entry.passage.tags.iter().any(|tag| tag == DecisionStatus::Accepted.name())
            }
        }
}
