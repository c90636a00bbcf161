use std::sync::Mutex;

use async_trait::async_trait;
use serde_json::json;

use corpus::ingest::{self, Outcome, Services};
use model::{Error, Result};
use ports::scope::Scope;
use ports::{Completion, Documents, Indexing, Live, Model, ModelReading, Prompt};
use testing::{Corpus, INDEXING};

const NOTE: &str = "# Pump\n\nOn Tuesday the pump hummed and no water came. The impeller had come loose from its shaft.\n\n\
    ## Afterwards\n\nWe will check the key twice a year.\n";

/// A model that fills in this form, or fails without one.
struct FormModel(Option<serde_json::Value>, Mutex<String>);

#[async_trait]
impl Model for FormModel {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        prompt.user.clone_into(&mut self.1.lock().unwrap());
        let content = self.0.clone();
        let content = content.ok_or_else(|| Error::unavailable("the language model", "busy"))?;
        Ok(Completion { content, tokens_in: 700, tokens_out: 90 })
    }
}

fn reads() -> Indexing {
    Indexing { read_model: "nova".into(), ..INDEXING.clone() }
}

/// Ingests the note with a model that fills in this form.
fn ingested(form: Option<serde_json::Value>) -> (Corpus, Live) {
    ingested_of(NOTE, form)
}

fn ingested_of(text: &str, form: Option<serde_json::Value>) -> (Corpus, Live) {
    let (corpus, model) = (Corpus::default(), FormModel(form, Mutex::default()));
    let live = pollster::block_on(async {
        let upload = corpus.announce("note.md", "01A", text.as_bytes()).await;
        let indexing = &reads();
        let services = corpus.services(&corpus.documents, &corpus.index);
        let services = Services { model: Some(&model), indexing, ..services };
        let outcome = ingest::run(&services, &upload).await.unwrap();
        assert!(matches!(outcome, Outcome::Indexed { .. }));
        let record = corpus.documents.document(&Scope::Global, upload.document_id).await;
        record.unwrap().unwrap().live.unwrap()
    });
    assert!(model.1.lock().unwrap().contains("<passage id=\"p1\""));
    (corpus, live)
}

fn quote(passage: &str, quote: &str) -> serde_json::Value {
    json!({"passage": passage, "quote": quote})
}

#[test]
fn spans_that_stand_there_are_facts_and_others_are_dropped_and_counted() {
    let form = json!({
        "report": {
            "symptoms": [quote("p1", "On Tuesday the pump hummed and no water came."), quote("p1", "The motor burned.")],
            "root_cause": quote("p2", "The impeller had come loose from its shaft."),
            "timeline": [{"time": "On Tuesday", "passage": "p1", "quote": "On Tuesday the pump hummed and no water came."},
                {"time": "09:30", "passage": "p1", "quote": "The impeller had come loose from its shaft."}],
            "actions": [quote("p2", "We will check the key twice a year.")],
        },
        "questions": ["Why does a pump hum without pumping?", " "],
    });
    let (corpus, live) = ingested(Some(form));
    let reading = live.model_reading.unwrap();
    let expected = ModelReading {
        model: "nova".into(),
        kept: 5,
        dropped: 1,
        questions: 1,
        tokens_in: 700,
        tokens_out: 90,
        failure: None,
    };
    assert_eq!(reading, expected);
    let held = corpus.index.held();
    let report = held.iter().find_map(|h| h.passage.facts.report.clone()).unwrap();
    assert_eq!(report.symptoms.len(), 1);
    let cause = report.root_cause.unwrap();
    let passage = held.iter().find(|h| h.passage.text.contains(&cause.text)).unwrap();
    assert_eq!(passage.passage.text.find(&cause.text).unwrap(), cause.start as usize);
    assert_eq!(report.timeline.len(), 1, "a time that stands nowhere is no event");
    assert!(live.indexing.covers(&reads()));
}

#[test]
fn questions_lead_to_the_document_and_are_never_shown() {
    let (corpus, live) = ingested(Some(json!({"questions": ["Why does a pump hum?"]})));
    let held = corpus.index.held();
    let question = held.iter().find(|h| h.meaning == "Why does a pump hum?").unwrap();
    assert_eq!(question.passage.text, "");
    assert_eq!(question.kind, model::evidence::PointKind::Document);
    assert_eq!(
        live.passages as usize,
        held.len() - 2,
        "the document and the question are no passages"
    );
}

#[test]
fn a_model_that_fails_leaves_the_rules_reading_and_is_asked_again_by_a_reindex() {
    let (corpus, live) = ingested(None);
    let reading = live.model_reading.unwrap();
    assert_eq!(reading.failure.as_deref(), Some("the language model did not answer"));
    assert!(!live.indexing.covers(&reads()));
    assert!(live.indexing.covers(&INDEXING));
    assert!(corpus.index.held().iter().any(|c| c.passage.text.contains("impeller")));
}

#[test]
fn a_form_of_another_shape_is_a_failure() {
    let (_, live) = ingested(Some(json!({"questions": "none"})));
    assert!(live.model_reading.unwrap().failure.is_some());
}

#[test]
fn of_a_failure_the_models_reading_takes_the_place_of_the_rules() {
    let text = "# Pump tripped\n\n## Symptoms\n\nThe pump tripped.\n\n## Root cause\n\nThe coupling was out of line.\n";
    let read = |form: serde_json::Value| {
        let (corpus, _) = ingested_of(text, Some(form));
        corpus.index.held().iter().find_map(|h| h.passage.facts.report.clone())
    };
    let cause = json!({"passage": "p2", "quote": "The coupling was out of line."});
    let named = read(json!({"report": {"root_cause": cause}, "questions": []})).unwrap();
    assert_eq!((named.root_cause.is_some(), named.symptoms.len()), (true, 0), "none by the rules");
    let invented = json!({"passage": "p2", "quote": "The coupling broke."});
    let rules = read(json!({"report": {"root_cause": invented}, "questions": []})).unwrap();
    assert_eq!((rules.root_cause.is_some(), rules.symptoms.len()), (true, 1), "nothing held");
    assert_eq!(read(json!({"questions": []})), None, "it tells of no failure");
}
