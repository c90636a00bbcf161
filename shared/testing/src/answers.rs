//! Stored answers in memory.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::FakeMembers;
use model::Result;
use ports::scope::{Caller, Scope};
use ports::{
    Answers, CacheRead, Cached, ConflictStore, FoundConflicts, Keeping, KeptAnswer, KeptSearch,
    Members, QueryCache, SearchCache, WrittenQueries,
};

/// Answers by id and by key, and embeddings; the number of changes to the documents of each scope,
/// and the members of cases.
#[derive(Debug, Default)]
pub struct FakeAnswers {
    /// The members of cases.
    pub members: FakeMembers,
    /// The number of changes to the documents of each scope.
    pub corpora: Mutex<HashMap<Scope, u64>>,
    /// The stored answers.
    pub kept: Mutex<Vec<Keeping>>,
    /// The queries that a model wrote besides questions, by scope and key.
    pub queries: Mutex<HashMap<(Scope, String), WrittenQueries>>,
    /// The stored answers of searches, by scope and key.
    pub searches: Mutex<HashMap<(Scope, String), KeptSearch>>,
    /// The conflicts that were found last.
    pub conflicts: Mutex<HashMap<Scope, FoundConflicts>>,
}

impl FakeAnswers {
    /// Increments the scope's counter, as an ingest does.
    pub fn change(&self, scope: &Scope) {
        *self.corpora.lock().unwrap().entry(scope.clone()).or_default() += 1;
    }

    /// Returns the number of stored answers.
    pub fn count(&self) -> usize {
        self.kept.lock().unwrap().len()
    }
}

#[async_trait]
impl QueryCache for FakeAnswers {
    async fn queries(
        &self,
        scope: &Scope,
        key: &str,
        _now: Timestamp,
    ) -> Result<Option<WrittenQueries>> {
        Ok(self.queries.lock().unwrap().get(&(scope.clone(), key.to_owned())).cloned())
    }

    async fn keep_queries(
        &self,
        scope: &Scope,
        key: &str,
        written: &WrittenQueries,
        _until: Timestamp,
    ) -> Result<()> {
        self.queries.lock().unwrap().insert((scope.clone(), key.into()), written.clone());
        Ok(())
    }
}

#[async_trait]
impl SearchCache for FakeAnswers {
    async fn search(
        &self,
        scopes: &[Scope],
        owner: &Scope,
        key: &str,
    ) -> Result<(Vec<u64>, Option<KeptSearch>)> {
        let corpora = self.corpora.lock().unwrap();
        let versions = scopes.iter().map(|scope| corpora.get(scope).copied().unwrap_or_default());
        let kept = self.searches.lock().unwrap().get(&(owner.clone(), key.to_owned())).cloned();
        Ok((versions.collect(), kept))
    }

    async fn keep_search(&self, owner: &Scope, key: &str, kept: &KeptSearch) -> Result<()> {
        self.searches.lock().unwrap().insert((owner.clone(), key.into()), kept.clone());
        Ok(())
    }
}

#[async_trait]
impl ConflictStore for FakeAnswers {
    async fn corpus_of(&self, scope: &Scope) -> Result<u64> {
        Ok(self.corpora.lock().unwrap().get(scope).copied().unwrap_or_default())
    }

    async fn conflicts(&self, scope: &Scope) -> Result<(u64, Option<FoundConflicts>)> {
        let found = self.conflicts.lock().unwrap().get(scope).cloned();
        Ok((self.corpus_of(scope).await?, found))
    }

    async fn keep_conflicts(&self, scope: &Scope, found: &FoundConflicts) -> Result<()> {
        self.conflicts.lock().unwrap().insert(scope.clone(), found.clone());
        Ok(())
    }
}

#[async_trait]
impl Answers for FakeAnswers {
    async fn read_cache(
        &self,
        scope: &Scope,
        caller: &Caller,
        key: &str,
        vectors: &[String],
    ) -> Result<CacheRead> {
        let case = match scope {
            Scope::Case(case) => self.members.case(case, caller).await?,
            _ => None,
        };
        let corpus = self.corpora.lock().unwrap().get(scope).copied().unwrap_or_default();
        let keys: HashSet<&String> = vectors.iter().collect();
        assert_eq!(keys.len(), vectors.len(), "a batch has no key twice");
        let kept = self.kept.lock().unwrap();
        let in_scope = kept.iter().filter(|keeping| keeping.answer.scope == *scope);
        let cached = in_scope.clone().rev().find_map(|keeping| {
            let (_, expires_at) = keeping.cache.as_ref().filter(|(c, _)| c == key)?;
            Some(Cached {
                answer_id: keeping.answer.answer_id.clone(),
                body: keeping.answer.body.clone(),
                corpus: keeping.answer.corpus,
                made_at: keeping.made_at,
                expires_at: *expires_at,
            })
        });
        let known = in_scope.flat_map(|keeping| keeping.vectors.clone());
        let vectors = known.filter(|(key, _)| vectors.contains(key)).collect();
        Ok(CacheRead { case, corpus, cached, vectors })
    }

    async fn keep(&self, keeping: &Keeping) -> Result<()> {
        self.kept.lock().unwrap().push(keeping.clone());
        Ok(())
    }

    async fn answer(&self, answer_id: &str, now: Timestamp) -> Result<Option<KeptAnswer>> {
        let kept = self.kept.lock().unwrap();
        let mut answers = kept.iter().map(|k| &k.answer);
        let found = answers.find(|answer| answer.answer_id == answer_id && answer.expires_at > now);
        Ok(found.cloned())
    }
}
