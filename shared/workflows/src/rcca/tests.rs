use super::*;
use model::document::document_id;
use model::facts::Facts;
use ports::Publisher;
use ports::scope::Scope;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};
use uuid::Uuid;

mod away;
mod graded;

const PUMP: &str = "# Pump tripped\n\n## Symptoms\n\nThe pump tripped on vibration.\n\n## Root cause\n\nThe coupling was out of line.\n";
const LOG: &str = "# Disk full\n\n## Symptoms\n\nNo logs arrived any more.\n\n## Root cause\n\nThe retention job was switched off.\n";
const RUNBOOK: &str = "---\ndocument_type: runbook\n---\n# Pump vibration\n\nWhen a pump trips on vibration, measure first.\n";

fn ask(corpus: &[(&str, &str)], request: Value) -> Result<Value> {
    pollster::block_on(async {
        let corpus = Corpus::of(corpus).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let mut request: RccaRequest = serde_json::from_value(request).unwrap();
        request.explain = true;
        let report = run(&ask, request).await?.reply;
        Ok(serde_json::to_value(report).unwrap())
    })
}

#[test]
fn where_nothing_fits_the_report_is_empty_and_says_why() {
    let report = ask(&[], json!({"question": "anything"})).unwrap();
    let empty = json!({
        "abstained": {"reason": "no_evidence", "nearest": []},
        "result_type": "rcca_analysis", "results": [], "causes": [], "to_check": [], "also_read": [], "total_results": 0,
    });
    assert_eq!(report, empty);
    let pump = [("incidents/pump.md", PUMP)];
    let question = "Why does Keycloak vibrate like a pump?";
    let report = ask(&pump, json!({"question": question})).unwrap();
    assert_eq!(report["abstained"]["reason"], "unknown_name");
    assert_eq!(report["abstained"]["unknown"], json!(["Keycloak"]));
    assert_eq!(report["abstained"]["nearest"][0]["file"], "incidents/pump.md");
    assert_eq!((&report["results"], &report["also_read"]), (&json!([]), &json!([])));
    let first = ask(&pump, json!({"question": "RabbitMQ vibrates like a pump?"})).unwrap();
    assert_eq!(first["abstained"]["unknown"], json!(["RabbitMQ"]), "once, also at the beginning");
    let other = json!({"question": question, "queries": ["pump vibration"]});
    assert_eq!(ask(&pump, other).unwrap()["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn words_that_occur_nowhere_do_not_count_beside_a_string_that_is_found() {
    let number = |number: u8| {
        let name = format!("incidents/valve-{number}.md");
        (name, PUMP.replace("pump", "valve").replace("vibration", &format!("E-{number}-fault")))
    };
    let documents: Vec<(String, String)> = (10..50).map(number).collect();
    let corpus: Vec<(&str, &str)> =
        documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let abstained = |question: &str| {
        let report = ask(&corpus, json!({"question": question})).unwrap();
        report["abstained"]["reason"].clone()
    };
    assert_eq!(abstained("wobble and frobnicate after e-zz-fault"), "unknown_words");
    assert_eq!(abstained("wobble and frobnicate after e-17-fault"), Value::Null);
}

#[test]
fn failures_far_below_the_best_are_left_out_unless_so_many_are_wanted() {
    let corpus = [("incidents/pump.md", PUMP), ("incidents/log.md", LOG)];
    let files = |request: Value| -> Vec<Value> {
        let report = ask(&corpus, request).unwrap();
        let results = report["results"].as_array().unwrap();
        results.iter().map(|result| result["passage"]["file"].clone()).collect()
    };
    let question = "The pump tripped on vibration";
    assert_eq!(files(json!({"question": question})), ["incidents/pump.md"]);
    let wanted = files(json!({"question": question, "top_k": 2}));
    assert_eq!(wanted, ["incidents/pump.md", "incidents/log.md"]);
}

#[test]
fn an_entry_of_a_list_has_the_cause_that_its_section_tells() {
    let entry = |(number, broken): (usize, &str)| {
        format!(
            "## Outage of 2024-09-{number}\n\nThe {broken} of the mill stood still.\n\n### Root cause\n\nThe belt of the {broken} tore.\n\n"
        )
    };
    let parts =
        ["saw", "crane", "kiln", "press", "lathe", "fan", "hoist", "drum", "mixer", "sieve"];
    let list: String = (10..).zip(parts).map(entry).collect();
    let corpus = [("incidents/all.md", format!("# Outages\n\n{list}"))];
    let corpus = corpus.each_ref().map(|(name, text)| (*name, text.as_str()));
    for part in ["kiln", "sieve"] {
        let question = format!("The {part} of the mill stood still");
        let report = ask(&corpus, json!({"question": question})).unwrap();
        let cause = &report["results"][0]["report"]["root_cause"]["text"];
        assert_eq!(*cause, format!("The belt of the {part} tore."), "{report}");
    }
}

#[test]
fn what_is_like_an_example_comes_first_and_the_example_is_not_shown() {
    let report = |title: &str, cause: &str| {
        format!("---\ndocument_type: postmortem\n---\n# {title}\n\n## Root cause\n\n{cause}\n")
    };
    let held = report("Pump P-1 failed", "The seal of the pump wore out and it ran dry.");
    let kind = report("Pump P-2 failed", "The seal of the pump wore out as it ran dry.");
    let other = report("Invoice run failed", "The exchange rate of the day was missing.");
    let corpus = [("a.md", held.as_str()), ("b.md", kind.as_str()), ("c.md", other.as_str())];
    let id = |name: &str| document_id(&Scope::Global, name);
    let names = |request: Value| {
        let report = ask(&corpus, request).unwrap();
        let results = report["results"].as_array().unwrap().iter();
        results
            .map(|result| result["passage"]["file"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let asked = |like: &[Uuid], unlike: &[Uuid]| {
        names(json!({"question": "What failed?", "like": like, "unlike": unlike, "top_k": 5}))
    };
    assert_eq!(asked(&[id("a.md")], &[]), ["b.md", "c.md"]);
    assert_eq!(asked(&[id("c.md")], &[id("b.md")]), ["a.md"]);
    let refused = |request: Value| ask(&corpus, request).unwrap_err().to_string();
    let unknown = refused(json!({"question": "What failed?", "like": [Uuid::nil()]}));
    assert!(unknown.contains("`like[0]`"), "{unknown}");
    let both =
        refused(json!({"question": "What failed?", "like": [id("a.md")], "unlike": [id("a.md")]}));
    assert!(both.contains("`unlike[0]`"), "{both}");
}

#[test]
fn a_failure_is_told_in_its_reports_own_words_with_their_place() {
    let corpus = [("incidents/pump.md", PUMP), ("incidents/log.md", LOG)];
    let report = ask(&corpus, json!({"question": "pump trips on vibration", "top_k": 1})).unwrap();
    insta::assert_json_snapshot!(report["results"][0]["report"], @r#"
    {
      "root_cause": {
        "line": 9,
        "section": "Root cause",
        "text": "The coupling was out of line."
      },
      "symptoms": [
        {
          "line": 5,
          "section": "Symptoms",
          "text": "The pump tripped on vibration."
        }
      ]
    }
    "#);
    assert_eq!(report["results"][0]["passage"]["section"], "Symptoms");
    assert_eq!(report["causes"][0]["results"][0], report["results"][0]["passage"]);
}

#[test]
fn what_was_checked_then_is_told_unless_the_question_mentions_it() {
    let checked = PUMP.replace(
        "## Root cause",
        "## Investigation\n\nWe checked the alignment of the coupling. We measured the vibration at the pump's bearings.\n\n## Root cause",
    );
    let corpus = [("incidents/pump.md", checked.as_str())];
    let of = |question: &str| {
        let report = ask(&corpus, json!({ "question": question })).unwrap();
        let result = report["results"][0]["passage"].clone();
        let checks = report["to_check"].as_array().unwrap().iter();
        checks
            .map(|check| {
                assert_eq!(check["result"], result);
                check["text"].as_str().unwrap().to_owned()
            })
            .collect::<Vec<_>>()
    };
    let alignment = "We checked the alignment of the coupling.";
    assert_eq!(of("The pump trips; vibration measured at its bearings is high"), [alignment]);
    assert!(of("The pump trips").contains(&alignment.to_owned()));
}

#[test]
fn a_report_on_a_failure_stands_apart_from_what_only_speaks_of_it() {
    let corpus = [("runbooks/pump.md", RUNBOOK), ("incidents/pump.md", PUMP)];
    let report = ask(&corpus, json!({"question": "pump trips on vibration"})).unwrap();
    assert_eq!(report["total_results"], 1);
    assert_eq!(report["also_read"][0]["passage"]["file"], "runbooks/pump.md");
    let first = &report["results"][0];
    assert_eq!(first["passage"]["file"], "incidents/pump.md");
    let rankings = first["score_parts"]["rankings"].as_array().unwrap();
    assert!(
        rankings.iter().any(|ranking| ranking["of"] == "failure_report" && ranking["rank"] == 1)
    );
}

#[test]
fn a_report_in_a_language_without_lexicons_is_found_and_its_fields_stay_empty_with_the_reason() {
    let german = "# Pumpe ausgefallen\n\n## Ursache\n\nDie Dichtung der Pumpe war verschlissen, und sie ist nach dem \
        Start ausgefallen.\n";
    let corpus = [("incidents/pumpe.md", german)];
    let asked = json!({"question": "Warum ist die Pumpe nach dem Start ausgefallen?"});
    let report = ask(&corpus, asked).unwrap();
    assert_eq!(report["also_read"][0]["passage"]["file"], "incidents/pumpe.md");
    assert_eq!(report["results"], json!([]));
    let words = report["also_read"][0]["matched"]["text"].as_str().unwrap();
    assert!(words.starts_with("Die Dichtung der Pumpe war verschlissen"), "{report}");
}

#[test]
fn what_is_strongly_like_the_question_shows_its_words_before_an_unlike_failure() {
    let corpus = [("pump.md", PUMP), ("runbook.md", RUNBOOK)];
    let corpus = pollster::block_on(Corpus::of(&corpus));
    let passages = corpus.index.held().into_iter().map(|point| point.passage);
    let mut passages: Vec<Passage> = passages.filter(|passage| !passage.text.is_empty()).collect();
    passages.sort_by(|a, b| a.name.cmp(&b.name));
    let is_led = |failure: Strength, other: Strength| {
        let evidence = passages.iter().map(|passage| {
            let is_report = passage.name == "pump.md";
            let report = is_report.then(FailureReport::default);
            let mut found = Evidence::of(passage.clone(), ScoreParts::new(Vec::new(), 0.5));
            found.facts = Facts { report, ..Facts::default() };
            found.parts.strength = Some(if is_report { failure } else { other });
            found
        });
        let question = Question::parse("Why does the pump trip on vibration?").unwrap();
        let asked = Asked::of(question, ports::scope::Grant::unchecked(&[Scope::Global]));
        report(evidence.collect(), &asked).also_read.iter().any(|read| read.matched.is_some())
    };
    assert!(is_led(Strength::Fair, Strength::Strong));
    assert!(!is_led(Strength::Strong, Strength::Strong) && !is_led(Strength::Weak, Strength::Fair));
}

#[test]
fn filters_hold_in_every_result() {
    let corpus = [("runbooks/pump.md", RUNBOOK), ("incidents/pump.md", PUMP)];
    let filtered = json!({"question": "pump vibration", "filters": {"document_type": "runbook"}});
    let report = ask(&corpus, filtered).unwrap();
    assert_eq!(report["also_read"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["also_read"][0]["passage"]["file"], "runbooks/pump.md");
}

#[test]
fn of_a_list_of_many_failures_the_entry_is_shown_and_the_cause_of_none() {
    let entry = |thing: &str| {
        format!(
            "[{thing}](https://mills.example/{thing}). The cause was that the {thing} tore on 2026-05-03, and we replaced it.\n\n"
        )
    };
    let things = [
        "belt", "rope", "sieve", "chute", "hoist", "screw", "crane", "axle", "gate", "lamp", "pump",
    ];
    let list: String = things.map(entry).concat();
    let text = format!("---\ndocument_type: postmortem\n---\n# Mills\n\n{list}");
    let report = ask(&[("mills.md", &text)], json!({"question": "The hoist tore"})).unwrap();
    let result = &report["results"][0];
    assert!(result["matched"]["text"].as_str().unwrap().contains("hoist tore"), "{result}");
    assert_eq!((&result["report"]["root_cause"], &report["causes"]), (&Value::Null, &json!([])));
}

#[test]
fn a_report_whose_summary_is_found_best_is_shown_by_its_first_passage() {
    pollster::block_on(async {
        let section = |number: usize| {
            let sentence = format!("The valve of hall {number} was stuck, its spring was broken. ");
            format!("## Hall {number}\n\n{}\n\n", sentence.repeat(15))
        };
        let text: String = (0..80).map(section).collect();
        let corpus = Corpus::of(&[("incidents/valve.md", &text)]).await;
        let held = corpus.index.held();
        let summary = held.iter().find(|h| h.passage.is_summary()).unwrap();
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let question: String = summary.passage.text.chars().take(1_900).collect();
        let request = serde_json::from_value(json!({"question": question})).unwrap();
        let answer = run(&ask, request).await.unwrap();
        assert_eq!(answer.reply.report.results.len(), 1);
        assert!(answer.reply.report.results[0].passage.lines.is_some());
    });
}
