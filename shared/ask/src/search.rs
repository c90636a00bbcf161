//! The third stage makes one embedding call and one search call, and one more call if documents are
//! read.

use futures_util::future::join;
use model::document::Passage;
use model::evidence::{PointKind, ScoreParts};
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Embedder, Index, Purpose, Ranked};
use std::collections::BTreeSet;
use uuid::Uuid;
use wire::decisions::Related;
use wire::trial::ModelPart;

use crate::Ask;
use crate::embed::embed;
use crate::evidence::Evidence;
use crate::fuse::{self, Ranking};
use crate::plan::{Keep, Plan, Probe, Way, has_words};
use crate::question::Asked;
use crate::read::{self, passages};
use crate::rerank::by_model;
use crate::searches::Searches;
use crate::unknown::{Unknown, unknown};

/// The evidence and the decisions that were found.
#[derive(Debug, Default)]
pub struct Found {
    /// The passages or documents that may answer. Documents come best first, passages in no order.
    pub evidence: Vec<Evidence>,
    /// The project's decisions nearest to the question, in no order.
    pub decisions: Vec<Evidence>,
    /// The decisions that bear on the question, best first, once they are ordered; `None` if the
    /// question is for no project.
    pub related: Option<Vec<Related>>,
    /// The names and words that occur nowhere.
    pub unknown: Unknown,
    /// The total weight of all rankings.
    pub weights: f64,
    /// False if a model judged none of the evidence relevant.
    pub is_relevant: bool,
    /// True if a language model graded the results and found one of them relevant.
    pub is_graded: bool,
}

impl Ask<'_> {
    /// Runs the searches of a plan. If a project is named, its profile and the caller's membership
    /// are read during the embedding and before any search. The project's decisions are searched in
    /// the same call as the documents.
    ///
    /// # Errors
    /// [`model::Error::Missing`] for a caller outside the project, [`model::Error::Invalid`] for an
    /// example that cannot be found, and the errors of the services.
    pub async fn search(&self, mut plan: Plan, asked: &mut Asked) -> Result<Found> {
        let vectors = self.embedded(asked, &mut plan).await?;
        let mut found = self.found(asked, plan, &vectors).await?;
        // A summary only serves to find a document. It has no place that could be cited.
        found.evidence.retain(|found| !found.passage.is_summary());
        found.forget_nearness(asked);
        Ok(found)
    }

    /// Embeds the texts of a plan in one call, and reads the project at the same time. Examples
    /// move the vector of the question. If the embedding model fails, there are no vectors, and the
    /// failure is recorded in `degraded`: words are searched all the same.
    ///
    /// # Errors
    /// Fails as [`Ask::search`] does, and with the failure of the embedding model if the plan
    /// searches no words.
    pub async fn embedded(&self, asked: &mut Asked, plan: &mut Plan) -> Result<Vec<Vec<f32>>> {
        let texts: Vec<String> = plan.probes.iter().map(|probe| probe.text.clone()).collect();
        let vectors = embed(self.embedder, &texts, Purpose::Question);
        let membership = self.membership(asked.project.as_deref());
        let (vectors, membership) = join(vectors, membership).await;
        let membership = membership?;
        let ways = plan.probes.iter().map(|probe| probe.ways.as_slice());
        let mut vectors = or_words_alone(vectors, ways, &mut asked.degraded)?;
        if let Some(membership) = &membership {
            asked.grant = asked.grant.clone().with(membership);
        }
        asked.membership = membership;
        let vector = vectors.first_mut().map(Vec::as_mut_slice).unwrap_or_default();
        self.lean_on_examples(asked, plan, vector).await?;
        Ok(vectors)
    }

    /// Moves the vector of the question, which is the first text of a plan, towards wanted
    /// examples, and excludes the examples from the results.
    ///
    /// # Errors
    /// [`model::Error::Invalid`] for an example that cannot be found, and the errors of the index.
    pub async fn lean_on_examples(
        &self,
        asked: &Asked,
        plan: &mut Plan,
        vector: &mut [f32],
    ) -> Result<()> {
        if let Some(probe) = plan.probes.first_mut() {
            let text = &mut probe.text;
            plan.excluded = asked.examples.applied(self.index, &asked.grant, text, vector).await?;
        }
        Ok(())
    }

    /// Runs the searches of a plan with the vectors of its texts; without vectors, those for words.
    ///
    /// # Errors
    /// The errors of the index.
    pub async fn found(&self, asked: &Asked, plan: Plan, vectors: &[Vec<f32>]) -> Result<Found> {
        let Searches { mut decisions, evidence: mut rankings, groups } =
            Searches::of(&plan, vectors, asked.membership.is_some());
        let mut results = groups.sent(self.index, &asked.grant, &asked.filters).await?;
        fill(&mut decisions, std::mem::take(&mut results.decisions), &plan.excluded);
        fill(&mut rankings, std::mem::take(&mut results.evidence), &plan.excluded);
        let (exact, weight) = (&results.exact, weights(&rankings));
        let exact = plan.lookup.exact_ranking(exact, rankings.iter(), weight, &plan.excluded);
        let is_string_found = exact.is_some();
        rankings.extend(exact);
        let weights = weights(&rankings);
        let (index, grant) = (self.index, &asked.grant);
        let documents = || fuse::documents(&rankings, self.wanted(asked, plan.keep));
        let evidence = match plan.keep {
            Keep::Passages => passages(&mut rankings),
            Keep::Documents { .. } => read::with_facts(documents(), index, grant).await?,
            Keep::EveryPassage => {
                let documents: Vec<Uuid> =
                    documents().iter().map(|found| found.document_id).collect();
                read::whole(&rankings, &documents, index, grant, &asked.filters).await?
            }
        };
        let decisions = passages(&mut decisions);
        let mut found = Found { evidence, decisions, weights, ..Found::default() };
        let read = found.read(&results.exact);
        found.unknown = unknown(&plan.lookup, &read, is_string_found, index, grant).await?;
        Ok(Found { is_relevant: true, ..found })
    }

    /// Returns the number of documents to read. It exceeds the number shown if a project or a
    /// judgement may change their order.
    fn wanted(&self, asked: &Asked, keep: Keep) -> usize {
        let most = asked.top_k.value();
        let Keep::Documents { spare } = keep else { return most };
        let of_project = asked.project.as_ref().map_or(0, |_| SPARE);
        let by_model = || self.model(asked, ModelPart::Grade).map_or(0, |_| by_model::MOST);
        (most + spare + of_project).max(self.rerank.map_or_else(by_model, |rerank| rerank.most))
    }
}

/// Returns the vectors of texts. If there are none and the texts are searched by words, the failure
/// is recorded in `degraded` instead.
///
/// # Errors
/// The failure of the embedding model if the searches are for no words.
pub fn or_words_alone<'w>(
    vectors: Result<Vec<Vec<f32>>>,
    mut ways: impl Iterator<Item = &'w [Way]>,
    degraded: &mut Vec<Degraded>,
) -> Result<Vec<Vec<f32>>> {
    match vectors {
        Err(error @ Error::Unavailable { .. }) if ways.any(has_words) => {
            degraded.push(Degraded { part: "search by meaning".into(), error });
            Ok(Vec::new())
        }
        vectors => vectors,
    }
}

impl Found {
    /// Returns the passages that were read: evidence, decisions, and those with a string of the
    /// question.
    pub fn read<'f>(&'f self, exact: &'f [[Ranked; 2]]) -> Vec<&'f Passage> {
        let evidence = self.evidence.iter().chain(&self.decisions).map(|found| &found.passage);
        let exact = exact.iter().flatten().flat_map(|ranked| &ranked.hits);
        evidence.chain(exact.filter_map(|hit| hit.passage.as_deref())).collect()
    }

    /// Keeps the evidence that written queries found, but removes its nearness to them, because a
    /// written query may be about another subject.
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

/// The number of additional documents that are read for a project. Its profile may raise them among
/// the shown ones.
const SPARE: usize = 5;

/// Finds the decisions nearest to `text`, in any status and in no order.
///
/// # Errors
/// The errors of the services.
pub async fn decisions(
    embedder: &dyn Embedder,
    index: &dyn Index,
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

/// Fills each ranking with the results of its search, without the `excluded` documents.
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
    use testing::{passages, ranking_at};

    #[test]
    fn nearness_to_what_a_model_thought_of_is_no_nearness_to_the_question() {
        let passage = passages("# Valve\n\nIt leaked.\n").swap_remove(0);
        let rankings = vec![ranking_at(1.0), RankingScore { query: Some(0), ..ranking_at(7.0) }];
        let parts = ScoreParts::new(rankings, 0.9);
        let mut evidence = Evidence::of(passage, parts);
        let before = evidence.parts.strength;
        without_nearness(&mut evidence);
        let left: Vec<Option<f64>> =
            evidence.parts.rankings.iter().map(|ranking| ranking.z_score).collect();
        assert_eq!(left, [Some(1.0), None]);
        assert!(evidence.parts.strength != before && (evidence.parts.fusion - 0.9).abs() < 1e-9);
    }
}
