use wire::cases::{Case, CaseStatus, Removed};

use corpus::removal::*;
use corpus::{file_deletion, ingest};
use jiff::Timestamp;
use model::Result;
use model::object::Upload;
use ports::scope::Scope;
use ports::{Cases, DocumentCleanup, Documents, Orphans, Publisher, Removal, Status};
use testing::{Corpus, FakeCases, FakeFiles, FakeProjects, FakeRemovals};

mod broken;
mod erased;
mod leaver;
mod orphans;

use broken::Broken;

const CASE: &str = "01JCASE0000000000000000001";

/// Far more steps than any of these removals takes.
const ENOUGH: usize = 500;

#[derive(Default)]
struct Site {
    corpus: Corpus,
    cases: FakeCases,
    projects: FakeProjects,
    removals: FakeRemovals,
}

impl Site {
    /// Ingests a document in `scope`, so that it can be found.
    async fn ingest(&self, scope: &Scope, name: &str, version: &str) -> Upload {
        let text = format!("# {name}\n\nThe seal of {version} wore out.\n");
        let upload = self.corpus.announce_in(scope, name, version, text.as_bytes()).await;
        let outcome = self.corpus.ingest(&upload).await.unwrap();
        assert_eq!(outcome, ingest::Outcome::Indexed { passages: 1 });
        upload
    }

    async fn delete(&self, upload: &Upload, version: &str) -> Removal {
        let Upload { scope, document_id, .. } = upload;
        assert!(
            self.corpus
                .documents
                .begin_deletion(scope, *document_id, version, false)
                .await
                .unwrap()
        );
        Removal::Document(Upload { version: version.into(), ..upload.clone() })
    }

    /// Returns a case with three documents, one of them uploaded twice, and something cached.
    async fn open(&self) -> Scope {
        let scope = Scope::Case(CASE.into());
        let at: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
        let case = testing::open_case(CASE, "ann", at);
        self.cases.create_case(&case, None).await.unwrap();
        for (name, version) in [("a.md", "01A"), ("b.md", "01A"), ("c.md", "01A"), ("a.md", "01B")]
        {
            self.ingest(&scope, name, version).await;
        }
        self.corpus.documents.cache(&scope, 250);
        scope
    }

    /// Returns the same case, closing.
    async fn closing(&self) -> Scope {
        let scope = self.open().await;
        let at: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
        self.cases.begin_closing(CASE, "ann", at).await.unwrap();
        scope
    }

    async fn run(&self, removal: Removal) -> Result<Outcome> {
        self.run_until(ENOUGH, removal).await
    }

    /// Returns the services of a removal with this table.
    fn services<'a>(&'a self, documents: &'a dyn DocumentCleanup) -> Services<'a> {
        Services {
            documents,
            files: &self.corpus.files,
            publisher: &self.corpus.index,
            cases: &self.cases,
            projects: &self.projects,
            removals: &self.removals,
            tasks: &self.corpus.tasks,
            restore_days: 30,
        }
    }

    /// Runs a removal that is interrupted after `steps` steps.
    async fn run_until(&self, steps: usize, removal: Removal) -> Result<Outcome> {
        self.run_with(&Broken::after(steps, &self.corpus, &self.cases), removal).await
    }

    async fn run_with(&self, broken: &Broken<'_>, removal: Removal) -> Result<Outcome> {
        let services =
            Services { files: broken, publisher: broken, cases: broken, ..self.services(broken) };
        run(&services, removal, "2026-11-20T18:00:00Z".parse().unwrap()).await
    }

    async fn closed(&self) -> Case {
        self.cases.case_profile(CASE).await.unwrap().unwrap()
    }
}

#[test]
fn a_deleted_document_is_gone_and_its_neighbor_is_not() {
    pollster::block_on(async {
        let site = Site::default();
        let (upload, other) = (
            site.ingest(&Scope::Global, "a.md", "01A").await,
            site.ingest(&Scope::Global, "b.md", "01A").await,
        );
        let removal = site.delete(&upload, "01B").await;
        let before = site.corpus.documents.counted(&Scope::Global);
        assert_eq!(site.run(removal).await.unwrap(), Outcome::Done);
        let documents = &site.corpus.documents;
        let record = documents.document(&upload.scope, upload.document_id).await.unwrap();
        assert_eq!(record, None);
        assert_eq!(site.corpus.files.shown(), [other.key()]);
        assert_eq!(site.corpus.index.size(), 2, "a document point and a passage of the other one");
        let moved = site.corpus.documents.counted(&Scope::Global) - before;
        assert_eq!(moved, 1, "what was answered meanwhile is not answered again from a cache");
    });
}

#[test]
fn wherever_a_deletion_breaks_off_the_next_run_ends_it() {
    pollster::block_on(async {
        let mut broken = 0;
        for steps in 0.. {
            let site = Site::default();
            let upload = site.ingest(&Scope::Global, "a.md", "01A").await;
            let removal = site.delete(&upload, "01B").await;
            let first = site.run_until(steps, removal.clone()).await;
            assert_eq!(site.run(removal).await.unwrap(), Outcome::Done);
            let documents = &site.corpus.documents;
            let record = documents.document(&upload.scope, upload.document_id).await.unwrap();
            assert_eq!((record, site.corpus.index.size()), (None, 0), "after {steps} steps");
            assert!(site.corpus.files.shown().is_empty(), "after {steps} steps");
            if first.is_ok() {
                break;
            }
            broken += 1;
        }
        assert!(broken >= 10, "{broken}");
    });
}

#[test]
fn a_document_announced_anew_survives_the_removal_of_its_earlier_life() {
    pollster::block_on(async {
        for is_indexed_before in [false, true] {
            let site = Site::default();
            let old = site.ingest(&Scope::Global, "a.md", "01A").await;
            let removal = site.delete(&old, "01B").await;
            let new = site.corpus.announce("a.md", "01C", b"# A\n\nThe bearing ran dry.\n").await;
            if is_indexed_before {
                site.corpus.ingest(&new).await.unwrap();
            }
            assert_eq!(site.run(removal).await.unwrap(), Outcome::Done);
            site.corpus.ingest(&new).await.unwrap();
            assert_eq!(site.corpus.status(&new).await, Status::Indexed);
            assert_eq!(site.corpus.files.shown(), [new.key()]);
            assert!(site.corpus.index.sees(&new));
            assert_eq!(site.corpus.index.size(), 2);
        }
    });
}

#[test]
fn a_closing_case_loses_all_it_has_and_tells_how_much_that_was() {
    pollster::block_on(async {
        let site = Site::default();
        let scope = site.closing().await;
        let others = Scope::Case("01JCASE0000000000000000002".into());
        let other = site.ingest(&others, "a.md", "01A").await;
        let removal = Removal::Case { case_id: CASE.into() };
        assert_eq!(site.run(removal.clone()).await.unwrap(), Outcome::Done);
        let closed = site.closed().await;
        assert_eq!(closed.status, CaseStatus::Closed);
        let removed = Removed { documents: 3, points: 6, files: 4, cached: 250 };
        assert_eq!(closed.removed, Some(removed));
        assert_eq!(site.corpus.files.keys(), [other.key()], "another case keeps its own");
        assert_eq!(site.corpus.index.size(), 2);
        assert_eq!(site.corpus.documents.counted(&scope), 0);
        assert_eq!(site.run(removal).await.unwrap(), Outcome::Done, "once more is no harm");
        assert_eq!(site.closed().await, closed);
    });
}

#[test]
fn wherever_a_closing_breaks_off_the_next_run_ends_it() {
    pollster::block_on(async {
        let mut broken = 0;
        for steps in 0.. {
            let site = Site::default();
            let scope = site.closing().await;
            let removal = Removal::Case { case_id: CASE.into() };
            let first = site.run_until(steps, removal.clone()).await;
            assert_eq!(site.run(removal).await.unwrap(), Outcome::Done);
            assert_eq!(site.closed().await.status, CaseStatus::Closed, "after {steps} steps");
            assert_eq!(site.corpus.index.size(), 0, "after {steps} steps");
            assert!(site.corpus.files.keys().is_empty(), "after {steps} steps");
            let left = site.corpus.documents.documents(&scope, 9, None).await.unwrap();
            assert_eq!(left.items, [], "after {steps} steps");
            let removed = site.closed().await.removed.unwrap();
            assert!(removed.documents <= 3 && removed.points <= 6 && removed.files <= 4);
            if first.is_ok() {
                break;
            }
            broken += 1;
        }
        assert!(broken >= 20, "{broken}");
    });
}

#[test]
fn a_second_message_that_counts_meanwhile_leaves_the_rest_to_the_first() {
    pollster::block_on(async {
        let site = Site::default();
        site.closing().await;
        let removal = Removal::Case { case_id: CASE.into() };
        let broken = Broken::after(ENOUGH, &site.corpus, &site.cases);
        let first = broken.meanwhile(Removed { points: 6, ..Removed::default() });
        assert_eq!(site.run_with(&first, removal.clone()).await.unwrap(), Outcome::Kept);
        let removed = site.closed().await.removed.unwrap();
        assert_eq!((removed.documents, removed.points), (0, 6), "nothing is counted twice");
        assert_eq!(site.run(removal).await.unwrap(), Outcome::Done);
        assert_eq!(site.closed().await.status, CaseStatus::Closed);
    });
}

#[test]
fn an_open_or_unknown_case_is_left_as_it_is() {
    pollster::block_on(async {
        let site = Site::default();
        let removal = Removal::Case { case_id: CASE.into() };
        assert_eq!(site.run(removal.clone()).await.unwrap(), Outcome::Kept);
        let scope = site.open().await;
        assert_eq!(site.run(removal).await.unwrap(), Outcome::Kept);
        assert_eq!(
            site.corpus.index.held().iter().filter(|s| s.kind.name() == "passage").count(),
            3
        );
        let page = site.corpus.documents.documents(&scope, 9, None).await.unwrap();
        assert_eq!(page.items.len(), 3);
    });
}

#[test]
fn a_case_with_more_files_than_one_message_takes_sends_itself_on() {
    pollster::block_on(async {
        let mut site = Site::default();
        site.corpus.files = FakeFiles::paged(3);
        let scope = site.closing().await;
        for number in 0..70 {
            site.corpus.files.put(&format!("documents/{scope}/left-{number:02}"), b"x");
        }
        let mut removal = Removal::Case { case_id: CASE.into() };
        let mut messages = 1;
        while site.run(removal.clone()).await.unwrap() == Outcome::Continued {
            removal = site.removals.take().pop().unwrap();
            messages += 1;
        }
        assert_eq!(messages, 2);
        assert_eq!(site.closed().await.removed.unwrap().files, 74);
        assert!(site.corpus.files.keys().is_empty());
    });
}

#[test]
fn a_message_reads_back_as_it_was_sent() {
    let upload = Upload {
        scope: Scope::User("auth0|a/b".into()),
        document_id: uuid::Uuid::from_u128(7),
        version: "01B".into(),
    };
    let document = r#"{"document":{"scope":"user:auth0|a/b","document_id":"00000000-0000-0000-0000-000000000007","version":"01B"}}"#;
    let case = format!(r#"{{"case":{{"case_id":"{CASE}"}}}}"#);
    let sent = [
        (Removal::Document(upload), document.to_owned()),
        (Removal::Case { case_id: CASE.into() }, case),
        (Removal::Orphans(Orphans::Points(None)), r#"{"orphans":{"points":null}}"#.into()),
    ];
    for (removal, text) in sent {
        assert_eq!(serde_json::to_string(&removal).unwrap(), text);
        assert_eq!(serde_json::from_str::<Removal>(&text).unwrap(), removal);
    }
}
