//! A document's item.

use aws_sdk_dynamodb::types::AttributeValue;
use model::document::Attributes;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{Indexing, Live, Record, Status};
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{Item, SERVICE, json, text};

/// The status's name, and the reason of a failure.
pub(super) fn status(status: &Status) -> (&'static str, Option<&str>) {
    match status {
        Status::Waiting => ("waiting", None),
        Status::Indexing => ("indexing", None),
        Status::Indexed => ("indexed", None),
        Status::Failed { reason } => ("failed", Some(reason)),
        Status::Deleting => ("deleting", None),
    }
}

/// The values that announcing sets.
pub(super) fn announced(record: &Record) -> Result<Item> {
    let (status, _) = status(&record.status);
    Ok(Item::from([
        (":name".into(), text(&record.name)),
        (":content_type".into(), text(&record.content_type)),
        (":bytes".into(), AttributeValue::N(record.bytes.to_string())),
        (":attributes".into(), json(&record.attributes)?),
        (":status".into(), text(status)),
        (":version".into(), text(&record.version)),
        (":updated_at".into(), text(&record.updated_at)),
    ]))
}

/// The values that settling sets.
pub(super) fn live(live: &Live) -> Result<Item> {
    Ok(Item::from([
        (":version".into(), text(&live.version)),
        (":hash".into(), text(&live.hash)),
        (":attributes".into(), json(&live.attributes)?),
        (":chunks".into(), AttributeValue::N(live.chunks.to_string())),
        (":embedded".into(), AttributeValue::N(live.embedded.to_string())),
        (":record_count".into(), AttributeValue::N(live.records.to_string())),
        (":reader".into(), AttributeValue::N(live.indexing.reader.to_string())),
        (":live_bytes".into(), AttributeValue::N(live.bytes.to_string())),
        (":read_model".into(), text(&live.indexing.read_model)),
        (":collections".into(), json(&live.indexing.collections)?),
        (":assumed".into(), json(&live.assumed)?),
        (":model_reading".into(), json(&live.model_reading)?),
        (":about".into(), json(&live.about)?),
    ]))
}

/// Reads an item.
pub(super) fn record(scope: &Scope, item: Item) -> Result<Record> {
    let fields = Fields(item);
    let status = match fields.text("status")? {
        "waiting" => Status::Waiting,
        "indexing" => Status::Indexing,
        "indexed" => Status::Indexed,
        "deleting" => Status::Deleting,
        _ => Status::Failed { reason: fields.optional("reason").unwrap_or_default().into() },
    };
    let live = match fields.optional("live_version") {
        None => None,
        Some(version) => Some(Live {
            version: version.into(),
            hash: fields.text("live_hash")?.into(),
            // Items written before it was noted have the size of their latest upload.
            bytes: if fields.0.contains_key("live_bytes") {
                fields.number("live_bytes")?
            } else {
                fields.number("bytes")?
            },
            attributes: fields.attributes("live_attributes")?,
            chunks: u32::try_from(fields.number("chunks")?).map_err(|_| odd("chunks"))?,
            embedded: u32::try_from(fields.count("embedded")?).map_err(|_| odd("embedded"))?,
            records: fields.count("record_count")?,
            indexing: fields.indexing()?,
            assumed: fields.json("assumed")?,
            model_reading: fields.json("model_reading")?,
            about: fields.json("about")?,
        }),
    };
    Ok(Record {
        scope: scope.clone(),
        document_id: fields.id()?,
        name: fields.text("name")?.into(),
        content_type: fields.text("content_type")?.into(),
        bytes: fields.number("bytes")?,
        attributes: fields.attributes("attributes")?,
        status,
        version: fields.text("version")?.into(),
        live,
        deleted: fields.optional("deleted_version").map(str::to_owned),
        first: fields.optional("first_version").unwrap_or_default().into(),
        prior: fields.optional("prior_version").unwrap_or_default().into(),
        updated_at: fields.text("updated_at")?.into(),
    })
}

fn odd(field: &str) -> Error {
    Error::unavailable(SERVICE, format!("an item whose `{field}` cannot be read"))
}

struct Fields(Item);

impl Fields {
    fn optional(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_s().ok().map(String::as_str)
    }

    fn text(&self, field: &str) -> Result<&str> {
        self.optional(field).ok_or_else(|| odd(field))
    }

    fn number(&self, field: &str) -> Result<u64> {
        let number = self.0.get(field).and_then(|value| value.as_n().ok());
        number.and_then(|number| number.parse().ok()).ok_or_else(|| odd(field))
    }

    /// A number that items written before there was one do not have: 0.
    fn count(&self, field: &str) -> Result<u64> {
        if self.0.contains_key(field) { self.number(field) } else { Ok(0) }
    }

    /// The indexing of the live version; empty in items that were written before it was noted.
    fn indexing(&self) -> Result<Indexing> {
        let reader = u32::try_from(self.count("reader")?).map_err(|_| odd("reader"))?;
        let read_model = self.optional("read_model").unwrap_or_default().to_owned();
        Ok(Indexing { reader, read_model, collections: self.json("collections")? })
    }

    /// A value in JSON; the default one where there is none.
    fn json<T: DeserializeOwned + Default>(&self, field: &str) -> Result<T> {
        let value = self.optional(field).map(serde_json::from_str).transpose();
        Ok(value.map_err(|_| odd(field))?.unwrap_or_default())
    }

    fn id(&self) -> Result<Uuid> {
        let id = self.text("sk")?.strip_prefix("DOCUMENT#").and_then(|id| id.parse().ok());
        id.ok_or_else(|| odd("sk"))
    }

    fn attributes(&self, field: &str) -> Result<Attributes> {
        serde_json::from_str(self.text(field)?).map_err(|_| odd(field))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_noted_when_a_document_was_indexed_is_0_or_empty() {
        let number = |text: &str| AttributeValue::N(text.into());
        let texts = [
            ("sk", "DOCUMENT#00000000-0000-0000-0000-000000000007"),
            ("status", "indexed"),
            ("name", "pump.md"),
            ("content_type", "text/markdown"),
            ("attributes", "{}"),
            ("version", "01A"),
            ("updated_at", "2026-11-20T18:00:00Z"),
            ("live_version", "01A"),
            ("live_hash", "ab"),
            ("live_attributes", "{}"),
        ];
        let mut item: Item =
            texts.map(|(name, t)| (name.to_owned(), text(t))).into_iter().collect();
        item.extend([("bytes".into(), number("7")), ("chunks".into(), number("1"))]);
        let live = record(&Scope::Global, item).unwrap().live.unwrap();
        assert_eq!((live.chunks, live.records, live.bytes), (1, 0, 7));
        assert_eq!(live.indexing, Indexing::default());
    }
}
