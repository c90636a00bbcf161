//! Tests what is usual for a question by samples of passages.

use ports::usual::Usual;
use ports::{Brings, Index, Search, SearchBy};

use super::*;

/// Writes a document of passages with these vectors into everyone's knowledge base.
async fn write(index: &Qdrant, name: &str, vectors: &[Vec<f32>]) {
    let document = model::document::document_id(&Scope::Global, name);
    let point = |(position, vector): (u32, &Vec<f32>)| {
        let mut passage = passage("# Pump\n\nIt ran dry.\n");
        passage.id = model::document::passage_id(document, "01A", position);
        (passage.document_id, passage.version, passage.position) =
            (document, "01A".into(), position);
        let embedded = Embedded::of("one/4", &format!("{name} {position}"));
        let (words, meaning) = ("pump".into(), "pump".into());
        Point {
            kind: PointKind::Passage,
            passage,
            words,
            meaning,
            vector: vector.clone(),
            embedded,
        }
    };
    let points: Vec<Point> = (0..).zip(vectors).map(point).collect();
    let ids: Vec<uuid::Uuid> = points.iter().map(|point| point.passage.id).collect();
    index.stage(&Scope::Global, points).await.unwrap();
    index.publish(&Scope::Global, document, "01A", &ids).await.unwrap();
}

async fn usual(index: &Qdrant) -> Usual {
    let by = SearchBy::Dense(vec![2.0, 0.0, 0.0, 0.0]);
    let search = Search { of: PointKind::Passage, by, depth: 5, brings: Brings::Ids };
    let grant = Grant::unchecked(&[Scope::Global]);
    let found = index.search(&grant, &Filters::default(), vec![search]).await.unwrap();
    found[0].usual.unwrap()
}

fn spread_out(count: usize, random: &mut fastrand::Rng) -> (Vec<Vec<f32>>, Vec<f32>) {
    let vector = |_| {
        let vector: [f32; 4] = std::array::from_fn(|_| random.f32());
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.map(|value| value / length).to_vec()
    };
    let vectors: Vec<Vec<f32>> = (0..count).map(vector).collect();
    let cosines = vectors.iter().map(|vector| vector[0]).collect();
    (vectors, cosines)
}

#[tokio::test]
async fn what_is_usual_is_told_by_all_passages_of_a_small_scope_and_a_sample_of_a_large_one() {
    let collection = Collection::fresh().unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    let (vectors, cosines) = spread_out(40, &mut random);
    let index = client_of(&collection);
    write(&index, "first.md", &vectors).await;
    let (all, told) = (Usual::of(&cosines).unwrap(), usual(&index).await);
    assert!((all.mean - told.mean).abs() < 1e-4, "{all:?} {told:?}");
    assert!((all.spread.unwrap() - told.spread.unwrap()).abs() < 1e-4, "{all:?} {told:?}");

    let (vectors, more) = spread_out(300, &mut random);
    write(&index, "second.md", &vectors).await;
    let all = Usual::of(&[cosines, more].concat()).unwrap();
    let sampled = usual(&client_of(&collection)).await;
    assert!((all.mean - sampled.mean).abs() < 0.05, "{all:?} {sampled:?}");
    assert!((all.spread.unwrap() - sampled.spread.unwrap()).abs() < 0.05, "{all:?} {sampled:?}");
}
