//! A second collection besides the one that is searched, for another embedding model. All points
//! are written to both.
//!
//! The second collection is filled while searches use the first. When it is complete, it replaces
//! the first.

use std::collections::BTreeMap;

use async_trait::async_trait;
use uuid::Uuid;

use ask::embed::vectors;
use model::Result;
use model::document::Passage;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Embedded, Embedder, IndexCleanup, Page, Point, Publisher, Trace};

/// The collection that is searched, and a second one that is only written.
pub struct Beside<'a> {
    /// The collection that is searched.
    pub used: &'a dyn IndexCleanup,
    /// The second collection, and the embedder of its space.
    pub other: (&'a dyn IndexCleanup, &'a dyn Embedder),
}

impl Beside<'_> {
    /// Returns the same points with vectors of the other space.
    async fn translated(&self, scope: &Scope, points: &[Point]) -> Result<Vec<Point>> {
        let (other, embedder) = self.other;
        let mut documents: BTreeMap<Uuid, Vec<&Point>> = BTreeMap::new();
        for point in points {
            documents.entry(point.passage.document_id).or_default().push(point);
        }
        let mut all = Vec::with_capacity(points.len());
        for (document, points) in documents {
            let texts: Vec<&str> = points.iter().map(|point| point.meaning.as_str()).collect();
            let (made, _) = vectors(embedder, other, scope, document, &texts).await?;
            let made = points.into_iter().zip(made);
            all.extend(made.map(|(made, (embedded, vector))| Point {
                vector,
                embedded,
                ..made.clone()
            }));
        }
        Ok(all)
    }
}

#[async_trait]
impl Publisher for Beside<'_> {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        self.used.vectors(scope, document, texts).await
    }

    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
        let other = unseen(self.other.0, scope, &points).await?;
        self.other.0.stage(scope, self.translated(scope, &other).await?).await?;
        self.used.stage(scope, unseen(self.used, scope, &points).await?).await
    }

    async fn is_published(&self, scope: &Scope, points: &[Uuid]) -> Result<bool> {
        Ok(self.used.is_published(scope, points).await?
            && self.other.0.is_published(scope, points).await?)
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.other.0.publish(scope, document, version, points).await?;
        self.used.publish(scope, document, version, points).await
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.other.0.delete_up_to(scope, document, version, points).await?;
        self.used.delete_up_to(scope, document, version, points).await
    }

    async fn delete_version(&self, upload: &Upload) -> Result<()> {
        self.other.0.delete_version(upload).await?;
        self.used.delete_version(upload).await
    }
}

/// Returns the points of versions that are not wholly visible to searches of the collection.
/// Staging a visible version again would hide it.
async fn unseen(
    collection: &dyn IndexCleanup,
    scope: &Scope,
    points: &[Point],
) -> Result<Vec<Point>> {
    let mut versions: BTreeMap<(Uuid, &str), Vec<&Point>> = BTreeMap::new();
    for point in points {
        let Passage { document_id, version, .. } = &point.passage;
        versions.entry((*document_id, version)).or_default().push(point);
    }
    let mut unseen = Vec::with_capacity(points.len());
    for points in versions.into_values() {
        let ids: Vec<Uuid> = points.iter().map(|point| point.passage.id).collect();
        if !collection.is_published(scope, &ids).await? {
            unseen.extend(points.into_iter().cloned());
        }
    }
    Ok(unseen)
}

#[async_trait]
impl IndexCleanup for Beside<'_> {
    async fn delete_scope(&self, scope: &Scope) -> Result<u64> {
        let other = self.other.0.delete_scope(scope).await?;
        Ok(self.used.delete_scope(scope).await?.max(other))
    }

    async fn traces(&self, limit: u32, after: Option<Uuid>) -> Result<Page<Trace>> {
        let pages =
            [self.used.traces(limit, after).await?, self.other.0.traces(limit, after).await?];
        // The last trace of a page that has more marks the end of what is known of that collection.
        let next = pages.iter().filter_map(|page| page.next).min();
        let mut traces: BTreeMap<Uuid, Trace> = BTreeMap::new();
        for trace in pages.into_iter().flat_map(|page| page.items) {
            if next.is_none_or(|next| trace.point <= next) {
                traces.entry(trace.point).or_insert(trace);
            }
        }
        Ok(Page { items: traces.into_values().collect(), next })
    }
}
