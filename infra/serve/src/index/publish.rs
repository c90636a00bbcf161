//! Writing: first the file, then what searches read.

use async_trait::async_trait;
use model::evidence::PointKind;
use model::object::Upload;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{Embedded, IndexCleanup, Page, Point, Publisher, Trace};
use rusqlite::{Connection, params};
use uuid::Uuid;

use super::points::Entry;
use super::{LocalIndex, rows};

/// The name by which the caller may know it.
const SERVICE: &str = "the index";

#[async_trait]
impl Publisher for LocalIndex {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        let points = self.read();
        let embedded = points.all().filter(|entry| {
            entry.scope == *scope
                && entry.passage.document_id == document
                && texts.contains(&entry.embedded)
        });
        Ok(embedded.map(|entry| (entry.embedded.clone(), entry.vector.clone())).collect())
    }

    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
        let entries: Vec<Entry> = points.into_iter().map(|point| staged(scope, point)).collect();
        self.store
            .change(|change| entries.iter().try_for_each(|entry| rows::put(change, entry)))?;
        let mut points = self.write();
        for entry in entries {
            points.insert(entry);
        }
        Ok(())
    }

    async fn is_published(&self, scope: &Scope, ids: &[Uuid]) -> Result<bool> {
        let points = self.read();
        let is_seen = |entry: &&Entry| entry.is_live && entry.scope == *scope;
        Ok(points.with_ids(ids).filter(is_seen).count() == ids.len())
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        ids: &[Uuid],
    ) -> Result<()> {
        if self.read().with_ids(ids).count() < ids.len() {
            return Err(Error::unavailable(SERVICE, "a published point is missing"));
        }
        self.store.change(|change| {
            let mut show = change.prepare_cached("UPDATE points SET live = 1 WHERE id = ?1")?;
            for id in ids {
                show.execute([id.as_bytes()])?;
            }
            delete(change, "<", scope, document, version)
        })?;
        let mut points = self.write();
        for id in ids {
            points.show(*id);
        }
        points.remove_where(|entry| {
            is_of(entry, scope, document) && entry.passage.version.as_str() < version
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
        self.store.change(|change| {
            let mut one = change.prepare_cached("DELETE FROM points WHERE id = ?1")?;
            for id in ids {
                one.execute([id.as_bytes()])?;
            }
            delete(change, "<=", scope, document, version)
        })?;
        self.write().remove_where(|entry| {
            ids.contains(&entry.passage.id)
                || is_of(entry, scope, document) && entry.passage.version.as_str() <= version
        });
        Ok(())
    }

    async fn delete_version(&self, upload: &Upload) -> Result<()> {
        let Upload { scope, document_id, version } = upload;
        self.store.change(|change| delete(change, "=", scope, *document_id, version))?;
        self.write().remove_where(|entry| entry.upload() == *upload);
        Ok(())
    }
}

/// Deletes the points of those versions of a document that compare so with `version`.
fn delete(
    change: &Connection,
    compares: &str,
    scope: &Scope,
    document: Uuid,
    version: &str,
) -> rusqlite::Result<()> {
    let versions =
        format!("DELETE FROM points WHERE scope = ?1 AND document = ?2 AND version {compares} ?3");
    let of_document = params![scope.to_string(), document.as_bytes(), version];
    change.prepare_cached(&versions)?.execute(of_document).map(drop)
}

fn is_of(entry: &Entry, scope: &Scope, document: Uuid) -> bool {
    entry.scope == *scope && entry.passage.document_id == document
}

/// Returns a point that no search sees yet, its secrets masked.
fn staged(scope: &Scope, point: Point) -> Entry {
    let Point { kind, passage: mut original, words, vector, embedded, .. } = point;
    original.scope = Some(scope.clone());
    let passage = original.clone().masked();
    let original = Some(original).filter(|original| *original != passage);
    Entry { scope: scope.clone(), is_live: false, kind, passage, original, words, vector, embedded }
}

#[async_trait]
impl IndexCleanup for LocalIndex {
    async fn delete_scope(&self, scope: &Scope) -> Result<u64> {
        self.store.change(|change| {
            change.execute("DELETE FROM points WHERE scope = ?1", [scope.to_string()])
        })?;
        Ok(self.write().remove_where(|entry| entry.scope == *scope))
    }

    async fn traces(&self, limit: u32, after: Option<Uuid>) -> Result<Page<Trace>> {
        let points = self.read();
        let traced = points.all().filter(|entry| {
            after.is_none_or(|after| entry.passage.id > after)
                && !entry.kind.is_decision()
                && (!entry.is_live || entry.kind == PointKind::Document)
        });
        let mut items: Vec<Trace> = traced
            .map(|entry| Trace {
                point: entry.passage.id,
                of: entry.upload(),
                is_live: entry.is_live,
            })
            .collect();
        items.sort_by_key(|trace| trace.point);
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|trace| trace.point);
        Ok(Page { items, next })
    }
}
