//! Tests that `DynamoDB` (dynoxide) and Qdrant (its engine, or a server) keep the ports' contracts,
//! as the fakes do.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use adapters::{Bedrock, BedrockReranker, Converse, Qdrant};
use ask::rerank::Limits;
use aws_credential_types::Credentials;
use aws_sdk_bedrockruntime::Client;
use aws_sdk_bedrockruntime::config::retry::RetryConfig;
use aws_sdk_bedrockruntime::config::{BehaviorVersion, Region};
use corpus::beside::Beside;
use model::Result;
use model::evidence::PointKind;
use plumbline_tests::{Collection, Local};
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::{
    Brings, Completion, DocumentCleanup, Embedded, Embedder, Index, Model, Pending, Point, Prompt,
    Publisher, Purpose, QueryCache, Reranker, Search, SearchBy, Tool, Trail, Unfinished,
    WrittenQueries, WrittenRoute,
};
use serde_json::{Value, json};
use testing::{
    Corpus, FakeContext, FakeEmbedder, all_cases_contracts, cleanup_contract, closing_contract,
    disposal_contract, documents_contract, index_contract, passage, projects_contract,
    trail_contract, trials_contract,
};
use wire::search::Intent;

use dynamo::Dynamo;

mod broken_off;
mod collection;
mod dynamo;
mod frequencies;
mod kept;
mod masked;
mod quota;
mod usual;

fn client_of(collection: &Collection) -> Qdrant {
    client_of_space(collection, "one/4")
}

fn client_of_space(collection: &Collection, space: &str) -> Qdrant {
    let index = Qdrant::connect(&collection.url, None, &collection.name, Purpose::Document);
    index.unwrap().of_space(space.into())
}

/// Returns true if a call to the index is refused because its vectors are of another space.
fn is_refused<T>(answer: Result<T>) -> bool {
    let cause = answer.err().and_then(|error| Some(std::error::Error::source(&error)?.to_string()));
    cause.is_some_and(|cause| cause.contains("has vectors of one/4, and"))
}

/// Returns a client of the local Bedrock. It tries once, so that the actions of a script are used
/// one by one.
fn client(local: &Local) -> Client {
    let config = aws_sdk_bedrockruntime::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .retry_config(RetryConfig::disabled())
        .endpoint_url(&local.url);
    Client::from_conf(config.build())
}

/// Sets a script at the local Bedrock, and asks its model to answer from two passages.
async fn claim(local: &Local, script: &Value) -> Result<Completion> {
    ureq::post(format!("{}/script", local.url)).send_json(json!({"converse": script})).unwrap();
    let schema = json!({"type": "object", "properties": {"claims": {"type": "array"}}});
    let tool = Tool { name: "claims", description: "What is claimed.", schema: &schema };
    let user = "<passage id=\"p1\">\nThe pump ran dry. It was hot.\n</passage>\n\
                <passage id=\"p2\">\nA valve froze shut.\n</passage>\nWhat happened?";
    let (system, max_tokens, temperature) = ("Cite what you claim.", 200, 0.0);
    let prompt = Prompt { part: None, system, user, tool: Some(tool), max_tokens, temperature };
    Converse::new(client(local), "eu.acme.writer-v1:0").complete(&prompt).await
}

#[tokio::test]
async fn dynamodb_keeps_the_documents_contract() {
    documents_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn dynamodb_keeps_the_trials_contract() {
    trials_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn dynamodb_keeps_the_disposal_contract() {
    disposal_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn what_is_pending_of_a_decision_is_listed_until_it_is_done() {
    let table = Dynamo::start().await.table(None);
    let (corpus, mut context) = (Corpus::default(), FakeContext::default());
    let project = context.project(&corpus, json!({"name": "Pump"})).await;
    let new = json!({"decision": "Use carbon", "rationale": "It lasts."});
    let decided = context.decide(&corpus, &project, new).await.unwrap();
    let (decision, change) = (decided.decision.decision_id.clone(), context.stamp.id.clone());
    let pending = Pending { change: change.clone(), scopes: vec![Scope::User("ann".into())] };
    table.decide(&project, &decided, &pending, None, None).await.unwrap();
    assert_eq!(table.pending(&project, &decision).await.unwrap(), Some(pending));
    let listed = table.unfinished("9", 9, None).await.unwrap().items;
    let wanted = Unfinished::Decision { project: project.clone(), decision: decision.clone() };
    assert_eq!(listed, [wanted]);
    table.done(&project, &decision, &change).await.unwrap();
    assert!(table.unfinished("9", 9, None).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn written_queries_are_kept_for_a_while_and_go_with_their_scope() {
    let table = Dynamo::start().await.table(None);
    let until = "2026-12-20T18:00:00Z".parse().unwrap();
    let open = testing::open_case("01JCASE0000000000000000001", "ann", until);
    ports::Cases::create_case(&table, &open, None).await.unwrap();
    let case = Scope::Case(open.case_id);
    let route = WrittenRoute { intent: Intent::Troubleshoot, sources: vec!["runtime".into()] };
    let written = WrittenQueries { queries: vec!["pressure surge".into()], route: Some(route) };
    table.keep_queries(&case, "k", &written, until).await.unwrap();
    let read = async |scope: &Scope, now: &str| {
        table.queries(scope, "k", now.parse().unwrap()).await.unwrap()
    };
    assert_eq!(read(&case, "2026-12-20T17:00:00Z").await, Some(written));
    assert_eq!(read(&case, "2026-12-20T19:00:00Z").await, None, "until they expire");
    assert_eq!(read(&Scope::Global, "2026-12-20T17:00:00Z").await, None);
    assert_eq!(table.delete_cached(&case, 9).await.unwrap(), 1);
    assert_eq!(read(&case, "2026-12-20T17:00:00Z").await, None);
}

#[tokio::test]
async fn dynamodb_keeps_the_cases_contract() {
    all_cases_contracts(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn dynamodb_keeps_the_closing_contract() {
    closing_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn what_was_cached_of_a_scope_goes_and_another_scopes_does_not() {
    let dynamo = Dynamo::start().await;
    let (case, other) = (Scope::Case("01J".into()), Scope::Case("01K".into()));
    let text = |text: String| aws_sdk_dynamodb::types::AttributeValue::S(text);
    for (scope, number) in (0..60).map(|number| (&case, number)).chain([(&other, 0)]) {
        let put = dynamo.client(None).put_item().table_name("plumbline");
        let put = put.item("pk", text(format!("CACHE#{scope}")));
        put.item("sk", text(format!("answer#{number}"))).send().await.unwrap();
    }
    let table = dynamo.table(None);
    for (scope, expected) in [(&case, 40), (&case, 20), (&case, 0), (&other, 1)] {
        assert_eq!(table.delete_cached(scope, 40).await.unwrap(), expected, "{scope}");
    }
}

#[tokio::test]
async fn dynamodb_keeps_the_projects_contract() {
    projects_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn dynamodb_keeps_the_trail_contract() {
    trail_contract(&Dynamo::start().await.table(None)).await;
}

#[tokio::test]
async fn qdrant_keeps_the_index_contract() {
    let collection = Collection::fresh().unwrap();
    index_contract(&client_of(&collection)).await;
}

#[tokio::test]
async fn a_collection_of_another_space_is_neither_searched_nor_filled() {
    let collection = Collection::fresh().unwrap();
    let (grant, filters) = (Grant::unchecked(&[Scope::Global]), Filters::default());
    let dense = || Search {
        of: PointKind::Passage,
        by: SearchBy::Dense(vec![1.0, 0.0, 0.0, 0.0]),
        depth: 5,
        brings: Brings::Ids,
    };
    let point = || Point {
        kind: PointKind::Passage,
        passage: passage("# Pump\n\nIt ran dry.\n"),
        words: "pump".into(),
        meaning: "pump".into(),
        vector: vec![1.0, 0.0, 0.0, 0.0],
        embedded: Embedded::of("one/4", "pump"),
    };
    // The collection has no space yet.
    let other = client_of_space(&collection, "two/4");
    assert!(other.search(&grant, &filters, vec![dense()]).await.is_ok());
    let index = client_of(&collection);
    index.stage(&Scope::Global, vec![point()]).await.unwrap();
    index.search(&grant, &filters, vec![dense()]).await.unwrap();
    assert!(is_refused(other.search(&grant, &filters, vec![dense()]).await));
    assert!(is_refused(other.stage(&Scope::Global, vec![point()]).await));
    client_of(&collection).stage(&Scope::Global, vec![point()]).await.unwrap();
}

#[tokio::test]
async fn qdrant_keeps_the_clearance_contract() {
    let collection = Collection::fresh().unwrap();
    cleanup_contract(&client_of(&collection)).await;
}

#[tokio::test]
async fn two_collections_beside_each_other_keep_the_clearance_contract() {
    let (used, other) = (Collection::fresh().unwrap(), Collection::fresh().unwrap());
    let (used, other) = (client_of(&used), client_of(&other));
    cleanup_contract(&Beside { used: &used, other: (&other, &FakeEmbedder) }).await;
}

#[tokio::test]
async fn all_families_of_embedding_models_give_the_same_vectors_in_order() {
    let local = Local::bedrock().unwrap();
    let client = client(&local);
    // This text is longer than Cohere's third models accept.
    let long = "the pump ran dry ".repeat(200);
    let texts = [long.as_str(), "a certificate expired"].map(String::from);
    let embed = async |model: &str, dimensions: u32| {
        let model = Bedrock::new(client.clone(), model, dimensions).unwrap();
        model.embed(&texts, Purpose::Question).await
    };
    let first = embed("cohere.embed-v4:0", 384).await.unwrap();
    for model in [
        "us.cohere.embed-v4:0",
        "cohere.embed-english-v3",
        "eu.cohere.embed-multilingual-v3",
        "amazon.titan-embed-text-v2:0",
        "amazon.nova-2-multimodal-embeddings-v1:0",
    ] {
        let vectors = embed(model, 384).await.unwrap();
        assert_eq!((first.len(), vectors.len()), (2, 2), "{model}");
        for (one, other) in first.iter().zip(&vectors) {
            let length: f32 = one.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-3, "vectors have unit length");
            let nearness: f32 = one.iter().zip(other).map(|(a, b)| a * b).sum();
            assert!(nearness > 0.98, "{model}: {nearness}");
        }
    }
    let refused = embed("cohere.embed-v4:0", 1024).await.unwrap_err();
    assert_eq!(refused.to_string(), "the embedding model did not answer");
    assert!(Bedrock::new(client.clone(), "amazon.titan-embed-image-v1", 1024).is_none());
    let spaces = ["cohere.embed-v4:0", "us.cohere.embed-v4:0"]
        .map(|model| Bedrock::new(client.clone(), model, 384).unwrap().space());
    assert_eq!(spaces[0], spaces[1], "one model wherever it runs");
}

#[tokio::test]
async fn both_families_of_rerankers_judge_texts_in_order() {
    let local = Local::bedrock().unwrap();
    let client = client(&local);
    let texts = ["The invoice was paid late.", "The pump ran dry, so the tank overheated."];
    let texts = texts.map(String::from);
    for model in ["cohere.rerank-v3-5:0", "amazon.rerank-v1:0"] {
        let judge = BedrockReranker::new(client.clone(), model, Limits::default()).unwrap();
        let relevance = judge.relevance("Why did the pump run dry?", &texts).await.unwrap();
        assert!(relevance.len() == 2 && relevance[1] > relevance[0], "{model}: {relevance:?}");
        assert!(judge.relevance("Why?", &[]).await.is_err(), "{model}");
    }
    assert!(BedrockReranker::new(client, "cohere.embed-v4:0", Limits::default()).is_none());
}

#[tokio::test]
async fn a_chat_model_fills_in_the_form_and_tells_what_it_took() {
    let local = Local::bedrock().unwrap();
    let completion = claim(&local, &json!([])).await.unwrap();
    let claims = json!([
        {"text": "The pump ran dry.", "citations": ["p1"]},
        {"text": "A valve froze shut.", "citations": ["p2"]},
    ]);
    assert_eq!(completion.content, json!({"claims": claims}));
    assert!(completion.tokens_in > completion.tokens_out && completion.tokens_out > 0);
}

#[tokio::test]
async fn a_chat_model_that_is_busy_broken_or_off_the_form_did_not_answer() {
    let local = Local::bedrock().unwrap();
    let message = json!({"role": "assistant", "content": [{"text": "The pump, I think."}]});
    let usage = json!({"inputTokens": 1, "outputTokens": 1, "totalTokens": 2});
    let ended = |stop: &str| json!([{"body": {"output": {"message": message}, "stopReason": stop, "usage": usage}}]);
    let busy = json!([{"status": 429, "type": "ThrottlingException", "message": "slow down"}]);
    for (script, cause) in [
        (busy, "slow down"),
        (json!([{"malformed": true}]), "unexpected end"),
        (ended("end_turn"), "did not fill in the form"),
        (ended("max_tokens"), "max_tokens"),
    ] {
        let error = claim(&local, &script).await.unwrap_err();
        assert_eq!(error.to_string(), "the language model did not answer", "{script}");
        let found = std::error::Error::source(&error).unwrap().to_string();
        assert!(found.contains(cause), "{found}");
    }
}
