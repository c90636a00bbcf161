//! A collection to test with: in an engine of its own, or on the Qdrant server that `QDRANT_URL` names.

use anyhow::{Context, Result, anyhow};
use qdrant_client::Qdrant;

use crate::Local;

/// An empty collection, gone with this value.
pub struct Collection {
    /// Where its Qdrant answers.
    pub url: String,
    /// Its name.
    pub name: String,
    engine: Option<Local>,
}

/// The Qdrant server that runs already and is tested with, where there is one.
#[expect(clippy::disallowed_methods, reason = "a test is told by its environment what there is")]
pub fn server() -> Option<String> {
    std::env::var("QDRANT_URL").ok().filter(|url| !url.is_empty())
}

impl Collection {
    /// One that nobody else knows of.
    pub fn fresh() -> Result<Collection> {
        if let Some(url) = server() {
            return Collection::emptied(&url, &format!("plumbline-test-{}", uuid::Uuid::new_v4()));
        }
        let engine = Local::qdrant()?;
        Ok(Collection { url: engine.url.clone(), name: "test".into(), engine: Some(engine) })
    }

    /// The one of this name on a server; what is in it is deleted.
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

/// Deletes a collection, if it is there. In a thread of its own, because a test may run in a runtime already.
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
