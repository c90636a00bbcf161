//! Examples of wanted and unwanted results.
//!
//! Ide: New Experiments in Relevance Feedback, in: Salton, The SMART Retrieval System, 1971 ("dec
//! hi"): the vectors of all wanted examples are added to the question's vector, and the vector of
//! the first unwanted one is subtracted.

use std::collections::BTreeSet;
use std::fmt::Write;

use uuid::Uuid;

use model::{Error, Result};
use ports::scope::Grant;
use ports::{Embedding, Index};

/// Upper bound for the examples of a kind.
const MOST: usize = 8;

/// Passages and documents by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examples {
    like: Vec<Uuid>,
    unlike: Vec<Uuid>,
}

impl Examples {
    /// Parses the ids of a request.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a field with too many ids, or for an id that is in both fields.
    pub fn parse(like: &[Uuid], unlike: &[Uuid]) -> Result<Examples> {
        for (field, ids) in [("like", like), ("unlike", unlike)] {
            if ids.len() > MOST {
                let reason = format!("must have at most {MOST} ids, not {}", ids.len());
                return Err(Error::invalid(field, reason));
            }
        }
        if let Some(place) = unlike.iter().position(|u| like.contains(u)) {
            return Err(Error::invalid(format!("unlike[{place}]"), "stands in `like`, too"));
        }
        Ok(Examples { like: like.to_vec(), unlike: unlike.to_vec() })
    }

    /// Returns the number of examples.
    fn count(&self) -> usize {
        self.like.len() + self.unlike.len()
    }

    /// Moves the vector of a question towards the wanted examples and away from the first unwanted
    /// one, and adds the titles of the wanted ones to its text. Returns the documents of the
    /// examples, which the reply need not show.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an id that is neither a passage nor a document within the grant.
    pub(crate) async fn applied(
        &self,
        index: &dyn Index,
        grant: &Grant,
        text: &mut String,
        question: &mut [f32],
    ) -> Result<BTreeSet<Uuid>> {
        if self.count() == 0 {
            return Ok(BTreeSet::new());
        }
        let ids: Vec<Uuid> = self.like.iter().chain(&self.unlike).copied().collect();
        let found = index.embeddings(grant, &ids).await?;
        for (place, id) in self.like.iter().enumerate() {
            let hit = example(&found, *id, "like", place)?;
            add(question, &hit.vector, 1.0);
            if !text.contains(&hit.title) {
                let _ = write!(text, "\n{}", hit.title);
            }
        }
        for (place, id) in self.unlike.iter().enumerate() {
            let hit = example(&found, *id, "unlike", place)?;
            if place == 0 {
                add(question, &hit.vector, -1.0);
            }
        }
        let length = question.iter().map(|q| q * q).sum::<f32>().sqrt();
        if length > f32::EPSILON {
            for coordinate in question {
                *coordinate /= length;
            }
        }
        Ok(found.into_iter().map(|hit| hit.document_id).collect())
    }
}

fn example<'e>(
    found: &'e [Embedding],
    id: Uuid,
    field: &str,
    place: usize,
) -> Result<&'e Embedding> {
    let hit = found.iter().find(|hit| {
        hit.passage_id == Some(id) || hit.passage_id.is_none() && hit.document_id == id
    });
    hit.ok_or_else(|| {
        let reason = format!("`{id}` is no passage or document that can be found");
        Error::invalid(format!("{field}[{place}]"), reason)
    })
}

fn add(question: &mut [f32], other: &[f32], factor: f32) {
    for (coordinate, step) in question.iter_mut().zip(other) {
        *coordinate += factor * step;
    }
}
