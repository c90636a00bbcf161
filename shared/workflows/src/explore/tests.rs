use super::*;
use ask::written::Writer;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder, FakeModel};
use wire::common::AnswerMode;

const GLOSSARY: &str = "# Glossary\n\n**Backoff** is a waiting time between two attempts that grows with each attempt.\n";
const STANDARD: &str = "---\ndocument_type: standard\n---\n# Resilience standard\n\n## Backoff\n\n\
    Backoff means that a caller lengthens the pause before each further attempt.\n\n\
    ## Clauses\n\nThe backoff shall grow exponentially and shall not exceed 2 s.\n";
const GUIDE: &str = "# Backoff guide\n\n## Advice\n\nYou should add jitter to every backoff.\n\n## A case\n\n\
    For example, a backoff with a base of 100 ms pauses 200 ms and then 400 ms.\n";
const OTHER: &str = "# Picnic\n\nA picnic is a meal outside. You should bring bread.\n";

fn ask(request: Value) -> Result<Value> {
    let documents = [
        ("glossary.md", GLOSSARY),
        ("standard.md", STANDARD),
        ("guide.md", GUIDE),
        ("other.md", OTHER),
    ];
    ask_of(&documents, request)
}

fn ask_of(documents: &[(&str, &str)], request: Value) -> Result<Value> {
    pollster::block_on(async {
        let corpus = Corpus::of(documents).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let mut request: ExploreRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let report = run(&ask, request).await?.reply;
        Ok(serde_json::to_value(report).unwrap())
    })
}

fn facet<'r>(report: &'r Value, name: &str) -> &'r Value {
    report["facets"].as_array().unwrap().iter().find(|facet| facet["facet"] == name).unwrap()
}

/// Returns the texts that are listed under a facet, or elsewhere with its tag.
fn served(report: &Value, name: &str) -> String {
    let is_tagged = |listed: &Value, result: &Value| {
        listed["facet"] == name
            || result["also_in"].as_array().unwrap().iter().any(|also| also == name)
    };
    let facets = report["facets"].as_array().unwrap().iter();
    let texts = facets.flat_map(|listed| {
        let results = listed["results"].as_array().unwrap().iter();
        results
            .filter(|result| is_tagged(listed, result))
            .map(|result| result["text"].as_str().unwrap())
    });
    texts.collect::<Vec<_>>().join("\n---\n")
}

#[test]
fn passages_serve_facets_by_what_they_say() {
    let report = ask(json!({"question": "backoff"})).unwrap();
    assert!(served(&report, "definitions").contains("is a waiting time"));
    assert!(served(&report, "definitions").contains("means that a caller"));
    assert!(served(&report, "examples").contains("For example, a backoff"));
    assert!(served(&report, "standards").contains("shall grow exponentially"));
    assert!(served(&report, "best_practices").contains("should add jitter"));
    assert!(!report.to_string().contains("Picnic"), "what is on something else is left out");
    assert_eq!(report["gaps"], json!([]));
}

#[test]
fn a_passage_is_listed_once() {
    let report = ask(json!({"question": "backoff", "top_k": 50})).unwrap();
    let mut seen = std::collections::HashSet::new();
    for facet in report["facets"].as_array().unwrap() {
        for result in facet["results"].as_array().unwrap() {
            assert!(seen.insert(result["passage"]["passage_id"].as_str().unwrap().to_owned()));
            assert!(
                result["also_in"].as_array().unwrap().iter().all(|also| *also != facet["facet"])
            );
        }
    }
}

#[test]
fn definitions_of_one_term_stand_side_by_side() {
    let report = ask(json!({"question": "backoff"})).unwrap();
    let term = &report["terms"][0];
    assert_eq!(term["term"].as_str().unwrap().trim_matches('*'), "Backoff");
    let names: Vec<&str> = term["definitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["passage"]["file"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"glossary.md") && names.contains(&"standard.md"), "{names:?}");
}

#[test]
fn a_facet_of_the_callers_own_is_searched_and_an_empty_one_is_a_gap() {
    let wanted = json!([{"name": "waiting times", "probe": "jitter ms pause"}]);
    let report = ask(json!({"question": "backoff", "facets": wanted})).unwrap();
    assert!(!facet(&report, "waiting times")["results"].as_array().unwrap().is_empty());
    let unknown = ask(json!({"question": "backoff", "facets": ["quokkas", "jitter"]})).unwrap();
    let gaps: Vec<&str> = unknown["gaps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|gap| gap["facet"].as_str().unwrap())
        .collect();
    assert_eq!(gaps, ["quokkas"], "what nothing speaks of is not filled with what lies nearest");
    let nothing = ask(json!({"question": "zymurgy"})).unwrap();
    assert_eq!(nothing["gaps"].as_array().unwrap().len(), 4);
    assert_eq!(facet(&nothing, "examples")["coverage"], json!({"passages": 0, "documents": 0}));
}

#[test]
fn a_facets_score_counts_the_questions_searches_and_its_own() {
    let report = ask(json!({"question": "backoff"})).unwrap();
    let weights: f64 = WAYS.iter().chain(&FACET_WAYS).map(|(_, _, weight)| weight).sum();
    for (place, facet) in report["facets"].as_array().unwrap().iter().enumerate() {
        for result in facet["results"].as_array().unwrap() {
            let parts = &result["score_parts"];
            let searches = parts["rankings"].as_array().unwrap();
            assert!(
                searches
                    .iter()
                    .all(|ranking| ranking["probe"] == 0 || ranking["probe"] == place + 1)
            );
            let share = |ranking: &Value| {
                ranking["weight"].as_f64().unwrap() * ranking["score"].as_f64().unwrap()
            };
            let fused = searches.iter().map(share).sum::<f64>() / weights;
            assert!((parts["fusion"].as_f64().unwrap() - fused).abs() < 1e-9);
        }
    }
}

#[test]
fn a_decision_on_the_subject_comes_first_and_others_do_not() {
    let adr = |title: &str, chosen: &str| {
        format!("# {title}\n\nStatus: accepted\n\n## Decision\n\n{chosen}\n")
    };
    let backoff = adr("Backoff of all callers", "We will double the backoff with each attempt.");
    let paint = adr("Paint", "We will paint the station blue.");
    let documents = [("adr/1.md", backoff.as_str()), ("adr/2.md", paint.as_str()), ("g.md", GUIDE)];
    let corpus = pollster::block_on(Corpus::of(&documents));
    let context = FakeContext::default();
    let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
    let request = serde_json::from_value(json!({"question": "backoff of callers"})).unwrap();
    let report = pollster::block_on(run(&ask, request)).unwrap().reply;
    let report = serde_json::to_value(report).unwrap();
    let decided: Vec<&str> =
        report["decided"].as_array().unwrap().iter().map(|r| r["text"].as_str().unwrap()).collect();
    assert_eq!(decided, ["We will double the backoff with each attempt."]);
}

/// Returns the answer to a question for which a model sorts passages with these grades, and the
/// last prompt of the model.
fn sorted(
    documents: &[(&str, &str)],
    request: Value,
    grade: impl Fn(usize) -> usize,
) -> (Value, String) {
    let form = (1..=10).map(|n| (format!("p{n}"), json!([grade(n)]))).collect();
    let model = FakeModel::of("grades", form).with("queries", json!({"queries": ["jitter"]}));
    let report = pollster::block_on(async {
        let corpus = Corpus::of(documents).await;
        let context = FakeContext::default();
        let mut ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let mode = AnswerMode::Generative;
        let named = Some(testing::chat(&model, "m"));
        ask.writer = Some(Writer { chat: named, kept: &corpus.answers, mode });
        let mut request: ExploreRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let answer = run(&ask, request).await.unwrap();
        assert!(answer.degraded.is_empty(), "{:?}", answer.degraded);
        serde_json::to_value(answer.reply).unwrap()
    });
    (report, model.told().pop().unwrap())
}

/// Returns the number by which a model refers to a facet.
fn number(facet: &str) -> usize {
    facets().iter().position(|(name, _)| name == facet).unwrap() + 1
}

/// Returns the number of passages under a facet.
fn count(report: &Value, name: &str) -> usize {
    facet(report, name)["results"].as_array().unwrap().len()
}

#[test]
fn in_mode_generative_a_language_model_sorts_what_was_found() {
    let documents = [("glossary.md", GLOSSARY), ("guide.md", GUIDE)];
    let asked = || json!({"question": "backoff"});
    let (report, told) = sorted(&documents, asked(), |_| number("examples"));
    assert!(
        told.starts_with("Subject: backoff\n") && told.contains("<passage id=\"p3\""),
        "{told}"
    );
    assert!(served(&report, "examples").contains("waiting time between two attempts"));
    assert_eq!(served(&report, "definitions"), "", "the rules are not asked");
    let (report, _) = sorted(&documents, asked(), |_| 0);
    assert_eq!(report["abstained"]["reason"], "not_relevant", "{report}");
}

#[test]
fn a_facet_lists_three_passages_or_ten_that_serve_it_well_or_as_many_as_are_wanted() {
    let advice =
        |n: usize| format!("## Case {n}\n\nYou should add {n} ms of jitter to a backoff.\n\n");
    let guide = format!("# Backoff\n\n{}", (1..=15).map(advice).collect::<String>());
    let documents = [("guide.md", guide.as_str())];
    let listed = |top_k: Option<u32>, grade: usize| {
        let asked = json!({"question": "backoff", "top_k": top_k});
        count(&sorted(&documents, asked, |_| grade).0, "examples")
    };
    let well = number("examples");
    let in_passing = well + facets().len();
    assert_eq!([listed(None, well), listed(None, in_passing)], [10, 3]);
    assert_eq!([listed(Some(12), well), listed(Some(12), in_passing)], [12, 12]);
    assert_eq!([listed(Some(2), well), listed(Some(2), in_passing)], [2, 2]);
    let by_rules = |top_k: Option<u32>| {
        let report = ask_of(&documents, json!({"question": "backoff", "top_k": top_k})).unwrap();
        count(&report, "best_practices")
    };
    assert_eq!([by_rules(None), by_rules(Some(1)), by_rules(Some(5))], [3, 1, 5]);
}

#[test]
fn what_few_documents_have_as_the_question_has_it_comes_first() {
    let advice = |at: &str, code: &str| {
        format!(
            "# Pumps at {at}\n\nYou should restart the feed pump at {at} when the panel tells {code}.\n"
        )
    };
    let report = pollster::block_on(async {
        let texts = [
            advice("ERR 2409 PUMP", "pump ERR 2409, ERR and 2409"),
            advice("the dam", "ERR_2409_PUMP"),
            advice("the 2409 PUMP", "PUMP ERR 2409"),
        ];
        let names = ["a.md", "b.md", "c.md"];
        let documents: Vec<(&str, &str)> =
            names.into_iter().zip(texts.iter().map(String::as_str)).collect();
        let corpus = Corpus::of(&documents).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request = json!({"question": "What should one do about ERR_2409_PUMP?"});
        let mut request: ExploreRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let report = run(&ask, request).await.unwrap().reply;
        serde_json::to_value(report).unwrap()
    });
    let first = &facet(&report, "best_practices")["results"][0];
    assert!(first["text"].as_str().unwrap().contains("ERR_2409_PUMP"), "{report}");
    let rankings = first["score_parts"]["rankings"].as_array().unwrap();
    assert!(rankings.iter().any(|ranking| ranking["retriever"] == "exact"), "{first}");
    assert!(first["score"].as_f64().unwrap() <= 1.0, "{first}");
}
