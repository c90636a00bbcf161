//! Documents that are deleted during their ingest.

use super::*;
use ports::{Charge, Guard, Page, Written};

/// Documents, one of which is deleted just before it is settled.
struct Late<'d>(&'d testing::FakeDocuments);

#[async_trait]
impl Documents for Late<'_> {
    async fn announce(&self, record: &Record, guard: Option<&Guard>) -> Result<Written> {
        self.0.announce(record, guard).await
    }

    async fn announce_within(
        &self,
        record: &Record,
        charge: Charge<'_>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        self.0.announce_within(record, charge, guard).await
    }

    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.0.document(scope, document).await
    }

    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        self.0.documents(scope, limit, after).await
    }

    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()> {
        self.0.mark(scope, document, version, status).await
    }

    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<bool> {
        assert!(self.0.begin_deletion(scope, document, "01Z", false).await?);
        self.0.settle(scope, document, live).await
    }

    async fn touch(&self, scope: &Scope) -> Result<()> {
        self.0.touch(scope).await
    }

    async fn begin_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        is_final: bool,
    ) -> Result<bool> {
        self.0.begin_deletion(scope, document, version, is_final).await
    }

    async fn deleted(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.0.deleted(scope, document).await
    }
}

/// An index. Just after a document is published there, it is deleted, or uploaded again with this
/// text.
pub(super) struct Meanwhile<'c>(
    pub(super) &'c Corpus,
    pub(super) Option<(&'static str, &'static str)>,
);

#[async_trait]
impl Publisher for Meanwhile<'_> {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        self.0.index.vectors(scope, document, texts).await
    }

    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
        self.0.index.stage(scope, points).await
    }

    async fn is_published(&self, scope: &Scope, points: &[Uuid]) -> Result<bool> {
        self.0.index.is_published(scope, points).await
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.0.index.publish(scope, document, version, points).await?;
        match self.1 {
            Some((name, text)) => {
                let later = self.0.announce(name, "01B", text.as_bytes()).await;
                self.0.ingest(&later).await?;
            }
            None => assert!(self.0.documents.begin_deletion(scope, document, "01Z", false).await?),
        }
        Ok(())
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.0.index.delete_up_to(scope, document, version, points).await
    }

    async fn delete_version(&self, upload: &Upload) -> Result<()> {
        self.0.index.delete_version(upload).await
    }
}

fn assert_nothing_is_left(corpus: &Corpus) {
    assert_eq!(corpus.index.size(), 0, "points are left");
    assert_eq!(corpus.files.shown(), Vec::<String>::new(), "files are left");
}

#[test]
fn an_upload_whose_document_was_deleted_before_it_is_read_ends_quietly() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let Upload { scope, document_id, .. } = &upload;
        assert!(corpus.documents.begin_deletion(scope, *document_id, "01Z", false).await.unwrap());
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Gone);
        assert_nothing_is_left(&corpus);
    });
}

#[test]
fn an_upload_without_a_record_ends_quietly_and_its_file_is_left_to_the_sweep() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let unknown = Upload { document_id: Uuid::from_u128(7), ..upload.clone() };
        corpus.files.put(&unknown.key(), OLD.as_bytes());
        assert_eq!(corpus.ingest(&unknown).await.unwrap(), Outcome::Gone);
        assert_eq!(corpus.files.keys(), [unknown.key(), upload.key()]);
    });
}

#[test]
fn a_message_that_comes_again_after_the_table_was_restored_leaves_the_file() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
        let restored = testing::FakeDocuments::default();
        let services = corpus.services(&restored, &corpus.index);
        assert_eq!(run(&services, &upload).await.unwrap(), Outcome::Gone);
        assert_eq!(corpus.files.keys(), [upload.key()]);
    });
}

#[test]
fn a_document_that_is_deleted_while_it_is_published_is_taken_away_again() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let outcome = corpus.ingest_into(&upload, &Meanwhile(&corpus, None)).await.unwrap();
        assert_eq!(outcome, Outcome::Gone);
        assert_nothing_is_left(&corpus);
    });
}

#[test]
fn a_document_that_is_deleted_just_before_it_is_settled_is_taken_away_again() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let late = Late(&corpus.documents);
        let services = corpus.services(&late, &corpus.index);
        assert_eq!(run(&services, &upload).await.unwrap(), Outcome::Gone);
        assert_nothing_is_left(&corpus);
        assert_eq!(corpus.status(&upload).await, Status::Deleting);
    });
}

#[test]
fn a_document_announced_anew_after_its_deletion_lives_and_its_earlier_uploads_do_not() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let old = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        assert!(
            corpus
                .documents
                .begin_deletion(&old.scope, old.document_id, "01C", false)
                .await
                .unwrap()
        );
        let new = corpus.announce("pump.md", "01D", OLD.as_bytes()).await;
        assert_eq!(corpus.ingest(&old).await.unwrap(), Outcome::Gone);
        let indexed = Outcome::Indexed { passages: 1 };
        assert_eq!(corpus.ingest(&new).await.unwrap(), indexed, "the same bytes are new again");
        assert_eq!(corpus.ingest(&old).await.unwrap(), Outcome::Gone);
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (1, 0));
    });
}

#[test]
fn a_file_that_went_with_its_document_is_not_missed() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        corpus::file_deletion::upload(&corpus.files, &upload).await.unwrap();
        assert!(matches!(corpus.ingest(&upload).await, Err(Error::Missing { kind: "file", .. })));
        corpus
            .documents
            .begin_deletion(&upload.scope, upload.document_id, "01Z", false)
            .await
            .unwrap();
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Gone);
    });
}

#[test]
fn an_upload_that_is_overtaken_while_it_is_published_is_taken_away_again() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let slow = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let outcome =
            corpus.ingest_into(&slow, &Meanwhile(&corpus, Some(("pump.md", NEW)))).await.unwrap();
        assert_eq!(outcome, Outcome::Outdated);
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
    });
}

#[test]
fn the_same_bytes_again_are_new_while_others_are_on_their_way() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let mistake = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        let back = corpus.announce("pump.md", "01C", OLD.as_bytes()).await;
        assert_eq!(corpus.ingest(&back).await.unwrap(), Outcome::Indexed { passages: 1 });
        assert_eq!(corpus.ingest(&mistake).await.unwrap(), Outcome::Outdated);
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (1, 0));
    });
}

#[test]
fn an_upload_of_a_former_life_does_not_come_back() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let old = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let Upload { scope, document_id, .. } = &old;
        corpus.documents.begin_deletion(scope, *document_id, "01B", false).await.unwrap();
        ports::DocumentCleanup::finish_deletion(
            &corpus.documents,
            scope,
            *document_id,
            "01B",
            jiff::Timestamp::MAX,
        )
        .await
        .unwrap();
        let new = corpus.announce("pump.md", "01C", NEW.as_bytes()).await;
        let counted = corpus.documents.counted(scope);
        assert_eq!(corpus.ingest(&old).await.unwrap(), Outcome::Gone);
        assert_eq!(
            corpus.documents.counted(scope),
            counted + 1,
            "nothing answered from it is kept"
        );
        assert_eq!(corpus.ingest(&new).await.unwrap(), Outcome::Indexed { passages: 1 });
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
    });
}

#[test]
fn a_message_that_comes_twice_leaves_the_document_to_be_found() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
        // Another run of the same message has staged its points again and was interrupted.
        let points = corpus.index.held();
        corpus.index.stage(&upload.scope, points).await.unwrap();
        assert_eq!(found(&corpus, "bearing").await, 0);
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Indexed { passages: 1 });
        assert_eq!(found(&corpus, "bearing").await, 1);
    });
}
