use async_trait::async_trait;
use corpus::ingest::{self, Outcome};
use corpus::reindex::*;
use model::object::Upload;
use model::{Error, Result};
use ports::scope::{Caller, Scope};
use ports::{Collection, Documents, Embedder, Indexing, Publisher, Purpose, Status, Task};
use std::sync::Mutex;
use testing::{Corpus, FakeEmbedder, FakeMembers, INDEXING, caller, stamp};
use wire::documents::ReindexReply;

const PUMP: &str = "# Pump\n\n## Cause\n\nThe seal wore out.\n\n## Cure\n\nIt was replaced.\n";
const LOG: &str = "# Logs\n\nNo logs arrived.\n";

/// An embedder of a space that records the texts it embeds.
struct Noting(&'static str, Mutex<Vec<String>>);

#[async_trait]
impl Embedder for Noting {
    fn space(&self) -> String {
        self.0.into()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.1.lock().unwrap().extend(texts.iter().cloned());
        FakeEmbedder.embed(texts, purpose).await
    }
}

fn now() -> Indexing {
    INDEXING.clone()
}

fn in_space(space: &str) -> Indexing {
    let collection = Collection { name: "plumbline".into(), space: space.into() };
    Indexing { collections: vec![collection], ..now() }
}

fn admin() -> Caller {
    let mut admin = caller("ann");
    admin.groups.push(admin.admin_group.clone());
    admin
}

fn ask(
    corpus: &Corpus,
    caller: &Caller,
    indexing: &Indexing,
    request: serde_json::Value,
) -> Result<ReindexReply> {
    let members = FakeMembers::default();
    let services = Services {
        documents: &corpus.documents,
        files: &corpus.files,
        members: &members,
        tasks: &corpus.tasks,
        indexing,
    };
    let request = serde_json::from_value(request).unwrap();
    pollster::block_on(run(&services, caller, &request, &stamp("2026-11-21T08:00:00Z")))
}

/// Ingests the copies that a reindex made.
fn outcomes_of_copies(corpus: &Corpus, embedder: &Noting) -> Vec<Outcome> {
    let version = stamp("2026-11-21T08:00:00Z").id;
    let copies = corpus.files.keys().into_iter().filter(|key| key.ends_with(&version));
    let ingested = copies.map(|key| {
        let indexing = &in_space(embedder.0);
        let services = corpus.services(&corpus.documents, &corpus.index);
        let services = ingest::Services { embedder, indexing, ..services };
        let upload = Upload::parse(&key).unwrap();
        pollster::block_on(ingest::run(&services, &upload)).unwrap()
    });
    ingested.collect()
}

/// Ingests all copies again with an embedder of this space, and returns the texts that were
/// embedded.
fn ingest_copies(corpus: &Corpus, space: &'static str) -> Vec<String> {
    let embedder = Noting(space, Mutex::default());
    let outcomes = outcomes_of_copies(corpus, &embedder);
    assert!(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Indexed { .. })));
    embedder.1.into_inner().unwrap()
}

/// Makes the document look as if an older reader had read it.
fn age(corpus: &Corpus, name: &str) {
    pollster::block_on(async {
        let id = model::document::document_id(&Scope::Global, name);
        let record = corpus.documents.document(&Scope::Global, id).await.unwrap().unwrap();
        let mut live = record.live.unwrap();
        live.indexing.reader -= 1;
        assert!(corpus.documents.settle(&Scope::Global, id, &live).await.unwrap());
    });
}

fn corpus() -> Corpus {
    pollster::block_on(Corpus::of(&[("pump.md", PUMP), ("log.md", LOG)]))
}

#[test]
fn what_an_older_reader_read_is_read_again_and_not_embedded_again() {
    let corpus = corpus();
    let global = serde_json::json!({"knowledge": "global"});
    assert_eq!(ask(&corpus, &admin(), &now(), global.clone()).unwrap().current, 2);
    age(&corpus, "pump.md");
    age(&corpus, "log.md");
    let begun = ask(&corpus, &admin(), &now(), global.clone()).unwrap();
    assert_eq!((begun.begun, begun.current, &begun.cursor), (2, 0, &None));
    let meanwhile = ask(&corpus, &admin(), &now(), global.clone()).unwrap();
    assert_eq!((meanwhile.begun, meanwhile.waiting), (0, 2), "what is on its way is left alone");
    let points = corpus.index.size();
    assert_eq!(ingest_copies(&corpus, "words/64"), [""; 0]);
    assert_eq!(corpus.index.size(), points);
    assert_eq!(ask(&corpus, &admin(), &now(), global).unwrap().current, 2);
}

#[test]
fn the_collection_gets_its_present_settings_once_where_all_is_indexed_again() {
    let corpus = corpus();
    corpus.tasks.take();
    for request in [
        serde_json::json!({"knowledge": "global"}),
        serde_json::json!({"knowledge": "all", "only_count": true}),
    ] {
        ask(&corpus, &admin(), &now(), request.clone()).unwrap();
        assert_eq!(corpus.tasks.take(), [], "{request}");
    }
    assert!(ask(&corpus, &caller("bob"), &now(), serde_json::json!({"knowledge": "all"})).is_err());
    assert_eq!(corpus.tasks.take(), []);
    ask(&corpus, &admin(), &now(), serde_json::json!({"knowledge": "all"})).unwrap();
    assert_eq!(corpus.tasks.take(), [Task::Configure {}]);
}

#[test]
fn another_model_embeds_all_texts_again() {
    let corpus = corpus();
    let other = in_space("other/64");
    let counted = serde_json::json!({"knowledge": "all", "only_count": true});
    assert_eq!(ask(&corpus, &admin(), &other, counted.clone()).unwrap().outdated, 2);
    ask(&corpus, &admin(), &other, serde_json::json!({"knowledge": "all"})).unwrap();
    assert_eq!(ingest_copies(&corpus, "other/64").len(), corpus.index.size());
    assert_eq!(ask(&corpus, &admin(), &other, counted).unwrap().current, 2);
}

#[test]
fn a_new_version_embeds_only_what_is_new_in_it() {
    let corpus = corpus();
    let changed = PUMP.replace("It was replaced.", "It was replaced twice.");
    let version = stamp("2026-11-21T08:00:00Z").id;
    pollster::block_on(corpus.announce("pump.md", &version, changed.as_bytes()));
    let embedded = ingest_copies(&corpus, "words/64");
    assert!(embedded.iter().all(|text| text.contains("twice")), "{embedded:?}");
    assert!(!embedded.is_empty());
}

#[test]
fn what_a_lost_index_had_is_indexed_again_and_the_rest_is_unchanged() {
    let corpus = corpus();
    let log = model::document::document_id(&Scope::Global, "log.md");
    pollster::block_on(corpus.index.delete_up_to(&Scope::Global, log, "01Z", &[])).unwrap();
    let late = serde_json::json!({"knowledge": "all", "announced_before": "2026-11-22T00:00:00Z"});
    assert_eq!(ask(&corpus, &admin(), &now(), late).unwrap().begun, 2);
    let outcomes = outcomes_of_copies(&corpus, &Noting("words/64", Mutex::default()));
    let again = |outcome: &&Outcome| matches!(outcome, Outcome::Indexed { .. });
    assert_eq!(outcomes.iter().filter(again).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Outcome::Unchanged).count(), 1);
    let named = |name: &str| corpus.index.held().iter().any(|c| c.passage.name == name);
    assert!(named("log.md") && named("pump.md"));
    let broken = serde_json::json!({"knowledge": "all", "announced_before": "yesterday"});
    assert!(matches!(ask(&corpus, &admin(), &now(), broken), Err(Error::Invalid { .. })));
}

#[test]
fn only_those_who_fill_a_knowledge_base_may_ask_and_all_is_for_admins() {
    let corpus = corpus();
    let refused = |knowledge: &str| {
        let request = serde_json::json!({ "knowledge": knowledge });
        ask(&corpus, &caller("eve"), &now(), request).unwrap_err()
    };
    assert!(matches!(refused("global"), Error::Denied { .. }));
    assert!(matches!(refused("all"), Error::Denied { .. }));
    assert!(matches!(refused("team:pumps"), Error::Denied { .. }));
    assert!(matches!(refused("user:ann"), Error::Invalid { .. }));
    let reply = ask(&corpus, &caller("eve"), &now(), serde_json::json!({"knowledge": "user"}));
    assert_eq!(reply.unwrap(), ReindexReply::default(), "eve has no documents");
}

#[test]
fn a_group_whose_name_begins_anothers_reaches_its_own_documents_alone() {
    let corpus = Corpus::default();
    pollster::block_on(async {
        for group in ["eng", "eng/platform"] {
            let scope = Scope::Team(group.into());
            let upload = corpus.announce_in(&scope, "pump.md", "01A", PUMP.as_bytes()).await;
            corpus.ingest(&upload).await.unwrap();
        }
    });
    let member = Caller { groups: vec!["eng".into()], ..caller("eve") };
    let request = serde_json::json!({"knowledge": "team:eng"});
    let reply = ask(&corpus, &member, &now(), request).unwrap();
    assert_eq!((reply.current, reply.cursor), (1, None));
}

#[test]
fn a_request_begins_with_so_many_and_the_next_goes_on_behind_them() {
    let documents: Vec<(String, String)> = (0..MOST + 3)
        .map(|number| (format!("{number}.md"), format!("# Pump {number}\n\nIt runs.\n")))
        .collect();
    let documents: Vec<(&str, &str)> =
        documents.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let corpus = pollster::block_on(Corpus::of(&documents));
    let other = Indexing { reader: 0, ..now() };
    let first = ask(&corpus, &admin(), &other, serde_json::json!({"knowledge": "all"})).unwrap();
    assert_eq!(first.begun, MOST);
    let request = serde_json::json!({"knowledge": "all", "cursor": first.cursor.unwrap()});
    let second = ask(&corpus, &admin(), &other, request).unwrap();
    assert_eq!((second.begun, second.waiting, second.cursor), (3, 0, None));
}

#[test]
fn a_file_is_announced_as_what_it_is_although_a_later_upload_failed() {
    let corpus = corpus();
    pollster::block_on(async {
        let later = corpus.announce("pump.md", "01B", &[0; 4_000]).await;
        assert!(matches!(corpus.ingest(&later).await.unwrap(), Outcome::Refused { .. }));
        let global = serde_json::json!({"knowledge": "global"});
        let older = Indexing { reader: 0, ..now() };
        assert_eq!(ask(&corpus, &admin(), &older, global).unwrap().begun, 2);
        let record = corpus.documents.document(&Scope::Global, later.document_id).await.unwrap();
        assert_eq!(record.unwrap().bytes, PUMP.len() as u64);
    });
}

#[test]
fn what_other_rules_masked_is_indexed_again() {
    let corpus = corpus();
    let global = serde_json::json!({"knowledge": "global"});
    assert_eq!(ask(&corpus, &admin(), &now(), global.clone()).unwrap().begun, 0);
    let newer = Indexing { masker: now().masker + 1, ..now() };
    assert_eq!(ask(&corpus, &admin(), &newer, global).unwrap().begun, 2);
}

/// What ends an upload: a service that stays away, after the last try.
fn failed() -> Status {
    Status::Failed { reason: "the embedding model did not answer".into() }
}

#[test]
fn what_an_outage_kept_from_being_indexed_is_brought_back_together() {
    let corpus = corpus();
    let version = stamp("2026-11-20T23:00:00Z").id;
    pollster::block_on(async {
        let (never, again) = (
            corpus.announce("valve.md", &version, b"The valve sticks.\n").await,
            corpus.announce("pump.md", &version, b"The pump was painted.\n").await,
        );
        for upload in [&never, &again] {
            let (scope, id, version) = (&upload.scope, upload.document_id, &upload.version);
            corpus.documents.mark(scope, id, version, &failed()).await.unwrap();
        }
    });
    let counts = |request: serde_json::Value| {
        let ReindexReply { current, begun, waiting, failed, .. } =
            ask(&corpus, &admin(), &now(), request).unwrap();
        [current, begun, waiting, failed]
    };
    let request = serde_json::json!({"knowledge": "all", "failed": true});
    let counted = serde_json::json!({"knowledge": "all", "failed": true, "only_count": true});
    assert_eq!(counts(counted.clone()), [1, 0, 0, 2]);
    assert_eq!(counts(request), [1, 2, 0, 0]);
    assert_eq!(counts(counted.clone()), [1, 0, 2, 0]);
    ingest_copies(&corpus, "words/64");
    assert_eq!(counts(counted), [3, 0, 0, 0]);
    let texts: Vec<String> =
        corpus.index.held().iter().map(|point| point.passage.text.clone()).collect();
    let has = |words: &str| texts.iter().any(|text| text.contains(words));
    assert!(has("The valve sticks") && has("The pump was painted") && has("No logs arrived"));
}
