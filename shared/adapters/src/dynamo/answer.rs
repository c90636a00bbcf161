//! Answers that are kept, those that may be given again, and embeddings.

use std::collections::HashMap;
use std::io::{Read, Write};

use async_trait::async_trait;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, Put, PutRequest, TransactWriteItem, WriteRequest};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use jiff::Timestamp;
use model::{Error, Result};
use ports::scope::{Caller, Scope};
use ports::{Answers, CacheRead, Cached, Keeping, KeptAnswer, QueryCache, WrittenQueries};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::project::text_of;
use super::write::built;
use super::{Item, SERVICE, Table, case, corpus, failed, keyed, read, text};

/// Begins the keys in a scope's cache that point to answers which are kept of it, or cite its
/// documents, so that these go with a case, or with a document that they cite.
const KEPT: &str = "kept#";

/// The documents that such an answer cites.
const CITED: &str = "documents";

/// Begins the keys of answers that may be given again.
const AGAIN: &str = "answer#";

#[async_trait]
impl QueryCache for Table {
    async fn queries(
        &self,
        scope: &Scope,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<WrittenQueries>> {
        let item = self.unexpired(cached(scope, &format!("queries#{key}")), now).await?;
        item.map(read).transpose()
    }

    async fn keep_queries(
        &self,
        scope: &Scope,
        key: &str,
        written: &WrittenQueries,
        until: Timestamp,
    ) -> Result<()> {
        let mut item = keyed(cached(scope, &format!("queries#{key}")), written)?;
        item.insert("expires_at".into(), seconds(until));
        self.put_in_cache(scope, item).await
    }
}

#[async_trait]
impl Answers for Table {
    async fn read_cache(
        &self,
        scope: &Scope,
        caller: &Caller,
        key: &str,
        vectors: &[String],
    ) -> Result<CacheRead> {
        let mut keys = corpus::keys(scope);
        keys.push(cached(scope, &format!("{AGAIN}{key}")));
        keys.extend(vectors.iter().map(|vector| cached(scope, &format!("embedding#{vector}"))));
        if let Scope::Case(id) = scope {
            keys.extend(case::keys(id, caller));
        }
        let items = self.batch(keys).await?;
        let (mut found, mut of_case) = (CacheRead::default(), Vec::new());
        found.corpus = corpus::version(scope, &items);
        for item in items {
            match text_of(&item, "sk").unwrap_or_default() {
                sort_key if sort_key.starts_with(corpus::KIND) => {}
                sort_key if sort_key.starts_with(AGAIN) => {
                    found.cached = read_with_body(item).ok();
                }
                sort_key if sort_key.starts_with("embedding#") => {
                    let key = sort_key.trim_start_matches("embedding#").to_owned();
                    found.vectors.extend(read_vector(&item).map(|vector| (key, vector)));
                }
                _ => of_case.push(item),
            }
        }
        found.case = case::standing(of_case, caller)?;
        Ok(found)
    }

    async fn keep(&self, keeping: &Keeping) -> Result<()> {
        let answer = &keeping.answer;
        let body = packed(&answer.body)?;
        let mut items = vec![with_body(kept_key(&answer.answer_id), answer, body.clone())?];
        let own = (!keeping.documents.contains_key(&answer.scope)).then_some(&answer.scope);
        for scope in keeping.documents.keys().chain(own) {
            let mut pointer = cached(scope, &format!("{KEPT}{}", answer.answer_id));
            pointer.insert("expires_at".into(), seconds(answer.expires_at));
            if let Some(documents) = keeping.documents.get(scope) {
                let documents = documents.iter().map(ToString::to_string).collect();
                pointer.insert(CITED.into(), AttributeValue::Ss(documents));
            }
            items.push(pointer);
        }
        if let Some((key, until)) = &keeping.cache {
            let again = Cached {
                answer_id: answer.answer_id.clone(),
                body: String::new(),
                corpus: answer.corpus,
                made_at: keeping.made_at,
                expires_at: *until,
            };
            items.push(with_body(cached(&answer.scope, &format!("{AGAIN}{key}")), &again, body)?);
        }
        for (key, vector) in &keeping.vectors {
            let mut item = cached(&answer.scope, &format!("embedding#{key}"));
            let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
            item.insert("vector".into(), AttributeValue::B(Blob::new(bytes)));
            item.insert("expires_at".into(), seconds(keeping.vectors_until));
            items.push(item);
        }
        if let Scope::Case(id) = &answer.scope {
            return self.keep_in_case(id, items).await;
        }
        let put = |item| {
            let put = built(PutRequest::builder().set_item(Some(item)).build())?;
            Ok(WriteRequest::builder().put_request(put).build())
        };
        let puts: Vec<WriteRequest> = items.into_iter().map(put).collect::<Result<_>>()?;
        self.write_batch(&puts).await
    }

    async fn answer(&self, answer_id: &str, now: Timestamp) -> Result<Option<KeptAnswer>> {
        let item = self.unexpired(kept_key(answer_id), now).await?;
        item.map(read_with_body).transpose()
    }
}

impl Table {
    /// Reads an item unless it has expired: one that has may still be there.
    pub(super) async fn unexpired(&self, key: Item, now: Timestamp) -> Result<Option<Item>> {
        let Some(item) = self.item(key).await? else { return Ok(None) };
        Ok((time(&item, "expires_at")? > now).then_some(item))
    }

    /// Returns the keys, in the cache of a scope, of what points to answers that cite a document,
    /// and of all answers that may be given again.
    pub(super) async fn answers_with(&self, scope: &Scope, document: Uuid) -> Result<Vec<Item>> {
        let query = |begin: &str| {
            let query = self.client.query().table_name(&self.name);
            let query = query.key_condition_expression("pk = :pk AND begins_with(sk, :begin)");
            let query = query.expression_attribute_values(":begin", text(begin));
            let partition = text(format!("CACHE#{scope}"));
            query.expression_attribute_values(":pk", partition).projection_expression("pk, sk")
        };
        let of_document = query(KEPT)
            .filter_expression("contains(#cited, :document)")
            .expression_attribute_names("#cited", CITED)
            .expression_attribute_values(":document", text(document.to_string()));
        let mut keys = Vec::new();
        for query in [of_document, query(AGAIN)] {
            let mut pages = query.into_paginator().items().send();
            while let Some(key) = pages.try_next().await.map_err(failed)? {
                keys.push(key);
            }
        }
        Ok(keys)
    }

    /// Writes an item, in place of the one that was there.
    pub(super) async fn put(&self, item: Item) -> Result<()> {
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        put.send().await.map(drop).map_err(failed)
    }

    /// Writes an item of a scope's cache, that of a case while it is open.
    pub(super) async fn put_in_cache(&self, scope: &Scope, item: Item) -> Result<()> {
        match scope {
            Scope::Case(id) => self.keep_in_case(id, vec![item]).await,
            _ => self.put(item).await,
        }
    }

    /// Keeps items while a case is open: what is being answered when it closes would outlive all
    /// that it had.
    async fn keep_in_case(&self, id: &str, items: Vec<Item>) -> Result<()> {
        let check = TransactWriteItem::builder().condition_check(self.is_open(id)?).build();
        let put = |item| {
            let put = Put::builder().table_name(&self.name).set_item(Some(item)).build();
            Ok(TransactWriteItem::builder().put(built(put)?).build())
        };
        let puts = items.into_iter().map(put);
        let all = std::iter::once(Ok(check)).chain(puts).collect::<Result<Vec<_>>>()?;
        match self.transact(all).await? {
            None => Ok(()),
            Some(_) => Err(Error::unavailable(SERVICE, "the case closed meanwhile")),
        }
    }
}

pub(super) fn cached(scope: &Scope, key: &str) -> Item {
    HashMap::from([("pk".into(), text(format!("CACHE#{scope}"))), ("sk".into(), text(key))])
}

/// Returns the key of the answer to which a key of a cache points, where it does.
pub(super) fn pointed(key: &Item) -> Option<Item> {
    text_of(key, "sk")?.strip_prefix(KEPT).map(kept_key)
}

fn kept_key(answer_id: &str) -> Item {
    HashMap::from([
        ("pk".into(), text(format!("ANSWER#{answer_id}"))),
        ("sk".into(), text("ANSWER")),
    ])
}

/// Returns an item with the fields of a value, of which the body is packed.
pub(super) fn with_body(key: Item, value: &impl Serialize, body: Blob) -> Result<Item> {
    let mut item = keyed(key, value)?;
    item.insert("body".into(), AttributeValue::B(body));
    Ok(item)
}

/// Reads what [`with_body`] made.
pub(super) fn read_with_body<T: DeserializeOwned>(mut item: Item) -> Result<T> {
    let body = unpacked(&item)?;
    item.insert("body".into(), text(body));
    read(item)
}

/// Reads a vector; `None` where it is not one: it is made anew.
fn read_vector(item: &Item) -> Option<Vec<f32>> {
    let bytes = item.get("vector")?.as_b().ok()?.as_ref();
    let (numbers, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

pub(super) fn whole(item: &Item, field: &str) -> Option<u64> {
    item.get(field)?.as_n().ok()?.parse().ok()
}

pub(super) fn time(item: &Item, field: &str) -> Result<Timestamp> {
    let seconds = whole(item, field).and_then(|whole| i64::try_from(whole).ok());
    let time = seconds.and_then(|second| Timestamp::from_second(second).ok());
    time.ok_or_else(|| odd(field))
}

pub(super) fn seconds(time: Timestamp) -> AttributeValue {
    AttributeValue::N(time.as_second().to_string())
}

pub(super) fn packed(body: &str) -> Result<Blob> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(body.as_bytes()).and_then(|()| encoder.finish());
    packed.map(Blob::new).map_err(|error| Error::unavailable(SERVICE, error))
}

pub(super) fn unpacked(item: &Item) -> Result<String> {
    let body = item.get("body").and_then(|body| body.as_b().ok()).ok_or_else(|| odd("body"))?;
    let mut text = String::new();
    let read = DeflateDecoder::new(body.as_ref()).read_to_string(&mut text);
    read.map(|_| text).map_err(|error| Error::unavailable(SERVICE, error))
}

fn odd(field: &str) -> Error {
    Error::unavailable(SERVICE, format!("an item whose `{field}` cannot be read"))
}
