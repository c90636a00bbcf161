//! Tests Qdrant's gRPC through Qdrant's client.

use qdrant_client::Payload;
use qdrant_client::qdrant::r#match::MatchValue;
use qdrant_client::qdrant::{
    Condition, CountPointsBuilder, CreateCollectionBuilder, DatetimeRange, DeletePointsBuilder,
    Document, FacetCountsBuilder, Filter, Fusion, GetPointsBuilder, PayloadIncludeSelector, Query,
    QueryBatchPointsBuilder, QueryPoints, QueryPointsBuilder, Range, ScrollPointsBuilder,
    SetPayloadPointsBuilder, Timestamp, VectorsSelector,
};
use serde_json::json;
use tonic::Code;

use self::chunks::{CHUNKS, Fixture, alike, bm25, code, count, create, filled, id, near, numbers};
use self::server::{Server, command};
use crate::spawn::refusal;

mod chunks;
mod faults;
mod server;

#[tokio::test]
async fn a_batch_answers_dense_and_bm25_with_filters_in_order() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    let live = Filter::must([Condition::matches("live", true)]);
    let queries: Vec<QueryPoints> = vec![
        near([1.0, 0.0, 0.0]).build(),
        near([1.0, 0.0, 0.0]).filter(live.clone()).with_payload(true).build(),
        alike(bm25("welds")).build(),
        alike(bm25("unheard")).build(),
    ];
    let answer =
        client.query_batch(QueryBatchPointsBuilder::new(CHUNKS, queries)).await.unwrap().result;
    assert_eq!(numbers(&answer[0].result), [1, 2, 3]);
    assert!(
        (answer[0].result[0].score - 1.0).abs() < 1e-6 && answer[0].result[0].payload.is_empty()
    );
    assert_eq!(numbers(&answer[1].result), [1, 3]);
    assert_eq!(answer[1].result[1].payload["scope"].as_str().unwrap(), "user:ada");
    let mut found = numbers(&answer[2].result);
    found.sort_unstable();
    assert_eq!(found, [1, 3]);
    assert!(answer[3].result.is_empty());
}

#[tokio::test]
async fn limit_offset_threshold_and_selectors_are_heeded() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    let near = || near([1.0, 0.0, 0.0]);
    assert_eq!(numbers(&client.query(near().limit(1).offset(1)).await.unwrap().result), [2]);
    assert_eq!(numbers(&client.query(near().score_threshold(0.5)).await.unwrap().result), [1, 2]);
    let slim = near()
        .limit(1)
        .with_payload(PayloadIncludeSelector { fields: vec!["line".to_owned()] })
        .with_vectors(VectorsSelector { names: vec!["bm25".to_owned()] });
    let found = client.query(slim).await.unwrap().result.remove(0);
    assert_eq!(found.payload.keys().collect::<Vec<_>>(), ["line"]);
    let vectors = found.vectors.unwrap();
    assert!(
        vectors.get_vector_by_name("bm25").is_some()
            && vectors.get_vector_by_name("dense").is_none()
    );
    let read = GetPointsBuilder::new(CHUNKS, vec![id(3).into(), id(9).into()]).with_payload(true);
    assert_eq!(client.get_points(read).await.unwrap().result.len(), 1);
}

#[tokio::test]
async fn every_kind_of_filter_that_is_served_selects() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    let february = Timestamp { seconds: 1_769_904_000, nanos: 0 };
    let scope = |scopes: [&str; 2]| scopes.map(str::to_owned).to_vec();
    let one = |condition: Condition| Filter::must([condition]);
    let cases = [
        (one(Condition::matches("scope", "global".to_owned())), 2),
        (one(Condition::matches("scope", scope(["global", "user:ada"]))), 3),
        (one(Condition::matches("line", 20)), 1),
        (one(Condition::matches("line", vec![10, 30])), 2),
        (one(Condition::matches("scope", !MatchValue::from(scope(["global", "x"])))), 1),
        (one(Condition::matches_text("text", "weld")), 2),
        (
            one(Condition::range(
                "line",
                Range { gte: Some(20.0), lt: Some(30.0), ..Range::default() },
            )),
            1,
        ),
        (
            one(Condition::datetime_range(
                "time",
                DatetimeRange { gte: Some(february), ..DatetimeRange::default() },
            )),
            2,
        ),
        (one(Condition::is_empty("tags")), 3),
        (one(Condition::is_null("scope")), 0),
        (one(Condition::has_id([id(2)])), 1),
        (Filter::must_not([Condition::matches("live", true)]), 1),
        (Filter::should([Condition::matches("line", 10), Condition::matches("line", 20)]), 2),
        (
            Filter::min_should(
                2,
                [
                    Condition::matches("live", true),
                    Condition::matches("scope", "global".to_owned()),
                ],
            ),
            1,
        ),
        (
            one(Filter::should([Condition::matches("line", 10), Condition::matches("line", 30)])
                .into()),
            2,
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(count(&client, filter.clone()).await, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn a_new_version_goes_live_and_the_old_one_is_deleted() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    let live = || Filter::must([Condition::matches("live", true)]);
    let two = Filter::must([Condition::matches("line", 20)]);
    let switch =
        SetPayloadPointsBuilder::new(CHUNKS, Payload::try_from(json!({"live": true})).unwrap())
            .points_selector(two.clone())
            .wait(true);
    client.set_payload(switch).await.unwrap();
    assert_eq!(count(&client, live()).await, 3);
    assert_eq!(
        count(&client, Filter::must([Condition::matches("scope", "global".to_owned())])).await,
        2
    );
    client.delete_points(DeletePointsBuilder::new(CHUNKS).points(two).wait(true)).await.unwrap();
    assert_eq!(count(&client, live()).await, 2);
    client
        .delete_points(DeletePointsBuilder::new(CHUNKS).points(vec![id(1)]).wait(true))
        .await
        .unwrap();
    assert_eq!(count(&client, live()).await, 1);
}

#[tokio::test]
async fn scroll_turns_pages_and_facets_count() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    let page = || ScrollPointsBuilder::new(CHUNKS).limit(2);
    let first = client.scroll(page()).await.unwrap();
    let next = first.next_page_offset.unwrap();
    let second = client.scroll(page().offset(next)).await.unwrap();
    assert_eq!((first.result.len(), second.result.len(), second.next_page_offset), (2, 1, None));
    assert_eq!(second.result[0].payload["line"].as_integer(), Some(30));
    let hits =
        client.facet(FacetCountsBuilder::new(CHUNKS, "scope").exact(true)).await.unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.count).collect::<Vec<_>>(), [2, 1]);
}

#[tokio::test]
async fn what_was_written_is_there_after_a_restart() {
    let Fixture { client, server, data } = filled().await;
    drop(client);
    assert!(server.end().success());
    let reopened = Server::start(data.path());
    let client = reopened.client();
    let answer = client.query(near([0.0, 1.0, 0.0]).limit(1).with_payload(true)).await.unwrap();
    assert_eq!(answer.result[0].payload["text"].as_str().unwrap(), "Nobody read the weld report.");
    let found = client.query(alike(bm25("valves"))).await.unwrap();
    assert_eq!(numbers(&found.result), [2]);
    let info = client.collection_info(CHUNKS).await.unwrap().result.unwrap();
    assert_eq!((info.points_count, info.payload_schema.len()), (Some(3), 4));
}

#[tokio::test]
async fn collections_are_listed_deleted_and_not_made_twice() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    client.health_check().await.unwrap();
    let again = client.create_collection(CreateCollectionBuilder::new(CHUNKS)).await;
    let (found, message) = code(again);
    assert_eq!(
        (found, message.as_str()),
        (Code::AlreadyExists, "Wrong input: Collection `chunks` already exists!")
    );
    assert_eq!(client.list_collections().await.unwrap().collections[0].name, CHUNKS);
    assert!(client.delete_collection(CHUNKS).await.unwrap().result);
    assert!(!client.collection_exists(CHUNKS).await.unwrap());
    let (found, message) = code(client.query(near([1.0, 0.0, 0.0])).await);
    assert_eq!(
        (found, message.as_str()),
        (Code::NotFound, "Not found: Collection `chunks` doesn't exist!")
    );
    create(&client).await;
    assert_eq!(count(&client, Filter::default()).await, 0);
}

#[tokio::test]
async fn what_is_not_served_is_refused_by_name() {
    let Fixture { client, server: _server, data: _data } = filled().await;
    let fused = QueryPointsBuilder::new(CHUNKS).query(Query::new_fusion(Fusion::Rrf));
    assert_eq!(code(client.query(fused).await).0, Code::Unimplemented);
    let strange = Document { model: "acme/other".to_owned(), ..bm25("x") };
    let (found, message) = code(client.query(alike(strange)).await);
    assert!(found == Code::Unimplemented && message.contains("acme/other"), "{message}");
    let (found, message) = code(
        client.query(QueryPointsBuilder::new(CHUNKS).query(vec![1.0, 2.0]).using("dense")).await,
    );
    assert!(
        found == Code::InvalidArgument && message.contains("expected dim: 3, got 2"),
        "{message}"
    );
    let (found, message) = code(
        client.query(QueryPointsBuilder::new(CHUNKS).query(vec![1.0, 2.0]).using("none")).await,
    );
    assert!(found == Code::InvalidArgument && message.contains("none"), "{message}");
    let empty = CountPointsBuilder::new(CHUNKS).filter(Filter::must([Condition::default()]));
    assert_eq!(code(client.count(empty).await).0, Code::InvalidArgument);
}

#[test]
fn a_second_process_on_the_same_data_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let _first = Server::start(data.path());
    assert!(refusal(&mut command(data.path())).contains("in use by another process"));
}
