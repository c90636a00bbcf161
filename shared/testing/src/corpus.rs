//! A corpus that is ingested in memory.

use std::sync::LazyLock;

use async_trait::async_trait;

use crate::{
    FakeAnswers, FakeCases, FakeDocuments, FakeEmbedder, FakeFiles, FakeIndex, FakeProjects,
    FakeTasks,
};
use corpus::ingest;
use corpus::ingest::{Outcome, Reader, Reading, Services};
use model::Result;
use model::document::{Passage, document_id};
use model::evidence::{PointKind, RankingScore, RetrieverKind};
use model::facts::READER;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Collection, Documents, Embedder, Indexing, Publisher, Record, Status};
use text::secret::MASKER;

/// The way in which documents are indexed in memory.
pub static INDEXING: LazyLock<Indexing> = LazyLock::new(|| {
    let collection = Collection { name: "plumbline".into(), space: FakeEmbedder.space() };
    Indexing {
        reader: READER,
        masker: MASKER,
        read_model: String::new(),
        collections: vec![collection],
    }
});

/// Returns the first passage of a Markdown document with this text.
pub fn passage(text: &str) -> Passage {
    passages(text).swap_remove(0)
}

/// Returns the passages of a Markdown document with this text.
pub fn passages(text: &str) -> Vec<Passage> {
    let record = record("document.md", "01A", text.as_bytes());
    reading::read(&record, "01A", text.as_bytes()).unwrap().passages()
}

/// Returns the dense ranking of a passage whose score is this many standard deviations above the
/// usual one for the question.
pub fn ranking_at(z_score: f64) -> RankingScore {
    RankingScore {
        probe: 0,
        query: None,
        retriever: RetrieverKind::Dense,
        of: PointKind::Passage,
        rank: Some(1),
        raw: Some(0.5),
        z_score: Some(z_score),
        score: 1.0,
        weight: 1.0,
    }
}

/// Everyone's documents, and the services that store them.
#[derive(Debug, Default)]
pub struct Corpus {
    /// Their status.
    pub documents: FakeDocuments,
    /// Their bytes.
    pub files: FakeFiles,
    /// Their passages.
    pub index: FakeIndex,
    /// The decisions that cite them.
    pub projects: FakeProjects,
    /// The answers that used them.
    pub answers: FakeAnswers,
    /// The waiting tasks.
    pub tasks: FakeTasks,
    /// The cases.
    pub cases: FakeCases,
}

impl Corpus {
    /// Ingests documents, each a name and its text.
    pub async fn of(documents: &[(&str, &str)]) -> Corpus {
        let corpus = Corpus::default();
        for (name, text) in documents {
            let upload = corpus.announce(name, "01A", text.as_bytes()).await;
            corpus.ingest(&upload).await.unwrap();
        }
        corpus
    }

    /// Announces a version of a document and uploads its bytes.
    pub async fn announce(&self, name: &str, version: &str, bytes: &[u8]) -> Upload {
        self.announce_in(&Scope::Global, name, version, bytes).await
    }

    /// Returns the same, in another scope.
    pub async fn announce_in(
        &self,
        scope: &Scope,
        name: &str,
        version: &str,
        bytes: &[u8],
    ) -> Upload {
        let record = Record {
            scope: scope.clone(),
            document_id: document_id(scope, name),
            ..record(name, version, bytes)
        };
        let document_id = record.document_id;
        let upload = Upload { scope: scope.clone(), document_id, version: version.into() };
        self.documents.announce(&record, None).await.unwrap();
        self.files.put(&upload.key(), bytes);
        upload
    }

    /// Ingests an upload.
    pub async fn ingest(&self, upload: &Upload) -> Result<Outcome> {
        self.ingest_into(upload, &self.index).await
    }

    /// Ingests an upload through another publisher.
    pub async fn ingest_into(&self, upload: &Upload, publisher: &dyn Publisher) -> Result<Outcome> {
        ingest::run(&self.services(&self.documents, publisher), upload).await
    }

    /// Returns the services of an ingest, with other documents or another publisher.
    pub fn services<'a>(
        &'a self,
        documents: &'a dyn Documents,
        publisher: &'a dyn Publisher,
    ) -> Services<'a> {
        let (files, embedder, reviews) = (&self.files, &FakeEmbedder, &self.projects);
        Services {
            documents,
            files,
            cases: &self.cases,
            embedder,
            publisher,
            indexing: &INDEXING,
            reviews,
            tasks: &self.tasks,
            tries: &self.documents,
            reader: &AtOnce,
            model: None,
        }
    }

    /// Returns the status of a document.
    pub async fn status(&self, upload: &Upload) -> Status {
        let record = self.documents.document(&upload.scope, upload.document_id).await.unwrap();
        record.unwrap().status
    }
}

/// Reads at once, on the thread of the ingest.
struct AtOnce;

#[async_trait]
impl Reader for AtOnce {
    async fn read(
        &self,
        record: &Record,
        version: &str,
        bytes: Vec<u8>,
    ) -> Result<Reading, String> {
        reading::read(record, version, &bytes)
    }
}

fn record(name: &str, version: &str, bytes: &[u8]) -> Record {
    Record {
        updated_at: "2026-11-20T18:00:00Z".into(),
        ..Record::announced(Scope::Global, name, "text/markdown", bytes.len() as u64, version)
    }
}
