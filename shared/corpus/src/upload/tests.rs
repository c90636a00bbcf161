use super::*;
use model::document::{DocumentType, Origin};
use model::entry::ReadAs;
use model::item::About;
use testing::{FakeDocuments, FakeFiles, FakeMembers, caller, stamp};

#[derive(Default)]
struct Site {
    documents: FakeDocuments,
    files: FakeFiles,
    members: FakeMembers,
    indexing: Indexing,
    /// The quota of the scope; unlimited if `None`.
    quota: Option<StorageQuota>,
}

impl Site {
    fn services(&self) -> Services<'_> {
        Services {
            documents: &self.documents,
            files: &self.files,
            members: &self.members,
            requests: &self.documents,
            indexing: &self.indexing,
            quota: self.quota.unwrap_or(StorageQuota { documents: 1_000, bytes: 1_000_000 }),
        }
    }

    fn announce(&self, second: u32) -> Result<Announced> {
        self.announce_once(second, "a.md", None)
    }

    fn announce_once(&self, second: u32, name: &str, key: Option<&str>) -> Result<Announced> {
        let wanted = serde_json::json!({"name": name, "content_type": "text/markdown", "bytes": 7, "sha256": "ab".repeat(32)});
        let body = wanted.to_string();
        let once = Once { route: "POST user:ann/documents", key, body: body.as_bytes() };
        let wanted = serde_json::from_value(wanted).unwrap();
        let (services, stamp) = (self.services(), at(second));
        pollster::block_on(announce(&services, &ann(), scope(), wanted, &once, &stamp))
    }

    fn settle(&self, announced: &Announced) {
        let live = ports::Live {
            version: announced.version.clone(),
            hash: "ab".repeat(32),
            bytes: 7,
            attributes: Attributes::default(),
            passages: 1,
            records: 0,
            indexing: self.indexing.clone(),
            embedded: 3,
            assumed: Some("UTC, 2026".into()),
            model_reading: None,
            about: Some(Box::new(about())),
        };
        let (scope, id) = (scope(), announced.document_id);
        assert!(pollster::block_on(self.documents.settle(&scope, id, &live)).unwrap());
    }

    fn delete(&self, document: Uuid, second: u32) {
        let (scope, version) = (scope(), at(second).id);
        let deleted = self.documents.begin_deletion(&scope, document, &version, false);
        assert!(pollster::block_on(deleted).unwrap());
    }

    fn record(&self, document: Uuid) -> Record {
        pollster::block_on(self.documents.document(&scope(), document)).unwrap().unwrap()
    }

    fn status(&self, document: Uuid) -> DocumentState {
        let services = self.services();
        let (caller, document) = (ann(), document.to_string());
        pollster::block_on(status(&services, &caller, &scope(), &document)).unwrap().status
    }
}

fn about() -> About {
    About {
        title: "Pump log".into(),
        document_type: DocumentType::Log,
        source: Origin::Runtime,
        language: None,
        time: None,
        edition: Some("3.4".into()),
        lifecycle: None,
        read_as: Some(ReadAs { format: "log".into(), ..ReadAs::default() }),
    }
}

fn ann() -> Caller {
    caller("ann")
}

fn scope() -> Scope {
    Scope::User("ann".into())
}

fn at(second: u32) -> Stamp {
    stamp(&format!("2026-11-20T18:00:{second:02}Z"))
}

#[test]
fn a_full_scope_takes_no_other_document_and_every_version_of_its_own() {
    let site = Site { quota: Some(StorageQuota { documents: 1, bytes: 7 }), ..Site::default() };
    site.announce(1).unwrap();
    site.announce(2).unwrap();
    let refused = site.announce_once(3, "b.md", None).unwrap_err();
    assert!(matches!(refused, Error::TooMany { .. }), "{refused}");
    assert!(refused.to_string().contains("at most 1 documents with 7 bytes"), "{refused}");
}

#[test]
fn two_who_upload_the_same_at_once_are_both_taken_whoevers_clock_is_ahead() {
    for second in [4, 6] {
        let (first, site) = (Site::default(), Site::default());
        let announced = first.announce(second).unwrap();
        let record = first.record(announced.document_id);
        *site.documents.crossing.lock().unwrap() = Some(record);
        let again = site.announce(5).unwrap();
        assert!(again.upload.is_some() && again.version > announced.version, "{again:?}");
        assert_eq!(site.status(again.document_id), DocumentState::Waiting);
    }
}

#[test]
fn who_uploads_what_another_just_brought_in_has_nothing_to_send() {
    let (first, site) = (Site::default(), Site::default());
    let announced = first.announce(4).unwrap();
    first.settle(&announced);
    *site.documents.crossing.lock().unwrap() = Some(first.record(announced.document_id));
    let again = site.announce(5).unwrap();
    assert_eq!((again.version, again.status), (announced.version, DocumentState::Indexed));
    assert!(again.upload.is_none());
}

#[test]
fn what_was_assumed_of_a_logs_times_stands_in_its_status() {
    let site = Site::default();
    let announced = site.announce(1).unwrap();
    assert_eq!(reply::status(site.record(announced.document_id)).assumed, None);
    site.settle(&announced);
    let status = reply::status(site.record(announced.document_id));
    assert_eq!(status.assumed.as_deref(), Some("UTC, 2026"));
}

#[test]
fn the_status_of_one_document_says_how_it_was_read_and_lists_do_not() {
    let site = Site::default();
    let announced = site.announce(1).unwrap();
    site.settle(&announced);
    assert_eq!(reply::status(site.record(announced.document_id)).read_as, None);
    let (services, document) = (site.services(), announced.document_id.to_string());
    let shown = pollster::block_on(status(&services, &ann(), &scope(), &document)).unwrap();
    assert_eq!(shown.read_as.unwrap().format, "log");
    assert_eq!(shown.edition.as_deref(), Some("3.4"));
}

#[test]
fn the_same_bytes_are_uploaded_again_where_they_would_be_indexed_otherwise_now() {
    let mut site = Site::default();
    site.settle(&site.announce(1).unwrap());
    assert!(site.announce(2).unwrap().upload.is_none());
    site.indexing = testing::INDEXING.clone();
    assert!(site.announce(3).unwrap().upload.is_some());
}

#[test]
fn the_same_bytes_announced_after_a_deletion_are_uploaded_again() {
    let site = Site::default();
    let announced = site.announce(1).unwrap();
    let id = announced.document_id;
    site.settle(&announced);
    assert!(site.announce(2).unwrap().upload.is_none(), "they can be found already");
    site.delete(id, 3);
    let again = site.announce(4).unwrap();
    assert_eq!((again.upload.is_some(), site.status(id)), (true, DocumentState::Waiting));
}

#[test]
fn what_was_deleted_is_not_announced_again_under_its_key() {
    let site = Site::default();
    let first = site.announce_once(1, "a.md", Some("k")).unwrap();
    site.delete(first.document_id, 2);
    let again = site.announce_once(3, "a.md", Some("k"));
    assert!(matches!(again, Err(Error::Conflict { field: "Idempotency-Key", .. })));
    assert!(site.announce_once(4, "a.md", Some("l")).is_ok());
}

#[test]
fn what_is_announced_again_under_its_key_is_the_same_upload() {
    let site = Site::default();
    let first = site.announce_once(1, "a.md", Some("k")).unwrap();
    let again = site.announce_once(2, "a.md", Some("k")).unwrap();
    assert_eq!((again.document_id, &again.version), (first.document_id, &first.version));
    assert!(again.upload.is_some(), "its address is signed anew");
    let other = site.announce_once(3, "b.md", Some("k"));
    assert!(matches!(other, Err(Error::Conflict { field: "Idempotency-Key", .. })));
    let other = site.announce_once(4, "a.md", Some("l")).unwrap();
    assert!(other.version > first.version, "another key is another upload");
    site.settle(&other);
    let again = site.announce_once(5, "a.md", Some("l")).unwrap();
    assert!(again.version == other.version && again.upload.is_some(), "the answer is the same");
}
