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
use ports::scope::Scope;
use ports::{Answers, CacheRead, Cached, Keeping, KeptAnswer, QueryCache, WrittenQueries};

use super::project::of;
use super::write::built;
use super::{Item, SERVICE, Table, case, corpus, failed, number, text};

/// What points from a case's cache to an answer that is kept of it, so that it goes with the case.
const KEPT: &str = "kept#";

#[async_trait]
impl QueryCache for Table {
    async fn queries(
        &self,
        scope: &Scope,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<WrittenQueries>> {
        let Some(item) = self.item(cached(scope, &format!("queries#{key}"))).await? else {
            return Ok(None);
        };
        let written = of(&item, "written").ok_or_else(|| odd("written"))?;
        let written = serde_json::from_str(written).map_err(|_| odd("written"))?;
        Ok(Some(written).filter(|_| time(&item, "expires_at").is_ok_and(|time| time > now)))
    }

    async fn keep_queries(
        &self,
        scope: &Scope,
        key: &str,
        written: &WrittenQueries,
        until: Timestamp,
    ) -> Result<()> {
        let mut item = cached(scope, &format!("queries#{key}"));
        let written = serde_json::to_string(written).map_err(|_| odd("written"))?;
        item.insert("written".into(), text(&written));
        item.insert("expires_at".into(), seconds(until));
        let put = self.client.put_item().table_name(&self.name).set_item(Some(item));
        put.send().await.map(drop).map_err(failed)
    }
}

#[async_trait]
impl Answers for Table {
    async fn read_cache(
        &self,
        scope: &Scope,
        user: &str,
        key: &str,
        vectors: &[String],
    ) -> Result<CacheRead> {
        let mut keys = vec![corpus(scope), cached(scope, &format!("answer#{key}"))];
        keys.extend(vectors.iter().map(|vector| cached(scope, &format!("embedding#{vector}"))));
        if let Scope::Case(id) = scope {
            keys.extend(case::keys(id, user));
        }
        let (mut read, mut of_case) = (CacheRead::default(), Vec::new());
        for item in self.batch(keys).await? {
            match of(&item, "sk").unwrap_or_default() {
                "CORPUS" => read.corpus = whole(&item, "version").unwrap_or_default(),
                sort_key if sort_key.starts_with("answer#") => {
                    read.cached = read_cached(&item).ok();
                }
                sort_key if sort_key.starts_with("embedding#") => {
                    let key = sort_key.trim_start_matches("embedding#").to_owned();
                    read.vectors.extend(read_vector(&item).map(|vector| (key, vector)));
                }
                _ => of_case.push(item),
            }
        }
        read.case = case::standing(of_case)?;
        Ok(read)
    }

    async fn keep(&self, keeping: &Keeping) -> Result<()> {
        let answer = &keeping.answer;
        let body = packed(&answer.body)?;
        let mut items = vec![kept_item(answer, body.clone())];
        if matches!(answer.scope, Scope::Case(_)) {
            let mut pointer = cached(&answer.scope, &format!("{KEPT}{}", answer.answer_id));
            pointer.insert("expires_at".into(), seconds(answer.expires_at));
            items.push(pointer);
        }
        if let Some((key, until)) = &keeping.cache {
            let mut item = cached(&answer.scope, &format!("answer#{key}"));
            item.insert("answer_id".into(), text(&answer.answer_id));
            item.insert("corpus".into(), number(answer.corpus));
            item.insert("made_at".into(), text(keeping.made_at.to_string()));
            item.insert("expires_at".into(), seconds(*until));
            item.insert("body".into(), AttributeValue::B(body));
            items.push(item);
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
        let Some(item) = self.item(kept_key(answer_id)).await? else { return Ok(None) };
        let scope = of(&item, "scope").and_then(Scope::parse).ok_or_else(|| odd("scope"))?;
        let kept = KeptAnswer {
            answer_id: answer_id.into(),
            scope,
            mode: of(&item, "mode").unwrap_or_default().into(),
            corpus: whole(&item, "corpus").unwrap_or_default(),
            body: unpacked(&item)?,
            expires_at: time(&item, "expires_at")?,
        };
        Ok(Some(kept).filter(|kept| kept.expires_at > now))
    }
}

impl Table {
    /// Keeps items while a case is open: what is being answered when it closes would outlive all that it had.
    pub(super) async fn keep_in_case(&self, id: &str, items: Vec<Item>) -> Result<()> {
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

/// The key of the answer to which a key of a cache points, where it does.
pub(super) fn pointed(key: &Item) -> Option<Item> {
    of(key, "sk")?.strip_prefix(KEPT).map(kept_key)
}

fn kept_key(answer_id: &str) -> Item {
    HashMap::from([
        ("pk".into(), text(format!("ANSWER#{answer_id}"))),
        ("sk".into(), text("ANSWER")),
    ])
}

fn kept_item(answer: &KeptAnswer, body: Blob) -> Item {
    let mut item = kept_key(&answer.answer_id);
    item.insert("scope".into(), text(answer.scope.to_string()));
    item.insert("mode".into(), text(&answer.mode));
    item.insert("corpus".into(), number(answer.corpus));
    item.insert("body".into(), AttributeValue::B(body));
    item.insert("expires_at".into(), seconds(answer.expires_at));
    item
}

fn read_cached(item: &Item) -> Result<Cached> {
    let made_at = of(item, "made_at").and_then(|o| o.parse().ok());
    Ok(Cached {
        answer_id: of(item, "answer_id").ok_or_else(|| odd("answer_id"))?.into(),
        body: unpacked(item)?,
        corpus: whole(item, "corpus").unwrap_or_default(),
        made_at: made_at.ok_or_else(|| odd("made_at"))?,
        expires_at: time(item, "expires_at")?,
    })
}

/// `None` where it is not a vector: it is made anew.
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

pub(super) fn odd(field: &str) -> Error {
    Error::unavailable(SERVICE, format!("a kept answer whose `{field}` cannot be read"))
}
