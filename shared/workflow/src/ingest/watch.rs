//! Decisions that rest on a passage which is in its document no more.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use uuid::Uuid;

use crate::Result;
use crate::decision::{Decision, DecisionSource, DecisionStatus, Nearest, Review};
use crate::document::Chunk;
use crate::error::Error;
use crate::ports::{Reviews, Written};
use crate::term::stems;

/// Below this share of common words, of all words of both, no passage is told as the one that took another's place.
const ALIKE: f64 = 0.3;

/// How often a decision is marked that somebody else changes meanwhile.
const TRIES: usize = 5;

/// Marks the decisions that rest on passages of `document` which are not among `live`, its passages from now on, and
/// takes the mark from those whose passages are back. A passage that was looked at already counts only when the one in
/// its place has changed again. How many decisions were marked or cleared.
pub async fn watch(
    reviews: &dyn Reviews,
    document: Uuid,
    live: &[Chunk],
    since: Timestamp,
) -> Result<usize> {
    let mut resting: BTreeMap<(String, String), Vec<DecisionSource>> = BTreeMap::new();
    for own in reviews.resting_on(document).await? {
        resting.entry((own.project, own.decision)).or_default().push(own.source);
    }
    let now = Now::of(document, live, since);
    let mut count = 0;
    for ((project, decision), sources) in &resting {
        count += usize::from(mark(reviews, project, decision, sources, &now).await?);
    }
    Ok(count)
}

/// A document as it is from now on.
struct Now<'a> {
    document: Uuid,
    live: &'a [Chunk],
    hashes: HashSet<String>,
    words: Vec<HashSet<String>>,
    since: Timestamp,
}

impl<'a> Now<'a> {
    fn of(document: Uuid, live: &'a [Chunk], since: Timestamp) -> Now<'a> {
        let hashes = live.iter().map(Chunk::hash).collect();
        let words = live.iter().map(|chunk| stems(&chunk.text).into_iter().collect()).collect();
        Now { document, live, hashes, words, since }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    fn nearest(&self, was: &str) -> Option<Nearest> {
        let was: HashSet<String> = stems(was).into_iter().collect();
        let likeness = |own: &HashSet<String>| {
            let common = was.intersection(own).count() as f64;
            common / (was.len() + own.len()).max(1) as f64 * 2.0
        };
        let scored = self.live.iter().zip(self.words.iter().map(likeness));
        let (chunk, likeness) = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let nearest = Nearest { chunk_id: chunk.id, text: chunk.text.clone() };
        Some(nearest).filter(|_| likeness >= ALIKE)
    }

    /// What of these sources the document has no more.
    fn reviews(&self, sources: &[DecisionSource], decision: &Decision) -> Vec<Review> {
        let gone = sources.iter().filter(|source| !self.hashes.contains(&source.hash));
        let review = |source: &DecisionSource| Review {
            chunk_id: source.chunk_id,
            document_id: self.document,
            name: source.name.clone(),
            was: source.quote.clone(),
            nearest: self.nearest(&source.quote),
            since: self.since,
        };
        let text = |own: &Review| own.nearest.as_ref().map(|nearest| nearest.text.clone());
        let is_known = |new: &Review| {
            let mut seen = decision.reviewed.iter().rev();
            let last = seen.find(|own| own.chunk_id == new.chunk_id);
            last.is_some_and(|last| text(last) == text(new))
        };
        gone.map(review).filter(|new| !is_known(new)).collect()
    }
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
        let others = own.needs_review.iter().filter(|own| own.document_id != now.document);
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
        if reviews.revise(project, &[&marked]).await? == Written::Done {
            return Ok(true);
        }
    }
    Err(Error::unavailable("the table", "a decision changed again and again"))
}

/// When an upload was announced, as its ULID tells.
pub(super) fn announced(version: &str) -> Timestamp {
    let ulid = ulid::Ulid::from_string(version).unwrap_or_default();
    let since_1970 = i64::try_from(ulid.timestamp_ms()).unwrap_or_default();
    Timestamp::from_millisecond(since_1970).unwrap_or_default()
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
