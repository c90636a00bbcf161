//! The index on Qdrant: one collection, `scope` as its tenant key, a dense and a BM25 vector per
//! point.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use model::document::Passage;
use model::evidence::PointKind;
use ports::filter::Filters;
use ports::scope::Grant;
use ports::{Embedder, Embedding, Index, Purpose, Ranked, Search, WHOLE_DOCUMENT};
use qdrant_client::Qdrant as Client;
use qdrant_client::qdrant::{Document, Filter, PointId, ScrollPointsBuilder};
use text::abbreviation::singular;
use text::cjk;
use text::language::Language;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{Bedrock, env};

mod call;
mod collection;
mod embeddings;
mod filter;
mod health;
mod key;
mod payload;
mod publish;
mod removal;
mod samples;
mod search;
mod space;
#[cfg(test)]
mod tests;
mod version;

use call::{failed, unless_missing, unset};
use collection::Layout;
use samples::Samples;

/// The name by which the caller may know it.
const SERVICE: &str = "the index";

/// The names of a point's two vectors.
const DENSE: &str = "dense";
const BM25: &str = "bm25";

/// The model that Qdrant itself turns words into vectors with.
const BM25_MODEL: &str = "qdrant/bm25";

/// The longest time of one try. Twice this, for the client's own retry, and once its connection
/// stays within five seconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// Nobody waits for an ingest; a busy index may take long until a write is seen.
const PATIENCE_FOR_WRITES: Duration = Duration::from_secs(30);

/// The most passages that one reading of whole documents brings: the first of 50 documents, and
/// every hit of all the searches of one question (two for each of 96 probes).
const SCROLL_LIMIT: u32 = 50 * WHOLE_DOCUMENT + 2 * 96 * 40;

/// The number of passages that each call of a scan brings: about three megabytes.
const SCAN_PAGE: u32 = 2_000;

/// A Qdrant collection. Settings: `QDRANT_URL`, `QDRANT_API_KEY`, `QDRANT_COLLECTION`;
/// `EMBED_MODEL` and `EMBED_DIMENSIONS` where it is searched by vectors.
pub struct Qdrant {
    client: Client,
    collection: String,
    /// The space of the vectors that are searched for and written, where there are any.
    space: Option<String>,
    layout: Layout,
    samples: Samples,
    /// The time until which the key is good, where it tells.
    key_ends: Option<Timestamp>,
    created: OnceCell<()>,
    indexed: OnceCell<()>,
    checked: OnceCell<()>,
    counts_within: OnceCell<bool>,
}

impl Qdrant {
    /// Makes a client with the patience that `purpose` allows; it connects when it is first used.
    pub fn from_env(purpose: Purpose) -> Result<Qdrant> {
        let url = env::required("QDRANT_URL").map_err(unset)?;
        let collection = env::required("QDRANT_COLLECTION").map_err(unset)?;
        let key = env::optional("QDRANT_API_KEY");
        let layout = Layout::from_env().map_err(unset)?;
        let qdrant = Qdrant { layout, ..Qdrant::connect(&url, key, &collection, purpose)? };
        let Some(model) = env::optional("EMBED_MODEL") else { return Ok(qdrant) };
        let dimensions = env::number("EMBED_DIMENSIONS").map_err(unset)?;
        Ok(qdrant.of_space(env::space(&model, dimensions)))
    }

    /// Makes clients of the collection that is filled beside the one in use, and of its model;
    /// `None` where `QDRANT_COLLECTION_BESIDE` is empty.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where the collection has a name and no model.
    pub fn beside_from_env(purpose: Purpose) -> Result<Option<(Qdrant, Bedrock)>> {
        let Some(collection) = env::optional("QDRANT_COLLECTION_BESIDE") else { return Ok(None) };
        let url = env::required("QDRANT_URL").map_err(unset)?;
        let key = env::optional("QDRANT_API_KEY");
        let model = Bedrock::beside_from_env(purpose).map_err(unset)?;
        let layout = Layout::from_env().map_err(unset)?;
        let qdrant = Qdrant { layout, ..Qdrant::connect(&url, key, &collection, purpose)? };
        Ok(Some((qdrant.of_space(model.space()), model)))
    }

    /// Makes a client of the collection at `url`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where there is no key and Qdrant is not on this machine, or no header
    /// can carry the key. Its cause names the setting and does not quote it; the client would, with
    /// every call.
    pub fn connect(
        url: &str,
        api_key: Option<String>,
        collection: &str,
        purpose: Purpose,
    ) -> Result<Qdrant> {
        let patience = match purpose {
            Purpose::Question => PATIENCE,
            Purpose::Document => PATIENCE_FOR_WRITES,
        };
        let key_ends = api_key.as_deref().and_then(key::end);
        let key = api_key.map(|key| env::header("QDRANT_API_KEY", &key)).transpose();
        let key = key.map_err(unset)?.flatten();
        let is_here = url.parse().is_ok_and(|address| env::is_on_this_machine(&address));
        if key.is_none() && !is_here {
            return Err(unset(env::SettingError::new("QDRANT_API_KEY", "is missing or blank")));
        }
        let mut config = Client::from_url(url)
            .api_key(key)
            .timeout(patience)
            .connect_timeout(PATIENCE / 2)
            .skip_compatibility_check();
        config.set_pool_size(1);
        let client = config.build().map_err(failed)?;
        Ok(Qdrant {
            client,
            collection: collection.into(),
            space: None,
            layout: Layout::default(),
            samples: Samples::default(),
            key_ends,
            created: OnceCell::new(),
            indexed: OnceCell::new(),
            checked: OnceCell::new(),
            counts_within: OnceCell::new(),
        })
    }
}

impl Qdrant {
    async fn scroll(&self, filter: Filter) -> Result<Vec<Passage>> {
        let scroll = ScrollPointsBuilder::new(&self.collection)
            .filter(filter)
            .limit(SCROLL_LIMIT)
            .with_payload(payload::shown())
            .build();
        let found = self.client.scroll(scroll).await;
        let Some(found) = unless_missing(found)? else { return Ok(Vec::new()) };
        found.result.into_iter().map(|point| payload::passage(point.payload)).collect()
    }
}

#[async_trait]
impl Index for Qdrant {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        self.found(grant, filters, searches).await
    }

    async fn documents(
        &self,
        grant: &Grant,
        documents: &[Uuid],
        passages: &[Uuid],
    ) -> Result<Vec<Passage>> {
        self.scroll(filter::documents(grant, documents, passages, WHOLE_DOCUMENT)).await
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.scroll(filter::passages(grant, ids)).await
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.scroll(filter::points(grant, ids)).await
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        self.embeddings_of(grant, ids).await
    }

    async fn scan(
        &self,
        grant: &Grant,
        filters: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        let mut filter = filter::search(grant, filters);
        filter.must.push(filter::kind(PointKind::Passage));
        let (mut found, mut next) = (Vec::new(), None);
        loop {
            let mut scroll = ScrollPointsBuilder::new(&self.collection)
                .filter(filter.clone())
                .limit(SCAN_PAGE)
                .with_payload(payload::shown());
            if let Some(offset) = next.take() {
                scroll = scroll.offset::<PointId>(offset);
            }
            let scroll = scroll.build();
            let page = unless_missing(self.client.scroll(scroll).await)?;
            let Some(page) = page else { return Ok((found, true)) };
            for point in page.result {
                found.push(payload::passage(point.payload)?);
            }
            next = page.next_page_offset;
            if next.is_none() || found.len() >= limit {
                return Ok((found, next.is_none()));
            }
        }
    }
}

/// A text whose words Qdrant stems, and leaves out where they say nothing, as its language has it.
/// Qdrant knows no word of [`cjk`], and takes the pairs for words. It keeps the ending of the
/// plural of an abbreviation.
fn document(text: &str, language: Language) -> Document {
    let name = language.of_stemmer().name().to_lowercase();
    let options = HashMap::from([("language".to_owned(), name.into())]);
    let text = singular(&cjk::spaced(text)).into_owned();
    Document { text, model: BM25_MODEL.into(), options }
}
