//! Uploaded files in memory.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;

use crate::Result;
use crate::ports::{Files, Page, StoredFile, Ticket};

/// How many versions of files a page has.
const PAGE: usize = 3;

/// Files by key, with all their versions.
#[derive(Debug, Default)]
pub struct FakeFiles(Mutex<BTreeMap<StoredFile, Vec<u8>>>);

impl FakeFiles {
    /// Puts a file there; what was there before stays as an earlier version.
    pub fn put(&self, key: &str, bytes: &[u8]) {
        let mut files = self.0.lock().unwrap();
        let version = format!("{:04}", files.keys().filter(|file| file.key == key).count());
        files.insert(StoredFile { key: key.into(), version }, bytes.to_vec());
    }

    /// The keys of all files.
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> =
            self.0.lock().unwrap().keys().map(|file| file.key.clone()).collect();
        keys.dedup();
        keys
    }
}

#[async_trait]
impl Files for FakeFiles {
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let files = self.0.lock().unwrap();
        Ok(files.iter().rfind(|(file, _)| file.key == key).map(|(_, bytes)| bytes.clone()))
    }

    async fn ticket(&self, key: &str, content_type: &str, bytes: u64) -> Result<Ticket> {
        let headers = vec![
            ("content-length".into(), bytes.to_string()),
            ("content-type".into(), content_type.into()),
        ];
        Ok(Ticket { url: format!("memory:{key}"), headers, expires_in: 900 })
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>> {
        let files = self.0.lock().unwrap();
        let own = files
            .keys()
            .filter(|file| file.key.starts_with(prefix) && after.is_none_or(|after| *file > after));
        let mut items: Vec<StoredFile> = own.take(PAGE + 1).cloned().collect();
        let more = items.len() > PAGE;
        items.truncate(PAGE);
        let next = items.last().filter(|_| more).cloned();
        Ok(Page { items, next })
    }

    async fn remove(&self, files: &[StoredFile]) -> Result<()> {
        let mut own = self.0.lock().unwrap();
        for file in files {
            own.remove(file);
        }
        Ok(())
    }
}
