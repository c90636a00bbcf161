use async_trait::async_trait;
use model::Result;
use ports::{Files, Hiding, Page, StoredFile, Ticket};

use super::Broken;

#[async_trait]
impl Files for Broken<'_> {
    async fn read(&self, _: &str) -> Result<Option<Vec<u8>>> {
        unreachable!("no removal reads")
    }

    async fn copy(&self, _: &str, _: &str) -> Result<bool> {
        unreachable!("no removal copies")
    }

    async fn write(&self, _: &str, _: Vec<u8>) -> Result<()> {
        unreachable!("no removal writes")
    }

    async fn ticket(&self, _: &str, _: &str, _: u64) -> Result<Ticket> {
        unreachable!("no removal uploads")
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&StoredFile>,
    ) -> Result<Page<StoredFile, StoredFile>> {
        self.stepping(self.corpus.files.list(prefix, after)).await
    }

    async fn delete_versions(&self, files: &[StoredFile]) -> Result<()> {
        self.stepping(self.corpus.files.delete_versions(files)).await
    }
}

#[async_trait]
impl Hiding for Broken<'_> {
    async fn present(&self, prefix: &str, after: Option<&str>) -> Result<Page<String, String>> {
        self.stepping(self.corpus.files.present(prefix, after)).await
    }

    async fn hide(&self, keys: &[String]) -> Result<()> {
        self.stepping(self.corpus.files.hide(keys)).await
    }

    async fn copy_hidden(&self, _: &str, _: &str) -> Result<bool> {
        unreachable!("no removal restores")
    }
}
