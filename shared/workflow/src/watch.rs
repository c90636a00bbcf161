//! Decisions that rest on a passage which is in its document no more.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use uuid::Uuid;

use crate::decision::{Decision, DecisionSource, DecisionStatus, Nearest, Review};
use crate::document::Chunk;
use crate::ports::{Reviews, Written};
use crate::scope::Scope;
use crate::term::stems;
use crate::{Error, Result};

/// Below this share of common words, of all words of both, no passage is told as the one that took another's place.
const ALIKE: f64 = 0.3;

/// How often a decision is marked that somebody else changes meanwhile.
const TRIES: usize = 5;

/// A document as it is from now on.
#[derive(Debug, Clone, Copy)]
pub struct Changed<'a> {
    /// Among whose documents it stands.
    pub scope: &'a Scope,
    /// The document.
    pub document: Uuid,
    /// Its passages; none where it went.
    pub live: &'a [Chunk],
    /// When that was so.
    pub since: Timestamp,
}

/// Marks the decisions that rest on passages which the document has no more, and takes the mark from those whose
/// passages are back. A passage that somebody looked at counts only when the one in its place has changed again. How
/// many decisions were marked or cleared.
///
/// # Errors
/// The first one; the other decisions are marked all the same.
pub async fn watch(reviews: &dyn Reviews, changed: Changed<'_>) -> Result<usize> {
    let mut resting: BTreeMap<(String, String), Vec<DecisionSource>> = BTreeMap::new();
    for own in reviews.resting_on(changed.document).await? {
        resting.entry((own.project, own.decision)).or_default().push(own.source);
    }
    let now = Now::of(changed, resting.values().flatten());
    let (mut count, mut failure) = (0, Ok(()));
    for ((project, decision), sources) in &resting {
        match mark(reviews, project, decision, sources, &now).await {
            Ok(is_changed) => count += usize::from(is_changed),
            Err(error) => failure = failure.and(Err(error)),
        }
    }
    failure.map(|()| count)
}

/// The document, with what took the place of the passages that it has no more, by their hashes.
struct Now<'a> {
    changed: Changed<'a>,
    gone: HashMap<String, Option<Nearest>>,
}

impl<'a> Now<'a> {
    fn of<'s>(changed: Changed<'a>, sources: impl Iterator<Item = &'s DecisionSource>) -> Now<'a> {
        let hashes: HashSet<String> = changed.live.iter().map(Chunk::hash).collect();
        let words = |text: &str| stems(text).into_iter().collect::<HashSet<String>>();
        let live: Vec<(&Chunk, HashSet<String>)> =
            changed.live.iter().map(|chunk| (chunk, words(&chunk.text))).collect();
        let mut gone = HashMap::new();
        for source in sources.filter(|source| !hashes.contains(&source.hash)) {
            let nearest = || nearest(&words(&source.quote), &live, changed.scope);
            gone.entry(source.hash.clone()).or_insert_with(nearest);
        }
        Now { changed, gone }
    }

    /// What of these sources the document has no more.
    fn reviews(&self, sources: &[DecisionSource], decision: &Decision) -> Vec<Review> {
        let review = |source: &DecisionSource| {
            let nearest = self.gone.get(&source.hash)?.clone();
            Some(Review {
                chunk_id: source.chunk_id,
                document_id: self.changed.document,
                name: source.name.clone(),
                was: source.quote.clone(),
                nearest,
                since: self.changed.since,
            })
        };
        let is_new = |new: &Review| {
            let hash = new.nearest.as_ref().map(|own| &own.hash);
            let seen = decision.reviewed.iter().find(|own| own.chunk_id == new.chunk_id);
            seen.is_none_or(|seen| seen.nearest_hash.as_ref() != hash)
        };
        sources.iter().filter_map(review).filter(is_new).collect()
    }
}

/// The passage with the most words in common. What is not everyone's is named, and not told: a decision is read by
/// members who may not read the document.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn nearest(
    was: &HashSet<String>,
    live: &[(&Chunk, HashSet<String>)],
    scope: &Scope,
) -> Option<Nearest> {
    let likeness = |own: &HashSet<String>| {
        let common = was.intersection(own).count() as f64;
        common / (was.len() + own.len()).max(1) as f64 * 2.0
    };
    let scored = live.iter().map(|(chunk, own)| (chunk, likeness(own)));
    let (chunk, likeness) = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let text = Some(chunk.text.clone()).filter(|_| *scope == Scope::Global);
    let nearest = Nearest { chunk_id: chunk.id, hash: chunk.hash(), text };
    Some(nearest).filter(|_| likeness >= ALIKE)
}

async fn mark(
    reviews: &dyn Reviews,
    project: &str,
    id: &str,
    sources: &[DecisionSource],
    now: &Now<'_>,
) -> Result<bool> {
    for _ in 0..TRIES {
        let found = reviews.decisions_named(project, &[id.to_owned()]).await?.pop();
        let Some(own) = found else { return Ok(false) };
        let holds = matches!(own.status, DecisionStatus::Proposed | DecisionStatus::Accepted);
        let others = own.needs_review.iter().filter(|own| own.document_id != now.changed.document);
        let mut needs_review: Vec<Review> = others.cloned().collect();
        for mut new in now.reviews(sources, &own) {
            let before = own.needs_review.iter().find(|own| own.chunk_id == new.chunk_id);
            new.since = before.map_or(new.since, |before| before.since);
            needs_review.push(new);
        }
        if !holds || needs_review == own.needs_review {
            return Ok(false);
        }
        let marked = Decision { version: own.version + 1, needs_review, ..own };
        if reviews.revise(project, &[&marked], None).await? == Written::Done {
            return Ok(true);
        }
    }
    Err(Error::unavailable("the table", "a decision changed again and again"))
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
