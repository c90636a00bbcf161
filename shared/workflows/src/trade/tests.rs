use super::*;
use model::evidence::ScoreParts;
use proptest::prelude::{prop, prop_assert, prop_oneof, proptest};
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};

const ADR: &str = "# Use Tidewire as broker\n\n## Considered options\n\n- Tidewire\n- Halyard\n\n## Comparison\n\n\
    | Broker | p99 latency | Monthly cost |\n|---|---|---|\n| Tidewire | 12 ms | USD 1,200 |\n| Halyard | 45 ms | USD 300 |\n\n\
    ## Halyard\n\n- Good, because it is easy to learn.\n- Failover takes 9 s.\n";
const POST: &str = "# Notes\n\nTidewire costs $1,400/mo, whereas Halyard costs $310/mo. In 2019 nobody knew either.\n\n\
    A good broker is hard to find.\n";

fn ask(request: Value) -> Result<Value> {
    ask_of(&[("adr.md", ADR), ("post.md", POST)], request)
}

fn ask_of(documents: &[(&str, &str)], request: Value) -> Result<Value> {
    pollster::block_on(async {
        let corpus = Corpus::of(documents).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request = serde_json::from_value(request).unwrap();
        let report = run(&ask, request).await?.reply;
        Ok(serde_json::to_value(report).unwrap())
    })
}

/// Returns the values of an alternative for a criterion.
fn values(report: &Value, alternative: &str, criterion: &str) -> Vec<String> {
    let alternatives = report["alternatives"].as_array().unwrap();
    let found = alternatives.iter().find(|entry| entry["name"] == alternative).unwrap();
    let pieces =
        found["criteria"].as_array().unwrap().iter().filter(|piece| piece["name"] == criterion);
    pieces.filter_map(|piece| piece["value"]["text"].as_str().map(str::to_owned)).collect()
}

#[test]
fn each_value_stands_with_its_alternative_and_criterion() {
    let report = ask(json!({"question": "broker latency and cost", "alternatives": ["Tidewire", "Halyard"], "criteria": ["latency", "cost"]})).unwrap();
    assert_eq!(values(&report, "Tidewire", "latency"), ["12 ms"]);
    assert_eq!(values(&report, "Halyard", "latency"), ["45 ms"], "a failover is no latency");
    let cost = values(&report, "Tidewire", "cost");
    assert!(cost.contains(&"USD 1,200".into()) && cost.contains(&"$1,400/mo".into()), "{cost:?}");
    assert!(values(&report, "Halyard", "cost").contains(&"$310/mo".into()));
    assert!(!report.to_string().contains("2019\""), "a year is no value");
    assert_eq!(
        (&report["alternatives"][0]["source_count"], &report["total_sources"]),
        (&json!(2), &json!(2))
    );
}

#[test]
fn without_criteria_the_seven_types_are_told_by_where_the_value_stands() {
    let report = ask(json!({"question": "which broker", "alternatives": ["Halyard"]})).unwrap();
    assert!(values(&report, "Halyard", "Cost").contains(&"USD 300".into()));
    assert!(values(&report, "Halyard", "Performance").contains(&"45 ms".into()));
    let pieces = report["alternatives"][0]["criteria"].as_array().unwrap();
    assert!(pieces.iter().any(|piece| piece["name"] == "Usability"
        && piece["evidence"].as_str().unwrap().contains("easy to learn")));
}

#[test]
fn without_alternatives_they_are_discovered() {
    let report = ask(json!({"question": "which broker fits"})).unwrap();
    let names: Vec<&str> = report["alternatives"]
        .as_array()
        .unwrap()
        .iter()
        .map(|alternative| alternative["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Tidewire", "Halyard"]);
    assert_eq!(report["notes"][0], "No alternatives were given; found: Tidewire, Halyard.");
}

#[test]
fn weights_make_a_matrix_and_what_is_unknown_says_why() {
    let report = ask(json!({
        "question": "broker", "alternatives": ["Tidewire", "Halyard", "Nobody"],
        "criteria": [{"name": "p99 latency", "weight": 3, "unit": "ms"}, {"name": "cost", "weight": 1, "direction": "min", "unit": "kg"}],
    }))
    .unwrap();
    let matrix = &report["matrix"];
    assert_eq!(matrix["rank"][0], "Tidewire");
    assert!(report["notes"][0].as_str().unwrap().starts_with("The weights sum to 4"));
    let unknown = |alternative: &str, criterion: &str| {
        let cells = matrix["cells"].as_array().unwrap();
        cells
            .iter()
            .find(|cell| cell["alternative"] == alternative && cell["criterion"] == criterion)
            .unwrap()["unknown"]
            .clone()
    };
    assert_eq!(unknown("Nobody", "cost"), "no evidence was found");
    assert!(unknown("Tidewire", "cost").as_str().unwrap().ends_with("does not convert to `kg`"));
    assert_eq!(unknown("Tidewire", "p99 latency"), Value::Null);
}

#[test]
fn with_nothing_known_there_is_no_matrix_but_what_is_missing() {
    let report = ask(json!({
        "question": "broker", "alternatives": ["Tidewire", "Halyard"],
        "criteria": [{"name": "colour", "weight": 1, "direction": "max"}],
    }))
    .unwrap();
    assert_eq!(report["matrix"], Value::Null);
    let missing = report["missing"].as_array().unwrap();
    assert_eq!((missing.len(), &missing[1]["alternative"]), (2, &json!("Halyard")));
}

#[test]
fn options_of_which_nothing_is_known_are_told_so_with_what_came_nearest() {
    let asked = json!({"question": "Which asparagus?", "alternatives": ["Gijnlim", "Backlim"], "criteria": ["yield"]});
    let report = ask(asked).unwrap();
    assert_eq!(report["abstained"]["reason"], "not_relevant", "{report}");
    assert!(!report["abstained"]["nearest"].as_array().unwrap().is_empty());
    let known = ask(json!({"question": "broker", "alternatives": ["Tidewire"]})).unwrap();
    assert_eq!(known["abstained"], Value::Null);
}

#[test]
fn a_number_of_the_criterion_itself_is_no_value_of_it() {
    let text = "# Cells\n\nLFP has an accuracy of 95 % at 20 % noise.\n";
    let report = ask_of(
        &[("cells.md", text)],
        json!({
            "question": "cells", "alternatives": ["LFP"], "criteria": ["accuracy at 20 % noise"],
        }),
    )
    .unwrap();
    assert_eq!(values(&report, "LFP", "accuracy at 20 % noise"), ["95 %"]);
}

#[test]
fn an_alternative_keeps_its_name_whatever_others_are_called() {
    let alternatives = json!(["Tidewire (cluster)", "Tidewire", "Halyard (one)", "Halyard (two)"]);
    let report =
        ask(json!({"question": "broker cost", "alternatives": alternatives, "criteria": ["cost"]}))
            .unwrap();
    assert!(values(&report, "Tidewire", "cost").contains(&"USD 1,200".into()));
    for nobody in ["Tidewire (cluster)", "Halyard (one)", "Halyard (two)"] {
        assert_eq!(
            values(&report, nobody, "cost"),
            [""; 0],
            "{nobody} is not told from its namesake"
        );
    }
}

#[test]
fn what_a_filter_excludes_is_no_evidence() {
    let filtered = json!({"question": "broker cost", "alternatives": ["Halyard"], "filters": {"section": "Halyard"}});
    let report = ask(filtered).unwrap();
    let pieces = report["alternatives"][0]["criteria"].as_array().unwrap();
    assert!(
        !pieces.is_empty() && pieces.iter().all(|piece| piece["passage"]["section"] == "Halyard")
    );
}

#[test]
fn a_value_of_another_percentile_is_not_the_one_asked_for() {
    let report = ask(
        json!({"question": "broker", "alternatives": ["Tidewire"], "criteria": ["p50 latency"]}),
    )
    .unwrap();
    assert_eq!(values(&report, "Tidewire", "p50 latency"), [""; 0]);
    let report = ask(
        json!({"question": "broker", "alternatives": ["Tidewire"], "criteria": ["p99 latency"]}),
    )
    .unwrap();
    assert_eq!(values(&report, "Tidewire", "p99 latency"), ["12 ms"]);
}

#[test]
fn an_answer_holds_no_more_than_a_function_can_give() {
    let names: Vec<String> = ('a'..='z')
        .flat_map(|one| ('a'..='d').map(move |other| format!("Broker{one}{other}x")))
        .collect();
    let text = names.iter().fold("# Prices\n".to_owned(), |text, name| {
        (1..=5).fold(text, |text, price| format!("{text}\n{name} costs {price}00 USD.\n"))
    });
    let evidence: Vec<Evidence> = testing::passages(&text)
        .into_iter()
        .map(|passage| Evidence::of(passage, ScoreParts::new(Vec::new(), 0.2)))
        .collect();
    let alternatives: Vec<Alternative> =
        names.iter().map(|name| Alternative { names: vec![name.clone()] }).collect();
    let criteria = [Criterion::named("cost")];
    let found = Names::new(&alternatives, &evidence);
    let (none, topic) = (Assignments::new(), QuestionTerms::of("cost"));
    let study = group::study(&alternatives, &criteria, false, &evidence, &found, &none, &topic);
    let pieces: usize =
        study.alternatives.iter().map(|alternative| alternative.criteria.len()).sum();
    assert_eq!((pieces, study.left_out), (400, 104 * 5 - 400));
}

#[test]
fn an_empty_knowledge_base_gives_an_empty_study() {
    let report = pollster::block_on(async {
        let corpus = Corpus::of(&[]).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request = json!({"question": "A or B?", "criteria": [{"name": "cost", "weight": 1}]});
        let request = serde_json::from_value(request).unwrap();
        run(&ask, request).await.unwrap().reply.report
    });
    assert!(
        report.alternatives.is_empty() && report.general.is_empty() && report.total_sources == 0
    );
}

proptest! {
    #[test]
    fn evidence_is_verbatim_short_and_holds_its_value(cells in prop::collection::vec(("[A-Z][a-z]{3,8}", 1u32..5000, prop_oneof!["ms", "%", "GB", "USD"], "[a-z ]{0,120}"), 1..6)) {
        let text = cells.iter().fold("# Study\n".to_owned(), |text, (name, number, unit, more)| format!("{text}\n{more} {name} needs {number} {unit} {more}.\n"));
        let evidence: Vec<Evidence> = testing::passages(&text).into_iter()
            .map(|passage| Evidence::of(passage, ScoreParts::new(Vec::new(), 0.2))).collect();
        let mut names: Vec<Alternative> = Vec::new();
        for (name, ..) in &cells {
            if names.iter().all(|other| text::term::stems(&other.names[0]) != text::term::stems(name)) {
                names.push(Alternative { names: vec![name.clone()] });
            }
        }
        let criteria = [Criterion::named("cost")];
        let found = Names::new(&names, &evidence);
        let (none, topic) = (Assignments::new(), QuestionTerms::of("cost"));
        let study = group::study(&names, &criteria, false, &evidence, &found, &none, &topic);
        for piece in study.alternatives.iter().flat_map(|alternative| &alternative.criteria) {
            let passage = evidence.iter().map(|passage| &passage.passage).find(|passage| passage.id == piece.passage.passage_id).unwrap();
            prop_assert!(passage.text.contains(&piece.evidence) && piece.evidence.chars().count() <= 400);
            if let Some(value) = &piece.value {
                prop_assert!(piece.evidence.contains(&value.text));
            }
            let shares: f64 = piece.score_parts.boosts.iter().map(|boost| boost.share).sum();
            let fusion = piece.score_parts.fusion;
            prop_assert!((piece.score - model::evidence::round3(fusion + (1.0 - fusion) * shares.min(0.3))).abs() < 1e-12);
        }
    }
}
