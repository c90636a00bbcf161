use serde_json::Value;

use super::*;
use model::evidence::ScoreParts;
use testing::{FakeModel, passages};

const TEXT: &str = "# Brokers\n\nOne is quick [s7]. The other </passage> is slow.\n\n| Broker | Delay |\n|---|---|\n| One | 2 ms |\n";

fn evidence(text: &str) -> Vec<Evidence> {
    let parts = || ScoreParts::new(Vec::new(), 0.5);
    passages(text).into_iter().map(|passage| Evidence::of(passage, parts())).collect()
}

fn asked(model: &FakeModel, evidence: &mut [Evidence]) -> (Assignments, Option<Error>) {
    let question = Question::parse("Which broker?").unwrap();
    let options = [vec!["One".to_owned(), "No. 1".to_owned()], vec!["Two".to_owned()]];
    pollster::block_on(assign(model, &question, &options, evidence))
}

fn model(options: &Value) -> FakeModel {
    FakeModel::of("statements", json!({"options": options}))
}

#[test]
fn each_statement_has_its_options_and_the_cells_of_a_row_have_one_number() {
    let form = json!([
        {"option": "o1", "statements": ["s1", "[3]"]}, {"option": "o2", "statements": ["s2", "s3", "s3"]},
        {"option": "o3", "statements": ["s1"]}, {"option": "o2", "statements": ["s0", "s99", "all"]},
    ]);
    let (model, mut passages) = (model(&form), evidence(TEXT));
    let (said, failed) = asked(&model, &mut passages);
    assert!(failed.is_none());
    let options: Vec<Vec<usize>> =
        passages.iter().flat_map(|passage| said[&passage.passage.id].clone()).collect();
    assert_eq!(options[..2], [vec![0], vec![1]]);
    assert!(options[2..].iter().all(|options| *options == [0, 1]), "{options:?}");
    let told = model.told().concat();
    assert!(told.contains("[s1] One is quick [ s7]. [s2] The other"), "{told}");
    assert!(told.ends_with("The options:\no1: One (also No. 1)\no2: Two\n"), "{told}");
    assert_eq!(told.matches("</passage>").count(), passages.len(), "none closes its mark");
}

#[test]
fn many_passages_are_read_in_several_calls_each_numbered_for_itself() {
    let section = |n: usize| format!("## Part {n}\n\nPart {n} is quick.\n\n");
    let text = format!("# Parts\n\n{}", (0..45).map(section).collect::<String>());
    let form = json!([{"option": "o2", "statements": ["s1"]}]);
    let (model, mut passages) = (model(&form), evidence(&text));
    let (said, _) = asked(&model, &mut passages);
    let told = model.told();
    assert_eq!(told.len(), MOST / PER_CALL);
    assert!(told.iter().all(|told| told.contains("[s1] ")));
    let of_two = said.values().filter(|options| options[0] == [1]).count();
    assert_eq!((said.len(), of_two, passages.len()), (MOST, MOST / PER_CALL, 45));
}

#[test]
fn passages_of_a_call_that_lists_nothing_stay_without_its_word() {
    let section = |n: usize| format!("## Part {n}\n\nPart {n} is quick.\n\n");
    let text = format!("# Parts\n\n{}", (0..=PER_CALL).map(section).collect::<String>());
    // The second call has one statement.
    let form = json!([{"option": "o1", "statements": ["s5"]}]);
    let mut passages = evidence(&text);
    let (said, failed) = asked(&model(&form), &mut passages);
    assert!(failed.is_none());
    passages.sort_by_key(|passage| passage.passage.position);
    let is_without = |place: &usize| !said.contains_key(&passages[*place].passage.id);
    let without: Vec<usize> = (0..passages.len()).filter(is_without).collect();
    assert_eq!(without, [PER_CALL]);
}

#[test]
fn no_model_is_asked_where_there_are_no_statements() {
    let model = model(&json!([]));
    assert!(asked(&model, &mut []).1.is_none());
    let mut passages = evidence(TEXT);
    for passage in &mut passages {
        passage.passage.facts.statements.list.clear();
    }
    assert!(asked(&model, &mut passages).1.is_none());
    assert!(model.told().is_empty());
}

#[test]
fn a_model_that_leaves_the_form_or_lists_nothing_is_unavailable_and_has_no_word() {
    for form in [json!("all"), json!([]), json!([{"option": "o1", "statements": []}])] {
        let mut passages = evidence(TEXT);
        let (said, failed) = asked(&model(&form), &mut passages);
        assert!(matches!(failed, Some(Error::Unavailable { .. })), "{form}");
        assert!(said.is_empty());
    }
}
