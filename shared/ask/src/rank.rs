//! The fourth stage: a model that reads the evidence judges it, the project's profile weighs it, and the best comes first.

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
    /// Judges and orders what was found.
    pub async fn rank(&self, asked: &mut Asked, found: &mut Found) {
        self.judge(asked, found).await;
        order(asked, found);
    }

    /// Has the reranker judge the first results; where there is none, in mode `generative`, the language model. That it fails is noted.
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
            Ok(is_relevant) => found.is_relevant = is_relevant.unwrap_or(true),
            Err(error) => asked.degraded.push(Degraded { part: "rerank".into(), error }),
        }
    }
}

/// Adds the boosts of the project's profile, puts the best first, and chooses the project's decisions that bear on the question.
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

/// The most decisions that are shown beside a report.
const DECISIONS: usize = 5;

/// Shows how scores come about, or leaves it out of the reply.
fn show_parts(evidence: &mut [Evidence], is_shown: bool) {
    for found in evidence {
        found.parts.is_shown = is_shown;
    }
}
