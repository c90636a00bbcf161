//! Uploaded files, with their versions. A version without bytes marks a file as deleted.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use model::object::Upload;
use model::{Error, Result};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use ports::{Files, Hiding, Page, StoredFile, Ticket};
use ring::hmac;
use rusqlite::{Connection, OptionalExtension, params};
use ulid::Generator;

use super::Store;
use super::queue::{self, UPLOADS};

/// The files on one page of a list.
const PAGE: usize = 1_000;

/// The time in which an upload's address can be used.
const EXPIRES: Duration = Duration::from_mins(15);

/// The path below which files are sent.
pub(crate) const PATH: &str = "/uploads/";

/// The store of uploaded files.
#[derive(Clone)]
pub(crate) struct Uploads {
    store: Arc<Store>,
    /// Signs the addresses of uploads.
    key: hmac::Key,
    /// The address of this program, once it listens.
    address: Arc<OnceLock<String>>,
    /// Makes the names of versions, each higher than the one before.
    versions: Arc<Mutex<Generator>>,
}

/// An upload whose signature is good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signed {
    upload: Upload,
    /// The type that its header must name.
    pub(crate) content_type: String,
    /// The number of its bytes.
    pub(crate) bytes: usize,
}

impl Uploads {
    /// Returns the files of a store. Addresses are signed with `key`, which is new in each process.
    pub(crate) fn new(store: Arc<Store>, key: hmac::Key) -> Uploads {
        Uploads { store, key, address: Arc::default(), versions: Arc::default() }
    }

    /// Says where this program listens: `http://127.0.0.1:7600`.
    pub(crate) fn listening_at(&self, address: String) {
        let _ = self.address.set(address);
    }

    /// Checks the path and the query of a request that sends a file; `None` where it was not
    /// signed here, or is too old.
    pub(crate) fn signed(&self, path: &str, query: &str, now: jiff::Timestamp) -> Option<Signed> {
        let key = percent_decode_str(path.strip_prefix(PATH)?).decode_utf8().ok()?;
        let (rest, signature) = query.rsplit_once("&signature=")?;
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.key, format!("{key}?{rest}").as_bytes(), &signature).ok()?;
        let mut parts = rest.split('&').map(|part| part.split_once('=').map_or("", |it| it.1));
        let content_type = percent_decode_str(parts.next()?).decode_utf8().ok()?.into_owned();
        let bytes = parts.next()?.parse().ok()?;
        let expires: i64 = parts.next()?.parse().ok()?;
        let upload = Upload::parse(&key).filter(|_| now.as_second() < expires)?;
        Some(Signed { upload, content_type, bytes })
    }

    /// Keeps a file that was sent, and has it ingested, both or neither. Returns false where it was
    /// sent before.
    pub(crate) fn receive(&self, signed: &Signed, bytes: &[u8]) -> Result<bool> {
        let (key, version) = (signed.upload.key(), self.version()?);
        let message = serde_json::to_string(&signed.upload)
            .map_err(|error| Error::unavailable(super::SERVICE, error))?;
        self.store.change(|change| {
            let is_there = "SELECT 1 FROM files WHERE key = ?1";
            if change.prepare_cached(is_there)?.exists([&key])? {
                return Ok(false);
            }
            put(change, &key, &version, Some(bytes))?;
            queue::send(change, UPLOADS, &message)?;
            Ok(true)
        })
    }

    /// Returns the latest version of a file; with `or_mark`, `None` also where that is a mark.
    fn latest(&self, key: &str, or_mark: bool) -> Result<Option<Vec<u8>>> {
        let newest = "SELECT bytes FROM files WHERE key = ?1 AND (?2 OR bytes IS NOT NULL) ORDER BY version DESC LIMIT 1";
        self.store.change(|change| {
            let mut newest = change.prepare_cached(newest)?;
            let found = newest.query_row(params![key, or_mark], |row| row.get(0)).optional()?;
            Ok(found.flatten())
        })
    }

    fn copy_of(&self, bytes: Option<Vec<u8>>, to: &str) -> Result<bool> {
        let Some(bytes) = bytes else { return Ok(false) };
        self.put(to, Some(&bytes))?;
        Ok(true)
    }

    /// Adds a version of a file, after all that there are. An upload is ingested, as S3 tells of
    /// each that is written.
    fn put(&self, key: &str, bytes: Option<&[u8]>) -> Result<()> {
        let version = self.version()?;
        let upload = Upload::parse(key).filter(|_| bytes.is_some());
        let message = upload.map(|upload| serde_json::to_string(&upload)).transpose();
        let message = message.map_err(|error| Error::unavailable(super::SERVICE, error))?;
        self.store.change(|change| {
            put(change, key, &version, bytes)?;
            message.as_ref().map_or(Ok(()), |message| queue::send(change, UPLOADS, message))
        })
    }

    fn version(&self) -> Result<String> {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        let version = versions.generate();
        version
            .map(|version| version.to_string())
            .map_err(|error| Error::unavailable(super::SERVICE, error.to_string()))
    }
}

fn put(
    change: &Connection,
    key: &str,
    version: &str,
    bytes: Option<&[u8]>,
) -> rusqlite::Result<()> {
    let insert = "INSERT INTO files (key, version, bytes) VALUES (?1, ?2, ?3)";
    change.prepare_cached(insert)?.execute(params![key, version, bytes])?;
    Ok(())
}

#[async_trait]
impl Files for Uploads {
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.latest(key, true)
    }

    async fn copy(&self, from: &str, to: &str) -> Result<bool> {
        self.copy_of(self.read(from).await?, to)
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<()> {
        self.put(key, Some(&bytes))
    }

    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket> {
        let address = self.address.get();
        let address = address.ok_or_else(|| Error::unavailable(super::SERVICE, "not listening"))?;
        let expires = jiff::Timestamp::now().as_second() + EXPIRES.as_secs().cast_signed();
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let query = format!("type={}&bytes={bytes}&expires={expires}", encoded(content_type));
        let signature = hmac::sign(&self.key, format!("{key}?{query}").as_bytes());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Ok(Ticket {
            url: format!("{address}{PATH}{}?{query}&signature={signature}", encoded(key)),
            headers: vec![
                ("content-length".into(), bytes.to_string()),
                ("content-type".into(), content_type.into()),
            ],
            expires_in: EXPIRES.as_secs(),
        })
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>> {
        let (key, version) = after.map_or(("", ""), |it| (it.key.as_str(), it.version.as_str()));
        let below = "SELECT key, version FROM files WHERE substr(key, 1, length(?1)) = ?1 AND key >= ?1 \
                     AND (key, version) > (?2, ?3) ORDER BY key, version LIMIT ?4";
        let items = self.store.change(|change| {
            let mut below = change.prepare_cached(below)?;
            let rows = below.query_map(params![prefix, key, version, PAGE + 1], |row| {
                Ok(StoredFile { key: row.get(0)?, version: row.get(1)? })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        });
        Ok(cut(items?))
    }

    async fn delete_versions(&self, files: &[StoredFile]) -> Result<()> {
        self.store.change(|change| {
            let delete = "DELETE FROM files WHERE key = ?1 AND version = ?2";
            let mut delete = change.prepare_cached(delete)?;
            files.iter().try_for_each(|file| delete.execute([&file.key, &file.version]).map(drop))
        })
    }
}

#[async_trait]
impl Hiding for Uploads {
    async fn present(&self, prefix: &str, after: Option<&str>) -> Result<Page<String, String>> {
        let below = "SELECT key FROM files AS one WHERE substr(key, 1, length(?1)) = ?1 AND key >= ?1 AND key > ?2 AND bytes IS NOT NULL \
                     AND NOT EXISTS (SELECT 1 FROM files AS other WHERE other.key = one.key AND other.version > one.version) \
                     ORDER BY key LIMIT ?3";
        let items = self.store.change(|change| {
            let mut below = change.prepare_cached(below)?;
            let after = after.unwrap_or_default();
            let rows = below.query_map(params![prefix, after, PAGE + 1], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        });
        Ok(cut(items?))
    }

    async fn hide(&self, keys: &[String]) -> Result<()> {
        keys.iter().try_for_each(|key| self.put(key, None))
    }

    async fn copy_hidden(&self, from: &str, to: &str) -> Result<bool> {
        self.copy_of(self.latest(from, false)?, to)
    }
}

/// Returns the first page of a list, and the start of the next one.
fn cut<T: Clone>(mut items: Vec<T>) -> Page<T, T> {
    let more = items.len() > PAGE;
    items.truncate(PAGE);
    let next = items.last().filter(|_| more).cloned();
    Page { items, next }
}
