//! Embeds texts. If the index already has the vector of a document's text, the text is not embedded
//! again.

use std::collections::HashMap;

use uuid::Uuid;

use model::{Error, Result};
use ports::scope::Scope;
use ports::{Embedded, Embedder, Publisher, Purpose};

/// Upper bound for the texts of one embedding call.
pub const BATCH: usize = 96;

/// Returns the vector of each text of a document, of which there are at most [`BATCH`], and the
/// number of new vectors. If the document's points have a vector for the text in the embedder's
/// space, that one is used.
///
/// # Errors
/// [`Error::Unavailable`] if the index or the embedding model fails.
pub async fn vectors(
    embedder: &dyn Embedder,
    publisher: &dyn Publisher,
    scope: &Scope,
    document: Uuid,
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

/// Embeds texts and returns one vector for each.
///
/// # Errors
/// [`Error::Unavailable`] if the embedding model fails or leaves out a text.
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
