use async_trait::async_trait;
use corpus::ingest::*;
use model::object::Upload;
use model::{Error, Result};
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::{
    Brings, Documents, Embedded, Index, Live, Point, Publisher, Record, Search, SearchBy, Status,
    Tries,
};
use testing::{Corpus, FakeIndex};
use text::language::Language;
use uuid::Uuid;

const OLD: &str = "# Pump\n\nThe seal wore out.\n";
const NEW: &str = "# Pump\n\nThe bearing ran dry.\n";

async fn found(corpus: &Corpus, word: &str) -> usize {
    let by = SearchBy::Bm25(word.into(), Language::English);
    let of = model::evidence::PointKind::Passage;
    let search = Search { of, by, depth: 10, brings: Brings::Ids };
    let grant = Grant::unchecked(&[Scope::Global]);
    corpus.index.search(&grant, &Filters::default(), vec![search]).await.unwrap()[0].hits.len()
}

/// The point at which an ingest is interrupted.
#[derive(Clone, Copy, PartialEq)]
enum Break {
    /// Half of the points are staged.
    Staging,
    /// All points are staged.
    Publishing,
    /// The version is published, but not recorded in the table.
    Settling,
}

struct Broken<'i>(&'i FakeIndex, Break);

fn broke_off() -> Result<()> {
    Err(Error::unavailable("the index", "broke off"))
}

#[async_trait]
impl Publisher for Broken<'_> {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        self.0.vectors(scope, document, texts).await
    }

    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
        if self.1 != Break::Staging {
            return self.0.stage(scope, points).await;
        }
        let half = points.len() / 2;
        self.0.stage(scope, points[..half].to_vec()).await?;
        broke_off()
    }

    async fn is_published(&self, scope: &Scope, points: &[Uuid]) -> Result<bool> {
        self.0.is_published(scope, points).await
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        if self.1 != Break::Publishing {
            self.0.publish(scope, document, version, points).await?;
        }
        if self.1 == Break::Staging { Ok(()) } else { broke_off() }
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.0.delete_up_to(scope, document, version, points).await
    }

    async fn delete_version(&self, upload: &Upload) -> Result<()> {
        self.0.delete_version(upload).await
    }
}

#[test]
fn ingesting_twice_leaves_what_ingesting_once_leaves() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let size = corpus.index.size();
        let again = corpus.announce("pump.md", "01B", OLD.as_bytes()).await;
        assert_eq!(corpus.ingest(&again).await.unwrap(), Outcome::Unchanged);
        assert_eq!(corpus.index.size(), size);
        assert_eq!(corpus.status(&again).await, Status::Indexed);
    });
}

#[test]
fn whatever_breaks_off_the_old_version_stays_until_the_new_one_is_whole() {
    pollster::block_on(async {
        for step in [Break::Staging, Break::Publishing] {
            let corpus = Corpus::of(&[("pump.md", OLD)]).await;
            let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
            let broken = Broken(&corpus.index, step);
            assert!(corpus.ingest_into(&upload, &broken).await.is_err());
            assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (1, 0));
            assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Indexed { passages: 1 });
            assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
        }
    });
}

#[test]
fn what_is_published_already_is_not_staged_and_so_hidden_again() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        let unsettled = Broken(&corpus.index, Break::Settling);
        assert!(corpus.ingest_into(&upload, &unsettled).await.is_err());
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
        // This index fails if anything is staged.
        let unstaged = Broken(&corpus.index, Break::Staging);
        let outcome = corpus.ingest_into(&upload, &unstaged).await.unwrap();
        assert_eq!(outcome, Outcome::Indexed { passages: 1 });
        assert_eq!(corpus.status(&upload).await, Status::Indexed);
        // Another reader than the present one may have made the points.
        let record = corpus.documents.document(&upload.scope, upload.document_id).await.unwrap();
        assert!(!record.unwrap().live.unwrap().indexing.covers(&testing::INDEXING));
    });
}

#[test]
fn a_lower_version_never_replaces_a_higher_one() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let old = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        let new = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        corpus.ingest(&new).await.unwrap();
        assert_eq!(corpus.ingest(&old).await.unwrap(), Outcome::Outdated);
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 1));
    });
}

#[test]
fn what_cannot_be_read_fails_with_its_reason() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", b"\xff\xfe\x00").await;
        let reason = "is no text in UTF-8, nor in UTF-16LE".to_owned();
        let refused = Outcome::Refused { reason: reason.clone() };
        assert_eq!(corpus.ingest(&upload).await.unwrap(), refused);
        assert_eq!(corpus.status(&upload).await, Status::Failed { reason });
    });
}

#[test]
fn what_kills_two_tries_is_not_tried_a_third_time() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        for _ in 0..2 {
            corpus.documents.begin(&upload).await.unwrap();
        }
        let Outcome::Refused { reason } = corpus.ingest(&upload).await.unwrap() else { panic!() };
        assert!(reason.contains("too much memory or time"), "{reason}");
        assert_eq!(corpus.status(&upload).await, Status::Failed { reason });
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (1, 0));
    });
}

#[test]
fn a_try_that_ends_with_an_error_counts_as_ended() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        let broken = Broken(&corpus.index, Break::Staging);
        for _ in 0..5 {
            let error = corpus.ingest_into(&upload, &broken).await.unwrap_err();
            let services = corpus.services(&corpus.documents, &broken);
            failed(&services, &upload, &error, false).await.unwrap();
        }
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Indexed { passages: 1 });
    });
}

#[test]
fn what_is_given_up_is_not_found_and_no_cached_answer_of_before_is_given_again() {
    pollster::block_on(async {
        let corpus = Corpus::of(&[("pump.md", OLD)]).await;
        let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
        let counted = corpus.documents.counted(&Scope::Global);
        let unsettled = Broken(&corpus.index, Break::Settling);
        let error = corpus.ingest_into(&upload, &unsettled).await.unwrap_err();
        assert!(corpus.documents.counted(&Scope::Global) > counted, "it was published");
        let services = corpus.services(&corpus.documents, &corpus.index);
        failed(&services, &upload, &error, true).await.unwrap();
        assert!(matches!(corpus.status(&upload).await, Status::Failed { .. }));
        assert_eq!((found(&corpus, "seal").await, found(&corpus, "bearing").await), (0, 0));
    });
}

#[test]
fn a_try_that_broke_off_leaves_its_vectors_to_the_next_one() {
    pollster::block_on(async {
        let text: String = (0..60).fold(String::new(), |text, n| {
            format!("{text}## Step {n}\n\nTurn valve {n} until it is shut and stays so.\n\n")
        });
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", text.as_bytes()).await;
        let broken = Broken(&corpus.index, Break::Staging);
        assert!(corpus.ingest_into(&upload, &broken).await.is_err());
        let staged = corpus.index.size();
        assert!(staged > 20);
        corpus.ingest(&upload).await.unwrap();
        let record = corpus.documents.document(&upload.scope, upload.document_id).await.unwrap();
        let live = record.unwrap().live.unwrap();
        assert_eq!(live.embedded as usize, corpus.index.size() - staged);
    });
}

#[test]
fn a_year_that_was_guessed_is_noted_of_the_document() {
    pollster::block_on(async {
        let (corpus, version) = (Corpus::default(), "01M7X2DA600000000000000000");
        let log = "Nov 19 10:00:00 web-1 pump: dry\n";
        let upload = corpus.announce("pump.log", version, log.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
        let record = corpus.documents.document(&upload.scope, upload.document_id).await.unwrap();
        assert_eq!(record.unwrap().live.unwrap().assumed.as_deref(), Some("UTC, 2026"));
    });
}

mod late;
mod races;
