//! Uploaded files in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use async_trait::async_trait;

use model::Result;
use ports::{Files, Hiding, Page, StoredFile, Ticket};

/// Files by key, with all their versions. A version without bytes marks the file as deleted.
#[derive(Debug)]
pub struct FakeFiles {
    files: Mutex<BTreeMap<StoredFile, Option<Vec<u8>>>>,
    page: usize,
}

impl Default for FakeFiles {
    /// Returns files with pages as large as those of S3.
    fn default() -> FakeFiles {
        FakeFiles::paged(1_000)
    }
}

impl FakeFiles {
    /// Returns an empty store whose lists have this many files on a page.
    pub fn paged(page: usize) -> FakeFiles {
        FakeFiles { files: Mutex::default(), page }
    }

    /// Stores a file; the file before it stays as an earlier version.
    pub fn put(&self, key: &str, bytes: &[u8]) {
        self.add(key, Some(bytes.to_vec()));
    }

    fn add(&self, key: &str, bytes: Option<Vec<u8>>) {
        let mut files = self.files.lock().unwrap();
        let version = format!("{:04}", files.keys().filter(|file| file.key == key).count());
        files.insert(StoredFile { key: key.into(), version }, bytes);
    }

    /// Returns the keys of all files with at least one version or deletion mark.
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> =
            self.files.lock().unwrap().keys().map(|file| file.key.clone()).collect();
        keys.dedup();
        keys
    }

    /// Returns the keys of all files that are not hidden.
    pub fn shown(&self) -> Vec<String> {
        self.unmarked("").into_iter().collect()
    }

    /// Returns the keys below `prefix` whose latest version is not a deletion mark.
    fn unmarked(&self, prefix: &str) -> BTreeSet<String> {
        let files = self.files.lock().unwrap();
        let versions = files.iter().filter(|(file, _)| file.key.starts_with(prefix));
        // The last version of a key decides, because versions are in order.
        let latest: BTreeMap<&str, bool> =
            versions.map(|(file, bytes)| (file.key.as_str(), bytes.is_some())).collect();
        latest.into_iter().filter(|(_, is_there)| *is_there).map(|(key, _)| key.into()).collect()
    }

    /// Returns the first page of a list, and the start of the next one.
    fn cut<T: Clone>(&self, all: impl Iterator<Item = T>) -> Page<T, T> {
        let mut items: Vec<T> = all.take(self.page + 1).collect();
        let more = items.len() > self.page;
        items.truncate(self.page);
        let next = items.last().filter(|_| more).cloned();
        Page { items, next }
    }
}

#[async_trait]
impl Files for FakeFiles {
    async fn read(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let files = self.files.lock().unwrap();
        Ok(files.iter().rfind(|(file, _)| file.key == key).and_then(|(_, bytes)| bytes.clone()))
    }

    async fn copy(&self, from: &str, to: &str) -> Result<bool> {
        let bytes = self.read(from).await?;
        if let Some(content) = &bytes {
            self.put(to, content);
        }
        Ok(bytes.is_some())
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<()> {
        self.put(key, &bytes);
        Ok(())
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
        let files = self.files.lock().unwrap();
        let key = files
            .keys()
            .filter(|file| file.key.starts_with(prefix) && after.is_none_or(|after| *file > after));
        Ok(self.cut(key.cloned()))
    }

    async fn delete_versions(&self, files: &[StoredFile]) -> Result<()> {
        let mut stored = self.files.lock().unwrap();
        for file in files {
            stored.remove(file);
        }
        Ok(())
    }
}

#[async_trait]
impl Hiding for FakeFiles {
    async fn present(&self, prefix: &str, after: Option<&str>) -> Result<Page<String, String>> {
        let keys = self.unmarked(prefix).into_iter();
        Ok(self.cut(keys.filter(|key| after.is_none_or(|after| key.as_str() > after))))
    }

    async fn hide(&self, keys: &[String]) -> Result<()> {
        for key in keys {
            self.add(key, None);
        }
        Ok(())
    }

    async fn copy_hidden(&self, from: &str, to: &str) -> Result<bool> {
        let bytes = {
            let files = self.files.lock().unwrap();
            let mut versions = files.iter().filter(|(file, _)| file.key == from);
            versions.rfind(|(_, bytes)| bytes.is_some()).and_then(|(_, bytes)| bytes.clone())
        };
        if let Some(content) = &bytes {
            self.put(to, content);
        }
        Ok(bytes.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_not_present_until_its_mark_is_removed() {
        pollster::block_on(async {
            let files = FakeFiles::paged(2);
            for key in ["a", "b", "c"] {
                files.put(key, b"x");
            }
            files.hide(&["b".into()]).await.unwrap();
            let present = async || files.present("", None).await.unwrap().items;
            assert_eq!(present().await, ["a", "c"]);
            assert_eq!(files.read("b").await.unwrap(), None);
            let versions = files.list("b", None).await.unwrap().items;
            assert_eq!(versions.len(), 2, "the version and the mark");
            files.delete_versions(&versions[1..]).await.unwrap();
            assert_eq!(files.read("b").await.unwrap(), Some(b"x".to_vec()));
            assert_eq!(present().await, ["a", "b"], "a page has two");
            assert_eq!(files.present("", Some("b")).await.unwrap().items, ["c"]);
        });
    }
}
