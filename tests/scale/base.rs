//! Real documents, as the ingest would write them.

use std::path::Path;
use std::sync::Mutex;

use async_trait::async_trait;
use corpus::ingest;
use model::Result;
use ports::scope::Scope;
use ports::{Embedded, Embedder, Point, Publisher};
use testing::Corpus;
use uuid::Uuid;

/// The folders that are read.
const FOLDERS: [&str; 4] = ["rcca", "user_kb", "global_kb", "search"];

/// The most documents of one folder.
const OF_FOLDER: usize = 120;

/// A document and its points.
pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

/// Keeps what is written.
#[derive(Default)]
struct Recorder(Mutex<Vec<Point>>);

#[async_trait]
impl Publisher for Recorder {
    async fn vectors(
        &self,
        _: &Scope,
        _: Uuid,
        _: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        Ok(Vec::new())
    }

    async fn stage(&self, _: &Scope, points: Vec<Point>) -> Result<()> {
        self.0.lock().unwrap().extend(points);
        Ok(())
    }

    async fn is_published(&self, _: &Scope, _: &[Uuid]) -> Result<bool> {
        Ok(false)
    }

    async fn publish(&self, _: &Scope, _: Uuid, _: &str, _: &[Uuid]) -> Result<()> {
        Ok(())
    }

    async fn delete_up_to(&self, _: &Scope, _: Uuid, _: &str, _: &[Uuid]) -> Result<()> {
        Ok(())
    }

    async fn delete_version(&self, _: &model::object::Upload) -> Result<()> {
        Ok(())
    }
}

/// Ingests the documents below `data` into memory.
pub(crate) async fn documents(data: &Path, embedder: &dyn Embedder) -> Vec<Document> {
    let mut documents = Vec::new();
    for folder in FOLDERS {
        let mut files = super::files(&data.join(folder), "md");
        files.truncate(OF_FOLDER);
        for file in files {
            let name = file.strip_prefix(data).unwrap().to_str().unwrap().to_owned();
            let points = points(&name, &std::fs::read(&file).unwrap(), embedder).await;
            if !points.is_empty() {
                documents.push(Document { name, points });
            }
        }
    }
    documents
}

async fn points(name: &str, bytes: &[u8], embedder: &dyn Embedder) -> Vec<Point> {
    let (corpus, recorder) = (Corpus::default(), Recorder::default());
    let upload = corpus.announce(name, "01A", bytes).await;
    let services = corpus.services(&corpus.documents, &recorder);
    ingest::run(&ingest::Services { embedder, ..services }, &upload).await.unwrap();
    recorder.0.into_inner().unwrap()
}
