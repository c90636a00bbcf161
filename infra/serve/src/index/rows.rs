//! Points as rows of the store.

use model::Result;
use model::document::Passage;
use model::evidence::PointKind;
use ports::Embedded;
use ports::scope::Scope;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use super::points::Entry;
use crate::store::Store;

/// The part of a point that is written as JSON.
#[derive(Serialize, Deserialize)]
struct Body<P> {
    kind: String,
    passage: P,
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    original: Option<P>,
    words: String,
    space: String,
    hash: String,
}

/// Calls `with` for each point of the store.
pub(super) fn each(store: &Store, mut with: impl FnMut(Entry)) -> Result<()> {
    store.change(|change| {
        let mut all = change.prepare("SELECT scope, live, body, vector FROM points")?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            with(entry(row)?);
        }
        Ok(())
    })
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let wrong = |column: usize, what: String| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, what.into())
    };
    let (scope, body): (String, String) = (row.get(0)?, row.get(2)?);
    let body: Body<Passage> =
        serde_json::from_str(&body).map_err(|error| wrong(2, error.to_string()))?;
    let vector: Vec<u8> = row.get(3)?;
    let (vector, _) = vector.as_chunks();
    let kinds = [PointKind::Passage, PointKind::Document, PointKind::Decision];
    let kind = kinds.into_iter().find(|kind| kind.name() == body.kind);
    Ok(Entry {
        scope: Scope::parse(&scope).ok_or_else(|| wrong(0, format!("no scope: {scope}")))?,
        is_live: row.get(1)?,
        kind: kind.ok_or_else(|| wrong(2, format!("no kind: {}", body.kind)))?,
        passage: body.passage,
        original: body.original,
        words: body.words,
        vector: vector.iter().map(|value| f32::from_le_bytes(*value)).collect(),
        embedded: Embedded { space: body.space, hash: body.hash },
    })
}

/// Writes a point, in the place of one with its id.
pub(super) fn put(change: &Connection, entry: &Entry) -> rusqlite::Result<()> {
    let Entry { passage, original, words, embedded, .. } = entry;
    let body = Body {
        kind: entry.kind.name().into(),
        passage,
        original: original.as_ref(),
        words: words.clone(),
        space: embedded.space.clone(),
        hash: embedded.hash.clone(),
    };
    let body = serde_json::to_string(&body)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    let vector: Vec<u8> = entry.vector.iter().flat_map(|value| value.to_le_bytes()).collect();
    let put = "INSERT OR REPLACE INTO points (id, scope, document, version, live, body, vector) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    change.prepare_cached(put)?.execute(params![
        passage.id.as_bytes(),
        entry.scope.to_string(),
        passage.document_id.as_bytes(),
        passage.version,
        entry.is_live,
        body,
        vector,
    ])?;
    Ok(())
}
