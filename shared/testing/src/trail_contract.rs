//! The contract of projects and their trails.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use wire::decisions::{Decided, Decision, DecisionMove, DecisionSource, DecisionStatus};
use wire::projects::{Invitation, InvitedTo, Project, Role, Status};
use wire::trail::{Answered, Asked};

use decisions::digest;
use decisions::digest::Length;
use ports::scope::Scope;
use ports::trail::ulid_at;
use ports::{Guard, Page, Pending, Projects, Reviews, Span, Written};

mod review;

/// Returns a minute of the contract's day.
fn at(minute: i64) -> Timestamp {
    let begin: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    begin + SignedDuration::from_mins(minute)
}

fn id(minute: i64) -> String {
    ulid_at(at(minute))
}

fn project(minute: i64) -> Project {
    Project {
        project_id: id(minute),
        name: "Pump 🚰 محطة".into(),
        domain: Some("water".into()),
        standards: vec!["ISO 9906".into()],
        constraints: vec!["no downtime".into()],
        status: Status::Planning,
        version: 1,
        created_at: at(minute),
        updated_at: at(minute),
        history: Vec::new(),
        needs_review: Vec::new(),
    }
}

fn source(number: u128, document: u128) -> DecisionSource {
    DecisionSource {
        passage_id: Uuid::from_u128(number),
        relevance: 0.7,
        document_id: Uuid::from_u128(document),
        file: "a/seal.md".into(),
        title: "Seal".into(),
        section: None,
        uri: None,
        lines: Some((1, 9)),
        quote: "The seal lasted.".into(),
        is_excerpt: number % 2 == 1,
        hash: "ab".into(),
    }
}

fn decided(minute: i64, sources: Vec<DecisionSource>) -> Decided {
    let status = DecisionStatus::Accepted;
    let decision = Decision {
        decision_id: id(minute),
        decision: "Use carbon".into(),
        alternatives: vec!["rubber".into()],
        rationale: "It lasts.".into(),
        status,
        decided_at: at(minute),
        recorded_at: at(minute),
        by: "ann".into(),
        supersedes: None,
        superseded_by: None,
        source_count: sources.len(),
        version: 1,
        history: vec![DecisionMove { to: status, by: "ann".into(), at: at(minute), reason: None }],
        needs_review: Vec::new(),
        reviewed: Vec::new(),
    };
    Decided { decision, sources }
}

fn pending(minute: i64, scopes: &[Scope]) -> Pending {
    Pending { change: id(minute), scopes: scopes.to_vec() }
}

fn asked(minute: i64) -> Asked {
    Asked {
        query_id: id(minute),
        question: "Which seal?".into(),
        workflow: "trade".into(),
        results: vec![Answered { passage_id: Uuid::from_u128(7), score: 0.5 }],
        by: "ann".into(),
        at: at(minute),
    }
}

fn guard(key: &str, minute: i64) -> Guard {
    let until = at(minute) + SignedDuration::from_hours(24);
    let (hash, answer) = ("h".into(), "{}".into());
    Guard { user: "ann".into(), key: key.into(), hash, answer, at: at(minute), until }
}

/// Checks that profiles are visible only to members, change version by version, and are listed, and
/// that a guarded request is done once.
pub async fn projects_contract(store: &impl Projects) {
    let (one, two) = (project(1), project(2));
    let (first, second) = (one.project_id.clone(), two.project_id.clone());
    assert_eq!(store.project(&first, "ann").await.unwrap(), None);
    let key = guard("k", 1);
    assert_eq!(store.create(&one, "ann", Some(&key)).await.unwrap(), Written::Done);
    assert_eq!(store.create(&two, "ann", Some(&key)).await.unwrap(), Written::Repeated);
    assert_eq!(store.profile(&second).await.unwrap(), None, "what is refused is not written");
    let kept = store.kept("ann", "k", at(2)).await.unwrap().unwrap();
    assert_eq!((kept.hash.as_str(), kept.answer.as_str()), ("h", "{}"));
    assert_eq!(store.kept("bob", "k", at(2)).await.unwrap(), None, "keys are each caller's own");
    let late = at(1) + SignedDuration::from_hours(25);
    assert_eq!(store.kept("ann", "k", late).await.unwrap(), None, "and expire");
    assert_eq!(store.create(&two, "ann", None).await.unwrap(), Written::Done);

    assert_eq!(store.project(&first, "ann").await.unwrap(), Some((one.clone(), Role::Owner)));
    assert_eq!(store.project(&first, "bob").await.unwrap(), None, "a stranger sees nothing");
    let invitation = Invitation {
        to: InvitedTo::Project,
        id: first.clone(),
        title: one.name.clone(),
        by: "ann".into(),
        at: at(1),
    };
    store.invite("bob", &invitation).await.unwrap();
    store.invite("ann", &invitation).await.unwrap();
    assert_eq!(store.invitations("bob").await.unwrap(), std::slice::from_ref(&invitation));
    assert_eq!(store.invitations("ann").await.unwrap(), [], "she is in it");
    assert_eq!(store.project(&first, "bob").await.unwrap(), None, "an invitation shows nothing");
    assert!(store.projects("bob", 5, None).await.unwrap().items.is_empty());
    assert!(!store.join(&first, "eve").await.unwrap(), "who is not invited cannot join");
    assert!(store.join(&first, "bob").await.unwrap());
    assert_eq!(store.invitations("bob").await.unwrap(), []);
    store.invite("dan", &invitation).await.unwrap();
    assert_eq!(store.members(&first).await.unwrap()[2].role, Role::Invited);
    assert!(store.remove_member(&first, "dan").await.unwrap(), "an invitation is taken back");
    assert_eq!(store.project(&first, "bob").await.unwrap(), Some((one.clone(), Role::Member)));
    let members = store.members(&first).await.unwrap();
    let roles: Vec<_> = members.iter().map(|member| (member.user.as_str(), member.role)).collect();
    assert_eq!(roles, [("ann", Role::Owner), ("bob", Role::Member)]);
    assert!(store.hand_over(&first, "ann", "bob").await.unwrap());
    assert!(!store.hand_over(&first, "ann", "bob").await.unwrap(), "she is no owner any more");
    assert!(!store.remove_member(&first, "bob").await.unwrap(), "he is the owner");
    assert!(store.hand_over(&first, "bob", "ann").await.unwrap());
    assert!(store.remove_member(&first, "bob").await.unwrap());
    assert!(!store.remove_member(&first, "bob").await.unwrap());

    let page = store.projects("ann", 1, None).await.unwrap();
    assert_eq!(page, Page { items: vec![one.clone()], next: Some(first.clone()) });
    let page = store.projects("ann", 5, page.next.as_deref()).await.unwrap();
    assert_eq!(page, Page { items: vec![two.clone()], next: None });
    assert!(store.projects("bob", 5, None).await.unwrap().items.is_empty());

    let moved = Project { status: Status::Abandoned, version: 2, ..one.clone() };
    assert_eq!(store.update(&moved).await.unwrap(), Written::Done);
    assert_eq!(store.update(&moved).await.unwrap(), Written::Stale, "each version is written once");
    assert_eq!(store.profile(&first).await.unwrap(), Some(moved));
    let active = store.active(1, None).await.unwrap();
    assert_eq!(active.items, std::slice::from_ref(&first), "its last period is still to be told");
    let rest = store.active(5, active.next.as_deref()).await.unwrap();
    assert_eq!((rest.items, rest.next), (vec![second.clone()], None));
    store.archive(&first).await.unwrap();
    assert_eq!(store.active(5, None).await.unwrap().items, std::slice::from_ref(&second));
    store.erase(&second).await.unwrap();
    assert_eq!(store.profile(&second).await.unwrap(), None);
    assert!(store.members(&second).await.unwrap().is_empty());
    assert!(store.profile(&first).await.unwrap().is_some(), "another project stays");
}

/// Checks that questions and decisions are listed newest first within a span, that superseding
/// writes both sides or neither, that sources are found by their document, and that a digest is
/// written once.
pub async fn trail_contract<S: Projects + Reviews>(store: &S) {
    let profile = project(10);
    let project = profile.project_id.clone();
    store.create(&profile, "ann", None).await.unwrap();
    for minute in 11..=15 {
        store.record(&project, &asked(minute)).await.unwrap();
    }
    let minutes = async |above: Option<i64>, below: Option<i64>, limit: u32| {
        let span = Span { above: above.map(id), below: below.map(id) };
        let found = store.questions(&project, &span, limit).await.unwrap();
        found.iter().map(|hit| hit.at.duration_since(at(0)).as_mins()).collect::<Vec<_>>()
    };
    assert_eq!(minutes(None, None, 2).await, [15, 14]);
    assert_eq!(minutes(None, Some(14), 9).await, [13, 12, 11]);
    assert_eq!(minutes(Some(12), Some(15), 9).await, [14, 13]);
    let found = store.questions(&project, &Span::default(), 1).await.unwrap();
    assert_eq!(found, [asked(15)], "a question comes back as it was");

    let old = decided(20, vec![source(1, 70), source(2, 71)]);
    let first = pending(20, &[Scope::Global]);
    let decide = async |decided: &Decided, before: Option<&Decision>, key: Option<&Guard>| {
        store.decide(&project, decided, &first, before, key).await.unwrap()
    };
    assert_eq!(decide(&old, None, None).await, Written::Done);
    assert_eq!(decide(&old, None, None).await, Written::Stale);
    let new = decided(21, vec![source(1, 70)]);
    let superseded = Decision {
        status: DecisionStatus::Superseded,
        superseded_by: Some(new.decision.decision_id.clone()),
        version: 2,
        ..old.decision.clone()
    };
    let stale = Decision { version: 3, ..superseded.clone() };
    let key = guard("d", 21);
    assert_eq!(decide(&new, Some(&stale), Some(&key)).await, Written::Stale);
    let named = async |ids: &[&str]| {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        store.decisions_named(&project, &ids).await.unwrap()
    };
    let (old_id, new_id) = (old.decision.decision_id.as_str(), new.decision.decision_id.as_str());
    assert_eq!(named(&[new_id]).await, [], "neither side is written");
    assert_eq!(decide(&new, Some(&superseded), Some(&key)).await, Written::Done);
    assert_eq!(named(&[old_id]).await, std::slice::from_ref(&superseded));
    let third = decided(22, Vec::new());
    assert_eq!(decide(&third, None, Some(&key)).await, Written::Repeated);
    let both = decide(&third, Some(&stale), Some(&key)).await;
    assert_eq!(both, Written::Repeated, "what was carried out already is not stale");
    let found = store.decisions(&project, &Span::default(), 9).await.unwrap();
    assert_eq!(found, [new.decision.clone(), superseded]);
    let sources = store.sources(&project, old_id, old_id).await.unwrap();
    assert_eq!(
        sources,
        old.sources.iter().map(|source| (old_id.to_owned(), source.clone())).collect::<Vec<_>>()
    );
    assert_eq!(store.sources(&project, old_id, new_id).await.unwrap().len(), 3);
    review::reviews(store, &project, &new.decision).await;
    what_is_pending(store, &project, [&old.decision, &new.decision]).await;
    digests(store, &profile).await;
}

/// Checks that a change leaves pending work until it is recorded as done, and that finishing an
/// earlier change does not finish a later one.
async fn what_is_pending<S: Projects + Reviews>(
    store: &S,
    project: &str,
    [old, new]: [&Decision; 2],
) {
    let left =
        async |decision: &Decision| store.pending(project, &decision.decision_id).await.unwrap();
    assert_eq!(left(new).await, Some(pending(20, &[Scope::Global])));
    let Pending { scopes, .. } = left(old).await.unwrap();
    assert_eq!(scopes, [Scope::Global], "what an older change left is not forgotten");
    store.done(project, &old.decision_id, &id(20)).await.unwrap();
    store.done(project, &old.decision_id, &id(20)).await.unwrap();
    assert_eq!(left(old).await, None);
    let now = store.decisions_named(project, std::slice::from_ref(&new.decision_id)).await.unwrap();
    let moved = Decision { version: now[0].version + 1, ..now[0].clone() };
    store.revise(project, &[&moved], Some(&id(31))).await.unwrap();
    store.done(project, &new.decision_id, &id(20)).await.unwrap();
    assert_eq!(left(new).await, Some(pending(31, &[Scope::Global])), "a later change is pending");
    store.done(project, &new.decision_id, &id(31)).await.unwrap();
    assert_eq!(left(new).await, None);
}

async fn digests<S: Projects + Reviews>(store: &S, project: &Project) {
    let id = &project.project_id;
    for day in 1..=3 {
        let period = digest::last_period(Length::Day, at(day * 24 * 60));
        let digest = digest::digest(project.clone(), &[], &[], period, at(day * 24 * 60));
        assert_eq!(store.tell(id, &digest).await.unwrap(), Written::Done);
        assert_eq!(store.tell(id, &digest).await.unwrap(), Written::Repeated, "once per period");
    }
    let page = store.digests(id, 2, None).await.unwrap();
    let ends: Vec<Timestamp> = page.items.iter().map(|item| item.to).collect();
    let midnight = |day: &str| day.parse::<Timestamp>().unwrap();
    assert_eq!(ends, [midnight("2026-11-23T00:00:00Z"), midnight("2026-11-22T00:00:00Z")]);
    let rest = store.digests(id, 2, page.next.as_deref()).await.unwrap();
    assert_eq!((rest.items.len(), rest.next), (1, None));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FakeProjects;

    #[test]
    fn the_fake_projects_keep_the_contracts() {
        pollster::block_on(projects_contract(&FakeProjects::default()));
        pollster::block_on(trail_contract(&FakeProjects::default()));
    }
}
