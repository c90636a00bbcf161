//! Decisions as passages of their project.

use super::Desk;
use crate::decision::Decision;
use crate::evidence::PointKind;
use crate::ports::{Embedded, Point, Purpose};
use crate::related;
use crate::scope::Scope;
use crate::strategy::Degraded;
use crate::{Error, Result};

/// How many words of a rationale are embedded with its decision.
const WORDS: usize = 170;

/// Writes decisions into the index, unseen yet.
pub(super) async fn stage(desk: &Desk<'_>, project: &str, decisions: &[&Decision]) -> Result<()> {
    let meanings: Vec<String> = decisions.iter().map(|own| meaning(own)).collect();
    let vectors = desk.embedder.embed(&meanings, Purpose::Document).await?;
    if vectors.len() != meanings.len() {
        let cause = "it gave another number of vectors than of texts";
        return Err(Error::unavailable("the embedding model", cause));
    }
    let space = desk.embedder.space();
    let point = |((own, meaning), vector): ((&&Decision, &String), Vec<f32>)| {
        let chunk = related::passage(project, own, &desk.stamp.id);
        let embedded = Embedded::of(&space, meaning);
        Point { kind: PointKind::Decision, words: chunk.text.clone(), chunk, vector, embedded }
    };
    let points = decisions.iter().zip(&meanings).zip(vectors).map(point).collect();
    desk.publisher.stage(&Scope::Project(project.into()), points).await
}

/// Lets searches see what this request staged, in place of what they saw before. The decisions are saved: where that
/// fails, only their being found is missing.
pub(super) async fn published(
    desk: &Desk<'_>,
    project: &str,
    decisions: &[&Decision],
) -> Vec<Degraded> {
    let ids: Vec<&str> = decisions.iter().map(|own| own.decision_id.as_str()).collect();
    publish(desk, project, &ids, &desk.stamp.id).await
}

/// The same for decisions that the request `version` staged.
pub(super) async fn publish(
    desk: &Desk<'_>,
    project: &str,
    decisions: &[&str],
    version: &str,
) -> Vec<Degraded> {
    let scope = Scope::Project(project.into());
    for id in decisions {
        let document = related::document(project, id);
        if let Err(error) = desk.publisher.publish(&scope, document, version).await {
            return vec![Degraded { part: "related decisions", error }];
        }
    }
    Vec::new()
}

fn meaning(decision: &Decision) -> String {
    let words: Vec<&str> = decision.rationale.split_whitespace().take(WORDS).collect();
    format!("{}. {}", decision.decision, words.join(" "))
}
