//! Writes passages with their vectors to the index, hidden from searches until they are published.

use futures_util::{StreamExt, TryStreamExt, stream};

use super::{Entry, Services};
use ask::embed;
use model::Result;
use model::object::Upload;
use ports::{Embedded, Point};

/// The number of batches that are processed at once: one is written while the next one is embedded.
const AT_ONCE: usize = 2;

/// Stages all entries in the index. Returns the number of those that were embedded. The others keep
/// the vectors that the index had, from an earlier version or from an interrupted try.
pub(super) async fn stage(
    services: &Services<'_>,
    upload: &Upload,
    entries: &[Entry],
) -> Result<usize> {
    let mut batches = Vec::new();
    for batch in entries.chunks(embed::BATCH) {
        batches.push(stage_batch(services, upload, batch));
    }
    let staged = stream::iter(batches).buffer_unordered(AT_ONCE);
    staged.try_fold(0, async |sum, new| Ok(sum + new)).await
}

/// Stages at most [`embed::BATCH`] entries.
async fn stage_batch(services: &Services<'_>, upload: &Upload, entries: &[Entry]) -> Result<usize> {
    let Upload { scope, document_id, .. } = upload;
    let texts: Vec<&str> = entries.iter().map(|entry| entry.meaning.as_str()).collect();
    let (vectors, new) =
        embed::vectors(services.embedder, services.publisher, scope, *document_id, &texts).await?;
    let point = |(entry, (embedded, vector)): (&Entry, (Embedded, Vec<f32>))| Point {
        kind: entry.kind,
        passage: entry.passage.clone(),
        words: entry.words.clone(),
        meaning: entry.meaning.clone(),
        vector,
        embedded,
    };
    let points = entries.iter().zip(vectors).map(point).collect();
    services.publisher.stage(scope, points).await?;
    Ok(new)
}
