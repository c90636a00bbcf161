//! A collection for tests: in its own engine, or on the Qdrant server that `QDRANT_URL` names.

use anyhow::{Context, Result, anyhow};
use qdrant_client::Qdrant;

use crate::Local;

/// An empty collection that is deleted when this value is dropped.
pub struct Collection {
    /// The address of its Qdrant.
    pub url: String,
    /// Its name.
    pub name: String,
    engine: Option<Local>,
}

/// Returns the address of the running Qdrant server for tests, if there is one.
#[expect(clippy::disallowed_methods, reason = "a test is told by its environment what there is")]
pub fn server() -> Option<String> {
    std::env::var("QDRANT_URL").ok().filter(|url| !url.is_empty())
}

impl Collection {
    /// Returns a collection that nobody else uses.
    pub fn fresh() -> Result<Collection> {
        if let Some(url) = server() {
            return Collection::emptied(&url, &format!("plumbline-test-{}", uuid::Uuid::new_v4()));
        }
        let engine = Local::qdrant()?;
        Ok(Collection { url: engine.url.clone(), name: "test".into(), engine: Some(engine) })
    }

    /// Returns the collection with this name on a server, after deleting its content.
    pub fn emptied(url: &str, name: &str) -> Result<Collection> {
        delete(url, name)?;
        Ok(Collection { url: url.into(), name: name.into(), engine: None })
    }
}

impl Drop for Collection {
    fn drop(&mut self) {
        if self.engine.is_none()
            && let Err(error) = delete(&self.url, &self.name)
        {
            eprintln!("the collection {} stays at {}: {error:#}", self.name, self.url);
        }
    }
}

/// Deletes a collection if it exists. This runs in its own thread, because a test may already run
/// in a runtime.
fn delete(url: &str, name: &str) -> Result<()> {
    let (url, name) = (url.to_owned(), name.to_owned());
    let deletion = move || -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let client = Qdrant::from_url(&url).skip_compatibility_check().build()?;
            client.delete_collection(&name).await
        })?;
        Ok(())
    };
    let ended = std::thread::spawn(deletion).join();
    ended.map_err(|_| anyhow!("the deletion panicked"))?.context("a collection is not deleted")
}
