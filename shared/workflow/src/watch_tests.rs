use super::*;
use crate::document::document_id;
use crate::ports::Trail;
use crate::scope::{Grant, Scope};
use crate::testing::{Corpus, FakeDesk};
use pollster::block_on;
use serde_json::json;

const OLD: &str = "# Valve\n\n## Pressure\n\nThe relief valve opens at 7 bar and closes slowly.\n\n## Paint\n\nIt is painted blue.\n";
const NEW: &str = "# Valve\n\n## Pressure\n\nThe relief valve opens at 5 bar and closes slowly.\n\n## Paint\n\nIt is painted blue.\n";
const OTHER: &str = "# Valve\n\nSee the vendor.\n";

struct Site {
    desk: FakeDesk,
    corpus: Corpus,
    project: String,
    uploads: u64,
}

impl Site {
    fn new() -> Site {
        let (mut desk, corpus) = (FakeDesk::default(), block_on(Corpus::of(&[("valve.md", OLD)])));
        let project = block_on(desk.project(&corpus, json!({"name": "Pump"})));
        Site { desk, corpus, project, uploads: 0 }
    }

    fn chunks(&self) -> Vec<Chunk> {
        let grant = Grant::unchecked(&[Scope::Global]);
        let index: &dyn crate::ports::Index = &self.corpus.index;
        let document = document_id(&Scope::Global, "valve.md");
        let mut chunks = block_on(index.documents(&grant, &[document], &[])).unwrap();
        chunks.sort_by_key(|chunk| chunk.position);
        chunks
    }

    /// Decides on the passage that says `words`.
    fn decide(&mut self, words: &str) -> String {
        let chunk = self.chunks().into_iter().find(|own| own.text.contains(words)).unwrap();
        let sources = json!([{"chunk_id": chunk.id, "relevance": 1}]);
        let new = json!({"decision": "Run at 6 bar", "rationale": "Below the valve.", "sources": sources});
        block_on(self.desk.decide(&self.corpus, &self.project, new)).unwrap().decision.decision_id
    }

    /// The documents' table and the desk's are two: a version is watched as ingest would.
    fn upload(&mut self, text: &str) -> usize {
        self.uploads += 1;
        let version =
            crate::trail::ulid_at(self.desk.stamp.time + jiff::SignedDuration::from_mins(1));
        let version = format!("{}{}", &version[..25], self.uploads);
        block_on(async {
            let upload = self.corpus.announce("valve.md", &version, text.as_bytes()).await;
            self.corpus.ingest(&upload).await.unwrap();
            let document = upload.document_id;
            let chunks = self.chunks();
            let changed = Changed {
                scope: &Scope::Global,
                document,
                live: &chunks,
                since: crate::object::announced(&version),
            };
            watch(&self.desk.projects, changed).await.unwrap()
        })
    }

    fn decision(&self, id: &str) -> Decision {
        let ids = [id.to_owned()];
        block_on(self.desk.projects.decisions_named(&self.project, &ids)).unwrap().swap_remove(0)
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
            .is_some_and(|own| own.text.as_ref().is_some_and(|text| text.contains("5 bar")))
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
    let own = site.decide("7 bar");
    site.upload(OTHER);
    assert_eq!(site.decision(&own).needs_review[0].nearest, None);
}

#[test]
fn a_document_that_goes_marks_all_that_rests_on_it() {
    let mut site = Site::new();
    let both = [site.decide("7 bar"), site.decide("painted blue")];
    let document = document_id(&Scope::Global, "valve.md");
    let since = site.desk.stamp.time;
    let changed = Changed { scope: &Scope::Global, document, live: &[], since };
    assert_eq!(block_on(watch(&site.desk.projects, changed)).unwrap(), 2);
    assert!(both.iter().all(|id| site.decision(id).needs_review[0].since == since));
}

#[test]
fn what_somebody_looked_at_is_marked_again_only_when_it_changes_again() {
    let mut site = Site::new();
    let own = site.decide("7 bar");
    site.upload(NEW);
    site.desk.tick();
    let wanted = serde_json::from_value(json!({"to": "accepted", "version": 2})).unwrap();
    let office = site.desk.office(&site.corpus);
    block_on(crate::projects::move_decision(&office, &site.project, &own, wanted)).unwrap();
    assert!(site.decision(&own).needs_review.is_empty());
    assert_eq!(site.upload(&format!("{NEW}\n## More\n\nAnything.\n")), 0);
    assert_eq!(site.upload(&NEW.replace("5 bar", "4 bar")), 1);
}

#[test]
fn what_does_not_hold_any_more_needs_no_review() {
    let mut site = Site::new();
    let old = site.decide("7 bar");
    let new = json!({"decision": "Run at 5 bar", "rationale": "Safer.", "supersedes": old});
    block_on(site.desk.decide(&site.corpus, &site.project, new)).unwrap();
    assert_eq!(site.upload(NEW), 0);
}

#[test]
fn the_new_text_of_what_is_not_everyones_is_not_told() {
    let mut site = Site::new();
    let own = site.decide("7 bar");
    let live = crate::testing::chunks(NEW);
    let document = document_id(&Scope::Global, "valve.md");
    let (scope, since) = (Scope::User("ann".into()), site.desk.stamp.time);
    let changed = Changed { scope: &scope, document, live: &live, since };
    block_on(watch(&site.desk.projects, changed)).unwrap();
    let review = site.decision(&own).needs_review.swap_remove(0);
    assert_eq!(review.nearest.map(|own| own.text), Some(None));
}
