//! Uploaded files.

use async_trait::async_trait;

use super::Page;
use model::Result;
use model::object::Upload;

/// The target of an upload: a request that anyone may send until it expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The address.
    pub url: String,
    /// The headers that the signature binds.
    pub headers: Vec<(String, String)>,
    /// The seconds until it expires.
    pub expires_in: u64,
}

/// One version of a file, or the mark that the file was deleted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// The file's key.
    pub key: String,
    /// The store's id of this version.
    pub version: String,
}

/// Stores the uploaded files.
#[async_trait]
pub trait Files: Send + Sync {
    /// Returns a file's bytes; `None` if there is no such file.
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Copies a file to another key. Returns true if there was one.
    async fn copy(&self, from: &str, to: &str) -> Result<bool>;

    /// Writes a file. An existing file under the key becomes an earlier version.
    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<()>;

    /// Signs an upload of exactly this size and type.
    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket>;

    /// Lists all versions of the files whose keys begin with `prefix`, by key, after `after`.
    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>>;

    /// Deletes these versions permanently. A missing version is no failure.
    async fn delete_versions(&self, files: &[StoredFile]) -> Result<()>;
}

/// Deletes files in a way that can be reversed.
#[async_trait]
pub trait Hiding: Files {
    /// Lists the keys that begin with `prefix` and whose files are not marked as deleted, in order,
    /// after `after`.
    async fn present(&self, prefix: &str, after: Option<&str>) -> Result<Page<String, String>>;

    /// Marks these files as deleted. Their versions stay until the store removes them:
    /// `NoncurrentDays` in `infra/data.yaml`.
    async fn hide(&self, keys: &[String]) -> Result<()>;

    /// Copies the last version of a file, which may be marked as deleted, to another key. Returns
    /// true if there was one.
    async fn copy_hidden(&self, from: &str, to: &str) -> Result<bool>;
}

/// Counts the tries to index an upload. A try that begins and does not end was killed: by a lack of
/// memory or time, perhaps because of the upload.
#[async_trait]
pub trait Tries: Send + Sync {
    /// Records that a try begins. Returns the number of tries of this upload that have begun and
    /// not ended, including this one.
    async fn begin(&self, upload: &Upload) -> Result<u32>;

    /// Records that no try of this upload is running: the last one ended, with or without an error.
    async fn end(&self, upload: &Upload) -> Result<()>;
}
