//! The embeddings of passages and documents that a caller holds.

use model::Result;
use model::document::document_point_id;
use ports::Embedding;
use ports::scope::Grant;
use qdrant_client::qdrant::{
    PayloadIncludeSelector, RetrievedPoint, ScrollPointsBuilder, VectorsSelector,
    vector_output::Vector as Stored, with_payload_selector::SelectorOptions,
    with_vectors_selector::SelectorOptions as VectorOptions,
};
use uuid::Uuid;

use super::{DENSE, Qdrant, SCAN_PAGE, filter, payload, unless_missing};

impl Qdrant {
    /// See [`ports::Index::embeddings`].
    pub(super) async fn embeddings_of(
        &self,
        grant: &Grant,
        ids: &[Uuid],
    ) -> Result<Vec<Embedding>> {
        let fields = ["document_id", "version", "title"].map(String::from).to_vec();
        let scroll = ScrollPointsBuilder::new(&self.collection)
            .filter(filter::embeddings(grant, ids))
            .limit(SCAN_PAGE)
            .with_payload(SelectorOptions::Include(PayloadIncludeSelector { fields }))
            .with_vectors(VectorOptions::Include(VectorsSelector { names: vec![DENSE.into()] }))
            .build();
        let page = unless_missing(self.client.scroll(scroll).await)?;
        let found = page.map(|page| page.result).unwrap_or_default();
        Ok(found.into_iter().filter_map(|point| embedding(point, ids)).collect())
    }
}

/// A document has more points where a model wrote questions that it answers; its document point is
/// the one that counts.
fn embedding(point: RetrievedPoint, ids: &[Uuid]) -> Option<Embedding> {
    let id: Uuid = payload::id(point.id.as_ref()?)?;
    let (document_id, version, title) = payload::place(point.payload)?;
    let passage_id = Some(id).filter(|id| ids.contains(id));
    if passage_id.is_none() && id != document_point_id(document_id, &version) {
        return None;
    }
    match point.vectors?.get_vector_by_name(DENSE)? {
        Stored::Dense(vector) => {
            Some(Embedding { passage_id, document_id, title, vector: vector.data })
        }
        _ => None,
    }
}
