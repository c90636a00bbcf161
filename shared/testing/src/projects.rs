//! Projects and their trails in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::Timestamp;
use wire::decisions::{Decided, Decision, DecisionStatus};
use wire::projects::{Invitation, Member, Project, Role};
use wire::trail::{Asked, Digest};

use model::{Error, Result};
use ports::{Guard, Kept, Notes, Page, Pending, Profiles, Projects, Requests, Span, Written};

mod trail;

/// All data of one project.
#[derive(Debug, Clone)]
struct Entry {
    profile: Project,
    members: BTreeMap<String, Role>,
    invited: BTreeMap<String, Invitation>,
    questions: BTreeMap<String, Asked>,
    decisions: BTreeMap<String, Decided>,
    pending: BTreeMap<String, Pending>,
    digests: BTreeMap<String, Digest>,
    is_retired: bool,
}

#[derive(Debug, Default)]
struct All {
    projects: BTreeMap<String, Entry>,
    kept: BTreeMap<(String, String), Guard>,
}

/// Projects by id.
#[derive(Debug, Default)]
pub struct FakeProjects {
    all: Mutex<All>,
    /// Decisions that cannot be written any more.
    pub unwritable: Mutex<BTreeSet<String>>,
    /// True if recording a question fails.
    pub is_forgetful: bool,
}

impl All {
    /// Returns true if a request with this key was done before.
    fn is_kept(&self, guard: Option<&Guard>) -> bool {
        let kept =
            guard.map(|guard| (guard, self.kept.get(&(guard.user.clone(), guard.key.clone()))));
        matches!(kept, Some((guard, Some(kept))) if kept.until > guard.at)
    }

    fn keep(&mut self, guard: Option<&Guard>) {
        if let Some(guard) = guard {
            self.kept.insert((guard.user.clone(), guard.key.clone()), guard.clone());
        }
    }

    fn is_next(&self, project: &str, decision: &Decision) -> bool {
        let entry = self.projects.get(project);
        let held = entry.and_then(|entry| entry.decisions.get(&decision.decision_id));
        held.is_some_and(|held| held.decision.version + 1 == decision.version)
    }

    fn await_index(&mut self, project: &str, decision: &Decision, pending: &Pending) {
        if let Some(entry) = self.projects.get_mut(project) {
            let id = decision.decision_id.clone();
            let mut now = pending.clone();
            let before = entry.pending.remove(&id).map(|p| p.scopes).unwrap_or_default();
            now.scopes.splice(0..0, before);
            entry.pending.insert(id, now);
        }
    }

    fn put(&mut self, project: &str, decision: &Decision) {
        let Some(entry) = self.projects.get_mut(project) else { return };
        let id = &decision.decision_id;
        if let Some(held) = entry.decisions.get_mut(id) {
            held.decision = decision.clone();
        }
        let mut flagged: BTreeSet<String> = entry.profile.needs_review.drain(..).collect();
        if decision.needs_review.is_empty() {
            flagged.remove(id);
        } else {
            flagged.insert(id.clone());
        }
        entry.profile.needs_review = flagged.into_iter().collect();
    }
}

fn is_within(span: &Span, id: &str) -> bool {
    span.above.as_deref().is_none_or(|above| id > above)
        && span.below.as_deref().is_none_or(|below| id < below)
}

/// Returns the newest `limit` entries within `span`.
fn newest<T: Clone>(entries: &BTreeMap<String, T>, span: &Span, limit: u32) -> Vec<T> {
    let within = entries.iter().rev().filter(|(id, _)| is_within(span, id));
    within.take(limit as usize).map(|(_, entry)| entry.clone()).collect()
}

fn page<T>(mut items: Vec<T>, limit: u32, key: impl Fn(&T) -> String) -> Page<T, String> {
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    let next = items.last().filter(|_| more).map(key);
    Page { items, next }
}

impl FakeProjects {
    fn with<T>(&self, project: &str, read: impl FnOnce(&Entry) -> T) -> Option<T> {
        self.all.lock().unwrap().projects.get(project).map(read)
    }
}

#[async_trait]
impl Profiles for FakeProjects {
    async fn project(&self, project: &str, user: &str) -> Result<Option<(Project, Role)>> {
        let membership =
            self.with(project, |entry| Some((entry.profile.clone(), *entry.members.get(user)?)));
        Ok(membership.flatten())
    }
}

#[async_trait]
impl Projects for FakeProjects {
    async fn profile(&self, project: &str) -> Result<Option<Project>> {
        Ok(self.with(project, |entry| entry.profile.clone()))
    }

    async fn create(
        &self,
        project: &Project,
        owner: &str,
        guard: Option<&Guard>,
    ) -> Result<Written> {
        let mut all = self.all.lock().unwrap();
        if all.is_kept(guard) {
            return Ok(Written::Repeated);
        }
        all.keep(guard);
        let entry = Entry {
            profile: project.clone(),
            members: BTreeMap::from([(owner.to_owned(), Role::Owner)]),
            invited: BTreeMap::new(),
            questions: BTreeMap::new(),
            decisions: BTreeMap::new(),
            pending: BTreeMap::new(),
            digests: BTreeMap::new(),
            is_retired: false,
        };
        all.projects.insert(project.project_id.clone(), entry);
        Ok(Written::Done)
    }

    async fn update(&self, project: &Project) -> Result<Written> {
        let mut all = self.all.lock().unwrap();
        let Some(entry) = all.projects.get_mut(&project.project_id) else {
            return Ok(Written::Stale);
        };
        if entry.profile.version + 1 != project.version {
            return Ok(Written::Stale);
        }
        let needs_review = std::mem::take(&mut entry.profile.needs_review);
        entry.profile = Project { needs_review, ..project.clone() };
        Ok(Written::Done)
    }

    async fn projects(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Project, String>> {
        let all = self.all.lock().unwrap();
        let listed = all.projects.iter().filter(|(id, project)| {
            project.members.contains_key(user) && after.is_none_or(|after| id.as_str() > after)
        });
        let profiles = listed.map(|(_, entry)| entry.profile.clone());
        let profiles = profiles.take(limit as usize + 1).collect();
        Ok(page(profiles, limit, |project: &Project| project.project_id.clone()))
    }

    async fn members(&self, project: &str) -> Result<Vec<Member>> {
        let member = |(user, role): (&String, &Role)| Member { user: user.clone(), role: *role };
        let invited = |user: &String| Member { user: user.clone(), role: Role::Invited };
        let all = |entry: &Entry| {
            entry.members.iter().map(member).chain(entry.invited.keys().map(invited)).collect()
        };
        Ok(self.with(project, all).unwrap_or_default())
    }

    async fn invite(&self, user: &str, invitation: &Invitation) -> Result<()> {
        if let Some(entry) = self.all.lock().unwrap().projects.get_mut(&invitation.id)
            && !entry.members.contains_key(user)
        {
            entry.invited.insert(user.into(), invitation.clone());
        }
        Ok(())
    }

    async fn join(&self, project: &str, user: &str) -> Result<bool> {
        let mut all = self.all.lock().unwrap();
        Ok(all.projects.get_mut(project).is_some_and(|entry| {
            let is_invited = entry.invited.remove(user).is_some();
            if is_invited {
                entry.members.insert(user.into(), Role::Member);
            }
            is_invited
        }))
    }

    async fn invitations(&self, user: &str) -> Result<Vec<Invitation>> {
        let all = self.all.lock().unwrap();
        Ok(all.projects.values().filter_map(|entry| entry.invited.get(user).cloned()).collect())
    }

    async fn remove_member(&self, project: &str, user: &str) -> Result<bool> {
        let mut all = self.all.lock().unwrap();
        let entry = all.projects.get_mut(project);
        Ok(entry.is_some_and(|entry| {
            let is_member = entry.members.get(user) == Some(&Role::Member);
            is_member && entry.members.remove(user).is_some()
                || entry.invited.remove(user).is_some()
        }))
    }

    async fn hand_over(&self, project: &str, from: &str, to: &str) -> Result<bool> {
        let mut all = self.all.lock().unwrap();
        Ok(all.projects.get_mut(project).is_some_and(|project| {
            let is_so = project.members.get(from) == Some(&Role::Owner)
                && project.members.get(to) == Some(&Role::Member);
            if is_so {
                project.members.insert(from.into(), Role::Member);
                project.members.insert(to.into(), Role::Owner);
            }
            is_so
        }))
    }

    async fn active(&self, limit: u32, after: Option<&str>) -> Result<Page<String, String>> {
        let all = self.all.lock().unwrap();
        let listed = all.projects.iter().filter(|(id, project)| {
            !project.is_retired && after.is_none_or(|after| id.as_str() > after)
        });
        let ids = listed.map(|(id, _)| id.clone()).take(limit as usize + 1).collect();
        Ok(page(ids, limit, String::clone))
    }

    async fn archive(&self, project: &str) -> Result<()> {
        if let Some(entry) = self.all.lock().unwrap().projects.get_mut(project) {
            entry.is_retired = true;
        }
        Ok(())
    }

    async fn erase(&self, project: &str) -> Result<()> {
        self.all.lock().unwrap().projects.remove(project);
        Ok(())
    }
}

#[async_trait]
impl Requests for FakeProjects {
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>> {
        let all = self.all.lock().unwrap();
        let kept = all.kept.get(&(user.into(), key.into())).filter(|kept| kept.until > now);
        Ok(kept.map(|kept| Kept { hash: kept.hash.clone(), answer: kept.answer.clone() }))
    }
}

#[async_trait]
impl Notes for FakeProjects {
    async fn record(&self, project: &str, asked: &Asked) -> Result<()> {
        if self.is_forgetful {
            return Err(Error::unavailable("the table", "it forgot"));
        }
        if let Some(entry) = self.all.lock().unwrap().projects.get_mut(project) {
            entry.questions.insert(asked.query_id.clone(), asked.clone());
        }
        Ok(())
    }
}

impl FakeProjects {
    /// Returns the number of the project's accepted decisions.
    pub fn accepted(&self, project: &str) -> usize {
        let holds = |decided: &&Decided| decided.decision.status == DecisionStatus::Accepted;
        self.with(project, |entry| entry.decisions.values().filter(holds).count())
            .unwrap_or_default()
    }
}
