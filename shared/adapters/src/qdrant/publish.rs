//! Writing: points that no search sees, then the switch, then the old version away.

use std::collections::{BTreeSet, HashMap};

use async_trait::async_trait;
use qdrant_client::qdrant::{
    Condition, CountPointsBuilder, DeletePointsBuilder, FacetCountsBuilder, Filter, NamedVectors,
    PayloadIncludeSelector, PointId, PointStruct, PointsIdsList, ReadConsistencyType,
    ScrollPointsBuilder, SetPayloadPointsBuilder, UpsertPointsBuilder, Vector, VectorsSelector,
    WriteOrdering, WriteOrderingType, facet_value::Variant, points_selector::PointsSelectorOneOf,
    read_consistency, vector_output::Vector as Stored, with_payload_selector::SelectorOptions,
    with_vectors_selector::SelectorOptions as VectorOptions,
};
use qdrant_client::{Payload, QdrantError};

use model::object::Upload;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{Embedded, Point, Publisher};
use text::language::Language;
use uuid::Uuid;

use super::{BM25, DENSE, Qdrant, SERVICE, document, failed, filter, payload, unless_missing};

/// The most points that one call brings with their vectors: 256 of 1,024 dimensions are a megabyte.
const VECTORS: u32 = 256;

/// The most versions of a document that are deleted at once; the next one deletes what is left.
const VERSIONS: u64 = 1_000;

/// The most ids in one call.
const IDS: usize = 1_000;

#[async_trait]
impl Publisher for Qdrant {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        self.complete().await?;
        let hashes: BTreeSet<String> = texts.iter().map(|text| text.hash.clone()).collect();
        let spaces: BTreeSet<String> = texts.iter().map(|text| text.space.clone()).collect();
        let mut found = HashMap::new();
        let mut conditions = filter::document(scope, document);
        conditions.push(Condition::matches("space", spaces.into_iter().collect::<Vec<_>>()));
        conditions.push(Condition::matches("embedded", hashes.into_iter().collect::<Vec<_>>()));
        let fields = vec!["space".into(), "embedded".into()];
        let mut scroll = ScrollPointsBuilder::new(&self.collection)
            .filter(Filter::must(conditions))
            .limit(VECTORS)
            .with_payload(SelectorOptions::Include(PayloadIncludeSelector { fields }))
            .with_vectors(VectorOptions::Include(VectorsSelector { names: vec![DENSE.into()] }))
            .build();
        loop {
            let page = unless_missing(self.client.scroll(scroll.clone()).await)?;
            let Some(page) = page else { return Ok(Vec::new()) };
            for point in page.result {
                let vector =
                    point.vectors.as_ref().and_then(|vector| vector.get_vector_by_name(DENSE));
                if let Some(Stored::Dense(vector)) = vector {
                    found.insert(payload::embedded(point.payload)?, vector.data);
                }
            }
            scroll.offset = page.next_page_offset;
            if scroll.offset.is_none() {
                return Ok(found.into_iter().filter(|(hit, _)| texts.contains(hit)).collect());
            }
        }
    }

    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
        let Some(dimensions) = points.first().map(|point| point.vector.len()) else {
            return Ok(());
        };
        self.created.get_or_try_init(|| self.create(dimensions)).await?;
        self.claim_space(dimensions).await?;
        let points: Vec<PointStruct> = points
            .into_iter()
            .map(|point| stored(scope, point))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        let upsert = UpsertPointsBuilder::new(&self.collection, points)
            .wait(true)
            .ordering(strong())
            .build();
        if unless_missing(self.client.upsert_points(upsert.clone()).await)?.is_none() {
            // The collection was lost since this environment created it.
            self.create(dimensions).await?;
            self.mark_space(dimensions).await?;
            self.client.upsert_points(upsert).await.map_err(failed)?;
        }
        Ok(())
    }

    async fn is_published(&self, scope: &Scope, points: &[Uuid]) -> Result<bool> {
        self.complete().await?;
        let mut seen = 0;
        for ids in points.chunks(IDS) {
            let scope = Condition::matches("scope", scope.to_string());
            let live = Condition::matches("live", true);
            seen += self.count(Filter::must([scope, live, ids_condition(ids)])).await?;
        }
        Ok(seen == points.len() as u64)
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        for ids in points.chunks(IDS) {
            // By ids: where several writers set fields by filter, indexes of fields lose points.
            let live: HashMap<String, qdrant_client::qdrant::Value> =
                HashMap::from([("live".into(), true.into())]);
            let show = SetPayloadPointsBuilder::new(&self.collection, live)
                .points_selector(ids_selector(ids))
                .wait(true)
                .ordering(strong())
                .build();
            self.client.set_payload(show).await.map_err(failed)?;
        }
        if !self.is_published(scope, points).await? {
            return Err(Error::unavailable(SERVICE, "searches do not see all published points"));
        }
        self.delete_lower(scope, document, version).await
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        for ids in points.chunks(IDS) {
            self.delete(ids_selector(ids)).await?;
            self.gone(Filter::must([ids_condition(ids)])).await?;
        }
        self.delete_version(&Upload {
            scope: scope.clone(),
            document_id: document,
            version: version.to_owned(),
        })
        .await?;
        self.delete_lower(scope, document, version).await
    }

    async fn delete_version(&self, upload: &Upload) -> Result<()> {
        let mut conditions = filter::document(&upload.scope, upload.document_id);
        conditions.push(Condition::matches("version", upload.version.clone()));
        let of_version = Filter::must(conditions);
        self.delete(of_version.clone()).await?;
        self.gone(of_version).await
    }
}

impl Qdrant {
    /// Takes points away; a collection that is not there has none.
    pub(super) async fn delete(&self, points: impl Into<PointsSelectorOneOf>) -> Result<()> {
        let delete = DeletePointsBuilder::new(&self.collection)
            .points(points)
            .wait(true)
            .ordering(strong())
            .build();
        unless_missing(self.client.delete_points(delete).await)?;
        Ok(())
    }

    /// Looks on all replicas that no such point is left: a server may say that it deleted points
    /// which it kept.
    pub(super) async fn gone(&self, filter: Filter) -> Result<()> {
        match self.count(filter).await? {
            0 => Ok(()),
            left => {
                let cause = format!("it keeps {left} points that it said it deleted");
                Err(Error::unavailable(SERVICE, cause))
            }
        }
    }

    /// Counts points on all replicas; a collection that is not there has none.
    pub(super) async fn count(&self, filter: Filter) -> Result<u64> {
        let count = CountPointsBuilder::new(&self.collection)
            .filter(filter)
            .exact(true)
            .read_consistency(read_consistency::Value::Type(ReadConsistencyType::All.into()))
            .build();
        let counted = unless_missing(self.client.count(count).await)?;
        Ok(counted.and_then(|counted| counted.result).map_or(0, |result| result.count))
    }

    async fn delete_lower(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()> {
        let lower = self.lower_versions(scope, document, version).await?;
        if lower.is_empty() {
            return Ok(());
        }
        let mut of_lower = filter::document(scope, document);
        of_lower.push(Condition::matches("version", lower));
        let of_lower = Filter::must(of_lower);
        self.delete(of_lower.clone()).await?;
        self.gone(of_lower).await
    }

    /// The versions below `version` that points are left of.
    async fn lower_versions(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
    ) -> Result<Vec<String>> {
        let mut others = Filter::must(filter::document(scope, document));
        others.must_not.push(Condition::matches("version", version.to_string()));
        let facet = FacetCountsBuilder::new(&self.collection, "version").filter(others);
        let facet = self.client.facet(facet.limit(VERSIONS).exact(true)).await;
        let hits = unless_missing(facet)?.map(|found| found.hits).unwrap_or_default();
        let versions = hits.into_iter().filter_map(|hit| hit.value?.variant);
        let versions = versions.filter_map(|value| match value {
            Variant::StringValue(version) => Some(version),
            Variant::IntegerValue(_) | Variant::BoolValue(_) => None,
        });
        Ok(versions.filter(|lower| lower.as_str() < version).collect())
    }
}

/// Writes of all replicas happen in the same order.
fn strong() -> WriteOrdering {
    WriteOrdering { r#type: WriteOrderingType::Strong.into() }
}

fn ids_condition(ids: &[Uuid]) -> Condition {
    Condition::has_id(ids.iter().map(Uuid::to_string))
}

fn ids_selector(ids: &[Uuid]) -> PointsIdsList {
    PointsIdsList { ids: ids.iter().map(|id| PointId::from(id.to_string())).collect() }
}

fn stored(scope: &Scope, point: Point) -> Result<PointStruct, QdrantError> {
    let payload =
        Payload::try_from(payload::payload(scope, point.kind, &point.passage, &point.embedded))?;
    let tag = point.passage.language.as_deref();
    let language = tag.and_then(Language::of_tag).unwrap_or_default();
    let words: Vector = document(&point.words, language).into();
    let vectors = NamedVectors::default().add_vector(DENSE, point.vector).add_vector(BM25, words);
    Ok(PointStruct::new(point.passage.id.to_string(), vectors, payload))
}
