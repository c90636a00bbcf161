//! Decisions as passages of their project.

use super::Desk;
use crate::Result;
use crate::decision::Decision;
use crate::document::Chunk;
use crate::embed::{embed, vectors};
use crate::evidence::PointKind;
use crate::ports::{Embedded, Point};
use crate::related;
use crate::scope::Scope;
use crate::strategy::Degraded;

/// How many words of a rationale are embedded with its decision.
const WORDS: usize = 170;

/// Writes decisions into the index, unseen yet.
pub(super) async fn stage(desk: &Desk<'_>, project: &str, decisions: &[&Decision]) -> Result<()> {
    let meanings: Vec<String> = decisions.iter().map(|own| meaning(own)).collect();
    let vectors = embed(desk.embedder, &meanings).await?;
    let space = desk.embedder.space();
    let points = decisions.iter().zip(meanings).zip(vectors).map(|((own, meaning), vector)| {
        let vector = (Embedded::of(&space, &meaning), vector);
        point(related::passage(project, own, &desk.stamp.id), meaning, vector)
    });
    desk.publisher.stage(&Scope::Project(project.into()), points.collect()).await
}

/// Writes a decision into the index in place of what it has of it.
pub(super) async fn again(desk: &Desk<'_>, project: &str, decision: &Decision) -> Result<()> {
    let (scope, version) = (Scope::Project(project.into()), &desk.stamp.id);
    let document = related::document(project, &decision.decision_id);
    let meaning = meaning(decision);
    let made = vectors(desk.embedder, desk.publisher, (&scope, document), &[&meaning]).await?;
    let chunk = related::passage(project, decision, version);
    let points = made.into_iter().map(|own| point(chunk.clone(), meaning.clone(), own)).collect();
    desk.publisher.stage(&scope, points).await?;
    desk.publisher.publish(&scope, document, version).await
}

fn point(chunk: Chunk, meaning: String, (embedded, vector): (Embedded, Vec<f32>)) -> Point {
    let words = chunk.text.clone();
    Point { kind: PointKind::Decision, words, chunk, meaning, vector, embedded }
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
