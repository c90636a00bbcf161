use super::*;
use crate::removal;
use async_trait::async_trait;
use model::document::document_id;
use ports::Documents;
use testing::{Corpus, FakeMembers, FakeProjects, FakeRemovals, caller, stamp};

const TEXT: &[u8] = b"# Pump\n\nThe seal wore out.\n";

/// The time at which a test begins.
const BEGIN: &str = "2026-11-20T18:00:00Z";

/// A quota that makes callers wait for this number of milliseconds.
struct Waits(i64);

#[async_trait]
impl Quota for Waits {
    async fn take(&self, _: &str, _: Rate, _: Timestamp) -> Result<Option<i64>> {
        Ok(Some(self.0).filter(|wait| *wait > 0))
    }
}

struct Site {
    corpus: Corpus,
    members: FakeMembers,
    removals: FakeRemovals,
    /// How many milliseconds a caller must wait before another unconfirmed deletion.
    wait: i64,
}

impl Site {
    fn new() -> Site {
        Site {
            corpus: Corpus::default(),
            members: FakeMembers::default(),
            removals: FakeRemovals::default(),
            wait: 0,
        }
    }

    async fn ingest(&self, second: u32) {
        let upload = self.corpus.announce_in(&scope(), "pump.md", &at(second).id, TEXT).await;
        self.corpus.ingest(&upload).await.unwrap();
    }

    async fn delete(&self, second: u32, options: Options) -> Result<Deleting> {
        self.delete_as("ann", &id().to_string(), second, options).await
    }

    async fn delete_as(
        &self,
        sub: &str,
        document: &str,
        second: u32,
        options: Options,
    ) -> Result<Deleting> {
        let deletions = Waits(self.wait);
        let services = self.services(&deletions);
        let (caller, stamp) = (caller(sub), at(second));
        delete(&services, &caller, scope(), document, options, &stamp).await
    }

    async fn restore(&self, sub: &str, stamp: &Stamp) -> Result<Restoring> {
        let deletions = Waits(0);
        let services = self.services(&deletions);
        restore(&services, &caller(sub), &scope(), &id().to_string(), stamp).await
    }

    fn services<'a>(&'a self, deletions: &'a Waits) -> Services<'a> {
        Services {
            documents: &self.corpus.documents,
            files: &self.corpus.files,
            members: &self.members,
            removals: &self.removals,
            deletions,
            quota: StorageQuota { documents: 1_000, bytes: 1_000_000 },
            restore_days: 30,
        }
    }

    /// Carries out the removals that were sent.
    async fn remove(&self) {
        let services = removal::Services {
            documents: &self.corpus.documents,
            files: &self.corpus.files,
            publisher: &self.corpus.index,
            cases: &self.corpus.cases,
            projects: &FakeProjects::default(),
            removals: &self.removals,
            tasks: &self.corpus.tasks,
            restore_days: 30,
        };
        for removal in self.removals.take() {
            removal::run(&services, removal, at(9).time).await.unwrap();
        }
    }

    async fn deleted(&self) -> Option<Record> {
        self.corpus.documents.deleted(&scope(), id()).await.unwrap()
    }
}

fn scope() -> Scope {
    Scope::User("ann".into())
}

fn id() -> Uuid {
    document_id(&scope(), "pump.md")
}

fn at(second: u32) -> Stamp {
    stamp(&BEGIN.replace(":00Z", &format!(":{second:02}Z")))
}

#[test]
fn a_deleted_document_is_not_found_and_is_restored_as_it_was() {
    pollster::block_on(async {
        let site = Site::new();
        site.ingest(1).await;
        site.delete(2, Options::default()).await.unwrap();
        let early = site.restore("ann", &at(3)).await;
        assert!(matches!(early, Err(Error::Conflict { .. })), "it is still being deleted");
        site.remove().await;
        assert_eq!(site.corpus.index.size(), 0);
        assert_eq!(site.corpus.documents.document(&scope(), id()).await.unwrap(), None);
        let name = site.deleted().await.unwrap().name;
        assert_eq!(name, "pump.md");
        assert!(matches!(site.restore("bob", &at(4)).await, Err(Error::Missing { .. })));
        let restoring = site.restore("ann", &at(4)).await.unwrap();
        let upload =
            Upload { scope: scope(), document_id: id(), version: restoring.version.clone() };
        site.corpus.ingest(&upload).await.unwrap();
        assert_eq!(site.corpus.status(&upload).await, Status::Indexed);
        assert_eq!(site.corpus.index.held()[0].passage.version, restoring.version);
        assert_eq!(site.deleted().await, None);
        assert!(matches!(site.restore("ann", &at(5)).await, Err(Error::Conflict { .. })));
    });
}

#[test]
fn a_restoration_whose_files_were_away_can_be_repeated() {
    pollster::block_on(async {
        let site = Site::new();
        site.ingest(1).await;
        site.delete(2, Options::default()).await.unwrap();
        site.remove().await;
        let version = at(3).id;
        let left = Record { version: version.clone(), live: None, ..site.deleted().await.unwrap() };
        let documents = &site.corpus.documents;
        documents.announce(&Record { status: Status::Waiting, ..left }, None).await.unwrap();
        let early = site.restore("ann", &at(4)).await;
        assert!(matches!(early, Err(Error::Conflict { .. })), "another is on its way");
        let failed = Status::Failed { reason: "the document store did not answer".into() };
        documents.mark(&scope(), id(), &version, &failed).await.unwrap();
        let restoring = site.restore("ann", &at(5)).await.unwrap();
        let upload = Upload { scope: scope(), document_id: id(), version: restoring.version };
        site.corpus.ingest(&upload).await.unwrap();
        assert_eq!(site.corpus.status(&upload).await, Status::Indexed);
        assert_eq!(site.deleted().await, None);
    });
}

#[test]
fn nothing_is_restored_after_its_time_or_a_final_deletion() {
    pollster::block_on(async {
        let site = Site::new();
        site.ingest(1).await;
        site.delete(2, Options::default()).await.unwrap();
        site.remove().await;
        let late = site.restore("ann", &stamp("2026-12-21T18:00:00Z")).await;
        assert!(matches!(late, Err(Error::Missing { .. })));
        let is_final = Options { is_final: true, ..Options::default() };
        site.delete(3, is_final).await.unwrap();
        site.remove().await;
        assert!(matches!(site.restore("ann", &at(4)).await, Err(Error::Missing { .. })));
        assert_eq!(site.corpus.files.keys(), Vec::<String>::new());
        let deleted = site.deleted().await.unwrap();
        assert_eq!((deleted.name.as_str(), deleted.kept), ("", None), "only that it was deleted");
    });
}

#[test]
fn a_final_deletion_erases_at_once_also_one_that_begins_while_another_runs() {
    pollster::block_on(async {
        let is_final = Options { is_final: true, ..Options::default() };
        for first in [is_final, Options::default()] {
            let site = Site::new();
            site.ingest(1).await;
            site.delete(2, first).await.unwrap();
            site.delete(3, is_final).await.unwrap();
            site.remove().await;
            assert_eq!(site.corpus.files.keys(), Vec::<String>::new());
            assert!(site.deleted().await.unwrap().is_final);
        }
    });
}

#[test]
fn many_deletions_need_a_confirmation() {
    pollster::block_on(async {
        let site = Site { wait: 60_000, ..Site::new() };
        site.ingest(1).await;
        let refused = site.delete(2, Options::default()).await.unwrap_err();
        assert!(refused.to_string().contains("confirm=true"), "{refused}");
        assert_eq!(site.removals.take(), []);
        let confirmed = Options { is_confirmed: true, ..Options::default() };
        assert!(site.delete(3, confirmed).await.is_ok());
    });
}

#[test]
fn a_deletion_is_noted_at_once_and_sent_each_time_under_the_same_version() {
    pollster::block_on(async {
        let site = Site::new();
        site.ingest(1).await;
        let reply = site.delete(2, Options::default()).await.unwrap();
        assert_eq!((reply.document_id, reply.status), (id(), DocumentState::Deleting));
        let version = at(2).id;
        let removal = Removal::Document(Upload { scope: scope(), document_id: id(), version });
        assert_eq!(site.removals.take(), std::slice::from_ref(&removal));
        site.delete(3, Options::default()).await.unwrap();
        assert_eq!(site.removals.take(), [removal], "what was sent before may have been lost");
    });
}

#[test]
fn what_is_unknown_or_somebody_elses_cannot_be_deleted() {
    pollster::block_on(async {
        let site = Site::new();
        site.ingest(1).await;
        let (known, unknown) = (id().to_string(), Uuid::from_u128(7).to_string());
        for (sub, document) in [("eve", &known), ("ann", &unknown), ("ann", &"a.md".to_owned())] {
            for is_final in [false, true] {
                let options = Options { is_final, ..Options::default() };
                let refused = site.delete_as(sub, document, 2, options).await;
                assert!(matches!(refused, Err(Error::Missing { .. })), "{document}");
            }
        }
        assert_eq!(site.removals.take(), []);
    });
}

#[test]
fn what_was_announced_at_the_same_time_by_a_later_clock_is_not_deleted() {
    pollster::block_on(async {
        let site = Site::new();
        site.ingest(5).await;
        let refused = site.delete(4, Options::default()).await;
        assert!(matches!(refused, Err(Error::Conflict { field: "document", .. })));
        assert_eq!(site.removals.take(), []);
    });
}
