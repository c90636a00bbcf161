//! Ranks by more than relevance: authority and freshness for the purpose of the question, and what other results refer to. Each
//! is a boost, so that the parts of a score add up.

use jiff::Timestamp;
use wire::search::{Intent, RelatedResult};

use super::merge::Merged;
use super::source::SourceConfig;
use crate::document::Chunk;

/// The most that each closes of the gap to a perfect score.
const AUTHORITY: f64 = 0.12;
const FRESHNESS: f64 = 0.06;
const REFERENCES: f64 = 0.04;
const CONTEXT: f64 = 0.08;

/// So many documents that refer to a passage say as much as more.
const MANY: f64 = 3.0;

/// What ranks results besides relevance.
pub(super) struct Ranking<'a> {
    pub(super) sources: &'a [SourceConfig],
    pub(super) intent: Intent,
    pub(super) now: Timestamp,
    /// The files that the asker has open.
    pub(super) files: &'a [String],
}

impl Ranking<'_> {
    /// Adds the boosts of a result.
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    pub(super) fn boost(&self, own: &mut Merged, related: &[RelatedResult]) {
        let chunk = &own.best.chunk;
        let authority = self.authority(chunk);
        let freshness = self.freshness(chunk);
        let references = (related.len() as f64 / MANY).min(1.0);
        let context = if self.is_open(chunk) { 1.0 } else { 0.0 };
        let boosts = [
            ("authority", AUTHORITY * authority),
            ("freshness", FRESHNESS * freshness),
            ("references", REFERENCES * references),
            ("context", CONTEXT * context),
        ];
        for (name, share) in boosts.into_iter().filter(|(_, share)| *share > 0.0) {
            own.best.parts.boost(name, share);
        }
    }

    /// The authority of the passage's source for the purpose, `0.0..=1.0`.
    pub(super) fn authority(&self, chunk: &Chunk) -> f64 {
        let own = self.sources.iter().filter(|source| source.has(chunk));
        own.map(|source| source.authority(self.intent)).fold(0.0, f64::max)
    }

    /// 1 for what is of now, a half for what is as old as half its source's freshness lasts; 0 where age does not count.
    fn freshness(&self, chunk: &Chunk) -> f64 {
        let half_life = |source: &SourceConfig| source.half_life(self.intent);
        let own = self.sources.iter().filter(|source| source.has(chunk));
        let Some(days) = own.filter_map(half_life).reduce(f64::max) else { return 0.0 };
        let age = self.now.duration_since(chunk.written_at()).as_secs_f64() / 86_400.0;
        0.5_f64.powf(age.max(0.0) / days)
    }

    fn is_open(&self, chunk: &Chunk) -> bool {
        self.files.iter().any(|file| {
            let (file, name) = (file.replace('\\', "/"), &chunk.name);
            let ends = |long: &str, short: &str| {
                long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            ends(&file, name) || ends(name, &file)
        })
    }
}
