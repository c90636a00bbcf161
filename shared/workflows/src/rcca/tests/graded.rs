use ask::written::Writer;
use ports::chat::Chat;
use testing::FakeModel;
use wire::common::AnswerMode;
use wire::trial::ModelPart;

use super::*;

/// Asks with a language model that writes a query and grades.
fn ask_graded(model: &FakeModel, request: Value) -> (Value, Vec<String>) {
    ask_with(model, &ModelPart::ALL, request)
}

/// Asks with a language model that does these parts.
fn ask_with(model: &FakeModel, parts: &[ModelPart], request: Value) -> (Value, Vec<String>) {
    pollster::block_on(async {
        let like = PUMP.replace("pump", "fan").replace("Pump", "Fan");
        let documents = [("incidents/pump.md", PUMP), ("incidents/fan.md", &like)];
        let corpus = Corpus::of(&documents).await;
        let context = FakeContext::default();
        let mut ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let (chat, mode) = (Some(Chat { model, name: "m", parts }), AnswerMode::Extractive);
        ask.writer = Some(Writer { chat, kept: &corpus.answers, mode });
        let mut request: RccaRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let Partial { reply, degraded } = run(&ask, request).await.unwrap();
        let parts = degraded.into_iter().map(|degraded| degraded.part.into_owned()).collect();
        (serde_json::to_value(reply).unwrap(), parts)
    })
}

fn model(grades: Value) -> FakeModel {
    FakeModel::of("grades", grades).with("queries", json!({"queries": ["pump vibration"]}))
}

#[test]
fn in_mode_generative_a_language_model_grades_what_was_found() {
    let request = json!({"question": "pump trips on vibration", "mode": "generative"});
    let first = |model: &FakeModel| {
        let (report, degraded) = ask_graded(model, request.clone());
        assert!(degraded.is_empty(), "{degraded:?}");
        report["results"][0]["passage"]["file"].as_str().map(str::to_owned)
    };
    let pump = model(json!({"p1": 3, "p2": 0}));
    assert_eq!(first(&pump).unwrap(), "incidents/pump.md");
    let told = pump.told();
    assert!(told[1].contains("The pump tripped on vibration"), "{told:?}");
    assert!(told[1].starts_with("Question: pump trips on vibration\n"), "{told:?}");
    let fan = model(json!({"p1": 1, "p2": 3}));
    assert_eq!(first(&fan).unwrap(), "incidents/fan.md");
    let files = |top_k: Option<u32>| {
        let mut request = request.clone();
        request["top_k"] = json!(top_k);
        let (report, _) = ask_graded(&model(json!({"p1": 1, "p2": 3})), request);
        let results = report["results"].as_array().unwrap().iter();
        results.map(|result| result["passage"]["file"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(files(None), ["incidents/fan.md"], "the model finds the pump to be another failure");
    assert_eq!(files(Some(2)), ["incidents/fan.md", "incidents/pump.md"]);
    let one = json!({"question": "pump trips on vibration", "mode": "generative", "top_k": 1});
    let (report, _) = ask_graded(&model(json!({"p1": 1, "p2": 3})), one);
    assert_eq!(
        report["results"][0]["passage"]["file"], "incidents/fan.md",
        "more is graded than shown"
    );
    let (report, _) = ask_graded(&model(json!({"p1": 1, "p2": 0})), request.clone());
    assert_eq!(report["abstained"]["reason"], "not_relevant");
    assert_eq!(report["abstained"]["nearest"][0]["file"], "incidents/pump.md");
}

#[test]
fn a_model_that_grades_nothing_leaves_the_ranking_and_one_that_is_not_wanted_is_not_asked() {
    let request = json!({"question": "pump trips on vibration", "mode": "generative"});
    let (report, degraded) = ask_graded(&model(json!({})), request);
    assert_eq!(report["results"][0]["passage"]["file"], "incidents/pump.md");
    assert_eq!(degraded, ["rerank"]);
    let unasked = model(json!({}));
    let (_, degraded) = ask_graded(&unasked, json!({"question": "pump trips on vibration"}));
    assert!(unasked.told().is_empty() && degraded.is_empty());
}

#[test]
fn a_part_that_is_not_the_models_is_done_by_rules_and_nothing_is_missing() {
    let request = || json!({"question": "pump trips on vibration", "mode": "generative"});
    let fan = || model(json!({"p1": 0, "p2": 3}));
    let first = |parts: &[ModelPart]| {
        let model = fan();
        let (report, degraded) = ask_with(&model, parts, request());
        assert!(degraded.is_empty(), "{degraded:?}");
        (report["results"][0]["passage"]["file"].clone(), model.told().len())
    };
    assert_eq!(first(&[]), (json!("incidents/pump.md"), 0));
    assert_eq!(first(&[ModelPart::Queries]), (json!("incidents/pump.md"), 1));
    assert_eq!(first(&[ModelPart::Grade]), (json!("incidents/fan.md"), 1));
}
