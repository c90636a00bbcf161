//! A corpus that was ingested in memory.

use std::sync::LazyLock;

use crate::{
    FakeAnswers, FakeDocuments, FakeEmbedder, FakeFiles, FakeIndex, FakeProjects, FakeTasks,
};
use corpus::ingest;
use corpus::ingest::{Outcome, Services};
use model::Result;
use model::document::{Attributes, Chunk, document_id};
use model::evidence::{PointKind, RankingScore, RetrieverKind};
use model::facts::READER;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Collection, Documents, Embedder, Indexing, Publisher, Record, Status};

/// How documents are indexed in memory.
pub static INDEXING: LazyLock<Indexing> = LazyLock::new(|| {
    let collection = Collection { name: "plumbline".into(), space: FakeEmbedder.space() };
    Indexing { reader: READER, read_model: String::new(), collections: vec![collection] }
});

/// The first passage of a Markdown document with this text.
pub fn chunk(text: &str) -> Chunk {
    chunks(text).swap_remove(0)
}

/// The passages of a Markdown document with this text.
pub fn chunks(text: &str) -> Vec<Chunk> {
    let record = record("document.md", "01A", text.as_bytes());
    reading::read(&record, "01A", text.as_bytes()).unwrap().chunks()
}

/// The dense ranking of a passage that stands so many standard deviations above what is usual for the question.
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

/// Everyone's documents, and the services that have them.
#[derive(Debug, Default)]
pub struct Corpus {
    /// How far they have come.
    pub documents: FakeDocuments,
    /// Their bytes.
    pub files: FakeFiles,
    /// Their chunks.
    pub index: FakeIndex,
    /// Which decisions rest on them.
    pub projects: FakeProjects,
    /// What was answered from them.
    pub answers: FakeAnswers,
    /// What is to be done later.
    pub tasks: FakeTasks,
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

    /// Announces a version of a document and puts its bytes there.
    pub async fn announce(&self, name: &str, version: &str, bytes: &[u8]) -> Upload {
        self.announce_in(&Scope::Global, name, version, bytes).await
    }

    /// The same, in another scope.
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

    /// What an ingest needs, with other documents or another publisher.
    pub fn services<'a>(
        &'a self,
        documents: &'a dyn Documents,
        publisher: &'a dyn Publisher,
    ) -> Services<'a> {
        let (files, embedder, reviews) = (&self.files, &FakeEmbedder, &self.projects);
        Services {
            documents,
            files,
            embedder,
            publisher,
            indexing: &INDEXING,
            reviews,
            tasks: &self.tasks,
            tries: &self.documents,
            read: reading::read,
            model: None,
        }
    }

    /// How far a document has come.
    pub async fn status(&self, upload: &Upload) -> Status {
        let record = self.documents.document(&upload.scope, upload.document_id).await.unwrap();
        record.unwrap().status
    }
}

fn record(name: &str, version: &str, bytes: &[u8]) -> Record {
    Record {
        scope: Scope::Global,
        document_id: document_id(&Scope::Global, name),
        name: name.into(),
        content_type: "text/markdown".into(),
        bytes: bytes.len() as u64,
        attributes: Attributes::default(),
        status: Status::Waiting,
        version: version.into(),
        live: None,
        deleted: None,
        first: version.into(),
        prior: version.into(),
        updated_at: "2026-11-20T18:00:00Z".into(),
    }
}
