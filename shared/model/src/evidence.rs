//! Passages as the caller sees them, and the parts of their scores.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::document::{DocumentType, Lifecycle, Origin, Passage};
use crate::facts::Fact;
use crate::scope::Scope;

mod ranking;
mod strength;

pub use ranking::{RankingScore, RetrieverKind, SearchKind};
pub use strength::{NEAR, RATHER_NEAR, Strength};

/// Upper bound for the share of the gap to a perfect score that all boosts close together.
pub const BOOST_CAP: f64 = 0.3;

/// What a point of the index stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PointKind {
    /// A passage.
    Passage,
    /// A whole document: its embedding is of the title and the first words, its words are all of
    /// them.
    Document,
    /// A whole document that reports on a failure.
    FailureReport,
    /// A decision of a project, however it stands.
    Decision,
    /// A decision of a project that holds.
    Accepted,
}

impl PointKind {
    /// Returns true if the point is a decision, and not a document or a part of one.
    pub fn is_decision(self) -> bool {
        matches!(self, PointKind::Decision | PointKind::Accepted)
    }

    /// Returns the name in the index: one for passages, one for both kinds of documents, one for
    /// both kinds of decisions.
    pub fn name(self) -> &'static str {
        match self {
            PointKind::Passage => "passage",
            PointKind::Document | PointKind::FailureReport => "document",
            PointKind::Decision | PointKind::Accepted => "decision",
        }
    }
}

/// A strategy's addition to a score: the share of the gap to a perfect score that it closes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Boost {
    /// Why.
    pub name: String,
    /// The share, `0.0..=0.3`.
    pub share: f64,
}

/// How a score comes about: `final = round3(fusion + (1 - fusion) * min(sum of shares, 0.3))`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreParts {
    /// What each ranking says of it.
    pub rankings: Vec<RankingScore>,
    /// The sum of `weight * score` of the rankings over the weights of all rankings, `0.0..=1.0`.
    pub fusion: f64,
    /// What the workflow added.
    pub boosts: Vec<Boost>,
    /// The strength of its likeness in meaning to the question or a query; absent where no z-score
    /// is known. On the wire it stands beside the score.
    #[serde(skip)]
    pub strength: Option<Strength>,
    /// Whether a reply shows them: what came from a reply was shown.
    #[serde(skip, default = "shown")]
    pub is_shown: bool,
    /// The score.
    #[serde(rename = "final")]
    pub total: f64,
}

impl ScoreParts {
    /// Returns the parts of a score without boosts.
    pub fn new(rankings: Vec<RankingScore>, fusion: f64) -> ScoreParts {
        let of_passages = rankings
            .iter()
            .filter(|ranking| ranking.probe == 0 && ranking.of == PointKind::Passage);
        let nearest = of_passages.filter_map(|ranking| ranking.z_score).reduce(f64::max);
        let strength = nearest.map(Strength::of);
        let total = round3(fusion);
        ScoreParts { total, rankings, fusion, boosts: Vec::new(), strength, is_shown: false }
    }

    /// Returns true if replies leave out the parts.
    pub fn is_hidden(&self) -> bool {
        !self.is_shown
    }

    /// Adds the score of one more ranking; the previous rankings weigh `weights` together. Boosts
    /// are kept.
    pub fn add(&mut self, ranking: RankingScore, weights: f64) {
        let score = self.fusion * weights + ranking.weight * ranking.score;
        self.fusion = score / (weights + ranking.weight);
        self.rankings.push(ranking);
        self.total = self.with(self.boosted());
    }

    /// Adds a boost. It closes its share of the gap to 1, so that no score saturates and equal
    /// boosts keep the order.
    pub fn boost(&mut self, name: &str, share: f64) {
        self.boosts.push(Boost { name: name.into(), share });
        self.total = self.with(self.boosted());
    }

    /// Returns the sum of the shares of all boosts.
    pub fn boosted(&self) -> f64 {
        self.boosts.iter().map(|boost| boost.share).sum()
    }

    /// Returns the score with boosts whose shares sum up to `shares`.
    pub fn with(&self, shares: f64) -> f64 {
        round3(self.fusion + (1.0 - self.fusion) * shares.clamp(0.0, BOOST_CAP))
    }
}

fn shown() -> bool {
    true
}

/// Rounds to three decimals, as scores are shown.
pub fn round3(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

/// The place of a passage in a document. A reply lists each place once, in `passages`; where a type
/// here has a place, the reply has its number in that list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The passage.
    pub passage_id: Uuid,
    /// Among whose documents it stands: `global`, `user`, `case:ID` or `team:ID`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knowledge: Option<String>,
    /// The document; with `explain` only.
    #[serde(default, skip_serializing_if = "Uuid::is_nil")]
    pub document_id: Uuid,
    /// The name or relative path under which the document was uploaded.
    pub file: String,
    /// The document's title.
    pub title: String,
    /// The headings above the passage, outermost first; absent above the first heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// What kind of text the document is.
    pub document_type: DocumentType,
    /// The kind of origin of the document.
    pub source: Origin,
    /// Where the original is found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// First and last line in the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// First and last time that the passage's records tell of, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<(String, String)>,
    /// The version of the document, or of what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// What became of the document, as it says itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifecycle: Option<Lifecycle>,
}

impl Place {
    /// Returns the place of `passage`.
    pub fn of(passage: &Passage) -> Place {
        Place {
            passage_id: passage.id,
            knowledge: passage.scope.as_ref().map(Scope::knowledge),
            document_id: passage.document_id,
            file: passage.name.clone(),
            title: passage.title.clone(),
            section: Some(passage.section.clone()).filter(|section| !section.is_empty()),
            document_type: passage.document_type,
            source: passage.source,
            uri: passage.uri.clone(),
            lines: passage.lines,
            time: passage.time.map(|(first, last)| (first.to_string(), last.to_string())),
            edition: passage.edition.clone(),
            lifecycle: passage.lifecycle,
        }
    }
}

/// A passage as a result of a question: where it stands, its text and its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PassageResult {
    /// The passage.
    pub passage: Place,
    /// Its text, verbatim.
    pub text: String,
    /// How well it answers, `0.0..=1.0`; comparable within one answer only.
    pub score: f64,
    /// Likeness to the question in meaning, comparable between answers; absent where too few
    /// passages are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How the score comes about; with `explain` only.
    #[serde(default, skip_serializing_if = "ScoreParts::is_hidden")]
    pub score_parts: ScoreParts,
}

impl PassageResult {
    /// Returns `passage` as a result with its score.
    pub fn of(passage: Passage, parts: ScoreParts) -> PassageResult {
        PassageResult {
            passage: Place::of(&passage),
            text: passage.text,
            score: parts.total,
            strength: parts.strength,
            score_parts: parts,
        }
    }
}

/// Words of a document, verbatim, with the line on which they begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quote {
    /// The words.
    pub text: String,
    /// The line, from 1, in the file of what has the quote; absent where lines are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The headings above it; absent above the first heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

impl Quote {
    /// Returns the quote of `passage` at `range`.
    pub fn of(passage: &Passage, range: Range<usize>) -> Quote {
        passage.fact(range).into()
    }
}

impl From<Fact> for Quote {
    fn from(fact: Fact) -> Quote {
        Quote { text: fact.text, line: fact.line, section: fact.section }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn boosts_never_lower_a_score_nor_reach_past_one(fusion in 0.0f64..=1.0, shares in prop::collection::vec(0.0f64..=0.3, 0..6)) {
            let mut parts = ScoreParts::new(Vec::new(), fusion);
            let mut last = parts.total;
            for share in shares {
                parts.boost("any", share);
                prop_assert!(last <= parts.total && parts.total <= 1.0);
                last = parts.total;
            }
            let sum: f64 = parts.boosts.iter().map(|boost| boost.share).sum();
            prop_assert!((parts.total - round3(fusion + (1.0 - fusion) * sum.min(BOOST_CAP))).abs() < 1e-12);
        }

        #[test]
        fn one_more_ranking_counts_by_its_weight_and_boosts_stay(
            fusion in 0.0f64..=1.0, score in 0.0f64..=1.0, weight in 0.1f64..5.0, weights in 0.1f64..5.0, share in 0.0f64..=0.3,
        ) {
            let mut parts = ScoreParts::new(Vec::new(), fusion);
            parts.boost("any", share);
            let ranking = RankingScore {
                probe: 0, query: None, retriever: RetrieverKind::Bm25, of: PointKind::Passage, rank: None, raw: None, z_score: None, score, weight,
            };
            parts.add(ranking, weights);
            prop_assert!((parts.fusion - (fusion * weights + score * weight) / (weights + weight)).abs() < 1e-12);
            prop_assert!((parts.total - round3(parts.fusion + (1.0 - parts.fusion) * share)).abs() < 1e-12);
        }

        #[test]
        fn equal_boosts_keep_the_order(low in 0.0f64..=1.0, high in 0.0f64..=1.0, share in 0.0f64..=0.3) {
            prop_assume!(low <= high);
            let boosted = |fusion| { let mut parts = ScoreParts::new(Vec::new(), fusion); parts.boost("any", share); parts.total };
            prop_assert!(boosted(low) <= boosted(high));
        }
    }
}
