//! The contract of the end of documents and cases.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;
use wire::cases::{Case, CaseStatus, Removed};
use wire::projects::{Invitation, InvitedTo, Member, Role};

use super::context::caller;
use super::contract::passage;
use super::documents_contract::record;
use super::sample::{live, point};
use model::document::{document_id, passage_id};
use model::evidence::PointKind;
use model::object::Upload;
use ports::scope::Scope;
use ports::{
    Cases, DocumentCleanup, Documents, Guard, IndexCleanup, Point, Record, Status, Unfinished,
    Written,
};

mod remembered;

/// Checks that a deleted document is not found, that its uploads do not return, and that one
/// announced again is a new document.
pub async fn disposal_contract(documents: &impl DocumentCleanup) {
    let first = record("first.md", "01A");
    let (scope, id) = (first.scope.clone(), first.document_id);
    let live = |version: &str| live(version, &first);
    let get = async || documents.document(&scope, id).await.unwrap();
    assert!(!documents.begin_deletion(&scope, id, "01B", false).await.unwrap(), "there is none");
    assert!(announced(documents, &first).await);
    assert!(announced(documents, &first).await, "the same again is no harm");
    let once = guard("POST global/documents#k", "2026-11-20T18:00:00Z".parse().unwrap());
    for written in [Written::Done, Written::Repeated] {
        assert_eq!(documents.announce(&first, Some(&once)).await.unwrap(), written);
    }
    assert!(documents.settle(&scope, id, &live("01A")).await.unwrap());
    assert!(
        !documents.begin_deletion(&scope, id, "00Z", false).await.unwrap(),
        "it was announced since"
    );
    assert!(documents.begin_deletion(&scope, id, "01C", false).await.unwrap());
    let deleted = get().await.unwrap();
    assert_eq!((deleted.status.clone(), deleted.live.clone()), (Status::Deleting, None));
    assert_eq!((deleted.version.as_str(), deleted.deleted.as_deref()), ("01C", Some("01C")));
    for version in ["01A", "01B"] {
        assert!(!documents.settle(&scope, id, &live(version)).await.unwrap(), "{version}");
        documents.mark(&scope, id, version, &Status::Indexed).await.unwrap();
        assert!(!announced(documents, &record("first.md", version)).await, "{version}");
    }
    assert_eq!(get().await, Some(deleted));

    assert!(announced(documents, &record("first.md", "01D")).await);
    assert!(!documents.settle(&scope, id, &live("01B")).await.unwrap(), "it was deleted since");
    documents.finish_deletion(&scope, id, "01C", Timestamp::MAX).await.unwrap();
    assert!(documents.settle(&scope, id, &live("01D")).await.unwrap());
    let new = get().await.unwrap();
    assert_eq!((new.status, new.live), (Status::Indexed, Some(live("01D"))));
    assert!(documents.begin_deletion(&scope, id, "01E", false).await.unwrap());
    documents.finish_deletion(&scope, id, "01E", Timestamp::MAX).await.unwrap();
    documents.finish_deletion(&scope, id, "01E", Timestamp::MAX).await.unwrap();
    assert_eq!(get().await, None);

    assert!(announced(documents, &record("first.md", "01F")).await);
    assert!(!documents.settle(&scope, id, &live("01A")).await.unwrap(), "it is of a former life");
    let again = get().await.unwrap();
    assert_eq!((again.first.as_str(), again.prior.as_str()), ("01F", "01F"));
    assert!(again.is_deleted_since("01A") && !again.is_deleted_since("01F"));
    documents.touch(&scope).await.unwrap();
    documents.touch(&Scope::User("nobody".into())).await.unwrap();
    let named = [(scope.clone(), id), (Scope::User("bob".into()), id)];
    let found = documents.documents_named(&named).await.unwrap();
    assert_eq!(found, [get().await.unwrap()]);
    let erased =
        [documents.delete_record(&scope, id).await, documents.delete_record(&scope, id).await];
    assert_eq!(erased.map(Result::unwrap), [true, false]);
    assert_eq!(documents.delete_cached(&scope, 10).await.unwrap(), 0);
    documents.delete_corpus_counter(&scope).await.unwrap();
    Box::pin(remembered::remembered(documents)).await;
    unfinished(documents).await;
}

/// Checks that documents that wait, are being read or are being deleted are listed by their
/// version, and finished ones are not.
async fn unfinished(documents: &impl DocumentCleanup) {
    let names = ["waiting.md", "indexing.md", "deleting.md", "indexed.md", "failed.md", "late.md"];
    for (name, version) in names.iter().zip(["02A", "02B", "02C", "02A", "02A", "02Z"]) {
        documents.announce(&record(name, version), None).await.unwrap();
    }
    let ids = names.map(|name| record(name, "").document_id);
    let (scope, record) = (Scope::Global, record("indexed.md", "02A"));
    documents.mark(&scope, ids[1], "02B", &Status::Indexing).await.unwrap();
    documents.begin_deletion(&scope, ids[2], "02D", false).await.unwrap();
    documents.settle(&scope, ids[3], &live("02A", &record)).await.unwrap();
    let failed = Status::Failed { reason: "is not UTF-8 text".into() };
    documents.mark(&scope, ids[4], "02A", &failed).await.unwrap();
    let first = documents.unfinished("02Y", 2, None).await.unwrap();
    let rest = documents.unfinished("02Y", 2, first.next.as_deref()).await.unwrap();
    let id_and_status = |unfinished: Unfinished| match unfinished {
        Unfinished::Document(unfinished) => (unfinished.document_id, unfinished.status),
        other => panic!("{other:?}"),
    };
    let listed: Vec<(Uuid, Status)> =
        first.items.into_iter().chain(rest.items).map(id_and_status).collect();
    let expected = [Status::Waiting, Status::Indexing, Status::Deleting];
    assert_eq!(listed, ids.into_iter().zip(expected).collect::<Vec<_>>());
    assert_eq!(rest.next, None);
}

/// Checks that points are removed up to a version, of one version or of a scope, and that document
/// points show where they are.
pub async fn cleanup_contract(index: &impl IndexCleanup) {
    let document = document_id(&Scope::Global, "clearance");
    assert_eq!(index.delete_scope(&Scope::Global).await.unwrap(), 0, "there is no index yet");
    index.delete_up_to(&Scope::Global, document, "01A", &[]).await.unwrap();
    assert_eq!(index.traces(10, None).await.unwrap().items, []);
    let stage = async |scope: &Scope, version: &str, is_live: bool| {
        let document_point = Point {
            kind: PointKind::Document,
            ..point(passage(document, version, 1, "the whole of it"), 1)
        };
        let passage = point(passage(document, version, 0, "seal wear again"), 0);
        let ids = [document_point.passage.id, passage.passage.id];
        index.stage(scope, vec![document_point, passage]).await.unwrap();
        if is_live {
            index.publish(scope, document, version, &ids).await.unwrap();
        }
    };
    stage(&Scope::Global, "01A", true).await;
    stage(&Scope::Global, "01B", false).await;
    stage(&Scope::Global, "01C", false).await;
    let bob = Scope::User("bob".into());
    stage(&bob, "01D", false).await;
    let listed = async || {
        let (mut listed, mut after) = (Vec::new(), None);
        loop {
            let page = index.traces(2, after).await.unwrap();
            let traces = page
                .items
                .into_iter()
                .map(|item| (item.of.scope.to_string(), item.of.version, item.is_live));
            listed.extend(traces);
            after = page.next;
            if after.is_none() {
                listed.sort();
                return listed;
            }
        }
    };
    let trace = |scope: &str, version: &str, is_live: bool| (scope.into(), version.into(), is_live);
    let twice = |entry: (String, String, bool)| [entry.clone(), entry];
    let expected = [
        vec![trace("global", "01A", true)],
        twice(trace("global", "01B", false)).into(),
        twice(trace("global", "01C", false)).into(),
        twice(trace("user:bob", "01D", false)).into(),
    ];
    assert_eq!(listed().await, expected.concat(), "a live one by its document point alone");

    let of = |version: &str| Upload {
        scope: Scope::Global,
        document_id: document,
        version: version.into(),
    };
    index.delete_version(&of("01B")).await.unwrap();
    assert_eq!(listed().await, [&expected[0][..], &expected[2], &expected[3]].concat());
    index.delete_up_to(&Scope::Global, document, "01B", &[]).await.unwrap();
    assert_eq!(listed().await, expected[2..].concat(), "and every lower one");
    assert_eq!(index.delete_scope(&Scope::Global).await.unwrap(), 2);
    assert_eq!(index.delete_scope(&Scope::Global).await.unwrap(), 0);
    assert_eq!(listed().await, expected[3], "another scope has its own");
    let unfound = [passage_id(document, "01D", 0), passage_id(document, "01D", 1)];
    index.delete_up_to(&Scope::Global, document, "01A", &unfound).await.unwrap();
    assert_eq!(listed().await, [], "points that no filter finds go by their ids");
}

pub(super) fn invitation(case: &str, at: Timestamp) -> Invitation {
    let (id, title, by) = (case.into(), "Broker down".into(), "ann".into());
    Invitation { to: InvitedTo::Case, id, title, by, at }
}

pub(super) fn case(id: &str) -> Case {
    Case {
        case_id: id.into(),
        title: "Broker down".into(),
        team: None,
        status: CaseStatus::Open,
        created_at: "2026-11-20T18:00:00Z".parse().unwrap(),
        created_by: "ann".into(),
        closed_at: None,
        closed_by: None,
        removed: None,
    }
}

fn guard(key: &str, at: Timestamp) -> Guard {
    let (hash, answer) = ("ab".into(), json!({}).to_string());
    let until = at + SignedDuration::from_hours(24);
    Guard { user: "ann".into(), key: key.into(), hash, answer, at, until }
}

async fn announced(documents: &impl Documents, record: &Record) -> bool {
    documents.announce(record, None).await.unwrap() == Written::Done
}

/// Checks that cases are visible to their members, close once and for good, and count what is
/// removed.
pub(super) async fn cases_contract(cases: &impl Cases) {
    let ids = ["01JCASE0000000000000000001", "01JCASE0000000000000000002"];
    let now: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let guard = guard("POST /v1/cases#k", now);
    let id = ids[0];
    let created = cases.create_case(&case(id), Some(&guard)).await.unwrap();
    assert_eq!(created, Written::Done);
    assert_eq!(cases.create_case(&case(ids[1]), Some(&guard)).await.unwrap(), Written::Repeated);
    assert_eq!(cases.kept("ann", &guard.key, now).await.unwrap().unwrap().hash, "ab");
    assert_eq!(cases.create_case(&case(ids[1]), None).await.unwrap(), Written::Done);
    assert_eq!(cases.case_of(id, &caller("ann")).await.unwrap(), Some((case(id), Role::Owner)));
    assert_eq!(cases.case_of(id, &caller("bob")).await.unwrap(), None);
    assert_eq!(cases.case("01JCASE0000000000000000009", &caller("ann")).await.unwrap(), None);

    let invitation = invitation(id, now);
    assert!(cases.invite_to_case("bob", &invitation).await.unwrap());
    assert!(cases.invite_to_case("ann", &invitation).await.unwrap(), "who is in stays it");
    assert_eq!(cases.case(id, &caller("bob")).await.unwrap(), None, "an invitation shows nothing");
    assert_eq!(cases.cases("bob", 9, None).await.unwrap().items, []);
    let member = |user: &str, role| Member { user: user.into(), role };
    let invited = [member("ann", Role::Owner), member("bob", Role::Invited)];
    assert_eq!(cases.case_members(id).await.unwrap(), invited);
    assert!(!cases.join_case(id, "eve").await.unwrap(), "who is not invited cannot join");
    assert!(cases.join_case(id, "bob").await.unwrap());
    assert!(!cases.join_case(id, "bob").await.unwrap(), "once");
    assert_eq!(cases.case(id, &caller("bob")).await.unwrap(), Some(CaseStatus::Open));
    let both = [member("ann", Role::Owner), member("bob", Role::Member)];
    assert_eq!(cases.case_members(id).await.unwrap(), both);
    let page = cases.cases("ann", 1, None).await.unwrap();
    assert_eq!(page.items, [case(id)]);
    let rest = cases.cases("ann", 2, page.next.as_deref()).await.unwrap();
    assert_eq!((rest.items, rest.next), (vec![case(ids[1])], None));
    assert_eq!(cases.cases("bob", 9, None).await.unwrap().items, [case(id)]);

    assert!(cases.invite_to_case("dan", &invitation).await.unwrap());
    assert!(cases.remove_case_member(id, "dan").await.unwrap(), "an invitation is taken back");
    assert!(!cases.join_case(id, "dan").await.unwrap());
    assert!(cases.invite_to_case("eve", &invitation).await.unwrap());
    assert!(cases.begin_closing(id, "ann", now).await.unwrap());
    assert!(!cases.join_case(id, "eve").await.unwrap(), "it is closing");
    assert!(!cases.begin_closing(id, "bob", now).await.unwrap(), "it closes once");
    assert_eq!(cases.case(id, &caller("bob")).await.unwrap(), Some(CaseStatus::Closing));
    assert!(!cases.invite_to_case("eve", &invitation).await.unwrap());
    let more = Removed { documents: 1, points: 2, files: 3, cached: 4 };
    assert!(cases.count_removed(id, &Removed::default(), &more).await.unwrap());
    assert!(!cases.count_removed(id, &Removed::default(), &more).await.unwrap(), "it is counted");
    cases.end_closing(id).await.unwrap();
    cases.end_closing(ids[1]).await.unwrap();
    let closed = Case {
        status: CaseStatus::Closed,
        closed_at: Some(now),
        closed_by: Some("ann".into()),
        removed: Some(more),
        ..case(id)
    };
    assert_eq!(cases.case_profile(id).await.unwrap(), Some(closed));
    let other = cases.case_profile(ids[1]).await.unwrap();
    assert_eq!(other, Some(case(ids[1])), "an open one is not closed from behind");
    assert!(cases.hand_over_case(id, "ann", "bob").await.unwrap());
    assert!(!cases.remove_case_member(id, "bob").await.unwrap(), "he is the owner now");
    cases.hand_over_case(id, "bob", "ann").await.unwrap();
    assert!(cases.remove_case_member(id, "bob").await.unwrap());
    assert!(!cases.remove_case_member(id, "bob").await.unwrap());
}

/// Checks that nothing is announced in a case that is not open, and that a closing case is listed
/// until it is closed; for stores of both documents and cases.
pub async fn closing_contract(store: &(impl Cases + DocumentCleanup)) {
    let id = "01JCASE0000000000000000003";
    let now: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let guard = guard("POST case/documents#k", now);
    let record = Record { scope: Scope::Case(id.into()), ..record("evidence.md", "01A") };
    assert!(!announced(store, &record).await, "there is no such case");
    assert_eq!(store.create_case(&case(id), None).await.unwrap(), Written::Done);
    assert_eq!(store.announce(&record, Some(&guard)).await.unwrap(), Written::Done);
    let again = Record { version: "01AB".into(), ..record.clone() };
    assert_eq!(store.announce(&again, Some(&guard)).await.unwrap(), Written::Repeated);
    assert!(store.begin_closing(id, "ann", now).await.unwrap());
    assert!(!announced(store, &Record { version: "01B".into(), ..record.clone() }).await);
    let unfinished = async || store.unfinished("01Z", 9, None).await.unwrap().items;
    let kept = store.document(&record.scope, record.document_id).await.unwrap().unwrap();
    let kept = Unfinished::Document(Box::new(kept));
    let listed = unfinished().await;
    assert!(listed.contains(&kept) && listed.contains(&Unfinished::Case(id.into())), "{listed:?}");
    store.end_closing(id).await.unwrap();
    assert_eq!(unfinished().await, [kept]);
    assert!(!announced(store, &Record { version: "01C".into(), ..record }).await);
}

#[cfg(test)]
mod tests;
