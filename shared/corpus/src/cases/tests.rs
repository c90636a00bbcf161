use super::*;
use ports::Members;
use ports::scope::{Scope, grant_one};
use testing::{FakeCases, FakeRemovals, caller, stamp};

/// Cases in memory, and one caller at a time.
struct Site {
    cases: FakeCases,
    removals: FakeRemovals,
}

impl Site {
    fn new() -> Site {
        Site { cases: FakeCases::default(), removals: FakeRemovals::default() }
    }

    fn run<T>(&self, sub: &str, second: u32, ask: impl AsyncFnOnce(&CaseContext<'_>) -> T) -> T {
        let caller = caller(sub);
        let stamp = stamp(&format!("2026-11-20T18:00:{second:02}Z"));
        let context = CaseContext {
            caller: &caller,
            stamp: &stamp,
            cases: &self.cases,
            removals: &self.removals,
        };
        pollster::block_on(ask(&context))
    }

    fn create(&self, sub: &str, second: u32, key: Option<&str>, title: &str) -> Result<Case> {
        let once = Once { route: "POST /v1/cases", key, body: title.as_bytes() };
        let new = || NewCase { title: title.into(), team: None };
        self.run(sub, second, async |context| create(context, &once, new()).await)
    }
}

fn users(reply: &CaseReply) -> Vec<(&str, Role)> {
    reply.members.iter().map(|member| (member.user.as_str(), member.role)).collect()
}

#[test]
fn a_case_belongs_to_who_created_it_and_shows_itself_to_members_only() {
    let site = Site::new();
    let case = site.create("ann", 1, None, " Broker down ").unwrap();
    assert_eq!((case.title.as_str(), case.status), ("Broker down", CaseStatus::Open));
    let id = &case.case_id;
    let reply = site.run("ann", 2, async |context| show(context, id).await).unwrap();
    assert_eq!(users(&reply), [("ann", Role::Owner)]);
    for (sub, id) in [("bob", id.as_str()), ("ann", "01J00000000000000000000000"), ("ann", "c1")] {
        let refusal = site.run(sub, 3, async |context| show(context, id).await).unwrap_err();
        assert_eq!(refusal.to_string(), format!("no case named `{id}`"));
    }
}

#[test]
fn the_same_key_creates_one_case() {
    let site = Site::new();
    let first = site.create("ann", 1, Some("k"), "Broker down").unwrap();
    assert_eq!(site.create("ann", 2, Some("k"), "Broker down").unwrap(), first);
    assert!(matches!(site.create("ann", 3, Some("k"), "Other"), Err(Error::Conflict { .. })));
    let list = site.run("ann", 4, async |context| list(context, None, None).await).unwrap();
    assert_eq!(list.cases, [first]);
}

#[test]
fn a_title_has_1_to_200_characters_in_one_line() {
    let site = Site::new();
    for title in ["", "  ", "a\nb", &"a".repeat(201)] {
        let refusal = site.create("ann", 1, None, title).unwrap_err();
        assert!(matches!(refusal, Error::Invalid { ref field, .. } if field == "title"), "{title}");
    }
    assert!(site.create("ann", 1, None, &"é".repeat(200)).is_ok());
}

#[test]
fn cases_are_listed_page_by_page_to_their_members() {
    let site = Site::new();
    for second in 1..=3 {
        site.create("ann", second, None, "Broker down").unwrap();
    }
    site.create("bob", 4, None, "Mine").unwrap();
    let first = site.run("ann", 5, async |context| list(context, Some("2"), None).await).unwrap();
    let cursor = first.cursor.as_deref();
    let rest = site.run("ann", 6, async |context| list(context, Some("2"), cursor).await).unwrap();
    assert_eq!((first.cases.len(), rest.cases.len(), rest.cursor), (2, 1, None));
    let foreign = site.run("bob", 7, async |context| list(context, None, cursor).await);
    assert!(matches!(foreign, Err(Error::Malformed { .. })), "a cursor is good for its own list");
}

#[test]
fn the_owner_lets_members_in_and_go_and_stays() {
    let site = Site::new();
    let id = &site.create("ann", 1, None, "Broker down").unwrap().case_id;
    let reply = site.run("ann", 2, async |context| invite(context, id, "bob").await).unwrap();
    assert_eq!(users(&reply), [("ann", Role::Owner), ("bob", Role::Invited)]);
    let early = site.run("bob", 2, async |context| show(context, id).await);
    assert!(
        matches!(early, Err(Error::Missing { kind: "case", .. })),
        "an invitation shows nothing"
    );
    let stranger = site.run("eve", 2, async |context| join(context, id).await);
    assert!(matches!(stranger, Err(Error::Missing { kind: "case", .. })));
    let reply = site.run("bob", 2, async |context| join(context, id).await).unwrap();
    assert_eq!(users(&reply), [("ann", Role::Owner), ("bob", Role::Member)]);
    let refused = site.run("bob", 3, async |context| invite(context, id, "eve").await);
    assert!(matches!(refused, Err(Error::Denied { .. })));
    let refused = site.run("ann", 4, async |context| remove_member(context, id, "ann").await);
    assert!(matches!(refused, Err(Error::Conflict { field: "user", .. })));
    let reply =
        site.run("ann", 5, async |context| remove_member(context, id, "bob").await).unwrap();
    assert_eq!(users(&reply), [("ann", Role::Owner)]);
    let refused = site.run("ann", 6, async |context| remove_member(context, id, "bob").await);
    assert!(matches!(refused, Err(Error::Missing { kind: "member", .. })));
    let refused = site.run("bob", 7, async |context| show(context, id).await);
    assert!(matches!(refused, Err(Error::Missing { kind: "case", .. })));
}

#[test]
fn closing_stops_reading_at_once_and_asks_for_the_removal_each_time_until_it_is_done() {
    let site = Site::new();
    let id = &site.create("ann", 1, None, "Broker down").unwrap().case_id;
    site.run("ann", 2, async |context| invite(context, id, "bob").await).unwrap();
    site.run("bob", 2, async |context| join(context, id).await).unwrap();
    let refused = site.run("bob", 3, async |context| close(context, id).await);
    assert!(matches!(refused, Err(Error::Denied { .. })));
    let closing = site.run("ann", 4, async |context| close(context, id).await).unwrap();
    assert_eq!((closing.status, closing.closed_by.as_deref()), (CaseStatus::Closing, Some("ann")));
    let removal = Removal::Case { case_id: id.clone() };
    assert_eq!(site.removals.take(), std::slice::from_ref(&removal));
    let again = site.run("ann", 5, async |context| close(context, id).await).unwrap();
    assert_eq!((again, site.removals.take()), (closing, vec![removal]));

    let bob = caller("bob");
    let scope = Scope::Case(id.clone());
    let refused = pollster::block_on(grant_one(&bob, &scope, &site.cases)).unwrap_err();
    assert!(matches!(refused, Error::Conflict { field: "case", .. }));
    let refused = site.run("ann", 6, async |context| invite(context, id, "eve").await);
    assert!(matches!(refused, Err(Error::Conflict { field: "case", .. })));
    let refused = site.run("ann", 7, async |context| remove_member(context, id, "bob").await);
    assert!(matches!(refused, Err(Error::Conflict { field: "case", .. })));

    pollster::block_on(site.cases.end_closing(id)).unwrap();
    let closed = site.run("ann", 8, async |context| close(context, id).await).unwrap();
    assert_eq!((closed.status, site.removals.take()), (CaseStatus::Closed, vec![]));
    let status = pollster::block_on(site.cases.case(id, &bob)).unwrap();
    assert_eq!(status, Some(CaseStatus::Closed), "members see that it is closed");
}

#[test]
fn a_member_leaves_an_invited_one_declines_and_the_owner_stays() {
    let site = Site::new();
    let id = &site.create("ann", 1, None, "Broker down").unwrap().case_id;
    for is_in in [true, false] {
        site.run("ann", 2, async |context| invite(context, id, "bob").await).unwrap();
        if is_in {
            site.run("bob", 2, async |context| join(context, id).await).unwrap();
        }
        let left = site.run("bob", 3, async |context| remove_member(context, id, "me").await);
        assert_eq!(users(&left.unwrap()), []);
        let again = site.run("bob", 4, async |context| remove_member(context, id, "me").await);
        assert!(matches!(again, Err(Error::Missing { kind: "case", .. })));
    }
    let owner = site.run("ann", 5, async |context| remove_member(context, id, "me").await);
    assert!(matches!(owner, Err(Error::Conflict { field: "user", .. })));
    let named = site.run("ann", 6, async |context| invite(context, id, "me").await);
    assert!(matches!(named, Err(Error::Invalid { .. })), "nobody is called so");
}
