//! Brings an uploaded document into the index: read, cut, embed, stage, publish, settle.

use crate::Error;
use crate::Result;
use crate::object::Upload;
use crate::ports::{
    Documents, Embedder, Files, Live, Point, Publisher, Purpose, Record, Reviews, Status,
};
use crate::watch::{self, Changed, watch};

mod content;
mod infer;
mod read;
mod summary;

pub use read::{Entry, Reading, read};

/// The most texts that one embedding call takes.
const BATCH: usize = 96;

/// The services that an ingest needs.
pub struct Services<'a> {
    /// Remembers how far the document has come.
    pub documents: &'a dyn Documents,
    /// Has the uploaded bytes.
    pub files: &'a dyn Files,
    /// Embeds the chunks.
    pub embedder: &'a dyn Embedder,
    /// Takes the chunks.
    pub publisher: &'a dyn Publisher,
    /// Knows which decisions rest on the document.
    pub reviews: &'a dyn Reviews,
}

/// What came of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It can be found now.
    Indexed {
        /// How many chunks it has.
        chunks: u32,
    },
    /// The same bytes can be found already.
    Unchanged,
    /// A later upload can be found already.
    Outdated,
    /// It cannot be read.
    Refused {
        /// Why, for the uploader.
        reason: String,
    },
}

/// Brings `upload` into the index. Doing it twice, or again after it broke off anywhere, leaves what doing it once leaves.
///
/// # Errors
/// [`Error::Missing`] where nobody announced the upload or its bytes are gone; [`Error::Unavailable`] where a service
/// failed, and trying again may help.
pub async fn run(services: &Services<'_>, upload: &Upload) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    let record = services.documents.document(scope, *document_id).await?;
    let record =
        record.ok_or_else(|| Error::Missing { kind: "document", name: document_id.to_string() })?;
    match &record.live {
        Some(live) if live.version > *version => return Ok(Outcome::Outdated),
        Some(live) if live.version == *version => {
            return Ok(Outcome::Indexed { chunks: live.chunks });
        }
        _ => {}
    }
    services.documents.mark(scope, *document_id, version, &Status::Indexing).await?;
    let bytes = services.files.read(&upload.key()).await?;
    let bytes = bytes.ok_or_else(|| Error::Missing { kind: "file", name: upload.key() })?;
    let reading = match read(&record, version, &bytes) {
        Ok(reading) => reading,
        Err(reason) => {
            let status = Status::Failed { reason: reason.clone() };
            services.documents.mark(scope, *document_id, version, &status).await?;
            return Ok(Outcome::Refused { reason });
        }
    };
    index(services, upload, &record, reading).await
}

async fn index(
    services: &Services<'_>,
    upload: &Upload,
    record: &Record,
    reading: Reading,
) -> Result<Outcome> {
    let Upload { scope, document_id, version } = upload;
    if let Some(live) = &record.live
        && live.hash == reading.hash
        && live.attributes == record.attributes
    {
        services.documents.mark(scope, *document_id, version, &Status::Indexed).await?;
        return Ok(Outcome::Unchanged);
    }
    let chunks = u32::try_from(reading.entries.len() - 1).unwrap_or(u32::MAX);
    // What searches see already was staged whole by a run that broke off; to stage it again would hide it meanwhile.
    if !services.publisher.is_published(scope, *document_id, version).await? {
        for batch in reading.entries.chunks(BATCH) {
            let points = points(services.embedder, batch).await?;
            services.publisher.stage(scope, points).await?;
        }
    }
    services.publisher.publish(scope, *document_id, version).await?;
    // A version that was published meanwhile has been watched by its own ingest.
    let now = services.documents.document(scope, *document_id).await?;
    if now.and_then(|record| record.live).is_some_and(|live| live.version > *version) {
        return Ok(Outcome::Outdated);
    }
    // Before the document is settled: what breaks off until then is done again.
    let (live, since) = (&reading.chunks(), watch::announced(version));
    let changed = Changed { scope, document: *document_id, live, since };
    watch(services.reviews, changed).await?;
    let live = Live {
        version: version.clone(),
        hash: reading.hash,
        attributes: record.attributes.clone(),
        chunks,
    };
    services.documents.settle(scope, *document_id, &live).await?;
    Ok(Outcome::Indexed { chunks })
}

/// Notes that an upload is given up because a service failed to the last.
pub async fn give_up(documents: &dyn Documents, upload: &Upload, error: &Error) -> Result<()> {
    let status = Status::Failed { reason: format!("{error}; upload the document again") };
    documents.mark(&upload.scope, upload.document_id, &upload.version, &status).await
}

async fn points(embedder: &dyn Embedder, entries: &[Entry]) -> Result<Vec<Point>> {
    let texts: Vec<String> = entries.iter().map(|entry| entry.meaning.clone()).collect();
    let vectors = embedder.embed(&texts, Purpose::Document).await?;
    if vectors.len() != texts.len() {
        return Err(Error::unavailable(
            "the embedding model",
            "it gave another number of vectors than of texts",
        ));
    }
    let point = |(entry, vector): (&Entry, _)| Point {
        kind: entry.kind,
        chunk: entry.chunk.clone(),
        words: entry.words.clone(),
        vector,
    };
    Ok(entries.iter().zip(vectors).map(point).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Filters;
    use crate::ports::{Index, Search, SearchBy};
    use crate::scope::{Grant, Scope};
    use crate::testing::{Corpus, FakeIndex};
    use async_trait::async_trait;
    use uuid::Uuid;

    const OLD: &str = "# Pump\n\nThe seal wore out.\n";
    const NEW: &str = "# Pump\n\nThe bearing ran dry.\n";

    async fn found(corpus: &Corpus, word: &str) -> usize {
        let by = SearchBy::Bm25(word.into());
        let of = crate::evidence::PointKind::Passage;
        let search = Search { of, by, depth: 10, brings_chunks: false };
        let grant = Grant::unchecked(&[Scope::Global]);
        corpus.index.search(&grant, &Filters::default(), vec![search]).await.unwrap()[0].len()
    }

    /// Where an ingest breaks off.
    #[derive(Clone, Copy, PartialEq)]
    enum Break {
        /// With half of the points staged.
        Staging,
        /// With all points staged.
        Publishing,
        /// With the version published, and nothing noted of it.
        Settling,
    }

    struct Broken<'i>(&'i FakeIndex, Break);

    fn broke_off() -> Result<()> {
        Err(Error::unavailable("the index", "broke off"))
    }

    #[async_trait]
    impl Publisher for Broken<'_> {
        async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
            if self.1 != Break::Staging {
                return self.0.stage(scope, points).await;
            }
            let half = points.len() / 2;
            self.0.stage(scope, points[..half].to_vec()).await?;
            broke_off()
        }

        async fn is_published(&self, scope: &Scope, document: Uuid, version: &str) -> Result<bool> {
            self.0.is_published(scope, document, version).await
        }

        async fn publish(&self, scope: &Scope, document: Uuid, version: &str) -> Result<()> {
            if self.1 != Break::Publishing {
                self.0.publish(scope, document, version).await?;
            }
            if self.1 == Break::Staging { Ok(()) } else { broke_off() }
        }
    }

    #[test]
    fn ingesting_twice_leaves_what_ingesting_once_leaves() {
        pollster::block_on(async {
            let corpus = Corpus::of(&[("pump.md", OLD)]).await;
            let size = corpus.index.size();
            let again = corpus.announce("pump.md", "01B", OLD.as_bytes()).await;
            assert_eq!(corpus.ingest(&again).await.unwrap(), Outcome::Unchanged);
            assert_eq!(corpus.index.size(), size);
            assert_eq!(corpus.status(&again).await, Status::Indexed);
        });
    }

    #[test]
    fn whatever_breaks_off_the_old_version_stays_until_the_new_one_is_whole() {
        pollster::block_on(async {
            for step in [Break::Staging, Break::Publishing] {
                let corpus = Corpus::of(&[("pump.md", OLD)]).await;
                let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
                let broken = Broken(&corpus.index, step);
                assert!(corpus.ingest_into(&upload, &broken).await.is_err());
                assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (1, 0));
                assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Indexed { chunks: 1 });
                assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
            }
        });
    }

    #[test]
    fn what_is_published_already_is_not_staged_and_so_hidden_again() {
        pollster::block_on(async {
            let corpus = Corpus::of(&[("pump.md", OLD)]).await;
            let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
            let unsettled = Broken(&corpus.index, Break::Settling);
            assert!(corpus.ingest_into(&upload, &unsettled).await.is_err());
            assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
            // This one fails if anything is staged.
            let unstaged = Broken(&corpus.index, Break::Staging);
            let outcome = corpus.ingest_into(&upload, &unstaged).await.unwrap();
            assert_eq!(outcome, Outcome::Indexed { chunks: 1 });
            assert_eq!(corpus.status(&upload).await, Status::Indexed);
        });
    }

    #[test]
    fn a_lower_version_never_replaces_a_higher_one() {
        pollster::block_on(async {
            let corpus = Corpus::default();
            let old = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
            let new = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
            corpus.ingest(&new).await.unwrap();
            assert_eq!(corpus.ingest(&old).await.unwrap(), Outcome::Outdated);
            assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
        });
    }

    #[test]
    fn what_cannot_be_read_fails_with_its_reason_and_what_is_unknown_is_an_error() {
        pollster::block_on(async {
            let corpus = Corpus::default();
            let upload = corpus.announce("pump.md", "01A", b"\xff\xfe\x00").await;
            let reason = "is UTF-16; save it as UTF-8".to_owned();
            let refused = Outcome::Refused { reason: reason.clone() };
            assert_eq!(corpus.ingest(&upload).await.unwrap(), refused);
            assert_eq!(corpus.status(&upload).await, Status::Failed { reason });
            let unknown = Upload { document_id: Uuid::from_u128(7), ..upload };
            assert!(matches!(corpus.ingest(&unknown).await, Err(Error::Missing { .. })));
        });
    }
}
