use serde_json::{Value, json};
use wire::testing::{matrix, reply};

fn sentence(verdict: &str, change: impl Fn(&mut Value)) -> String {
    let mut matrix = matrix(verdict);
    change(&mut matrix);
    matrix::sentence(&reply(matrix))
}

#[test]
fn the_verdict_is_a_sentence() {
    let same = |_: &mut Value| {};
    let known = |matrix: &mut Value| matrix["gaps"] = json!([]);
    insta::assert_snapshot!(sentence("clear", same), @"Redis leads clearly: 1.00 against 0.28 for Kafka; the smallest change of one weight that brings Kafka level is latency at 90 % instead of 75 %.");
    insta::assert_snapshot!(sentence("clear", |matrix| matrix["weight_flips"] = json!([])), @"Redis leads clearly: 1.00 against 0.28 for Kafka; no single weight changes that.");
    insta::assert_snapshot!(sentence("close", same), @"Redis leads with 1.00 against 0.28 for Kafka, but what is unknown could still turn it: upkeep of Kafka is not known.");
    insta::assert_snapshot!(sentence("close", known), @"Redis leads with 1.00 against 0.28 for Kafka, but the values found are ranges that could still turn it.");
    insta::assert_snapshot!(sentence("tie", known), @"Tie between Redis and Kafka (margin 4 %): nothing here tells them apart.");
    insta::assert_snapshot!(sentence("tie", same), @"Tie between Redis and Kafka (margin 4 %): upkeep of Kafka is not known.");
    insta::assert_snapshot!(sentence("tie", |matrix| matrix["rank"] = json!(["Redis"])), @"Only Redis was rated, so there is nothing to compare.");
}
