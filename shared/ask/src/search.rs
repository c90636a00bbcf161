//! The third stage: one embedding call, one search call, and one more where whole documents are read.

use futures_util::future::try_join;
use model::Result;
use model::evidence::{PointKind, ScoreParts};
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Embedder, Index, Purpose, Ranked};
use std::collections::BTreeSet;
use uuid::Uuid;
use wire::decisions::Related;
use wire::trial::ModelPart;

use crate::Ask;
use crate::embed::embed;
use crate::evaluated::Unknown;
use crate::evidence::Evidence;
use crate::fuse::{self, Ranking};
use crate::plan::{Keep, Plan, Probe};
use crate::question::Asked;
use crate::read::{self, passages};
use crate::rerank::by_model;
use crate::searches::Searches;

/// The evidence and the decisions that were found.
#[derive(Debug, Default)]
pub struct Found {
    /// Passages or documents that may answer; documents come best first, passages in no order.
    pub evidence: Vec<Evidence>,
    /// The project's decisions nearest to the question, in no order.
    pub decisions: Vec<Evidence>,
    /// Those that bear on it, best first, once they are in order; `None` where it is asked for no project.
    pub related: Option<Vec<Related>>,
    /// The names and words that stand nowhere.
    pub unknown: Unknown,
    /// The weights of all rankings together.
    pub weights: f64,
    /// False if a model judged that none of it is relevant.
    pub is_relevant: bool,
}

impl Ask<'_> {
    /// Searches what is planned. Where a project is named, its profile and the caller's membership are read while the question is
    /// embedded, and before anything is searched; its decisions are searched in the same call as the documents.
    ///
    /// # Errors
    /// [`model::Error::Missing`] for a stranger to the project, [`model::Error::Invalid`] for an example that cannot be found, and those
    /// of the services.
    pub async fn search(&self, mut plan: Plan, asked: &mut Asked) -> Result<Found> {
        let vectors = self.embedded(asked, &mut plan).await?;
        let mut found = self.found(asked, plan, &vectors).await?;
        // A summary is in no place that could be cited: it is for finding.
        found.evidence.retain(|found| !found.chunk.is_summary());
        found.forget_nearness(asked);
        Ok(found)
    }

    /// Gives each text of a plan its vector, in one call, and reads the project at the same time. Examples move the question's.
    ///
    /// # Errors
    /// As [`Ask::search`].
    pub async fn embedded(&self, asked: &mut Asked, plan: &mut Plan) -> Result<Vec<Vec<f32>>> {
        let texts: Vec<String> = plan.probes.iter().map(|probe| probe.text.clone()).collect();
        let vectors = embed(self.embedder, &texts, Purpose::Question);
        let membership = self.membership(asked.project.as_deref());
        let (mut vectors, membership) = try_join(vectors, membership).await?;
        if let Some(membership) = &membership {
            asked.grant = asked.grant.clone().with(membership);
        }
        asked.membership = membership;
        if let Some(vector) = vectors.first_mut() {
            self.lean_on_examples(asked, plan, vector).await?;
        }
        Ok(vectors)
    }

    /// Moves the vector of the question, the first text of a plan, towards examples, and leaves these out.
    ///
    /// # Errors
    /// [`model::Error::Invalid`] for an example that cannot be found, and those of the index.
    pub async fn lean_on_examples(
        &self,
        asked: &Asked,
        plan: &mut Plan,
        vector: &mut [f32],
    ) -> Result<()> {
        if let Some(probe) = plan.probes.first_mut() {
            let question = (&mut probe.text, vector);
            plan.excluded = asked.examples.applied(self.index, &asked.grant, question).await?;
        }
        Ok(())
    }

    /// Finds what is planned by the vectors of its texts.
    ///
    /// # Errors
    /// Those of the index.
    pub async fn found(&self, asked: &Asked, plan: Plan, vectors: &[Vec<f32>]) -> Result<Found> {
        let Searches { mut decisions, evidence: mut rankings, groups } =
            Searches::of(&plan, vectors, asked.membership.is_some());
        let mut results = groups.sent(self.index, &asked.grant, &asked.filters).await?;
        fill(&mut decisions, std::mem::take(&mut results.decisions), &plan.excluded);
        fill(&mut rankings, std::mem::take(&mut results.evidence), &plan.excluded);
        let within = (weights(&rankings), &plan.excluded);
        let (exact, unknown) = plan.lookup.evaluated(&results, rankings.iter(), &decisions, within);
        rankings.extend(exact);
        let weights = weights(&rankings);
        let (index, grant) = (self.index, &asked.grant);
        let documents =
            || fuse::documents(&rankings).into_iter().take(self.wanted(asked, plan.keep));
        let evidence = match plan.keep {
            Keep::Passages => passages(&mut rankings),
            Keep::Documents { .. } => {
                read::with_facts(documents().collect(), (index, grant)).await?
            }
            Keep::EveryPassage => {
                let documents: Vec<Uuid> = documents().map(|found| found.document_id).collect();
                read::whole(&rankings, &documents, (index, grant, &asked.filters)).await?
            }
        };
        let decisions = passages(&mut decisions);
        Ok(Found { evidence, decisions, related: None, unknown, weights, is_relevant: true })
    }

    /// The number of documents that are read: more than are shown where a project or a judgement may change their order.
    fn wanted(&self, asked: &Asked, keep: Keep) -> usize {
        let most = asked.top_k.value();
        let Keep::Documents { spare } = keep else { return most };
        let of_project = asked.project.as_ref().map_or(0, |_| SPARE);
        let by_model = || self.model(asked, ModelPart::Grade).map_or(0, |_| by_model::MOST);
        (most + spare + of_project).max(self.rerank.map_or_else(by_model, |rerank| rerank.most))
    }
}

impl Found {
    /// Leaves evidence that written queries found where it is, and takes away that it is near to them: they may be of something else.
    pub fn forget_nearness(&mut self, asked: &Asked) {
        if !asked.written.is_empty() {
            self.evidence.iter_mut().for_each(without_nearness);
        }
    }
}

fn without_nearness(evidence: &mut Evidence) {
    let mut rankings = std::mem::take(&mut evidence.parts.rankings);
    for ranking in rankings.iter_mut().filter(|ranking| ranking.query.is_some()) {
        ranking.z_score = None;
    }
    evidence.parts = ScoreParts::new(rankings, evidence.parts.fusion);
}

/// The number of documents that are read besides for a project, whose profile may raise them among those that are wanted.
const SPARE: usize = 5;

/// Finds the decisions nearest to `text`, however they stand; in no order.
///
/// # Errors
/// Those of the services.
pub async fn decisions(
    (embedder, index): (&dyn Embedder, &dyn Index),
    grant: &Grant,
    text: &str,
) -> Result<Vec<Evidence>> {
    let texts = [text.to_owned()];
    let vectors = embed(embedder, &texts, Purpose::Question).await?;
    let [text] = texts;
    let probe = Probe { text, ways: Vec::new(), depth: 0, query: None };
    let plan = Plan::of_probes(vec![probe]).deciding(PointKind::Decision);
    let Searches { mut decisions, groups, .. } = Searches::of(&plan, &vectors, true);
    let results = groups.sent(index, grant, &Filters::default()).await?;
    fill(&mut decisions, results.decisions, &BTreeSet::new());
    Ok(passages(&mut decisions))
}

fn weights(rankings: &[Ranking]) -> f64 {
    rankings.iter().map(|ranking| ranking.weight).sum()
}

/// Gives each ranking what its search found, without the `excluded` documents.
pub fn fill(rankings: &mut [Ranking], found: Vec<Ranked>, excluded: &BTreeSet<Uuid>) {
    for (ranking, found) in rankings.iter_mut().zip(found) {
        (ranking.hits, ranking.usual) = (found.hits, found.usual);
        let brought = ranking.hits.len();
        ranking.hits.retain(|hit| !excluded.contains(&hit.document_id));
        ranking.depth = ranking.depth.saturating_sub(brought - ranking.hits.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::RankingScore;
    use testing::{chunks, ranking_at};

    #[test]
    fn nearness_to_what_a_model_thought_of_is_no_nearness_to_the_question() {
        let chunk = chunks("# Valve\n\nIt leaked.\n").swap_remove(0);
        let rankings = vec![ranking_at(1.0), RankingScore { query: Some(0), ..ranking_at(7.0) }];
        let parts = ScoreParts::new(rankings, 0.9);
        let mut evidence = Evidence::of(chunk, parts);
        let before = evidence.parts.strength;
        without_nearness(&mut evidence);
        let left: Vec<Option<f64>> =
            evidence.parts.rankings.iter().map(|ranking| ranking.z_score).collect();
        assert_eq!(left, [Some(1.0), None]);
        assert!(evidence.parts.strength != before && (evidence.parts.fusion - 0.9).abs() < 1e-9);
    }
}
