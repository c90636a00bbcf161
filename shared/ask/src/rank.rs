//! The fourth stage orders the evidence: a model judges it, the project's profile raises scores,
//! and the best comes first.

use ports::degraded::Degraded;
use wire::trial::ModelPart;

use crate::Ask;
use crate::evidence::{Evidence, best_first};
use crate::question::Asked;
use crate::related;
use crate::rerank::by_model::{self, ByModel};
use crate::rerank::{Limits, Rerank};
use crate::search::Found;

impl Ask<'_> {
    /// Judges and orders the results.
    pub async fn rank(&self, asked: &mut Asked, found: &mut Found) {
        self.judge(asked, found).await;
        order(asked, found);
    }

    /// Has the reranker judge the first results; without a reranker, in mode `generative`, the
    /// language model. A failure is recorded in `degraded`.
    pub async fn judge(&self, asked: &mut Asked, found: &mut Found) {
        let grader = self.model(asked, ModelPart::Grade).map(ByModel);
        let by_model = grader.as_ref().map(|by| Rerank {
            by,
            limits: Limits::default(),
            most: by_model::MOST,
        });
        let Some(rerank) = self.rerank.or(by_model) else { return };
        let (evidence, weights) = (found.evidence.as_mut_slice(), found.weights);
        match rerank.rerank(&asked.question, evidence, weights).await {
            Ok(is_relevant) => {
                found.is_relevant = is_relevant.unwrap_or(true);
                found.is_graded = self.rerank.is_none() && is_relevant == Some(true);
            }
            Err(error) => asked.degraded.push(Degraded { part: "rerank".into(), error }),
        }
    }
}

/// Adds the boosts of the project's profile, puts the best evidence first, and chooses the
/// project's decisions that bear on the question.
pub fn order(asked: &Asked, found: &mut Found) {
    if let Some(membership) = &asked.membership {
        related::weigh(membership.project(), &mut found.evidence);
    }
    best_first(&mut found.evidence);
    show_parts(&mut found.evidence, asked.explain);
    show_parts(&mut found.decisions, asked.explain);
    let decisions = std::mem::take(&mut found.decisions);
    let question = asked.question.as_str();
    found.related =
        asked.membership.as_ref().map(|_| related::related(decisions, question, DECISIONS));
}

/// Upper bound for the decisions that are shown beside a report.
const DECISIONS: usize = 5;

/// Sets whether the reply shows the parts of scores.
fn show_parts(evidence: &mut [Evidence], is_shown: bool) {
    for found in evidence {
        found.parts.is_shown = is_shown;
    }
}
