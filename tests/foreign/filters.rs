//! Tests the filters of requests.

use std::sync::LazyLock;

use serde_json::Map;

use super::*;
use model::Error;
use model::document::Passage;
use ports::filter::{Condition, Filters};
use testing::passage;

static CHUNK: LazyLock<Passage> = LazyLock::new(|| passage("# Pump\n\nIt ran dry.\n"));

/// Field names, some of which can be filtered on.
const FIELDS: [&str; 10] =
    ["document_type", "source", "tags", "severity", "author", "line", "time", "code", "colour", ""];

fn values() -> impl Strategy<Value = Value> {
    let time =
        prop::sample::select(&["2026-11-20T18:10:00Z", "9999-12-30T22:00:00.999999999Z"][..])
            .prop_map(Value::from);
    let line =
        prop_oneof![Just(0_u64), Just(u64::from(u32::MAX)), any::<u64>()].prop_map(Value::from);
    let kind =
        prop::sample::select(&["postmortem", "guide", "docs", "error"][..]).prop_map(Value::from);
    let one = prop_oneof![time, line, kind, words().prop_map(Value::from)].boxed();
    let bound = prop::sample::select(&["gte", "gt", "lte", "lt", "eq"][..]).prop_map(str::to_owned);
    let bounds = prop::collection::vec((bound, one.clone()), 0..3);
    prop_oneof![
        one.clone(),
        prop::collection::vec(one, 0..4).prop_map(Value::from),
        bounds.prop_map(|bound| Value::Object(bound.into_iter().collect())),
        json(),
    ]
}

fn check(condition: &Condition) -> bool {
    match condition {
        Condition::AnyOf(_, values) => (1..=100).contains(&values.len()),
        Condition::Lines(ranges) => ranges.iter().all(|(from, to)| from <= to),
        Condition::Times(ranges) => ranges.iter().all(|(from, to)| from <= to),
        Condition::Document(_) => false,
    }
}

proptest! {
    #[test]
    fn any_filter_is_read_or_refused_by_its_name(
        wire in prop::collection::vec((prop::sample::select(&FIELDS[..]), values()), 0..3),
    ) {
        let wire: Map<String, Value> =
            wire.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        match Filters::parse(&wire) {
            Ok(filters) => {
                prop_assert_eq!(filters.0.len(), wire.len());
                prop_assert!(filters.0.iter().all(check), "{:?}", filters);
                let _ = filters.allow(&CHUNK);
            }
            Err(Error::Invalid { field, reason }) => {
                let name = field.strip_prefix("filters.");
                prop_assert!(name.is_some_and(|name| wire.contains_key(name)) && !reason.is_empty());
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        }
    }
}
