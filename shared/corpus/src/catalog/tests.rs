use jiff::Timestamp;
use ports::Documents;
use serde_json::json;

use super::*;
use model::document::{Attributes, DocumentType, Origin, document_id};
use ports::{About, Indexing, Live};
use testing::{FakeCases, FakeDocuments, caller, stamp};

const CASE: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

struct Site {
    documents: FakeDocuments,
    cases: FakeCases,
}

impl Site {
    fn new() -> Site {
        let site = Site { documents: FakeDocuments::default(), cases: FakeCases::default() };
        let case = json!({
            "case_id": CASE, "title": "Pump 7 trips", "status": "open", "created_by": "ann",
            "created_at": "2026-01-01T00:00:00Z",
        });
        let case = serde_json::from_value(case).unwrap();
        pollster::block_on(site.cases.create_case(&case, None)).unwrap();
        site.add(&Scope::Global, "guides/seals.md", "How seals wear", DocumentType::Guide);
        site.add(
            &Scope::Global,
            "incidents/pump.md",
            "Pump 7 lost its seal",
            DocumentType::Postmortem,
        );
        site.add(&Scope::Case(CASE.into()), "pump.log", "pump", DocumentType::Log);
        site.add(&Scope::User("bob".into()), "notes.md", "Bob's notes", DocumentType::Other);
        site
    }

    fn add(&self, scope: &Scope, name: &str, title: &str, document_type: DocumentType) {
        let id = document_id(scope, name);
        let record = Record {
            scope: scope.clone(),
            document_id: id,
            name: name.into(),
            content_type: "text/markdown".into(),
            bytes: 7,
            attributes: Attributes::default(),
            status: Status::Waiting,
            version: "01A".into(),
            deleted: None,
            kept: None,
            is_final: false,
            first: "01A".into(),
            prior: "01A".into(),
            live: None,
            updated_at: "2026-01-01T00:00:00Z".into(),
        };
        let about = About {
            title: title.into(),
            document_type,
            source: Origin::Docs,
            language: Some("en".into()),
            time: None,
            edition: Some("3.4".into()),
            lifecycle: None,
            read_as: Some(model::entry::ReadAs::default()),
        };
        let live = Live {
            version: "01A".into(),
            hash: "ab".into(),
            bytes: 7,
            attributes: Attributes::default(),
            passages: 2,
            embedded: 2,
            records: 0,
            indexing: Indexing::default(),
            assumed: None,
            model_reading: None,
            about: Some(Box::new(about)),
        };
        pollster::block_on(self.documents.announce(&record, None)).unwrap();
        pollster::block_on(self.documents.settle(scope, id, &live)).unwrap();
    }

    fn services(&self) -> Services<'_> {
        Services {
            documents: &self.documents,
            members: &self.cases,
            cases: &self.cases,
            restore_days: 30,
        }
    }

    fn found(&self, sub: &str, scope: &Scope, wanted: Wanted<'_>) -> Result<DocumentList> {
        pollster::block_on(documents(self.services(), &caller(sub), scope, wanted))
    }
}

#[test]
fn a_caller_sees_what_may_be_searched_and_nobody_elses() {
    let site = Site::new();
    let seen = |sub: &str| -> Vec<String> {
        let list = pollster::block_on(knowledge(site.services(), &caller(sub))).unwrap();
        list.knowledge.into_iter().map(|base| base.knowledge).collect()
    };
    assert_eq!(seen("ann"), ["global", &format!("case:{CASE}")]);
    assert_eq!(seen("bob"), ["global", "user"]);
}

#[test]
fn a_knowledge_base_tells_what_it_holds() {
    let site = Site::new();
    let list = pollster::block_on(knowledge(site.services(), &caller("ann"))).unwrap();
    let [global, case] = list.knowledge.as_slice() else { panic!("{list:?}") };
    assert_eq!((global.documents, global.passages, global.reading), (2, 4, 0));
    assert_eq!(global.document_types["guide"], 1);
    assert_eq!(global.languages["en"], 2);
    assert_eq!(case.title.as_deref(), Some("Pump 7 trips"));
}

#[test]
fn documents_are_found_by_words_of_name_title_and_type() {
    let site = Site::new();
    let found = |words: &str| -> Vec<String> {
        let wanted = Wanted { words: Some(words), ..Wanted::default() };
        let list = site.found("ann", &Scope::Global, wanted).unwrap();
        assert_eq!(list.found, Some(list.documents.len()));
        list.documents.into_iter().map(|document| document.name).collect()
    };
    assert_eq!(found("seal"), ["guides/seals.md", "incidents/pump.md"]);
    assert_eq!(found("SEAL postmortem"), ["incidents/pump.md"]);
    assert_eq!(found("seal valve"), Vec::<String>::new());
    let first = Wanted { words: Some("seal"), limit: Some("1"), cursor: None, ..Wanted::default() };
    let list = site.found("ann", &Scope::Global, first).unwrap();
    assert_eq!((list.documents.len(), list.found), (1, Some(2)));
}

#[test]
fn documents_of_others_are_not_listed() {
    let site = Site::new();
    let case = Scope::Case(CASE.into());
    let missing = site.found("bob", &case, Wanted::default()).unwrap_err();
    assert!(matches!(missing, Error::Missing { kind: "case", .. }), "{missing:?}");
    let denied = site.found("ann", &Scope::Team("pumps".into()), Wanted::default()).unwrap_err();
    assert!(matches!(denied, Error::Denied { .. }), "{denied:?}");
}

#[test]
fn a_cursor_does_not_go_with_words() {
    let site = Site::new();
    let wanted =
        Wanted { words: Some("seal"), limit: None, cursor: Some("x"), ..Wanted::default() };
    let error = site.found("ann", &Scope::Global, wanted).unwrap_err();
    assert!(matches!(error, Error::Malformed { ref field, .. } if field == "cursor"), "{error:?}");
}

#[test]
fn deleted_documents_are_listed_apart_with_the_time_until_they_can_be_restored() {
    let site = Site::new();
    let id = document_id(&Scope::Global, "guides/seals.md");
    let version = stamp("2026-11-20T18:00:00Z").id;
    pollster::block_on(async {
        let documents = &site.documents;
        assert!(documents.begin_deletion(&Scope::Global, id, &version, false).await.unwrap());
        documents.finish_deletion(&Scope::Global, id, &version, Timestamp::MAX).await.unwrap();
    });
    for words in [None, Some("seals")] {
        let wanted = Wanted { words, is_deleted: true, ..Wanted::default() };
        let list = site.found("ann", &Scope::Global, wanted).unwrap().documents;
        let [one] = list.as_slice() else { panic!("{list:?}") };
        assert_eq!((one.name.as_str(), one.status), ("guides/seals.md", DocumentState::Deleted));
        assert_eq!(one.restorable_until.as_deref(), Some("2026-12-20T18:00:00Z"));
        let there = site.found("ann", &Scope::Global, Wanted { words, ..Wanted::default() });
        assert!(there.unwrap().documents.iter().all(|one| one.name != "guides/seals.md"));
    }
}
