use corpus::watch::*;
use jiff::Timestamp;
use model::Result;
use model::document::{Passage, document_id};
use pollster::block_on;
use ports::scope::{Grant, Scope};
use ports::{Publisher, Trail};
use serde_json::json;
use testing::{Corpus, FakeCases, FakeContext};
use wire::decisions::Decision;

const OLD: &str = "# Valve\n\n## Pressure\n\nThe relief valve opens at 7 bar and closes slowly.\n\n## Paint\n\nIt is painted blue.\n";
const NEW: &str = "# Valve\n\n## Pressure\n\nThe relief valve opens at 5 bar and closes slowly.\n\n## Paint\n\nIt is painted blue.\n";
const OTHER: &str = "# Valve\n\nSee the vendor.\n";

struct Site {
    context: FakeContext,
    corpus: Corpus,
    cases: FakeCases,
    project: String,
    uploads: u64,
}

impl Site {
    fn new() -> Site {
        let (mut context, corpus) =
            (FakeContext::default(), block_on(Corpus::of(&[("valve.md", OLD)])));
        let project = block_on(context.project(&corpus, json!({"name": "Pump"})));
        Site { context, corpus, cases: FakeCases::default(), project, uploads: 0 }
    }

    fn passages(&self) -> Vec<Passage> {
        let grant = Grant::unchecked(&[Scope::Global]);
        let index: &dyn ports::Index = &self.corpus.index;
        let document = document_id(&Scope::Global, "valve.md");
        let mut passages = block_on(index.documents(&grant, &[document], &[])).unwrap();
        passages.sort_by_key(|passage| passage.position);
        passages
    }

    /// Records a decision that cites the passage with `words`.
    fn decide(&mut self, words: &str) -> String {
        let passage = self.passages().into_iter().find(|x| x.text.contains(words)).unwrap();
        let sources = json!([{"passage_id": passage.id, "relevance": 1}]);
        let new = json!({"decision": "Run at 6 bar", "rationale": "Below the valve.", "sources": sources});
        block_on(self.context.decide(&self.corpus, &self.project, new))
            .unwrap()
            .decision
            .decision_id
    }

    /// Uploads the document with this text and watches its decisions. The documents' table and the
    /// context's are separate, so a version is watched here as an ingest would.
    fn upload(&mut self, text: &str) -> usize {
        self.uploads += 1;
        let version =
            ports::trail::ulid_at(self.context.stamp.time + jiff::SignedDuration::from_mins(1));
        let version = format!("{}{}", &version[..25], self.uploads);
        block_on(async {
            let upload = self.corpus.announce("valve.md", &version, text.as_bytes()).await;
            self.corpus.ingest(&upload).await.unwrap();
            self.watch(&upload.scope, model::object::announced(&version)).unwrap()
        })
    }

    /// Watches the decisions that cite the valve, as a document of this scope.
    fn watch(&self, scope: &Scope, since: Timestamp) -> Result<usize> {
        let document = document_id(&Scope::Global, "valve.md");
        let (reviews, index) = (&self.context.projects, &self.corpus.index);
        let watcher = Watcher { reviews, index, cases: &self.cases };
        pollster::block_on(watch(&watcher, &Changed { scope: scope.clone(), document, since }))
    }

    fn decision(&self, id: &str) -> Decision {
        let ids = [id.to_owned()];
        block_on(self.context.projects.decisions_named(&self.project, &ids)).unwrap().swap_remove(0)
    }
}

#[test]
fn what_changed_is_marked_with_the_nearest_new_text_and_what_stayed_is_not() {
    let mut site = Site::new();
    let (pressure, paint) = (site.decide("7 bar"), site.decide("painted blue"));
    assert_eq!(site.upload(NEW), 1);
    let review = site.decision(&pressure).needs_review.swap_remove(0);
    assert!(review.was.contains("7 bar"));
    assert!(
        review
            .nearest
            .as_ref()
            .is_some_and(|r| r.text.as_ref().is_some_and(|text| text.contains("5 bar")))
    );
    assert!(site.decision(&paint).needs_review.is_empty());
    site.upload(&format!("{NEW}\n## More\n\nAnything.\n"));
    let again = site.decision(&pressure).needs_review;
    assert_eq!(
        (again.len(), again[0].since),
        (1, review.since),
        "it is marked once, and since then"
    );
    assert_eq!(site.upload(OLD), 1, "what is back needs no review");
    assert!(site.decision(&pressure).needs_review.is_empty());
}

#[test]
fn nothing_is_told_as_nearest_that_is_not_like_it() {
    let mut site = Site::new();
    let decide = site.decide("7 bar");
    site.upload(OTHER);
    assert_eq!(site.decision(&decide).needs_review[0].nearest, None);
}

#[test]
fn a_document_that_goes_marks_all_that_rests_on_it() {
    let mut site = Site::new();
    let both = [site.decide("7 bar"), site.decide("painted blue")];
    let document = document_id(&Scope::Global, "valve.md");
    let since = site.context.stamp.time;
    block_on(site.corpus.index.delete_up_to(&Scope::Global, document, "01Z", &[])).unwrap();
    assert_eq!(site.watch(&Scope::Global, since).unwrap(), 2);
    assert!(both.iter().all(|id| site.decision(id).needs_review[0].since == since));
}

#[test]
fn what_somebody_looked_at_is_marked_again_only_when_it_changes_again() {
    let mut site = Site::new();
    let decide = site.decide("7 bar");
    site.upload(NEW);
    site.context.tick();
    let wanted = serde_json::from_value(json!({"to": "accepted", "version": 2})).unwrap();
    let project_context = site.context.project_context(&site.corpus);
    block_on(decisions::projects::move_decision(&project_context, &site.project, &decide, wanted))
        .unwrap();
    assert!(site.decision(&decide).needs_review.is_empty());
    assert_eq!(site.upload(&format!("{NEW}\n## More\n\nAnything.\n")), 0);
    assert_eq!(site.upload(&NEW.replace("5 bar", "4 bar")), 1);
}

#[test]
fn what_does_not_hold_any_more_needs_no_review() {
    let mut site = Site::new();
    let old = site.decide("7 bar");
    let new = json!({"decision": "Run at 5 bar", "rationale": "Safer.", "supersedes": old});
    block_on(site.context.decide(&site.corpus, &site.project, new)).unwrap();
    assert_eq!(site.upload(NEW), 0);
}

#[test]
fn a_case_that_closes_has_no_documents_whatever_is_in_the_index() {
    let mut site = Site::new();
    let decide = site.decide("7 bar");
    let scope = Scope::Case("01CASE".into());
    assert_eq!(site.watch(&scope, site.context.stamp.time).unwrap(), 1);
    assert_eq!(site.decision(&decide).needs_review.len(), 1);
}

#[test]
fn one_decision_that_cannot_be_marked_leaves_the_others_marked() {
    let mut site = Site::new();
    let [failing, other] = [site.decide("7 bar"), site.decide("7 bar")];
    site.context.projects.unwritable.lock().unwrap().insert(failing.clone());
    let document = document_id(&Scope::Global, "valve.md");
    block_on(site.corpus.index.delete_up_to(&Scope::Global, document, "01Z", &[])).unwrap();
    assert!(site.watch(&Scope::Global, site.context.stamp.time).is_err(), "it is tried again");
    assert_eq!(site.decision(&other).needs_review.len(), 1);
}
