//! Ranks by more than relevance: by authority and freshness for the intent of the question, and by
//! references from other results. Each is a boost, so that the parts of a score add up.

use jiff::Timestamp;
use wire::search::{Intent, RelatedResult};

use super::merge::Merged;
use super::source::SourceConfig;
use model::document::Passage;

/// Upper bounds for the boosts, as shares of the gap to a perfect score.
const AUTHORITY: f64 = 0.12;
const FRESHNESS: f64 = 0.06;
const REFERENCES: f64 = 0.04;
const CONTEXT: f64 = 0.08;

/// The number of referring results from which the boost is highest.
const MANY: f64 = 3.0;

/// The data for ranking besides relevance.
pub(super) struct Ranking<'a> {
    pub(super) sources: &'a [SourceConfig],
    /// The intent of the question. Without one, neither authority nor freshness counts.
    pub(super) intent: Option<Intent>,
    pub(super) now: Timestamp,
    /// The files that the asker has open.
    pub(super) files: &'a [String],
}

impl Ranking<'_> {
    /// Adds the boosts of a result.
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    pub(super) fn boost(&self, merged: &mut Merged, related: &[RelatedResult]) {
        let passage = &merged.best.passage;
        let authority = self.intent.map_or(0.0, |_| self.authority(passage));
        let freshness = self.intent.map_or(0.0, |intent| self.freshness(passage, intent));
        let references = (related.len() as f64 / MANY).min(1.0);
        let context = if self.is_open(passage) { 1.0 } else { 0.0 };
        let boosts = [
            ("authority", AUTHORITY * authority),
            ("freshness", FRESHNESS * freshness),
            ("references", REFERENCES * references),
            ("context", CONTEXT * context),
        ];
        for (name, share) in boosts.into_iter().filter(|(_, share)| *share > 0.0) {
            merged.best.parts.boost(name, share);
        }
    }

    /// Returns the authority of the passage's source for the intent, `0.0..=1.0`; the mean over all
    /// intents if none is known.
    pub(super) fn authority(&self, passage: &Passage) -> f64 {
        let sources = self.sources.iter().filter(|source| source.has(passage));
        let of = |source: &SourceConfig| match self.intent {
            Some(intent) => source.authority(intent),
            None => source.mean_authority(),
        };
        sources.map(of).fold(0.0, f64::max)
    }

    /// Returns 1 for a new passage, and a half for one whose age is the half-life of its source; 0
    /// if age does not count.
    fn freshness(&self, passage: &Passage, intent: Intent) -> f64 {
        let half_life = |source: &SourceConfig| source.half_life(intent);
        let sources = self.sources.iter().filter(|source| source.has(passage));
        let Some(days) = sources.filter_map(half_life).reduce(f64::max) else { return 0.0 };
        let age = self.now.duration_since(passage.written_at()).as_secs_f64() / 86_400.0;
        0.5_f64.powf(age.max(0.0) / days)
    }

    fn is_open(&self, passage: &Passage) -> bool {
        self.files.iter().any(|file| {
            let (file, name) = (file.replace('\\', "/"), &passage.name);
            let ends = |long: &str, short: &str| {
                long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            ends(&file, name) || ends(name, &file)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Sources;
    use ask::evidence::Evidence;
    use model::evidence::ScoreParts;
    use testing::passage;

    const DOCS: &str = include_str!("../../../../infra/sources/docs.toml");

    /// Returns the share of a boost for a passage of the documentation that was written at `time`.
    fn share(intent: impl Into<Option<Intent>>, time: &str, name: &str) -> f64 {
        let sources = Sources::parse(&[("docs.toml".into(), DOCS.into())]).unwrap();
        let now: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
        let ranking = Ranking { sources: sources.all(), intent: intent.into(), now, files: &[] };
        let time: Timestamp = time.parse().unwrap();
        let passage = Passage { time: Some((time, time)), ..passage("# Pool\n\nIt has ten.\n") };
        let parts = ScoreParts::new(Vec::new(), 0.5);
        let best = Evidence::of(passage, parts);
        let mut merged = Merged { best, others: Vec::new() };
        ranking.boost(&mut merged, &[]);
        let boosts = &merged.best.parts.boosts;
        boosts.iter().find(|boost| boost.name == name).map_or(0.0, |boost| boost.share)
    }

    #[test]
    fn a_source_counts_by_its_authority_for_the_intent() {
        let of = |intent| share(intent, "2026-11-20T18:00:00Z", "authority");
        assert!(
            of(Intent::Configure) > of(Intent::Explain) && of(Intent::Explain) > of(Intent::Locate)
        );
    }

    #[test]
    fn what_is_as_old_as_the_half_life_is_half_as_fresh_where_age_counts() {
        let of = |time| share(Intent::Configure, time, "freshness");
        let (new, old) = (of("2026-11-20T18:00:00Z"), of("2024-11-20T18:00:00Z"));
        assert!((new - FRESHNESS).abs() < 1e-9 && (old - new / 2.0).abs() < 1e-3, "{new} {old}");
        assert!(share(Intent::Explain, "2026-11-20T18:00:00Z", "freshness").abs() < 1e-9);
        assert!(share(None, "2026-11-20T18:00:00Z", "authority").abs() < 1e-9, "of no purpose");
    }
}
