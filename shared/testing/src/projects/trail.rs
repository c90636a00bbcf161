//! Trails in memory.

use async_trait::async_trait;
use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionSource};
use wire::trail::{Asked, Digest};

use super::{All, Entry, FakeProjects, newest, page};
use model::{Error, Result};
use ports::{Guard, Page, Pending, Resting, Reviews, Span, Trail, Written};

#[async_trait]
impl Trail for FakeProjects {
    async fn questions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Asked>> {
        Ok(self.with(project, |entry| newest(&entry.questions, span, limit)).unwrap_or_default())
    }

    async fn decide(
        &self,
        project: &str,
        decided: &Decided,
        pending: &Pending,
        superseded: Option<&Decision>,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let mut all = self.all.lock().unwrap();
        if all.is_kept(guard) {
            return Ok(Written::Repeated);
        }
        let id = &decided.decision.decision_id;
        let is_there = |all: &All| Some(all.projects.get(project)?.decisions.contains_key(id));
        if is_there(&all) == Some(true) || superseded.is_some_and(|old| !all.is_next(project, old))
        {
            return Ok(Written::Stale);
        }
        all.keep(guard);
        if let Some(entry) = all.projects.get_mut(project) {
            entry.decisions.insert(id.clone(), decided.clone());
        }
        all.await_index(project, &decided.decision, pending);
        if let Some(old) = superseded {
            all.put(project, old);
            let change = pending.change.clone();
            all.await_index(project, old, &Pending { change, scopes: Vec::new() });
        }
        Ok(Written::Done)
    }

    async fn revise(
        &self,
        project: &str,
        decisions: &[&Decision],
        change: Option<&str>,
    ) -> Result<Written> {
        let unwritable = self.unwritable.lock().unwrap().clone();
        if decisions.iter().any(|decision| unwritable.contains(&decision.decision_id)) {
            return Err(Error::unavailable("the table", "the item is too large"));
        }
        let mut all = self.all.lock().unwrap();
        if decisions.iter().any(|decision| !all.is_next(project, decision)) {
            return Ok(Written::Stale);
        }
        for decision in decisions {
            all.put(project, decision);
            if let Some(change) = change {
                let pending = Pending { change: change.into(), scopes: Vec::new() };
                all.await_index(project, decision, &pending);
            }
        }
        Ok(Written::Done)
    }

    async fn pending(&self, project: &str, decision: &str) -> Result<Option<Pending>> {
        Ok(self.with(project, |entry| entry.pending.get(decision).cloned()).flatten())
    }

    async fn done(&self, project: &str, decision: &str, change: &str) -> Result<()> {
        if let Some(entry) = self.all.lock().unwrap().projects.get_mut(project) {
            entry.pending.retain(|id, p| id != decision || p.change.as_str() > change);
        }
        Ok(())
    }

    async fn decisions_named(&self, project: &str, decisions: &[String]) -> Result<Vec<Decision>> {
        let named = |entry: &Entry| {
            let named = decisions.iter().filter_map(|id| entry.decisions.get(id));
            named.map(|decided| decided.decision.clone()).collect()
        };
        Ok(self.with(project, named).unwrap_or_default())
    }

    async fn decisions(&self, project: &str, span: &Span, limit: u32) -> Result<Vec<Decision>> {
        let newest = self.with(project, |entry| newest(&entry.decisions, span, limit));
        Ok(newest.unwrap_or_default().into_iter().map(|decided| decided.decision).collect())
    }

    async fn sources(
        &self,
        project: &str,
        first: &str,
        last: &str,
    ) -> Result<Vec<(String, DecisionSource)>> {
        let sources = |entry: &Entry| {
            let within = entry.decisions.range(first.to_owned()..=last.to_owned());
            let each = |(id, decided): (&String, &Decided)| {
                let id = id.clone();
                let sources = decided.sources.clone().into_iter();
                sources.map(move |source| (id.clone(), source))
            };
            within.flat_map(each).collect()
        };
        Ok(self.with(project, sources).unwrap_or_default())
    }

    async fn tell(&self, project: &str, digest: &Digest) -> Result<Written> {
        let mut all = self.all.lock().unwrap();
        let Some(entry) = all.projects.get_mut(project) else { return Ok(Written::Stale) };
        let period = digest.period();
        if entry.digests.contains_key(&period) {
            return Ok(Written::Repeated);
        }
        entry.digests.insert(period, digest.clone());
        Ok(Written::Done)
    }

    async fn digest(&self, project: &str, period: &str) -> Result<Option<Digest>> {
        Ok(self.with(project, |entry| entry.digests.get(period).cloned()).flatten())
    }

    async fn digests(
        &self,
        project: &str,
        limit: u32,
        below: Option<&str>,
    ) -> Result<Page<Digest, String>> {
        let span = Span { above: None, below: below.map(str::to_owned) };
        let digests = self.with(project, |entry| newest(&entry.digests, &span, limit + 1));
        Ok(page(digests.unwrap_or_default(), limit, Digest::period))
    }
}

#[async_trait]
impl Reviews for FakeProjects {
    async fn is_cited(&self, document: Uuid) -> Result<bool> {
        Ok(!self.resting_on(document).await?.is_empty())
    }

    async fn resting_on(&self, document: Uuid) -> Result<Vec<Resting>> {
        let all = self.all.lock().unwrap();
        let mut resting = Vec::new();
        for (project, entry) in &all.projects {
            for (decision, decided) in &entry.decisions {
                let sources =
                    decided.sources.iter().filter(|source| source.document_id == document);
                resting.extend(sources.map(|source| Resting {
                    project: project.clone(),
                    decision: decision.clone(),
                    source: source.clone(),
                }));
            }
        }
        Ok(resting)
    }

    async fn decisions_of_all(
        &self,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<(String, Decision), String>> {
        let all = self.all.lock().unwrap();
        let mut items = Vec::new();
        for (project, entry) in &all.projects {
            items.extend(
                entry.decisions.values().map(|decided| (project.clone(), decided.decision.clone())),
            );
        }
        let key = |(project, decision): &(String, Decision)| {
            format!("{project}/{}", decision.decision_id)
        };
        items.sort_by_key(key);
        items.retain(|item| after.is_none_or(|after| key(item).as_str() > after));
        Ok(page(items, limit, key))
    }
}
