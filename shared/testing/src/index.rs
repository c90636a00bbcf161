//! The index in memory: exact cosines, and shared words instead of BM25.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use async_trait::async_trait;
use text::abbreviation::singular;
use text::cjk;
use uuid::Uuid;
use wire::decisions::DecisionStatus;

use model::document::{DocumentType, Passage, document_point_id};
use model::evidence::PointKind;
use model::object::Upload;
use model::{Error, Result};
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::usual::{SAMPLE, Usual};
use ports::{
    Brings, Embedded, Embedding, Hit, Index, Originals, Point, Publisher, Ranked, Search, SearchBy,
    WHOLE_DOCUMENT,
};

mod cleanup;

/// Points by id, with their scope, and with true if searches see them.
#[derive(Debug, Default)]
pub struct FakeIndex(Mutex<HashMap<Uuid, (Scope, bool, Point)>>);

impl FakeIndex {
    fn seen(&self, grant: &Grant) -> Vec<Point> {
        let points = self.0.lock().unwrap();
        let mut seen: Vec<Point> = points
            .values()
            .filter(|(scope, live, _)| *live && grant.scopes().contains(scope))
            .map(|(_, _, point)| point.clone())
            .collect();
        seen.sort_by_key(|point| point.passage.id);
        seen
    }

    /// Returns all points, visible to searches or not.
    pub fn held(&self) -> Vec<Point> {
        self.0.lock().unwrap().values().map(|(_, _, point)| point.clone()).collect()
    }

    /// Returns the ids of the points of a version, visible to searches or not.
    pub fn ids(&self, upload: &Upload) -> Vec<Uuid> {
        let points = self.0.lock().unwrap();
        let of_version =
            points.iter().filter(|(_, (scope, _, point))| self::upload(scope, point) == *upload);
        of_version.map(|(id, _)| *id).collect()
    }

    /// Returns true if searches see a point of this version.
    pub fn sees(&self, upload: &Upload) -> bool {
        let points = self.0.lock().unwrap();
        points.values().any(|(scope, live, point)| *live && self::upload(scope, point) == *upload)
    }

    /// Returns the number of points, visible to searches or not.
    pub fn size(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn words(text: &str) -> HashSet<String> {
    cjk::words(&singular(text)).map(str::to_lowercase).collect()
}

fn is_of(point: &Point, kind: PointKind) -> bool {
    let is_report = point.passage.document_type == DocumentType::Postmortem;
    let is_accepted = point.passage.tags.iter().any(|tag| tag == DecisionStatus::Accepted.name());
    point.kind.name() == kind.name()
        && (kind != PointKind::FailureReport || is_report)
        && (kind != PointKind::Accepted || is_accepted)
}

#[expect(clippy::cast_precision_loss, reason = "a count of words")]
fn score(point: &Point, search: &Search) -> f32 {
    match &search.by {
        SearchBy::Dense(vector) => vector.iter().zip(&point.vector).map(|(a, b)| a * b).sum(),
        SearchBy::Bm25(text, _) => words(text).intersection(&words(&point.words)).count() as f32,
    }
}

#[async_trait]
impl Index for FakeIndex {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        let mut seen = self.seen(grant);
        let passages: Vec<Point> =
            seen.iter().filter(|point| point.kind == PointKind::Passage).cloned().collect();
        let usual = |search: &Search| {
            let sample = passages.iter().take(SAMPLE).map(|point| score(point, search));
            let is_dense = matches!(search.by, SearchBy::Dense(_));
            Usual::of(&sample.collect::<Vec<f32>>()).filter(|_| is_dense)
        };
        // Filters apply only to documents.
        seen.retain(|point| point.kind.is_decision() || filters.allow(&point.passage));
        let mut brought = HashSet::new();
        let mut find = |search: &Search| {
            let mut hits: Vec<Hit> = seen
                .iter()
                .filter(|point| is_of(point, search.of))
                .map(|point| hit(point, score(point, search)))
                .filter(|hit| hit.raw > 0.0)
                .collect();
            hits.sort_by(|a, b| b.raw.total_cmp(&a.raw));
            hits.truncate(search.depth);
            for hit in hits.iter_mut().filter(|_| search.brings != Brings::Ids) {
                let found = seen.iter().find(|point| point.passage.id == hit.passage_id);
                let found = found.filter(|point| brought.insert(point.passage.id));
                hit.passage = found.map(|point| Box::new(point.passage.clone().masked()));
            }
            Ranked { hits, usual: usual(search) }
        };
        Ok(searches.iter().map(&mut find).collect())
    }

    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        passages: &[Uuid],
    ) -> Result<Vec<Passage>> {
        let wanted = |passage: &Passage| {
            documents.contains(&passage.document_id)
                && (passage.position < WHOLE_DOCUMENT || passages.contains(&passage.id))
        };
        let passages =
            self.seen(grant).into_iter().filter(|point| point.kind == PointKind::Passage);
        Ok(passages.map(|point| point.passage.masked()).filter(wanted).collect())
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        let passages =
            self.seen(grant).into_iter().filter(|point| point.kind == PointKind::Passage);
        Ok(passages.map(|point| point.passage.masked()).filter(|p| ids.contains(&p.id)).collect())
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        let seen = self.seen(grant).into_iter();
        let points =
            seen.filter(|point| !point.kind.is_decision() && ids.contains(&point.passage.id));
        Ok(points.map(|point| point.passage.masked()).collect())
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        let embedding = |point: Point| {
            let Passage { id, document_id, version, title, .. } = &point.passage;
            let is_document_point =
                *id == document_point_id(*document_id, version) && ids.contains(document_id);
            let is_passage = point.kind == PointKind::Passage && ids.contains(id);
            let passage_id = Some(*id).filter(|_| is_passage);
            let (document_id, title) = (*document_id, title.clone());
            (is_document_point || is_passage).then_some(Embedding {
                passage_id,
                document_id,
                title,
                vector: point.vector,
            })
        };
        Ok(self.seen(grant).into_iter().filter_map(embedding).collect())
    }

    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        let passages =
            self.seen(grant).into_iter().filter(|point| point.kind == PointKind::Passage);
        let fitting =
            passages.map(|point| point.passage.masked()).filter(|passage| filters.allow(passage));
        let mut found: Vec<Passage> = fitting.take(limit + 1).collect();
        let is_all = found.len() <= limit;
        found.truncate(limit);
        Ok((found, is_all))
    }
}

fn hit(point: &Point, raw: f32) -> Hit {
    let Passage { id, document_id, version, .. } = &point.passage;
    Hit { passage_id: *id, document_id: *document_id, version: version.clone(), raw, passage: None }
}

#[async_trait]
impl Publisher for FakeIndex {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        let points = self.0.lock().unwrap();
        let embedded = points.values().filter(|(held, _, point)| {
            held == scope
                && point.passage.document_id == document
                && texts.contains(&point.embedded)
        });
        Ok(embedded.map(|(_, _, point)| (point.embedded.clone(), point.vector.clone())).collect())
    }

    async fn stage(&self, scope: &Scope, new: Vec<Point>) -> Result<()> {
        let mut points = self.0.lock().unwrap();
        for mut point in new {
            point.passage.scope = Some(scope.clone());
            points.insert(point.passage.id, (scope.clone(), false, point));
        }
        Ok(())
    }

    async fn is_published(&self, scope: &Scope, ids: &[Uuid]) -> Result<bool> {
        let points = self.0.lock().unwrap();
        let is_seen = |id| points.get(id).is_some_and(|(held, live, _)| *live && held == scope);
        Ok(ids.iter().all(is_seen))
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        ids: &[Uuid],
    ) -> Result<()> {
        let mut points = self.0.lock().unwrap();
        let is_document =
            |held: &Scope, point: &Point| held == scope && point.passage.document_id == document;
        for id in ids {
            let Some((_, live, _)) = points.get_mut(id) else {
                return Err(Error::unavailable("the index", "a published point is missing"));
            };
            *live = true;
        }
        points.retain(|_, (held, _, point)| {
            !is_document(held, point) || point.passage.version.as_str() >= version
        });
        Ok(())
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        ids: &[Uuid],
    ) -> Result<()> {
        self.0.lock().unwrap().retain(|id, (held, _, point)| {
            let is_other = held != scope
                || point.passage.document_id != document
                || point.passage.version.as_str() > version;
            is_other && !ids.contains(id)
        });
        Ok(())
    }

    async fn delete_version(&self, upload: &Upload) -> Result<()> {
        self.0.lock().unwrap().retain(|_, (held, _, point)| *upload != self::upload(held, point));
        Ok(())
    }
}

fn upload(scope: &Scope, point: &Point) -> Upload {
    let Passage { document_id, version, .. } = &point.passage;
    Upload { scope: scope.clone(), document_id: *document_id, version: version.clone() }
}

#[async_trait]
impl Originals for FakeIndex {
    async fn original(&self, grant: &Grant, passage: Uuid) -> Result<Option<Passage>> {
        let seen = self.seen(grant).into_iter();
        let mut passages =
            seen.filter(|point| point.kind == PointKind::Passage && point.passage.id == passage);
        Ok(passages.next().map(|point| point.passage))
    }
}
