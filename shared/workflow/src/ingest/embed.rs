//! Entries of a document as points with vectors. What the index has a vector of is not embedded again.

use std::collections::HashMap;

use super::Services;
use crate::object::Upload;
use crate::ports::{Embedded, Point, Purpose};
use crate::{Error, Result};

use model::entry::Entry;

/// The most texts that one embedding call takes.
pub(super) const BATCH: usize = 96;

/// Makes points of at most [`BATCH`] entries of a document.
pub(super) async fn points(
    services: &Services<'_>,
    upload: &Upload,
    entries: &[Entry],
) -> Result<Vec<Point>> {
    let space = services.embedder.space();
    let texts: Vec<Embedded> =
        entries.iter().map(|own| Embedded::of(&space, &own.meaning)).collect();
    let Upload { scope, document_id, .. } = upload;
    let known = services.publisher.vectors(scope, *document_id, &texts).await?;
    let mut vectors: HashMap<Embedded, Vec<f32>> = known.into_iter().collect();
    let is_new = |place: &usize| !vectors.contains_key(&texts[*place]);
    let new: Vec<usize> = (0..entries.len()).filter(is_new).collect();
    if !new.is_empty() {
        let meanings: Vec<String> =
            new.iter().map(|place| entries[*place].meaning.clone()).collect();
        let made = services.embedder.embed(&meanings, Purpose::Document).await?;
        if made.len() != new.len() {
            let cause = "it gave another number of vectors than of texts";
            return Err(Error::unavailable("the embedding model", cause));
        }
        vectors.extend(new.iter().map(|place| texts[*place].clone()).zip(made));
    }
    let point = |(entry, embedded): (&Entry, Embedded)| Point {
        kind: entry.kind,
        chunk: entry.chunk.clone(),
        words: entry.words.clone(),
        vector: vectors[&embedded].clone(),
        embedded,
    };
    Ok(entries.iter().zip(texts).map(point).collect())
}
