use super::*;
use ports::Span;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};

const LESSONS: &str = "# Cutover of the pump controller\n\n## Lessons learned\n\nThe cutover of the pump controller took twice as long as planned. \
    Next time, rehearse the cutover on the spare controller first.\n";
const CHECKLIST: &str = "# Controller cutover checklist\n\n- [ ] Tell the operators of the controller cutover\n- [ ] Back up the controller settings\n\
    - [ ] Run the cutover on the spare controller\n- [ ] Compare readings\n";
const ADR: &str = "---\ndocument_type: decision\n---\n# Controller cutover in one night\n\n## Decision\n\nWe decided to do the controller cutover in one night \
    and not line by line, because two controllers must not run at once.\n";

fn ask(context: &FakeContext, corpus: &Corpus, body: Value) -> Result<Value> {
    pollster::block_on(async {
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request = serde_json::from_value(body).unwrap();
        let answer = run(&ask, &context.projects, request).await?.reply;
        Ok(serde_json::to_value(answer).unwrap())
    })
}

fn planned() -> (FakeContext, Corpus, String) {
    pollster::block_on(async {
        let documents = [("lessons.md", LESSONS), ("checklist.md", CHECKLIST), ("adr.md", ADR)];
        let (mut context, corpus) = (FakeContext::default(), Corpus::of(&documents).await);
        let project = context.project(&corpus, json!({"name": "Pump station"})).await;
        (context, corpus, project)
    })
}

#[test]
fn passages_stand_under_what_they_give_and_decisions_come_with_their_line() {
    let (mut context, corpus, project) = planned();
    let (old, new) = pollster::block_on(async {
        let old =
            json!({"decision": "Controller cutover line by line", "rationale": "It seems safer."});
        let old = context.decide(&corpus, &project, old).await.unwrap().decision.decision_id;
        let new = json!({"decision": "Controller cutover in one night", "rationale": "Two must not run at once.", "supersedes": old});
        (old, context.decide(&corpus, &project, new).await.unwrap().decision.decision_id)
    });
    context.tick();
    let body = json!({"question": "We plan the controller cutover: what was decided?", "project_id": project});
    let report = ask(&context, &corpus, body).unwrap();
    let placed = [
        ("templates", "checklist.md"),
        ("lessons_learned", "lessons.md"),
        ("precedents", "adr.md"),
    ];
    for (heading, name) in placed {
        assert_eq!(report[heading][0]["passage"]["file"], name, "{heading}: {report}");
    }
    assert_eq!(report["gaps"], json!([{"facet": "risks"}]));
    let decisions = report["project_decisions"].as_array().unwrap();
    let status = |id: &str| {
        decisions.iter().find(|decision| decision["decision_id"] == id).unwrap()["status"].clone()
    };
    assert_eq!((status(&old), status(&new)), (json!("superseded"), json!("accepted")));
    for decision in decisions {
        let line = decision["line"].as_array().unwrap().iter();
        assert_eq!(line.map(|line| &line["decision_id"]).collect::<Vec<_>>(), [&old, &new]);
    }
}

#[test]
fn the_question_is_in_the_trail_with_what_it_found() {
    let (context, corpus, project) = planned();
    let body = json!({"question": "controller cutover", "project_id": project});
    let report = ask(&context, &corpus, body).unwrap();
    let span = Span::default();
    let noted = pollster::block_on(context.projects.questions(&project, &span, 10)).unwrap();
    assert_eq!((noted.len(), noted[0].workflow.as_str()), (1, "plan"));
    let headings = ["templates", "risks", "lessons_learned", "precedents"];
    let entries = headings.iter().flat_map(|heading| report[*heading].as_array().unwrap());
    let chunk_ids: Vec<&Value> = entries.map(|entry| &entry["passage"]["passage_id"]).collect();
    assert_eq!(noted[0].results.len(), chunk_ids.len());
    assert!(noted[0].results.iter().all(|result| chunk_ids.contains(&&json!(result.passage_id))));
}

#[test]
fn a_stranger_learns_nothing_not_even_that_there_is_such_a_project() {
    let (mut context, corpus, project) = planned();
    context.caller.sub = "bob".into();
    for id in [project.as_str(), "01M7X8K2Y70CHH266W3WH99QFZ", "no id", ""] {
        let refused = ask(&context, &corpus, json!({"question": "cutover", "project_id": id}));
        assert_eq!(refused.unwrap_err().to_string(), format!("no project named `{id}`"));
    }
}

#[test]
fn a_plan_of_which_nothing_is_known_is_told_so_and_a_decision_of_the_project_is_something() {
    let (mut context, corpus, project) = planned();
    let body = json!({"question": "Harvest of asparagus", "project_id": project});
    let nothing = ask(&context, &corpus, body.clone()).unwrap();
    assert_eq!(nothing["abstained"]["reason"], "not_relevant", "{nothing}");
    assert_eq!(nothing["abstained"]["nearest"].as_array().unwrap().len(), 3);
    assert_eq!(nothing["gaps"].as_array().unwrap().len(), 4);
    pollster::block_on(async {
        let decision =
            json!({"decision": "Harvest of asparagus in May", "rationale": "It is ripe then."});
        context.decide(&corpus, &project, decision).await.unwrap();
    });
    context.tick();
    let decided = ask(&context, &corpus, body).unwrap();
    assert_eq!(decided["abstained"], Value::Null, "{decided}");
    assert_eq!(decided["project_decisions"].as_array().unwrap().len(), 1);
}
