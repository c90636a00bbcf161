//! Decisions as passages of their project.

use wire::decisions::Decision;

use super::pending::Indexer;
use ask::embed::vectors;
use ask::related;
use model::Result;
use model::evidence::PointKind;
use ports::Point;
use ports::scope::Scope;

/// The number of words of a rationale that are embedded with its decision.
const WORDS: usize = 170;

/// Writes a decision to the index as of the change `version`, and makes it visible to searches
/// instead of the earlier one.
pub(super) async fn write(
    indexer: &Indexer<'_>,
    project: &str,
    decision: &Decision,
    version: &str,
) -> Result<()> {
    let scope = Scope::Project(project.into());
    let document = related::document(project, &decision.decision_id);
    let meaning = meaning(decision);
    let (made, _) =
        vectors(indexer.embedder, indexer.publisher, &scope, document, &[&meaning]).await?;
    let passage = related::passage(project, decision, version);
    let id = passage.id;
    let point = |(embedded, vector)| Point {
        kind: PointKind::Decision,
        words: passage.text.clone(),
        passage: passage.clone(),
        meaning: meaning.clone(),
        vector,
        embedded,
    };
    indexer.publisher.stage(&scope, made.into_iter().map(point).collect()).await?;
    indexer.publisher.publish(&scope, document, version, &[id]).await
}

fn meaning(decision: &Decision) -> String {
    let words: Vec<&str> = decision.rationale.split_whitespace().take(WORDS).collect();
    format!("{}. {}", decision.decision, words.join(" "))
}
