//! Tests document frequencies: the weight of a word depends on the number of passages in the
//! caller's scopes that contain it.

use model::document::{Passage, passage_id};
use model::evidence::PointKind;
use plumbline_tests::Collection;
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::{Brings, Embedded, Index, Point, Publisher, Search, SearchBy};
use testing::passage;
use text::language::Language;
use uuid::Uuid;

use super::client_of;

#[tokio::test]
async fn what_others_have_changes_no_score() {
    let collection = Collection::fresh().unwrap();
    let index = client_of(&collection);
    if !index.counts_within().await.unwrap() {
        eprintln!("SKIPPED: this server counts document frequencies over all scopes (before 1.19)");
        return;
    }
    let [ann, bob] = ["ann", "bob"].map(|sub| Scope::User(sub.into()));
    let bring = async |scope: &Scope, number: u128, words: &str| {
        let passage = Passage { document_id: Uuid::from_u128(number), ..passage(words) };
        let passage =
            Passage { id: passage_id(passage.document_id, &passage.version, 0), ..passage };
        let (document, version) = (passage.document_id, passage.version.clone());
        let point = Point {
            kind: PointKind::Passage,
            passage,
            words: words.into(),
            meaning: words.into(),
            vector: vec![1.0, 0.0, 0.0, 0.0],
            embedded: Embedded::of("one/4", words),
        };
        let ids = [point.passage.id];
        index.stage(scope, vec![point]).await.unwrap();
        index.publish(scope, document, &version, &ids).await.unwrap();
    };
    let score = async || {
        let search = Search {
            of: PointKind::Passage,
            by: SearchBy::Bm25("seal".into(), Language::English),
            depth: 5,
            brings: Brings::Ids,
        };
        let grant = Grant::unchecked(std::slice::from_ref(&ann));
        let found = index.search(&grant, &Filters::default(), vec![search]).await.unwrap();
        (found[0].hits.len(), found[0].hits[0].raw)
    };
    bring(&ann, 1, "the seal wore out").await;
    bring(&ann, 2, "the motor ran hot").await;
    let before = score().await;
    for number in 10..20 {
        bring(&bob, number, "another seal").await;
    }
    assert_eq!((before.0, score().await), (1, before));
}
