//! Tests who may read what.

use wire::cases::CaseStatus;

use model::{Error, Result};
use ports::scope::*;
use testing::FakeMembers;

const OWN: &str = "01JCASE0000000000000000001";
const FOREIGN: &str = "01JCASE0000000000000000002";
const CLOSED: &str = "01JCASE0000000000000000003";

fn alice() -> (Caller, FakeMembers) {
    let members = FakeMembers::default().with(OWN, "alice").with(FOREIGN, "bob");
    let members = members.with(CLOSED, "alice").with(CLOSED, "bob");
    let caller = Caller { groups: vec!["platform".into()], ..testing::caller("alice") };
    (caller, members.at(CLOSED, CaseStatus::Closed))
}

fn ask(wanted: &[&str]) -> Result<Vec<String>> {
    let (caller, members) = alice();
    let wanted: Vec<String> = wanted.iter().map(|name| (*name).into()).collect();
    let granted = pollster::block_on(grant(&caller, &wanted, &members))?;
    Ok(granted.scopes().iter().map(Scope::to_string).collect())
}

#[test]
fn without_a_wish_everyone_reads_the_global_knowledge_base() {
    assert_eq!(ask(&[]).unwrap(), ["global"]);
}

#[test]
fn own_documents_own_teams_and_own_cases_are_granted_once_each() {
    assert_eq!(
        ask(&["user", "team:platform", &format!("case:{OWN}"), "user"]).unwrap(),
        ["user:alice".to_owned(), "team:platform".into(), format!("case:{OWN}")]
    );
}

#[test]
fn a_foreign_case_looks_like_one_that_does_not_exist() {
    for case in [FOREIGN, "01JCASE0000000000000000009", "c1", ""] {
        let refusal = one(&Scope::Case(case.into())).unwrap_err().to_string();
        assert_eq!(refusal, format!("no case named `{case}`"));
    }
    let refusal = ask(&[&format!("case:{FOREIGN}")]).unwrap_err().to_string();
    assert_eq!(refusal, format!("no case named `{FOREIGN}`"));
}

#[test]
fn a_closed_case_is_a_conflict_for_its_members_and_does_not_exist_for_others() {
    let closed = Scope::Case(CLOSED.into());
    assert!(matches!(one(&closed), Err(Error::Conflict { field: "case", .. })));
    let (_, members) = alice();
    let carol = testing::caller("carol");
    let refusal = pollster::block_on(grant_one(&carol, &closed, &members)).unwrap_err();
    assert!(matches!(refusal, Error::Missing { kind: "case", .. }));
}

fn one(scope: &Scope) -> Result<Grant> {
    let (caller, members) = alice();
    pollster::block_on(grant_one(&caller, scope, &members))
}

#[test]
fn one_scope_is_granted_as_it_is_and_no_foreign_users_nor_a_projects() {
    let granted = [
        Scope::Global,
        Scope::User("alice".into()),
        Scope::Team("platform".into()),
        Scope::Case(OWN.into()),
    ];
    for scope in granted {
        assert_eq!(one(&scope).unwrap().scopes(), [scope]);
    }
    for scope in [Scope::User("bob".into()), Scope::Project(OWN.into())] {
        assert!(matches!(one(&scope), Err(Error::Missing { .. })), "{scope}");
    }
    assert!(matches!(one(&Scope::Team("finance".into())), Err(Error::Denied { .. })));
}

#[test]
fn a_team_needs_its_group() {
    assert_eq!(ask(&["team:finance"]).unwrap_err().to_string(), "this needs the group `finance`");
}

#[test]
fn the_global_knowledge_base_is_filled_by_whatever_group_the_settings_name() {
    let (alice, members) = alice();
    let refusal = pollster::block_on(admit(&alice, &Scope::Global, &members)).unwrap_err();
    assert_eq!(refusal.to_string(), "this needs the group `knowledge-admins`");
    let alice = Caller { admin_group: "platform".into(), ..alice };
    pollster::block_on(admit(&alice, &Scope::Global, &members)).unwrap();
}

#[test]
fn another_users_documents_cannot_be_named() {
    assert!(matches!(ask(&["user:bob"]), Err(Error::Invalid { .. })));
    assert!(matches!(ask(&["everything"]), Err(Error::Invalid { .. })));
}
