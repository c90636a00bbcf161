//! Tests the limits of callers and scopes with `DynamoDB`.

use jiff::{SignedDuration, Timestamp};
use ports::{Quota, Rate, TokenCounter};
use testing::storage_quota_contract;

use super::dynamo::Dynamo;

#[tokio::test]
async fn dynamodb_keeps_the_room_contract() {
    storage_quota_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn dynamodb_counts_what_each_caller_asks() {
    let table = Dynamo::start().await.table(None);
    let rate = Rate { per_minute: 60, burst: 3 };
    let begin: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let take = async |caller: &str, after: i64| {
        let at = begin + SignedDuration::from_millis(after);
        table.take(caller, rate, at).await.unwrap()
    };
    for _ in 0..3 {
        assert_eq!(take("ann", 0).await, None, "three at once");
    }
    assert_eq!(take("ann", 0).await, Some(1_000), "the bucket is empty");
    assert_eq!(take("bob", 0).await, None, "another's is full");
    assert_eq!(take("ann", 400).await, Some(600), "who is refused is charged nothing");
    assert_eq!(take("ann", 1_000).await, None, "a token came back");
    assert_eq!(take("ann", 1_000).await, Some(1_000));
    for _ in 0..3 {
        assert_eq!(take("ann", 60_000).await, None, "no more than three came back");
    }
    assert!(take("ann", 60_000).await.is_some());

    let slow = Rate { per_minute: 1, burst: 3 };
    for _ in 0..3 {
        assert_eq!(table.take("cleo", slow, begin).await.unwrap(), None);
    }
    assert!(table.take("cleo", slow, begin).await.unwrap().is_some());
    assert_eq!(take("cleo", 0).await, None, "another rate was deployed");
}

#[tokio::test]
async fn dynamodb_counts_the_tokens_of_a_day_for_each_caller_and_for_all() {
    let table = Dynamo::start().await.table(None);
    let today: Timestamp = "2026-11-29T23:59:59Z".parse().unwrap();
    assert_eq!(table.spent(Some("ann"), today).await.unwrap(), [0, 0]);

    table.spend(Some("ann"), 700, today).await.unwrap();
    table.spend(Some("ann"), 50, today).await.unwrap();
    table.spend(None, 20, today).await.unwrap();
    assert_eq!(table.spent(Some("ann"), today).await.unwrap(), [750, 770]);
    assert_eq!(table.spent(Some("bob"), today).await.unwrap(), [0, 770]);
    assert_eq!(table.spent(None, today).await.unwrap(), [0, 770]);

    let tomorrow = today + SignedDuration::from_secs(1);
    assert_eq!(table.spent(Some("ann"), tomorrow).await.unwrap(), [0, 0]);
}
