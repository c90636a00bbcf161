//! Cases in memory, and a queue of removals.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::Timestamp;
use wire::alerts::{Brief, CaseAlert};
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Invitation, Member, Role};

use super::requests::FakeRequests;
use model::Result;
use ports::scope::Caller;
use ports::{Cases, Guard, Kept, Members, Page, Removal, Removals, Requests, Written};

/// Messages, each with when it was claimed; `None` once it is sent.
pub(crate) type Messages = BTreeMap<String, Option<Timestamp>>;

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) profile: Case,
    members: BTreeMap<String, Role>,
    invited: BTreeSet<String>,
    pub(crate) alerts: BTreeMap<(String, Option<Timestamp>), CaseAlert>,
    pub(crate) brief: Option<Brief>,
    /// True once its alerts were deleted.
    is_forgotten: bool,
    /// The messages.
    pub(crate) messages: Messages,
}

/// Cases by id.
#[derive(Debug, Default)]
pub struct FakeCases {
    cases: Mutex<BTreeMap<String, Entry>>,
    requests: FakeRequests,
    /// The last case of each group of a route.
    pub(crate) groups: Mutex<BTreeMap<(String, String), String>>,
    /// The messages of each project.
    pub(crate) of_projects: Mutex<BTreeMap<String, Messages>>,
}

impl FakeCases {
    pub(crate) fn with<T>(&self, case: &str, read: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        self.cases.lock().unwrap().get_mut(case).map(read)
    }

    /// Writes a case. Returns false if there is one of its id.
    pub(crate) fn insert(&self, case: &Case) -> bool {
        let mut cases = self.cases.lock().unwrap();
        let owner = case.team.is_none().then(|| (case.created_by.clone(), Role::Owner));
        let entry = Entry {
            profile: case.clone(),
            members: owner.into_iter().collect(),
            invited: BTreeSet::new(),
            alerts: BTreeMap::new(),
            brief: None,
            messages: Messages::new(),
            is_forgotten: false,
        };
        let is_new = !cases.contains_key(&case.case_id);
        if is_new {
            cases.insert(case.case_id.clone(), entry);
        }
        is_new
    }

    fn listed(
        &self,
        is_wanted: impl Fn(&Entry) -> bool,
        limit: u32,
        after: Option<&str>,
    ) -> Page<Case, String> {
        let cases = self.cases.lock().unwrap();
        let listed = cases
            .iter()
            .filter(|(id, case)| is_wanted(case) && after.is_none_or(|after| id.as_str() > after));
        let mut items: Vec<Case> =
            listed.map(|(_, entry)| entry.profile.clone()).take(limit as usize + 1).collect();
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = items.last().filter(|_| more).map(|case| case.case_id.clone());
        Page { items, next }
    }
}

/// Returns a case that is open.
pub fn open_case(id: &str, owner: &str, at: Timestamp) -> Case {
    Case {
        case_id: id.into(),
        title: "Broker down".into(),
        team: None,
        status: CaseStatus::Open,
        created_at: at,
        created_by: owner.into(),
        closed_at: None,
        closed_by: None,
        removed: None,
    }
}

#[async_trait]
impl Members for FakeCases {
    async fn case(&self, case: &str, caller: &Caller) -> Result<Option<CaseStatus>> {
        Ok(self.case_of(case, caller).await?.map(|(case, _)| case.status))
    }
}

#[async_trait]
impl Requests for FakeCases {
    async fn kept(&self, user: &str, key: &str, now: Timestamp) -> Result<Option<Kept>> {
        self.requests.kept(user, key, now).await
    }
}

#[async_trait]
impl Cases for FakeCases {
    async fn create_case(&self, case: &Case, guard: Option<&Guard>) -> Result<Written> {
        if self.requests.repeats(guard) {
            return Ok(Written::Repeated);
        }
        let is_new = self.insert(case);
        Ok(if is_new { Written::Done } else { Written::Stale })
    }

    async fn case_of(&self, case: &str, caller: &Caller) -> Result<Option<(Case, Role)>> {
        let membership = |entry: &mut Entry| {
            let team = entry.profile.team.as_ref();
            let is_theirs = team.is_some_and(|team| caller.groups.contains(team));
            let role = is_theirs.then_some(Role::Owner);
            let role = role.or_else(|| entry.members.get(&caller.sub).copied())?;
            Some((entry.profile.clone(), role))
        };
        Ok(self.with(case, membership).flatten())
    }

    async fn cases(
        &self,
        user: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>> {
        Ok(self.listed(|entry| entry.members.contains_key(user), limit, after))
    }

    async fn team_cases(
        &self,
        team: &str,
        limit: u32,
        after: Option<&str>,
    ) -> Result<Page<Case, String>> {
        let is_listed =
            |entry: &Entry| entry.profile.team.as_deref() == Some(team) && !entry.is_forgotten;
        Ok(self.listed(is_listed, limit, after))
    }

    async fn case_members(&self, case: &str) -> Result<Vec<Member>> {
        let member = |(user, role): (&String, &Role)| Member { user: user.clone(), role: *role };
        let invited = |user: &String| Member { user: user.clone(), role: Role::Invited };
        let all = |entry: &mut Entry| {
            entry.members.iter().map(member).chain(entry.invited.iter().map(invited)).collect()
        };
        Ok(self.with(case, all).unwrap_or_default())
    }

    async fn invite_to_case(&self, user: &str, invitation: &Invitation) -> Result<bool> {
        let invite = |entry: &mut Entry| {
            let is_open = entry.profile.status == CaseStatus::Open;
            if is_open && !entry.members.contains_key(user) {
                entry.invited.insert(user.into());
            }
            is_open
        };
        Ok(self.with(&invitation.id, invite).unwrap_or_default())
    }

    async fn join_case(&self, case: &str, user: &str) -> Result<bool> {
        let join = |entry: &mut Entry| {
            let may = entry.profile.status == CaseStatus::Open && entry.invited.remove(user);
            if may {
                entry.members.insert(user.into(), Role::Member);
            }
            may
        };
        Ok(self.with(case, join).unwrap_or_default())
    }

    async fn remove_case_member(&self, case: &str, user: &str) -> Result<bool> {
        let dismiss = |entry: &mut Entry| {
            let is_member = entry.members.get(user) == Some(&Role::Member);
            is_member && entry.members.remove(user).is_some() || entry.invited.remove(user)
        };
        Ok(self.with(case, dismiss).unwrap_or_default())
    }

    async fn hand_over_case(&self, case: &str, from: &str, to: &str) -> Result<bool> {
        let turn = |entry: &mut Entry| {
            let is_so = entry.members.get(from) == Some(&Role::Owner)
                && entry.members.get(to) == Some(&Role::Member);
            if is_so {
                entry.members.insert(from.into(), Role::Member);
                entry.members.insert(to.into(), Role::Owner);
            }
            is_so
        };
        Ok(self.with(case, turn).unwrap_or_default())
    }

    async fn begin_closing(&self, case: &str, by: &str, at: Timestamp) -> Result<bool> {
        let close = |entry: &mut Entry| {
            let is_open = entry.profile.status == CaseStatus::Open;
            if is_open {
                entry.profile.status = CaseStatus::Closing;
                entry.profile.closed_at = Some(at);
                entry.profile.closed_by = Some(by.into());
                entry.profile.removed = Some(Removed::default());
            }
            is_open
        };
        Ok(self.with(case, close).unwrap_or_default())
    }

    async fn case_profile(&self, case: &str) -> Result<Option<Case>> {
        Ok(self.with(case, |entry| entry.profile.clone()))
    }

    async fn count_removed(&self, case: &str, before: &Removed, now: &Removed) -> Result<bool> {
        let count = |entry: &mut Entry| {
            let stands = entry.profile.removed.as_ref() == Some(before);
            if stands {
                entry.profile.removed = Some(*now);
            }
            stands
        };
        Ok(self.with(case, count).unwrap_or_default())
    }

    async fn forget_alerts(&self, case: &str) -> Result<()> {
        self.with(case, |entry| {
            entry.alerts.clear();
            entry.brief = None;
            entry.messages.clear();
            entry.is_forgotten = true;
        });
        self.groups.lock().unwrap().retain(|_, last| last != case);
        Ok(())
    }

    async fn end_closing(&self, case: &str) -> Result<()> {
        self.with(case, |entry| {
            if entry.profile.status == CaseStatus::Closing {
                entry.profile.status = CaseStatus::Closed;
            }
        });
        Ok(())
    }
}

/// Removals that are waiting.
#[derive(Debug, Default)]
pub struct FakeRemovals {
    waiting: Mutex<Vec<Removal>>,
}

impl FakeRemovals {
    /// Returns the waiting removals and empties the queue.
    pub fn take(&self) -> Vec<Removal> {
        std::mem::take(&mut *self.waiting.lock().unwrap())
    }
}

#[async_trait]
impl Removals for FakeRemovals {
    async fn send(&self, removals: &[Removal]) -> Result<()> {
        self.waiting.lock().unwrap().extend_from_slice(removals);
        Ok(())
    }
}
