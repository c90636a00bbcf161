//! Uploaded files.

use async_trait::async_trait;

use super::Page;
use model::Result;
use model::object::Upload;

/// Where an upload goes: a request that anyone may send until it expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// The address.
    pub url: String,
    /// The headers that the signature binds.
    pub headers: Vec<(String, String)>,
    /// When it expires, in seconds from now.
    pub expires_in: u64,
}

/// One version of a file, or the mark that the file was deleted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredFile {
    /// The file's key.
    pub key: String,
    /// What the store calls this version of it.
    pub version: String,
}

/// Keeps the uploaded files.
#[async_trait]
pub trait Files: Send + Sync {
    /// Gives a file's bytes; `None` where there is none.
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Copies a file to another key. Whether there was one.
    async fn copy(&self, from: &str, to: &str) -> Result<bool>;

    /// Writes a file; another one under the key becomes an earlier version.
    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<()>;

    /// Signs an upload of exactly this size and type.
    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket>;

    /// Lists all versions of the files whose keys begin with `prefix`, by key, after `after`.
    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>>;

    /// Takes these versions away for good. What is not there is no failure.
    async fn delete_versions(&self, files: &[StoredFile]) -> Result<()>;
}

/// Takes files away so that they can be brought back.
#[async_trait]
pub trait Hiding: Files {
    /// Lists the keys of the files that begin with `prefix` and are not marked as deleted, in order, after `after`.
    async fn present(&self, prefix: &str, after: Option<&str>) -> Result<Page<String, String>>;

    /// Marks these files as deleted. Their versions stay until the store forgets them: `NoncurrentDays` in
    /// `infra/data.yaml`.
    async fn hide(&self, keys: &[String]) -> Result<()>;
}

/// Counts the tries to bring an upload into the index. One that begins and does not end was killed: by too little memory or
/// time, and perhaps by what was uploaded.
#[async_trait]
pub trait Tries: Send + Sync {
    /// Notes that a try begins. How many of this upload have begun and not ended, this one included.
    async fn begin(&self, upload: &Upload) -> Result<u32>;

    /// Notes that no try of this upload is under way: the last one ended, well or badly.
    async fn end(&self, upload: &Upload) -> Result<()>;
}
