//! Searches sources at once, each in a call of its own, so that one may be late or fail without the
//! others.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::SignedDuration;

use futures_util::future::{Either, join_all, select};
use uuid::Uuid;

use super::source::{SourceConfig, Sources};
use ask::fuse::Ranking;
use ask::search::fill;
use ask::searches::Searches;
use model::evidence::PointKind;
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Clock, Index, Ranked};

/// The searches for every source, and their limits.
pub(super) struct Asking<'a> {
    pub(super) index: &'a dyn Index,
    pub(super) clock: &'a dyn Clock,
    pub(super) grant: &'a Grant,
    pub(super) filters: &'a Filters,
    pub(super) searches: &'a Searches,
    pub(super) excluded: &'a BTreeSet<Uuid>,
}

/// The answer of a source.
pub(super) struct Reply {
    /// The place of the source among all.
    pub(super) source: usize,
    /// The rankings; `None` if the source failed or was late.
    pub(super) rankings: Option<Vec<Ranking>>,
    /// The number of passages found; `None` if the source failed or was late.
    pub(super) found: Option<usize>,
    /// The time until the source answered.
    pub(super) took: Duration,
}

/// The answers of all sources that were searched.
pub(super) struct Replies {
    pub(super) all: Vec<Reply>,
    /// The number of the answers from the first round. Later ones are from sources that were
    /// searched because the first ones did not suffice.
    pub(super) later: usize,
}

impl Replies {
    /// Returns the time for which an answer from these sources may be cached: the shortest of
    /// theirs.
    pub(super) fn cached_for(&self, sources: &Sources) -> SignedDuration {
        let asked = self.all.iter().map(|reply| sources.all()[reply.source].cache);
        asked.min().unwrap_or_default()
    }

    /// Returns the rankings of the sources that answered.
    pub(super) fn rankings(&self) -> impl Iterator<Item = &Ranking> {
        self.all.iter().filter_map(|reply| reply.rankings.as_ref()).flatten()
    }
}

impl Asking<'_> {
    /// Searches the sources at these places at once. A source that fails or is late is named in
    /// `degraded`.
    pub(super) async fn ask(
        &self,
        sources: &[SourceConfig],
        places: &[usize],
        degraded: &mut Vec<Degraded>,
    ) -> Vec<Reply> {
        let asked = places.iter().map(|place| async { (*place, self.one(&sources[*place]).await) });
        let (mut replies, mut errors) = (Vec::new(), Vec::new());
        for (source, (found, took)) in join_all(asked).await {
            let rankings = found.map_err(|error| errors.push((source, error))).ok();
            let found = rankings.as_deref().map(passages);
            replies.push(Reply { source, rankings, found, took });
        }
        degraded.extend(errors.into_iter().map(|(source, error)| Degraded {
            part: format!("source: {}", sources[source].name).into(),
            error,
        }));
        replies
    }

    /// Searches one source, within its time limit.
    async fn one(&self, source: &SourceConfig) -> (Result<Vec<Ranking>>, Duration) {
        let begun = self.clock.now();
        let found = self.within(&source.passages, source.patience).await;
        (found, self.clock.now().saturating_sub(begun))
    }

    async fn within(&self, passages: &Filters, patience: Duration) -> Result<Vec<Ranking>> {
        let all = self.filters.0.iter().chain(&passages.0).cloned().collect();
        let filters = Filters(all);
        let search = self.index.search(self.grant, &filters, self.searches.groups.evidence.clone());
        let found: Vec<Ranked> = match select(search, self.clock.wait(patience)).await {
            Either::Left((found, _)) => found?,
            Either::Right(_) => {
                let cause = format!("it took longer than {} ms", patience.as_millis());
                return Err(Error::unavailable("a source", cause));
            }
        };
        let mut rankings = self.searches.evidence.clone();
        fill(&mut rankings, found, self.excluded);
        Ok(rankings)
    }
}

/// Counts the passages of rankings, each once.
fn passages(rankings: &[Ranking]) -> usize {
    let of_passages = rankings.iter().filter(|ranking| ranking.of == PointKind::Passage);
    let ids: BTreeSet<Uuid> =
        of_passages.flat_map(|of_passage| &of_passage.hits).map(|hit| hit.passage_id).collect();
    ids.len()
}
