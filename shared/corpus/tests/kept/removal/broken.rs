//! Services that break after a number of steps, before or after a call, and stay broken.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use uuid::Uuid;
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Invitation, Member, Role};

use model::object::Upload;
use model::{Error, Result};
use ports::scope::{Caller, Scope};
use ports::{
    Cases, Charge, DocumentCleanup, Documents, Embedded, Guard, IndexCleanup, Kept, Live, Members,
    Page, Point, Publisher, Record, Requests, Status, Trace, Unfinished, Written,
};
use testing::{Corpus, FakeCases};

mod files;

pub(super) struct Broken<'a> {
    corpus: &'a Corpus,
    cases: &'a FakeCases,
    left: AtomicUsize,
    meanwhile: Option<Removed>,
}

impl<'a> Broken<'a> {
    /// Returns services that break after `steps`.
    pub(super) fn after(steps: usize, corpus: &'a Corpus, cases: &'a FakeCases) -> Broken<'a> {
        Broken { corpus, cases, left: AtomicUsize::new(steps), meanwhile: None }
    }

    /// Lets another message count this just before each count.
    pub(super) fn meanwhile(self, removed: Removed) -> Broken<'a> {
        Broken { meanwhile: Some(removed), ..self }
    }

    fn step(&self) -> Result<()> {
        let step = |left: usize| left.checked_sub(1);
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
        taken.map(drop).map_err(|_| Error::unavailable("a service", "broke off"))
    }

    async fn stepping<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        self.step()?;
        let answer = call.await?;
        self.step()?;
        Ok(answer)
    }
}

#[async_trait]
impl Documents for Broken<'_> {
    async fn announce(&self, _: &Record, _: Option<&Guard>) -> Result<Written> {
        unreachable!("no removal announces")
    }

    async fn announce_within(
        &self,
        _: &Record,
        _: Charge<'_>,
        _: Option<&Guard>,
    ) -> Result<Written> {
        unreachable!("no removal announces")
    }

    async fn touch(&self, scope: &Scope) -> Result<()> {
        self.stepping(self.corpus.documents.touch(scope)).await
    }

    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.stepping(self.corpus.documents.document(scope, document)).await
    }

    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        self.stepping(self.corpus.documents.documents(scope, limit, after)).await
    }

    async fn mark(&self, _: &Scope, _: Uuid, _: &str, _: &Status) -> Result<()> {
        unreachable!("only orphans are marked")
    }

    async fn settle(&self, _: &Scope, _: Uuid, _: &Live) -> Result<bool> {
        unreachable!("no removal settles")
    }

    async fn begin_deletion(&self, _: &Scope, _: Uuid, _: &str, _: bool) -> Result<bool> {
        unreachable!("what is removed was deleted before")
    }

    async fn deleted(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.stepping(self.corpus.documents.deleted(scope, document)).await
    }
}

#[async_trait]
impl DocumentCleanup for Broken<'_> {
    async fn all_deleted(&self, _: &Scope, _: u32, _: Option<Uuid>) -> Result<Page<Record>> {
        unreachable!("no removal lists what was deleted")
    }

    async fn make_final(&self, _: &Scope, _: Uuid) -> Result<bool> {
        unreachable!("what is removed was deleted before")
    }

    async fn forget_deleted(&self, _: &Scope, _: Uuid) -> Result<()> {
        unreachable!("no removal restores")
    }

    async fn finish_deletion(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        until: Timestamp,
    ) -> Result<()> {
        self.stepping(self.corpus.documents.finish_deletion(scope, document, version, until)).await
    }

    async fn delete_record(&self, scope: &Scope, document: Uuid) -> Result<bool> {
        self.stepping(self.corpus.documents.delete_record(scope, document)).await
    }

    async fn forget_answers(&self, scope: &Scope, document: Uuid) -> Result<()> {
        self.stepping(self.corpus.documents.forget_answers(scope, document)).await
    }

    async fn delete_cached(&self, scope: &Scope, limit: u32) -> Result<u32> {
        self.stepping(self.corpus.documents.delete_cached(scope, limit)).await
    }

    async fn delete_corpus_counter(&self, scope: &Scope) -> Result<()> {
        self.stepping(self.corpus.documents.delete_corpus_counter(scope)).await
    }

    async fn documents_named(&self, _: &[(Scope, Uuid)]) -> Result<Vec<Record>> {
        unreachable!("only orphans are looked up")
    }

    async fn unfinished(
        &self,
        _: &str,
        _: u32,
        _: Option<&str>,
    ) -> Result<Page<Unfinished, String>> {
        unreachable!("only orphans are looked up")
    }
}

#[async_trait]
impl Publisher for Broken<'_> {
    async fn vectors(
        &self,
        _: &Scope,
        _: Uuid,
        _: &[Embedded],
    ) -> Result<Vec<(Embedded, Vec<f32>)>> {
        unreachable!("no removal embeds")
    }

    async fn stage(&self, _: &Scope, _: Vec<Point>) -> Result<()> {
        unreachable!("no removal stages")
    }

    async fn is_published(&self, _: &Scope, _: &[Uuid]) -> Result<bool> {
        unreachable!("no removal asks")
    }

    async fn publish(&self, _: &Scope, _: Uuid, _: &str, _: &[Uuid]) -> Result<()> {
        unreachable!("no removal publishes")
    }

    async fn delete_up_to(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        points: &[Uuid],
    ) -> Result<()> {
        self.stepping(self.corpus.index.delete_up_to(scope, document, version, points)).await
    }

    async fn delete_version(&self, _: &Upload) -> Result<()> {
        unreachable!("only orphans are discarded")
    }
}

#[async_trait]
impl IndexCleanup for Broken<'_> {
    async fn delete_scope(&self, scope: &Scope) -> Result<u64> {
        self.stepping(self.corpus.index.delete_scope(scope)).await
    }

    async fn traces(&self, _: u32, _: Option<Uuid>) -> Result<Page<Trace>> {
        unreachable!("only orphans are looked for")
    }
}

#[async_trait]
impl Members for Broken<'_> {
    async fn case(&self, _: &str, _: &Caller) -> Result<Option<CaseStatus>> {
        unreachable!("no removal asks for somebody")
    }
}

#[async_trait]
impl Requests for Broken<'_> {
    async fn kept(&self, _: &str, _: &str, _: Timestamp) -> Result<Option<Kept>> {
        unreachable!("no removal is sent by a caller")
    }
}

#[async_trait]
impl Cases for Broken<'_> {
    async fn create_case(&self, _: &Case, _: Option<&Guard>) -> Result<Written> {
        unreachable!("no removal creates")
    }

    async fn case_of(&self, _: &str, _: &Caller) -> Result<Option<(Case, Role)>> {
        unreachable!("no removal asks for somebody")
    }

    async fn cases(&self, _: &str, _: u32, _: Option<&str>) -> Result<Page<Case, String>> {
        unreachable!("no removal asks for somebody")
    }

    async fn team_cases(&self, _: &str, _: u32, _: Option<&str>) -> Result<Page<Case, String>> {
        unreachable!("no removal asks for a team")
    }

    async fn case_members(&self, _: &str) -> Result<Vec<Member>> {
        unreachable!("no removal asks for somebody")
    }

    async fn invite_to_case(&self, _: &str, _: &Invitation) -> Result<bool> {
        unreachable!("no removal changes members")
    }

    async fn join_case(&self, _: &str, _: &str) -> Result<bool> {
        unreachable!("no removal changes members")
    }

    async fn remove_case_member(&self, _: &str, _: &str) -> Result<bool> {
        unreachable!("no removal changes members")
    }

    async fn hand_over_case(&self, _: &str, _: &str, _: &str) -> Result<bool> {
        unreachable!("no removal changes members")
    }

    async fn begin_closing(&self, _: &str, _: &str, _: Timestamp) -> Result<bool> {
        unreachable!("what is removed was closed before")
    }

    async fn case_profile(&self, case: &str) -> Result<Option<Case>> {
        self.stepping(self.cases.case_profile(case)).await
    }

    async fn count_removed(&self, case: &str, before: &Removed, now: &Removed) -> Result<bool> {
        if let Some(meanwhile) = &self.meanwhile {
            self.cases.count_removed(case, before, meanwhile).await?;
        }
        self.stepping(self.cases.count_removed(case, before, now)).await
    }

    async fn forget_alerts(&self, case: &str) -> Result<()> {
        self.stepping(self.cases.forget_alerts(case)).await
    }

    async fn end_closing(&self, case: &str) -> Result<()> {
        self.stepping(self.cases.end_closing(case)).await
    }
}
