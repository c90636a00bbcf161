//! Tests that the index finds what Qdrant finds, with the same scores.

use std::path::Path;
use std::sync::Arc;

use adapters::Qdrant;
use model::document::{document_id, passage_id};
use plumbline_tests::Collection;
use ports::scope::Scope;
use ports::{Brings, Embedded, Point, Publisher, Purpose, SearchBy};
use text::language::Language;

use super::*;

/// Returns a vector of unit length that its text decides.
fn vector(text: &str) -> Vec<f32> {
    let digest = Embedded::of("", text).hash;
    let values = digest.as_bytes().chunks(4).map(|part| {
        let sum: i32 = part.iter().map(|byte| i32::from(*byte)).sum();
        f32::from(i16::try_from(sum - 270).unwrap())
    });
    let values: Vec<f32> = values.collect();
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.into_iter().map(|value| value / length).collect()
}

/// Returns the passages of the demo corpus's reports, each document by its name.
fn documents() -> Vec<(Uuid, Vec<Point>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/postmortems");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let of_file = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let document = document_id(&Scope::Global, &name);
        let passages = testing::passages(&std::fs::read_to_string(&path).unwrap()).into_iter();
        let point = |mut passage: Passage| {
            passage.document_id = document;
            passage.id = passage_id(document, &passage.version, passage.position);
            Point {
                kind: PointKind::Passage,
                words: passage.text.clone(),
                meaning: passage.text.clone(),
                vector: vector(&passage.text),
                embedded: Embedded::of("hashed/16", &passage.text),
                passage,
            }
        };
        (document, passages.map(point).collect())
    };
    files.map(of_file).collect()
}

async fn filled(index: &impl Publisher) {
    for (document, points) in documents() {
        let version = points[0].passage.version.clone();
        let ids: Vec<Uuid> = points.iter().map(|point| point.passage.id).collect();
        index.stage(&Scope::Global, points).await.unwrap();
        index.publish(&Scope::Global, document, &version, &ids).await.unwrap();
    }
}

const QUESTIONS: [&str; 6] = [
    "every database connection is taken and requests hang",
    "Retries made the load worse",
    "the clock of a host was wrong, and tokens were refused",
    "disk full",
    "Why was the certificate not renewed?",
    "timeout in milliseconds, not in seconds",
];

#[tokio::test(flavor = "current_thread")]
async fn words_and_vectors_find_the_same_with_the_same_scores_as_in_qdrant() {
    let collection = Collection::fresh().unwrap();
    let qdrant = Qdrant::connect(&collection.url, None, &collection.name, Purpose::Document);
    let qdrant = qdrant.unwrap().of_space("hashed/16".into());
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.db")).unwrap();
    let local = LocalIndex::open(Arc::new(store)).unwrap();
    filled(&qdrant).await;
    filled(&local).await;
    let (grant, filters) = (Grant::unchecked(&[Scope::Global]), Filters::default());
    let search = |by| Search { of: PointKind::Passage, by, depth: 20, brings: Brings::Ids };
    for question in QUESTIONS {
        let by_words = SearchBy::Bm25(question.into(), Language::English);
        let searches = vec![search(by_words), search(SearchBy::Dense(vector(question)))];
        let theirs = qdrant.search(&grant, &filters, searches.clone()).await.unwrap();
        let ours = local.search(&grant, &filters, searches).await.unwrap();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert!(ours.hits.len() > 5, "{question}");
            assert_eq!(ours.hits.len(), theirs.hits.len(), "{question}");
            for (ours, theirs) in ours.hits.iter().zip(&theirs.hits) {
                assert!((ours.raw - theirs.raw).abs() < 1e-3, "{question}: {ours:?} {theirs:?}");
            }
            let id = |hits: &[ports::Hit]| hits.iter().map(|hit| hit.passage_id).next();
            assert_eq!(id(&ours.hits), id(&theirs.hits), "{question}");
        }
    }
}
