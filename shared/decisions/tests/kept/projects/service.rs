//! Services that fail or change in the middle of a request.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use uuid::Uuid;

use super::*;
use model::document::Passage;
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::{Embedded, Embedding, Point, Ranked, Search};
use testing::FakeIndex;

/// An index that finds its passages only once, and publishes from the second request on; or that
/// does not answer.
pub(super) struct Moody<'i> {
    index: &'i FakeIndex,
    read: AtomicUsize,
    published: AtomicUsize,
    fails: usize,
    is_away: bool,
}

impl<'i> Moody<'i> {
    fn of(index: &'i FakeIndex, fails: usize) -> Moody<'i> {
        let (read, published) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Moody { index, read, published, fails, is_away: false }
    }

    pub(super) fn away(index: &'i FakeIndex) -> Moody<'i> {
        Moody { is_away: true, ..Moody::of(index, 0) }
    }

    fn index(&self) -> Result<&FakeIndex> {
        if self.is_away { Err(Error::unavailable("the index", "down")) } else { Ok(self.index) }
    }
}

#[async_trait]
impl Index for Moody<'_> {
    async fn search(
        &self,
        grant: &Grant,
        filters: &Filters,
        searches: Vec<Search>,
    ) -> Result<Vec<Ranked>> {
        self.index()?.search(grant, filters, searches).await
    }

    async fn documents(&self, grant: &Grant, of: &[Uuid], more: &[Uuid]) -> Result<Vec<Passage>> {
        let index = self.index()?;
        match self.read.load(Ordering::Relaxed) {
            0 => index.documents(grant, of, more).await,
            _ => Ok(Vec::new()),
        }
    }

    async fn passages(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        let index = self.index()?;
        match self.read.fetch_add(1, Ordering::Relaxed) {
            0 => index.passages(grant, ids).await,
            _ => Ok(Vec::new()),
        }
    }

    async fn points(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Passage>> {
        self.index()?.points(grant, ids).await
    }

    async fn embeddings(&self, grant: &Grant, ids: &[Uuid]) -> Result<Vec<Embedding>> {
        self.index()?.embeddings(grant, ids).await
    }

    async fn scan(
        &self,
        grant: &Grant,
        of: &Filters,
        limit: usize,
    ) -> Result<(Vec<Passage>, bool)> {
        self.index()?.scan(grant, of, limit).await
    }
}

#[async_trait]
impl Publisher for Moody<'_> {
    async fn vectors(
        &self,
        scope: &Scope,
        document: Uuid,
        texts: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        self.index()?.vectors(scope, document, texts).await
    }

    async fn stage(&self, scope: &Scope, points: Vec<Point>) -> Result<()> {
        self.index()?.stage(scope, points).await
    }

    async fn is_published(&self, scope: &Scope, points: &[Uuid]) -> Result<bool> {
        self.index()?.is_published(scope, points).await
    }

    async fn publish(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        if self.published.fetch_add(1, Ordering::Relaxed) < self.fails {
            return Err(Error::unavailable("the index", "down"));
        }
        self.index()?.publish(scope, document, version, points).await
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.index()?.delete_up_to(scope, document, version, points).await
    }

    async fn delete_version(&self, upload: &model::object::Upload) -> Result<()> {
        self.index()?.delete_version(upload).await
    }
}

fn send(site: &Site, moody: &Moody<'_>, body: &Value) -> Partial<DecisionReply> {
    let bytes = body.to_string().into_bytes();
    let once = Once { route: "POST x", key: Some("k"), body: &bytes };
    let project_context = ProjectContext {
        index: moody,
        publisher: moody,
        ..site.context.project_context(&site.corpus)
    };
    let new = serde_json::from_value(body.clone()).unwrap();
    pollster::block_on(decide(&project_context, &site.project, &once, new)).unwrap()
}

#[test]
fn a_passage_that_goes_while_a_decision_is_saved_marks_it() {
    let mut site = Site::new();
    let passage = site.passages().swap_remove(0);
    let mut new = seal();
    new["sources"] = json!([{"passage_id": passage.id, "relevance": 1}]);
    site.context.tick();
    send(&site, &Moody::of(&site.corpus.index, 0), &new);
    let needs_review = site.trail(None).unwrap().needs_review;
    assert_eq!(needs_review[0].decision.needs_review[0].was, passage.text);
}

#[test]
fn what_a_first_request_left_unseen_the_second_one_publishes() {
    let mut site = Site::new();
    site.context.tick();
    let moody = Moody::of(&site.corpus.index, 1);
    let first = send(&site, &moody, &seal());
    assert_eq!(first.degraded[0].part, "related decisions");
    assert_eq!(site.related("Use carbon seals"), []);
    site.context.tick();
    let again = send(&site, &moody, &seal());
    assert_eq!((again.reply.decided, again.degraded.len()), (first.reply.decided, 0));
    let found = site.related("Use carbon seals");
    assert_eq!(found, [("Use carbon seals".to_owned(), DecisionStatus::Accepted)]);
}
