use async_trait::async_trait;
use serde_json::{Value, json};
use wire::trade::TradeRequest;

use super::*;
use ask::Ask;
use ports::{Completion, Prompt};
use testing::{Corpus, FakeContext, FakeEmbedder, FakeTrials, caller, passages};
use workflows::{explore, trade};

/// A model that gets all items right: it knows the answers.
struct Knowing;

/// A model that always gives the same reply.
struct Stubborn(Result<Value, &'static str>);

fn completion(content: Value) -> Completion {
    Completion { content, tokens_in: 7, tokens_out: 3 }
}

#[async_trait]
impl Model for Stubborn {
    async fn complete(&self, _: &Prompt<'_>) -> Result<Completion> {
        let said = self.0.clone().map_err(|cause| Error::unavailable("the language model", cause));
        said.map(completion)
    }
}

#[async_trait]
impl Model for Knowing {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        let asked = prompt.user;
        let find = || item::find().iter().find(|find| asked.contains(&find.question)).unwrap();
        let id = |place: usize| format!("p{}", place + 1);
        Ok(completion(match prompt.part.unwrap() {
            ModelPart::Queries => json!({"queries": [find().passages()[find().right]]}),
            ModelPart::Grade => json!({id(find().right): 3}),
            ModelPart::Write => {
                let (text, id) = (find().passages()[find().right], find().right + 1);
                json!({"claims": [{"text": text, "citations": [format!("p{id}")]}]})
            }
            ModelPart::Check => {
                let claim = item::check().iter().find(|item| asked.contains(&item.claim)).unwrap();
                json!({"c1": u8::from(claim.stands)})
            }
            ModelPart::Sort => {
                let items = item::sort().iter().flat_map(|call| &call.items);
                let mut shown: Vec<_> = items.filter(|item| asked.contains(&item.text)).collect();
                shown.sort_by_key(|item| asked.find(&item.text));
                let facets = workflows::explore::facets();
                let facet = |item: &item::Served| {
                    facets.iter().position(|(name, _)| *name == item.facet).map_or(0, |at| at + 1)
                };
                let grades =
                    shown.iter().enumerate().map(|(at, item)| (id(at), json!([facet(item)])));
                grades.collect()
            }
            ModelPart::Assign => {
                let all = item::assign();
                let document = all.iter().find(|d| asked.contains(&d.question)).unwrap();
                let of = |option: usize| {
                    let about = |(_, about): &&(String, Vec<usize>)| about.contains(&option);
                    let numbered = document.sentences.iter().enumerate();
                    let of = numbered.filter(|(_, sentence)| about(sentence));
                    let numbers = of.map(|(at, _)| format!("s{}", at + 1)).collect::<Value>();
                    json!({"option": format!("o{}", option + 1), "statements": numbers})
                };
                json!({"options": (0..document.options.len()).map(of).collect::<Value>()})
            }
        }))
    }
}

fn tried(part: ModelPart, model: &dyn Model) -> PartTrial {
    let now = "2026-11-26T20:00:00Z".parse().unwrap();
    pollster::block_on(run(part, model, now))
}

#[test]
fn whoever_knows_the_answers_gets_all_twenty_items_of_each_part_right() {
    for part in ModelPart::ALL {
        let PartTrial { items, right, rules, forms, serves, failure, .. } = tried(part, &Knowing);
        assert_eq!((items, right, failure), (20, 20, None), "{part:?}");
        assert!(serves && forms.0 == forms.1, "{part:?}");
        assert!((5..=15).contains(&rules), "the rules get about half right: {part:?}, {rules}");
    }
}

#[test]
fn a_model_that_fails_or_says_one_thing_to_all_serves_nothing() {
    let all = json!({
        "p1": 1, "p2": 1, "p3": 1, "p4": 1, "c1": 1, "queries": [], "claims": [], "options": [],
    });
    for said in [Err("slow"), Ok(json!("Certainly!")), Ok(json!({})), Ok(all)] {
        for part in ModelPart::ALL {
            let trial = tried(part, &Stubborn(said.clone()));
            assert!(!trial.serves && trial.right <= trial.rules, "{said:?}: {trial:?}");
        }
    }
    for part in ModelPart::ALL {
        let silent = tried(part, &Stubborn(Err("401 from the server")));
        assert_eq!(silent.forms.0, 0, "each item asks the model: {silent:?}");
        assert_eq!(silent.failure.as_deref(), Some("401 from the server"));
    }
}

#[test]
fn the_rules_put_so_many_passages_under_their_facet_as_the_file_says() {
    let facets = explore::facets();
    let names: Vec<&str> = facets.iter().map(|(name, _)| name.as_str()).collect();
    for call in item::sort() {
        let right = call.items.iter().filter(|item| {
            assert!(
                item.facet.is_empty() || names.contains(&item.facet.as_str()),
                "{}",
                item.facet
            );
            let served =
                explore::served_by_rules(&call.subject, passages(&item.text).swap_remove(0));
            sort::is_right(&names, &item.facet, &served)
        });
        assert_eq!(right.count(), call.rules as usize, "{}", call.items[0].text);
    }
}

/// Returns the sentences that the rules put under each option.
async fn by_rules(assign: &item::Assign) -> Vec<Vec<String>> {
    let sentences: Vec<&str> = assign.sentences.iter().map(|(text, _)| text.as_str()).collect();
    let text = sentences.join(" ");
    let corpus = Corpus::of(&[("notes.md", &text)]).await;
    let context = FakeContext::default();
    let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
    let request = json!({"question": assign.question, "alternatives": assign.options});
    let request: TradeRequest = serde_json::from_value(request).unwrap();
    let answer = trade::run(&ask, request).await.unwrap();
    let report = serde_json::to_value(answer.reply).unwrap();
    let pieces = |place: usize| {
        let pieces = report["alternatives"][place]["criteria"].as_array().into_iter().flatten();
        pieces.filter_map(|piece| piece["evidence"].as_str().map(str::to_owned)).collect()
    };
    (0..assign.options.len()).map(pieces).collect()
}

#[test]
fn the_rules_put_so_many_sentences_under_their_options_as_the_file_says() {
    for assign in item::assign() {
        let given = pollster::block_on(by_rules(assign));
        let right = assign.sentences.iter().filter(|(text, about)| {
            let places = (0..given.len()).filter(|place| given[*place].contains(text));
            places.collect::<Vec<_>>() == *about
        });
        assert_eq!(right.count(), assign.rules as usize, "{}: {given:?}", assign.question);
    }
}

/// Returns services that store trials in memory.
fn services<'a>(trials: &'a FakeTrials, corpus: &'a Corpus) -> Services<'a> {
    Services { trials, tasks: &corpus.tasks, model: Some("m") }
}

fn task(parts: &[ModelPart]) -> Vec<Task> {
    vec![Task::Trial { parts: parts.into() }]
}

#[test]
fn what_was_never_tried_or_never_answered_is_tried_by_itself_one_trial_at_a_time() {
    let (trials, corpus) = (FakeTrials::default(), Corpus::default());
    let (services, silent) = (services(&trials, &corpus), Stubborn(Err("slow")));
    let now: Timestamp = "2026-11-26T20:00:00Z".parse().unwrap();
    let others = ModelPart::ALL.into_iter().filter(|part| *part != ModelPart::Grade);
    let others: Vec<ModelPart> = others.collect();
    pollster::block_on(async {
        carry_out(&trials, ModelPart::Grade, &Knowing, "m", now).await.unwrap();
        carry_out(&trials, ModelPart::Check, &silent, "m", now).await.unwrap();
        begin_where_untried(&services, now).await.unwrap();
        assert_eq!(corpus.tasks.take(), task(&others));
        begin_where_untried(&services, now).await.unwrap();
        assert!(corpus.tasks.take().is_empty(), "one is under way");
        begin_where_untried(&services, now + LOST).await.unwrap();
        assert_eq!(corpus.tasks.take(), task(&others), "it was lost");
        let without = Services { model: None, ..services };
        begin_where_untried(&without, now + LOST + LOST).await.unwrap();
        assert!(corpus.tasks.take().is_empty());
    });
}

#[test]
fn an_administrator_begins_a_trial_of_all_parts_or_learns_of_the_one_under_way() {
    let (trials, corpus) = (FakeTrials::default(), Corpus::default());
    let services = services(&trials, &corpus);
    let now: Timestamp = "2026-11-26T20:00:00Z".parse().unwrap();
    let later = now + SignedDuration::from_mins(2);
    let mut admin = caller("bob");
    admin.groups.push(admin.admin_group.clone());
    pollster::block_on(async {
        let stranger = begin(&services, &caller("ann"), now).await;
        assert!(matches!(stranger, Err(Error::Denied { .. })));
        let first = begin(&services, &admin, now).await.unwrap();
        assert_eq!((first.parts, first.begins_at), (ModelPart::ALL.to_vec(), now));
        assert_eq!(corpus.tasks.take(), task(&ModelPart::ALL));
        carry_out(&trials, ModelPart::Queries, &Knowing, "m", now).await.unwrap();
        let second = begin(&services, &admin, later).await.unwrap();
        assert_eq!((second.parts.as_slice(), second.begins_at), (&ModelPart::ALL[1..], now));
        assert!(corpus.tasks.take().is_empty(), "one is under way");
        for part in ModelPart::ALL {
            carry_out(&trials, part, &Knowing, "m", later).await.unwrap();
        }
        assert_eq!(begin(&services, &admin, later).await.unwrap().begins_at, later);
        assert_eq!(corpus.tasks.take(), task(&ModelPart::ALL), "the last one ended");
        let without = Services { model: None, ..services };
        assert!(matches!(begin(&without, &admin, later).await, Err(Error::Missing { .. })));
    });
}

#[test]
fn a_model_does_what_it_was_better_at_and_nothing_that_was_not_tried() {
    let (trials, now) = (FakeTrials::default(), "2026-11-26T20:00:00Z".parse().unwrap());
    let silent = Stubborn(Err("slow"));
    pollster::block_on(async {
        assert_eq!(parts(&trials, "m").await.unwrap(), []);
        carry_out(&trials, ModelPart::Grade, &Knowing, "m", now).await.unwrap();
        carry_out(&trials, ModelPart::Check, &silent, "m", now).await.unwrap();
        assert_eq!(parts(&trials, "m").await.unwrap(), [ModelPart::Grade]);
        assert_eq!(parts(&trials, "n").await.unwrap(), [], "another model");
        carry_out(&trials, ModelPart::Grade, &silent, "m", now).await.unwrap();
        assert_eq!(parts(&trials, "m").await.unwrap(), [], "the last trial counts");
    });
}
