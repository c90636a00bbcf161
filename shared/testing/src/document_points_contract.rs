//! Checks the promises of the index about document points and their facts.

use uuid::Uuid;

use super::contract::passage;
use super::sample::{SPACE, point};
use model::document::{Passage, document_point_id};
use model::evidence::PointKind;
use model::facts::{Facts, FailureReport, Place, Side, Statement, Statements, Value};
use ports::scope::{Grant, Scope};
use ports::{Embedded, Index, Point, Publisher};

/// Checks that document points and passages have the facts that were read in them, for callers who
/// may read them, once they are published.
pub(super) async fn document_points(index: &(impl Index + Publisher), one: &Grant, two: &Grant) {
    let document = Uuid::from_u128(77);
    let mut passage = passage(document, "01A", 0, "the seal wore out");
    passage.facts = Facts { reader: 1, statements: statements(), ..Facts::default() };
    let mut document_point = Passage { id: document_point_id(document, "01A"), ..passage.clone() };
    let report = FailureReport { root_cause: Some(passage.fact(4..8)), ..FailureReport::default() };
    document_point.facts =
        Facts { reader: 1, report: Some(report), plan: [0, 7, 0, 0], ..Facts::default() };
    let ids = [document_point.id, passage.id];
    let points = vec![
        Point { kind: PointKind::Document, ..point(document_point.clone(), 7) },
        point(passage.clone(), 7),
    ];
    let scope = &one.scopes()[0];
    index.stage(scope, points).await.unwrap();
    vectors(index, scope, document).await;
    assert_eq!(index.points(one, &ids).await.unwrap(), [], "staged points are unseen");
    index.publish(scope, document, "01A", &ids).await.unwrap();
    let mut seen = index.points(one, &ids).await.unwrap();
    seen.sort_by_key(|point| point.id != document_point.id);
    assert_eq!(seen, [document_point, passage.clone()], "points come back as they were");
    assert_eq!(index.points(two, &ids).await.unwrap(), []);
    assert_eq!(
        index.passages(one, &ids).await.unwrap(),
        [passage],
        "a document point is no passage"
    );
    embeddings(index, (one, two), (document, ids[1])).await;
    index.delete_up_to(scope, document, "01A", &[]).await.unwrap();
}

/// Checks that a document has the embedding of its document point, and a passage its own. Callers
/// without access get none.
async fn embeddings(
    index: &impl Index,
    (one, two): (&Grant, &Grant),
    (document, passage): (Uuid, Uuid),
) {
    let ids = [document, passage, Uuid::nil()];
    let mut found = index.embeddings(one, &ids).await.unwrap();
    found.sort_by_key(|hit| hit.passage_id);
    let found_ids: Vec<_> = found.iter().map(|hit| (hit.passage_id, hit.document_id)).collect();
    assert_eq!(found_ids, [(None, document), (Some(passage), document)]);
    assert!(found.iter().all(|hit| hit.vector.len() == 8 && hit.vector[7] > 0.99));
    assert_eq!(index.embeddings(one, &[passage]).await.unwrap().len(), 1);
    assert_eq!(index.embeddings(two, &ids).await.unwrap(), []);
}

/// Checks that an existing vector is found by its text and its space, within one document of one
/// scope.
async fn vectors(index: &impl Publisher, scope: &Scope, document: Uuid) {
    let text = Embedded::of(SPACE, "the seal wore out");
    let others =
        [Embedded::of(SPACE, "another text"), Embedded::of("other/8", "the seal wore out")];
    let known = index.vectors(scope, document, &[text.clone(), others[0].clone()]).await.unwrap();
    assert!(!known.is_empty() && known.iter().all(|(k, vector)| *k == text && vector[7] > 0.99));
    let none = async |scope: &Scope, document: Uuid, texts: &[Embedded]| {
        index.vectors(scope, document, texts).await.unwrap().is_empty()
    };
    assert!(none(scope, document, &others).await);
    assert!(none(scope, Uuid::from_u128(78), std::slice::from_ref(&text)).await);
    assert!(none(&Scope::Team("strangers".into()), document, &[text]).await);
}

/// Returns a statement with all fields set.
fn statements() -> Statements {
    let place = Place { at: Some((0, 3)), text: String::new(), below: None };
    let outer = Place { at: None, text: "Pumps:".into(), below: Some(0) };
    let quantity = quantity::quantities("12 ms").remove(0);
    let quantity = quantity::Quantity { start: 0, end: 0, ..quantity };
    let statement = Statement {
        quote: (4, 17),
        cell: Some((4, 8)),
        below: Some(1),
        heads: Some((0, 1)),
        follows: true,
        is_code: true,
        side: Some(Side::Against),
        values: vec![Value { at: (9, 13), quantity }],
    };
    Statements { places: vec![place, outer], list: vec![statement] }
}
