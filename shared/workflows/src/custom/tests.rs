use super::*;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};

const HAZARDS: &str = "---\ndocument_type: standard\n---\n# Crane hazards\n\n## Load drop\n\nHAZ-12: The crane may drop its load.\n\n\
    - **Severity**: catastrophic\n- **Mitigation**: a second brake that shall hold twice the load\n";
const BLOG: &str = "# Our crane\n\nThe crane is red. Severity: none.\n";
const STRATEGY: &str = "description = \"Hazards\"\nquery_expansion = [\"hazard\"]\n\
    facets = [\"brakes\", { name = \"people\", probe = \"worker person\" }]\n\
    output_fields = [\"severity\", \"mitigation\", { name = \"hazard_id\", pattern = 'HAZ-\\d+' }, \
    { name = \"demand\", fact = \"requirement\" }]\n\
    [filters]\ndocument_type = [\"standard\"]\n[[boosts]]\nname = \"demands\"\nwords = [\"shall\"]\nshare = 0.2\n";

fn ask(name: &str, request: Value) -> Result<Value> {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("hazards.md", HAZARDS), ("blog.md", BLOG)]).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let files = [("crane_safety.toml".to_owned(), STRATEGY.to_owned())];
        let strategies = Strategies::parse(&files).unwrap();
        let mut request: CustomRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let report = run(&ask, &strategies, name, request).await?.reply;
        Ok(serde_json::to_value(report).unwrap())
    })
}

#[test]
fn a_file_alone_makes_a_workflow() {
    let report = ask("crane_safety", json!({"question": "crane load"})).unwrap();
    assert_eq!(report["result_type"], "crane_safety");
    let results = report["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["passage"]["file"] == "hazards.md"));
    let fields = &results[0]["fields"];
    assert_eq!(fields["hazard_id"][0]["text"], "HAZ-12");
    assert_eq!(fields["severity"][0]["text"], "catastrophic");
    assert_eq!(fields["mitigation"][0]["text"], "a second brake that shall hold twice the load");
    assert_eq!(
        fields["demand"][0]["text"],
        "**Mitigation**: a second brake that shall hold twice the load"
    );
    assert_eq!(results[0]["facets"], json!(["brakes"]));
    assert_eq!(results[0]["score_parts"]["boosts"][0], json!({"name": "demands", "share": 0.2}));
    assert_eq!(report["gaps"][0]["facet"], "people");
}

#[test]
fn a_callers_filter_comes_on_top_of_the_files() {
    let filtered = json!({"question": "crane", "filters": {"document_type": "other"}});
    assert_eq!(ask("crane_safety", filtered).unwrap()["total_results"], 0);
}

#[test]
fn an_unknown_strategy_is_missing() {
    let error = ask("space_safety", json!({"question": "crane"})).unwrap_err();
    assert!(matches!(error, Error::Missing { kind: "strategy", .. }));
}
