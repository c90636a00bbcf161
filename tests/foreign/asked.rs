//! Tests the requests of the workflows.

use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;
use ask::Ask;
use model::{Error, Result};
use testing::{Corpus, FakeContext, FakeEmbedder};
use workflows::custom::Strategies;
use workflows::{custom, explore, plan, rcca, trade};

const DOCUMENTS: [(&str, &str); 3] = [
    (
        "adr.md",
        "# Use Tidewire as broker\n\n## Considered options\n\n- Tidewire\n- Halyard\n\n## Comparison\n\n\
         | Broker | p99 latency | Monthly cost |\n|---|---|---|\n| Tidewire | 12 ms | USD 1,200 |\n| Halyard | 45 ms | USD 300 |\n",
    ),
    (
        "incident.md",
        "---\ndocument_type: postmortem\n---\n# Pump ran dry\n\n## Root cause\n\nThe seal was worn, which E1042 told.\n\n\
         ## Timeline\n\n14:02 The pump stopped.\n",
    ),
    (
        "server.log",
        "2026-11-20T18:10:00Z ERROR broker: E1042 gone\n2026-11-20T18:10:05Z INFO broker: back\n",
    ),
];

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| pollster::block_on(Corpus::of(&DOCUMENTS)));

static STRATEGIES: LazyLock<Strategies> = LazyLock::new(|| {
    let file = "description = \"All\"\nquery_expansion = [\"relay\"]\nfacets = [\"cost\"]\noutput_fields = [\"status\"]\n";
    Strategies::parse(&[("all.toml".to_owned(), file.to_owned())]).unwrap()
});

fn read<T: DeserializeOwned>(body: Value) -> Result<T> {
    serde_json::from_value(body)
        .map_err(|error| Error::Malformed { field: "body".into(), reason: error.to_string() })
}

fn to_json(report: &impl Serialize) -> Value {
    serde_json::to_value(report).unwrap()
}

async fn answer(workflow: &str, mut body: Value) -> Result<Value> {
    let mut fake = FakeContext::default();
    if workflow == "plan" {
        let project = fake.project(&CORPUS, json!({"name": "Pump station"})).await;
        body["project_id"] = project.into();
    }
    let ask = Ask::new(fake.context(), &FakeEmbedder, &CORPUS.index);
    Ok(match workflow {
        "rcca" => to_json(&rcca::run(&ask, read(body)?).await?.reply),
        "trade" => to_json(&trade::run(&ask, read(body)?).await?.reply),
        "explore" => to_json(&explore::run(&ask, read(body)?).await?.reply),
        "plan" => to_json(&plan::run(&ask, &fake.projects, read(body)?).await?.reply),
        name => to_json(&custom::run(&ask, &STRATEGIES, name, read(body)?).await?.reply),
    })
}

/// Returns a request's body with fields that every workflow has, and fields that only one has.
fn body() -> impl Strategy<Value = (&'static str, Value)> {
    let workflow = prop::sample::select(&["rcca", "trade", "explore", "plan", "all", "none"][..]);
    let asked = (words(), prop::collection::vec(words(), 0..3), prop::option::of(0_u32..60));
    let scope = prop::sample::select(&["global", "user", "team:a", "case:b", "x"][..]);
    let around = (prop::option::weighted(0.2, scope), prop::option::weighted(0.2, json()));
    let named = prop_oneof![
        words().prop_map(Value::from),
        (words(), prop::collection::vec(words(), 0..3))
            .prop_map(|(name, aliases)| json!({"name": name, "aliases": aliases})),
        (words(), words()).prop_map(|(name, probe)| json!({"name": name, "probe": probe})),
        (words(), any::<Option<f64>>(), words())
            .prop_map(|(name, weight, unit)| json!({"name": name, "weight": weight, "unit": unit})),
    ]
    .boxed();
    let fields = prop::option::of((
        prop::collection::vec(named.clone(), 0..4),
        prop::collection::vec(named, 0..4),
    ));
    (workflow, asked, around, fields).prop_map(
        |(workflow, (question, queries, top_k), (scope, extra), fields)| {
            let mut body = json!({"question": question, "queries": queries, "top_k": top_k});
            body["knowledge"] = scope.into_iter().collect();
            if let Some(extra) = extra {
                body["filters"] = extra;
            }
            match (workflow, fields) {
                ("trade", Some((alternatives, criteria))) => {
                    body["alternatives"] = alternatives.into();
                    body["criteria"] = criteria.into();
                }
                ("explore", Some((facets, _))) => body["facets"] = facets.into(),
                _ => {}
            }
            (workflow, body)
        },
    )
}

proptest! {
    #![proptest_config(testing::quarter())]

    #[test]
    fn any_request_is_answered_or_refused((workflow, body) in body()) {
        match pollster::block_on(answer(workflow, body)) {
            Ok(report) => prop_assert!(report.is_object()),
            Err(error) => prop_assert!(!matches!(error, Error::Unavailable { .. }), "{}", error),
        }
    }
}
