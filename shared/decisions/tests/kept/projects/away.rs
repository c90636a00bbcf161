//! Decisions that are saved while a service does not answer.

use async_trait::async_trait;
use jiff::SignedDuration;
use wire::answer::Support;

use super::service::Moody;
use super::*;
use model::document::Passage;
use ports::scope::Scope;
use ports::{Embedder, Keeping, KeptAnswer, Pending, Purpose, Task};

/// An embedding model that does not answer.
struct Silent;

#[async_trait]
impl Embedder for Silent {
    fn space(&self) -> String {
        testing::FakeEmbedder.space()
    }

    async fn embed(&self, _texts: &[String], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        Err(Error::unavailable("the embedding model", "silent"))
    }
}

impl Site {
    /// Saves a decision while one or both services do not answer.
    fn decide_without(&mut self, index: bool, new: &Value) -> Result<Partial<DecisionReply>> {
        self.context.tick();
        let moody = Moody::away(&self.corpus.index);
        let once = Once { route: "POST x", key: None, body: b"" };
        let context =
            ProjectContext { embedder: &Silent, ..self.context.project_context(&self.corpus) };
        let context = if index {
            context
        } else {
            ProjectContext { index: &moody, publisher: &moody, ..context }
        };
        let new = serde_json::from_value(new.clone()).unwrap();
        pollster::block_on(decide(&context, &self.project, &once, new))
    }

    /// Does the waiting tasks and returns their number.
    fn catch_up(&self) -> usize {
        let tasks = self.corpus.tasks.take();
        for task in &tasks {
            let Task::Decision { project_id, decision_id } = task else { continue };
            let project_context = self.context.project_context(&self.corpus);
            pollster::block_on(catch_up(&project_context.indexer(), project_id, decision_id))
                .unwrap();
        }
        tasks.len()
    }

    fn pending(&self, decision: &str) -> Option<Pending> {
        pollster::block_on(self.context.projects.pending(&self.project, decision)).unwrap()
    }

    /// Stores an answer in `scope` that cites a passage, and returns its id.
    fn keep(&self, scope: Scope, passage: &Passage) -> String {
        let quote = passage.text.split(". ").next().unwrap_or_default();
        let body = json!({
            "result_type": "answer", "knowledge": scope.to_string(), "answer": "", "claims": [], "sources_line": "",
            "support": Support::default(), "read": [],
            "citations": [{
                "id": "c1", "display": "seal.md", "passage": model::evidence::Place::of(passage), "quote": quote, "hash": passage.hash(),
            }],
        });
        let now = self.context.stamp.time;
        let answer = KeptAnswer {
            answer_id: self.context.stamp.id.clone(),
            scope,
            mode: "extractive".into(),
            corpus: 0,
            body: body.to_string(),
            expires_at: now + SignedDuration::from_hours(24),
        };
        let id = answer.answer_id.clone();
        let vectors = Vec::new();
        let documents = std::collections::BTreeMap::new();
        let keeping =
            Keeping { answer, documents, cache: None, made_at: now, vectors, vectors_until: now };
        let answers: &dyn ports::Answers = &self.corpus.answers;
        pollster::block_on(answers.keep(&keeping)).unwrap();
        id
    }
}

fn resting_on(passage: &Passage, answers: &[String]) -> Value {
    let mut new = seal();
    new["sources"] = json!([{"passage_id": passage.id, "relevance": 1}]);
    new["answers"] = json!(answers);
    new
}

#[test]
fn a_decision_is_saved_without_the_embedding_model_and_found_once_that_answers() {
    let mut site = Site::new();
    let reply = site.decide_without(true, &seal()).unwrap();
    assert_eq!(reply.degraded.len(), 1);
    assert_eq!(reply.degraded[0].part, "related decisions");
    let id = reply.reply.decided.decision.decision_id;
    assert_eq!((site.count(), site.related("Use carbon seals")), (1, Vec::new()));
    assert_eq!(
        site.pending(&id).map(|pending| pending.change),
        Some(site.context.stamp.id.clone())
    );
    assert_eq!(site.catch_up(), 1);
    assert_eq!(site.related("Use carbon seals").len(), 1);
    assert_eq!(site.pending(&id), None, "nothing is left to do");
    let saved = site.decide(json!({"decision": "Buy pumps", "rationale": "Two."})).unwrap();
    assert_eq!(site.pending(&saved.decision.decision_id), None, "nor where all services answer");
    assert_eq!(site.catch_up(), 0);
}

#[test]
fn without_the_index_a_decision_quotes_the_answers_that_cite_its_sources() {
    let mut site = Site::new();
    let passage = site.passages().swap_remove(0);
    let answer = site.keep(Scope::Global, &passage);
    let reply = site.decide_without(false, &resting_on(&passage, &[answer])).unwrap();
    let parts: Vec<&str> = reply.degraded.iter().map(|r| &*r.part).collect();
    assert_eq!(parts, ["related decisions", "evidence watch"]);
    let source = &reply.reply.decided.sources[0];
    assert!(passage.text.contains(&source.quote) && source.hash == passage.hash(), "{source:?}");
    assert!(source.is_excerpt, "its hash is that of the whole passage");
    assert_eq!(site.catch_up(), 1);
    assert_eq!(site.related("Use carbon seals").len(), 1);
    assert!(site.trail(None).unwrap().needs_review.is_empty(), "its passage is still there");
}

#[test]
fn what_a_decision_of_that_time_rests_on_is_looked_at_when_the_index_is_back() {
    let mut site = Site::new();
    let passage = site.passages().swap_remove(0);
    let answer = site.keep(Scope::Global, &passage);
    site.decide_without(false, &resting_on(&passage, &[answer])).unwrap();
    let publisher: &dyn Publisher = &site.corpus.index;
    let gone = publisher.delete_up_to(&Scope::Global, passage.document_id, "01Z", &[]);
    pollster::block_on(gone).unwrap();
    site.catch_up();
    let needs_review = site.trail(None).unwrap().needs_review;
    assert_eq!(needs_review[0].decision.needs_review[0].passage_id, passage.id);
}

#[test]
fn without_the_index_what_stands_in_no_answer_is_not_quoted() {
    let mut site = Site::new();
    let mut passages = site.passages();
    let (passage, other) = (passages.swap_remove(0), passages.swap_remove(0));
    let answer = site.keep(Scope::Global, &passage);
    for answers in [vec![], vec![answer]] {
        let refused = site.decide_without(false, &resting_on(&other, &answers)).unwrap_err();
        assert!(matches!(refused, Error::Unavailable { .. }), "{refused}");
        assert!(refused.to_string().contains("no answer in `answers` cites"), "{refused}");
    }
    site.context.tick();
    let team = site.keep(Scope::Team("sealers".into()), &passage);
    let refused = site.decide_without(false, &resting_on(&passage, &[team])).unwrap_err();
    assert!(refused.to_string().contains("`answers[0]`"), "{refused}");
    assert_eq!(site.count(), 0, "nothing of it is saved");
}

#[test]
fn a_move_looks_at_what_a_decision_of_that_time_rests_on() {
    let mut site = Site::new();
    let passage = site.passages().swap_remove(0);
    let answer = site.keep(Scope::Global, &passage);
    let mut proposal = resting_on(&passage, &[answer]);
    proposal["status"] = json!("proposed");
    let decision_id =
        site.decide_without(false, &proposal).unwrap().reply.decided.decision.decision_id;
    let publisher: &dyn Publisher = &site.corpus.index;
    pollster::block_on(publisher.delete_up_to(&Scope::Global, passage.document_id, "01Z", &[]))
        .unwrap();
    site.move_decision(&decision_id, json!({"to": "accepted", "version": 1})).unwrap();
    assert_eq!(site.trail(None).unwrap().needs_review.len(), 1);
    assert_eq!(site.pending(&decision_id), None);
    site.move_decision(&decision_id, json!({"to": "accepted", "version": 3})).unwrap();
    assert_eq!(site.catch_up(), 1);
    assert!(site.trail(None).unwrap().needs_review.is_empty(), "who confirms it has seen it");
}

#[test]
fn a_passage_that_a_later_version_has_too_is_still_there() {
    let mut site = Site::new();
    let passage = site.passages().swap_remove(0);
    let answer = site.keep(Scope::Global, &passage);
    site.decide_without(false, &resting_on(&passage, &[answer])).unwrap();
    let longer = format!("{REPORT}\n## Noise\n\nIt is quiet.\n");
    let upload = pollster::block_on(site.corpus.announce("seal.md", "01B", longer.as_bytes()));
    pollster::block_on(site.corpus.ingest(&upload)).unwrap();
    assert!(site.passages().iter().all(|later| later.id != passage.id), "by another id");
    site.catch_up();
    assert!(site.trail(None).unwrap().needs_review.is_empty());
}
