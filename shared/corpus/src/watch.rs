//! Marks decisions that cite a passage which its document does not contain any more.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use uuid::Uuid;
use wire::cases::CaseStatus;
use wire::decisions::{Decision, DecisionSource, DecisionStatus, Nearest, Review};

use model::document::Passage;
use model::{Error, Result};
use ports::filter::{Condition, Filters};
use ports::scope::{Grant, Scope};
use ports::{Cases, Index, Reviews, Task, Written};
use text::term::stems;

/// Lower bound for the similarity (Dice coefficient of the words) of a passage that is named as the
/// successor of another.
const ALIKE: f64 = 0.3;

/// Upper bound for the passages of a document that are compared: more than any document has.
const PASSAGES: usize = 200_000;

/// The number of decisions that are read at once.
const DECISIONS: usize = 100;

/// The number of tries to mark a decision that others change at the same time.
const TRIES: usize = 5;

/// The services that watching decisions needs.
#[derive(Clone, Copy)]
pub struct Watcher<'a> {
    /// The store of decisions.
    pub reviews: &'a dyn Reviews,
    /// The index of the passages that documents have now.
    pub index: &'a dyn Index,
    /// The store of cases. A closing case has no documents any more, whatever is still in the
    /// index.
    pub cases: &'a dyn Cases,
}

/// A document that was changed or deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The scope of the document.
    pub scope: Scope,
    /// The id of the document.
    pub document: Uuid,
    /// The time of the change.
    pub since: Timestamp,
}

impl Changed {
    /// Returns the task to watch the decisions that cite the document.
    pub(crate) fn task(self) -> Task {
        Task::Watch { scope: self.scope, document_id: self.document, since: self.since }
    }
}

/// Marks the decisions that cite passages which the document does not contain any more, and removes
/// the mark if the passages are back. A passage that somebody has reviewed counts only if its
/// successor has changed again. Returns the number of decisions that were marked or cleared.
///
/// # Errors
/// Returns the first error; the other decisions are marked all the same.
pub async fn watch(watcher: &Watcher<'_>, changed: &Changed) -> Result<usize> {
    let mut resting: BTreeMap<(String, String), Vec<DecisionSource>> = BTreeMap::new();
    for found in watcher.reviews.resting_on(changed.document).await? {
        resting.entry((found.project, found.decision)).or_default().push(found.source);
    }
    if resting.is_empty() {
        return Ok(0);
    }
    let live = live(watcher, changed).await?;
    let now = Now::of(changed, &live, resting.values().flatten());
    let (mut count, mut failure) = (0, Ok(()));
    let decisions: Vec<_> = resting.into_iter().collect();
    for of_project in decisions.chunk_by(|a, b| a.0.0 == b.0.0) {
        match mark_some(watcher.reviews, of_project, &now).await {
            Ok(marked) => count += marked,
            Err(error) => failure = failure.and(Err(error)),
        }
    }
    failure.map(|()| count)
}

/// Returns all passages that the document has now.
async fn live(watcher: &Watcher<'_>, changed: &Changed) -> Result<Vec<Passage>> {
    if let Scope::Case(id) = &changed.scope {
        let case = watcher.cases.case_profile(id).await?;
        if case.is_none_or(|case| case.status != CaseStatus::Open) {
            return Ok(Vec::new());
        }
    }
    let grant = Grant::of_watched(&changed.scope);
    let filters = Filters(vec![Condition::Document(changed.document)]);
    let (live, is_all) = watcher.index.scan(&grant, &filters, PASSAGES).await?;
    if is_all {
        Ok(live)
    } else {
        Err(Error::unavailable("the index", "a document with too many passages"))
    }
}

/// The document, with the successors of the passages that it does not contain any more, by their
/// hashes.
struct Now<'a> {
    changed: &'a Changed,
    gone: HashMap<String, Option<Nearest>>,
}

impl<'a> Now<'a> {
    fn of<'s>(
        changed: &'a Changed,
        live: &[Passage],
        sources: impl Iterator<Item = &'s DecisionSource>,
    ) -> Now<'a> {
        let hashes: HashSet<String> = live.iter().map(Passage::hash).collect();
        let words = |text: &str| stems(text).into_iter().collect::<HashSet<String>>();
        let live: Vec<(&Passage, HashSet<String>)> =
            live.iter().map(|passage| (passage, words(&passage.text))).collect();
        let mut gone = HashMap::new();
        for source in sources.filter(|source| !hashes.contains(&source.hash)) {
            let nearest = || nearest(&words(&source.quote), &live, &changed.scope);
            gone.entry(source.hash.clone()).or_insert_with(nearest);
        }
        Now { changed, gone }
    }

    /// Returns a review for each of these sources that the document does not contain any more.
    fn reviews(&self, sources: &[DecisionSource], decision: &Decision) -> Vec<Review> {
        let review = |source: &DecisionSource| {
            let nearest = self.gone.get(&source.hash)?.clone();
            Some(Review {
                passage_id: source.passage_id,
                document_id: self.changed.document,
                file: source.file.clone(),
                was: source.quote.clone(),
                nearest,
                since: self.changed.since,
            })
        };
        let is_new = |new: &Review| {
            let hash = new.nearest.as_ref().map(|n| &n.hash);
            let seen = decision.reviewed.iter().find(|d| d.passage_id == new.passage_id);
            seen.is_none_or(|seen| seen.nearest_hash.as_ref() != hash)
        };
        sources.iter().filter_map(review).filter(is_new).collect()
    }

    /// Returns the reviews that a decision needs from now on; `None` if they are unchanged, or if
    /// the decision is neither proposed nor accepted.
    fn changes(&self, sources: &[DecisionSource], decision: &Decision) -> Option<Vec<Review>> {
        let holds = matches!(decision.status, DecisionStatus::Proposed | DecisionStatus::Accepted);
        let others = decision
            .needs_review
            .iter()
            .filter(|decision| decision.document_id != self.changed.document);
        let mut needs_review: Vec<Review> = others.cloned().collect();
        for mut new in self.reviews(sources, decision) {
            let before =
                decision.needs_review.iter().find(|decision| decision.passage_id == new.passage_id);
            new.since = before.map_or(new.since, |before| before.since);
            needs_review.push(new);
        }
        (holds && needs_review != decision.needs_review).then_some(needs_review)
    }
}

/// Returns the passage with the most words in common. The text of a passage outside everyone's
/// knowledge base is left out, because the readers of a decision may not be allowed to read the
/// document.
#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn nearest(
    was: &HashSet<String>,
    live: &[(&Passage, HashSet<String>)],
    scope: &Scope,
) -> Option<Nearest> {
    let likeness = |texts: &HashSet<String>| {
        let common = was.intersection(texts).count() as f64;
        common / (was.len() + texts.len()).max(1) as f64 * 2.0
    };
    let scored = live.iter().map(|(passage, l)| (passage, likeness(l)));
    let (passage, likeness) = scored.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let text = Some(passage.text.clone()).filter(|_| *scope == Scope::Global);
    let nearest = Nearest { passage_id: passage.id, hash: passage.hash(), text };
    Some(nearest).filter(|_| likeness >= ALIKE)
}

/// The decisions of one project, by project and id, with their sources.
type Resting = [((String, String), Vec<DecisionSource>)];

/// Marks decisions of one project and returns their number. All are tried before the first error is
/// returned.
async fn mark_some(reviews: &dyn Reviews, resting: &Resting, now: &Now<'_>) -> Result<usize> {
    let (mut count, mut failure) = (0, Ok(()));
    for some in resting.chunks(DECISIONS) {
        let Some(((project, _), _)) = some.first() else { continue };
        let ids: Vec<String> = some.iter().map(|((_, id), _)| id.clone()).collect();
        for decision in reviews.decisions_named(project, &ids).await? {
            let entry = some.iter().find(|((_, id), _)| *id == decision.decision_id);
            let sources = entry.map(|(_, sources)| sources.as_slice()).unwrap_or_default();
            match mark(reviews, project, decision, sources, now).await {
                Ok(is_changed) => count += usize::from(is_changed),
                Err(error) => failure = failure.and(Err(error)),
            }
        }
    }
    failure.map(|()| count)
}

async fn mark(
    reviews: &dyn Reviews,
    project: &str,
    decision: Decision,
    sources: &[DecisionSource],
    now: &Now<'_>,
) -> Result<bool> {
    let (ids, mut found) = ([decision.decision_id.clone()], Some(decision));
    for _ in 0..TRIES {
        let Some(decision) = found else { return Ok(false) };
        let Some(needs_review) = now.changes(sources, &decision) else { return Ok(false) };
        let marked = Decision { version: decision.version + 1, needs_review, ..decision };
        if reviews.revise(project, &[&marked], None).await? == Written::Done {
            return Ok(true);
        }
        found = reviews.decisions_named(project, &ids).await?.pop();
    }
    Err(Error::unavailable("the table", "a decision changed again and again"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str =
        "# Valve\n\n## Pressure\n\nThe relief valve opens at 5 bar and closes slowly.\n";

    #[test]
    fn the_new_text_of_what_is_not_everyones_is_not_told() {
        let passages = testing::passages(NEW);
        let words = |text: &str| stems(text).into_iter().collect::<HashSet<String>>();
        let live: Vec<_> = passages.iter().map(|passage| (passage, words(&passage.text))).collect();
        let was = words("The relief valve opens at 7 bar and closes slowly.");
        let nearest_text = |scope: Scope| nearest(&was, &live, &scope).unwrap().text;
        assert_eq!(nearest_text(Scope::User("ann".into())), None);
        assert!(nearest_text(Scope::Global).unwrap().contains("5 bar"));
    }
}
