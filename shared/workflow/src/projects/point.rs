//! Decisions as passages of their project.

use super::Desk;
use crate::decision::Decision;
use crate::evidence::PointKind;
use crate::ports::{Point, Purpose};
use crate::related;
use crate::scope::Scope;
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
    let point = |(own, vector): (&&Decision, Vec<f32>)| {
        let chunk = related::passage(project, own, &desk.stamp.id);
        Point { kind: PointKind::Decision, words: chunk.text.clone(), chunk, vector }
    };
    let points = decisions.iter().zip(vectors).map(point).collect();
    desk.publisher.stage(&Scope::Project(project.into()), points).await
}

/// Lets searches see what was staged, in place of what they saw before.
pub(super) async fn publish(desk: &Desk<'_>, project: &str, decisions: &[&Decision]) -> Result<()> {
    let scope = Scope::Project(project.into());
    for own in decisions {
        let document = related::passage(project, own, &desk.stamp.id).document_id;
        desk.publisher.publish(&scope, document, &desk.stamp.id).await?;
    }
    Ok(())
}

fn meaning(decision: &Decision) -> String {
    let words: Vec<&str> = decision.rationale.split_whitespace().take(WORDS).collect();
    format!("{}. {}", decision.decision, words.join(" "))
}
