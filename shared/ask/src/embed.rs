//! Vectors of texts. A text of a document that the index has a vector of is not embedded again.

use std::collections::HashMap;

use uuid::Uuid;

use model::{Error, Result};
use ports::scope::Scope;
use ports::{Embedded, Embedder, Publisher, Purpose};

/// The most texts that one embedding call takes.
pub const BATCH: usize = 96;

/// Gives for each text of a document, at most [`BATCH`], its vector: the one that the document's points have for it in
/// the embedder's space, or a new one; and how many are new.
///
/// # Errors
/// [`Error::Unavailable`] where the index or the embedding model fails.
pub async fn vectors(
    embedder: &dyn Embedder,
    publisher: &dyn Publisher,
    (scope, document): (&Scope, Uuid),
    texts: &[&str],
) -> Result<(Vec<(Embedded, Vec<f32>)>, usize)> {
    let space = embedder.space();
    let keys: Vec<Embedded> = texts.iter().map(|text| Embedded::of(&space, text)).collect();
    let known = publisher.vectors(scope, document, &keys).await?;
    let mut vectors: HashMap<Embedded, Vec<f32>> = known.into_iter().collect();
    let is_new = |place: &usize| !vectors.contains_key(&keys[*place]);
    let new: Vec<usize> = (0..texts.len()).filter(is_new).collect();
    if !new.is_empty() {
        let wanted: Vec<String> = new.iter().map(|place| texts[*place].to_owned()).collect();
        let made = embed(embedder, &wanted, Purpose::Document).await?;
        vectors.extend(new.iter().map(|place| keys[*place].clone()).zip(made));
    }
    let all = keys.into_iter().map(|key| (key.clone(), vectors[&key].clone())).collect();
    Ok((all, new.len()))
}

/// Embeds texts, a vector for each.
///
/// # Errors
/// [`Error::Unavailable`] where the embedding model fails or leaves one out.
pub async fn embed(
    embedder: &dyn Embedder,
    texts: &[String],
    purpose: Purpose,
) -> Result<Vec<Vec<f32>>> {
    let made = embedder.embed(texts, purpose).await?;
    if made.len() != texts.len() {
        let cause = "it gave another number of vectors than of texts";
        return Err(Error::unavailable("the embedding model", cause));
    }
    Ok(made)
}
