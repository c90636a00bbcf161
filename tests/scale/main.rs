//! Fills a Qdrant server with variants of real documents, and measures questions over them.
//!
//! `make scale SIZE=200000` loads so many passages into the server at `QDRANT_URL` and prints what
//! questions take there. It goes on where it stopped. Embeddings are kept in `target/scale`.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a bench may stop at the first surprise, prints, and counts no more than millions"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use adapters::Qdrant;
use ports::{Embedder, Purpose};
use qdrant_client::Qdrant as Client;
use qdrant_client::qdrant::CollectionStatus;

mod asked;
mod base;
mod embedded;
mod load;
mod vary;

/// The name of the collection.
const COLLECTION: &str = "plumbline-scale";

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let [url, data, size] = arguments.as_slice() else {
        println!("usage: scale QDRANT_URL FOLDER PASSAGES");
        return;
    };
    let (data, size) = (PathBuf::from(data), size.parse().unwrap());
    let embedder = embedded::Kept::new(&plumbline_tests::root().join("target/scale"));
    let documents = base::documents(&data, &embedder).await;
    let points: usize = documents.iter().map(|document| document.points.len()).sum();
    println!("{} documents of {points} points to vary", documents.len());
    let index = |purpose| {
        let index = Qdrant::connect(url, None, COLLECTION, purpose).unwrap();
        index.of_space(embedder.space())
    };
    let writer = index(Purpose::Document);
    let next = load::load(&writer, &documents, size).await;
    let asked = asked::Questions::new(&data, &embedder);
    println!("graphs are built after {:.0?}", optimized(url).await);
    let reader = index(Purpose::Question);
    asked.measure("at rest", &reader).await;
    let (busy, ()) = tokio::join!(
        load::replace(&writer, &documents, next),
        asked.measure("while documents are replaced and deleted", &reader)
    );
    println!("{busy}");
}

/// Waits until the server has built its graphs; returns how long that took.
async fn optimized(url: &str) -> Duration {
    let client = Client::from_url(url).build().unwrap();
    let begun = Instant::now();
    loop {
        let about = client.collection_info(COLLECTION).await.unwrap().result.unwrap();
        if about.status() == CollectionStatus::Green {
            return begun.elapsed();
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Returns the files of a folder and its subfolders with this ending, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|is| is == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
