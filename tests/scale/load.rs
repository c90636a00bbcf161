//! Writes documents as the ingest does: staged, then published.

use std::time::{Duration, Instant};

use adapters::Qdrant;
use futures_util::stream::{self, StreamExt};
use model::evidence::PointKind;
use ports::Publisher;

use crate::base::Document;
use crate::vary::{Variant, variant};

/// The number of documents that are written at once, as ingests are.
const AT_ONCE: usize = 8;

/// The version of what is loaded, and of what replaces it.
const FIRST: &str = "01JSCALE00000000000000000A";
const SECOND: &str = "01JSCALE00000000000000000B";

/// The number of documents that are replaced, and as many deleted.
const REPLACED: usize = 200;

/// Loads documents until there are `size` passages; returns the number of documents.
pub(crate) async fn load(index: &Qdrant, documents: &[Document], size: usize) -> usize {
    let passages = |number: usize| {
        let points = &documents[number % documents.len()].points;
        points.iter().filter(|point| point.kind == PointKind::Passage).count()
    };
    let (mut all, mut count) = (0, 0);
    while all < size {
        all += passages(count);
        count += 1;
    }
    let there = first_missing(index, documents, count).await;
    let begun = Instant::now();
    // Documents that were under way when the last run stopped may be missing before that.
    let rest = there.saturating_sub(2 * AT_ONCE)..count;
    let written = rest.len();
    let mut done = stream::iter(rest)
        .map(|number| async move { publish(index, variant(documents, number, FIRST)).await })
        .buffer_unordered(AT_ONCE);
    let mut times = Vec::new();
    while let Some(time) = done.next().await {
        times.push(time);
        if times.len().is_multiple_of(5_000) {
            println!("  {} of {written} documents, {:.0?}", times.len(), begun.elapsed());
        }
    }
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    println!(
        "{count} documents of {all} passages; {written} written in {minutes:.1} min, {:.0} a minute, each {}",
        written as f64 / minutes,
        spread(times)
    );
    count
}

/// Returns the number of the first document that is not there.
async fn first_missing(index: &Qdrant, documents: &[Document], count: usize) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        let Variant { scope, points, .. } = variant(documents, middle, FIRST);
        if index.is_published(&scope, &ids(&points)).await.unwrap() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Replaces and deletes documents, one after another; returns what that took.
pub(crate) async fn replace(index: &Qdrant, documents: &[Document], count: usize) -> String {
    let (mut replaced, mut deleted) = (Vec::new(), Vec::new());
    let step = (count / REPLACED).max(1);
    for number in (0..count).step_by(step).take(REPLACED) {
        replaced.push(publish(index, variant(documents, number, SECOND)).await);
        let gone = variant(documents, number, SECOND);
        let begun = Instant::now();
        index.delete_up_to(&gone.scope, gone.document, SECOND, &[]).await.unwrap();
        deleted.push(begun.elapsed());
        publish(index, variant(documents, number, FIRST)).await;
    }
    format!("a document replaced: {}; deleted: {}", spread(replaced), spread(deleted))
}

async fn publish(index: &Qdrant, variant: Variant) -> Duration {
    let Variant { scope, document, version, points } = variant;
    let begun = Instant::now();
    let ids = ids(&points);
    index.stage(&scope, points).await.unwrap();
    index.publish(&scope, document, &version, &ids).await.unwrap();
    begun.elapsed()
}

fn ids(points: &[ports::Point]) -> Vec<uuid::Uuid> {
    points.iter().map(|point| point.passage.id).collect()
}

/// Returns the median and the ninth decile of times in milliseconds, with their number.
pub(crate) fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| {
        let place = (times.len() as f64 * share) as usize;
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    format!("p50 {:.1} ms, p90 {:.1} ms (n = {})", at(0.5), at(0.9), times.len())
}
