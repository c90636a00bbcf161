//! Tests that a user who left is forgotten, and nobody else.

use ports::{Profiles, Projects};
use serde_json::json;
use testing::caller;
use wire::projects::{Invitation, InvitedTo, Role};

use super::*;

fn invitation(to: InvitedTo, id: &str) -> Invitation {
    let at = "2026-11-20T18:00:00Z".parse().unwrap();
    Invitation { to, id: id.into(), title: "Pump".into(), by: "lea".into(), at }
}

fn gone() -> Removal {
    Removal::User { user: "lea".into() }
}

async fn forget(site: &Site) -> Outcome {
    let services = site.services(&site.corpus.documents);
    run(&services, gone(), "2026-11-20T18:00:00Z".parse().unwrap()).await.unwrap()
}

#[test]
fn a_user_who_left_takes_along_what_nobody_else_belongs_to() {
    pollster::block_on(async {
        let site = Site::default();
        let own = Scope::User("lea".into());
        site.ingest(&own, "notes.md", "01A").await;
        let other = site.ingest(&Scope::User("ann".into()), "notes.md", "01A").await;
        site.corpus.documents.cache(&own, 250);
        for (id, owner) in [("01SHARED", "lea"), ("01ALONE", "lea"), ("01ANNS", "ann")] {
            let project = json!({"project_id": id, "name": "Pump", "status": "planning", "version": 1, "created_at": "2026-11-20T18:00:00Z", "updated_at": "2026-11-20T18:00:00Z", "history": []});
            let project = serde_json::from_value(project).unwrap();
            site.projects.create(&project, owner, None).await.unwrap();
        }
        // A program is a member, and cannot own what is left.
        let programs =
            [("01SHARED", "alerts/shop"), ("01SHARED", "key-01K"), ("01ALONE", "alerts/shop")];
        for (id, user) in [("01SHARED", "bob"), ("01ANNS", "lea")].into_iter().chain(programs) {
            site.projects.invite(user, &invitation(InvitedTo::Project, id)).await.unwrap();
            assert!(site.projects.join(id, user).await.unwrap());
        }
        assert_eq!(forget(&site).await, Outcome::Done);
        assert_eq!(site.corpus.files.shown(), [other.key()]);
        assert_eq!(site.corpus.index.size(), 2, "a document point and a passage of ann's");
        let role = async |id: &str, user: &str| {
            site.projects.project(id, user).await.unwrap().map(|(_, role)| role)
        };
        assert_eq!(role("01SHARED", "bob").await, Some(Role::Owner));
        assert_eq!(role("01SHARED", "lea").await, None);
        assert_eq!(site.projects.profile("01ALONE").await.unwrap(), None);
        assert_eq!(
            (role("01ANNS", "ann").await, role("01ANNS", "lea").await),
            (Some(Role::Owner), None)
        );
        assert_eq!(forget(&site).await, Outcome::Done, "a second run finds nothing");
    });
}

#[test]
fn cases_of_a_user_who_left_are_closed_or_handed_over() {
    pollster::block_on(async {
        for has_member in [false, true] {
            let site = Site::default();
            let at: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
            let case = testing::open_case(CASE, "lea", at);
            site.cases.create_case(&case, None).await.unwrap();
            if has_member {
                site.cases.invite_to_case("bob", &invitation(InvitedTo::Case, CASE)).await.unwrap();
                assert!(site.cases.join_case(CASE, "bob").await.unwrap());
            }
            assert_eq!(forget(&site).await, Outcome::Done);
            let owner = if has_member { "bob" } else { "lea" };
            let members = site.cases.case_members(CASE).await.unwrap();
            let members: Vec<_> = members.iter().map(|one| (one.user.as_str(), one.role)).collect();
            assert_eq!(members, [(owner, Role::Owner)]);
            let status = site.closed().await.status;
            assert_eq!(status, if has_member { CaseStatus::Open } else { CaseStatus::Closing });
            let sent = site.removals.take();
            let closing = Removal::Case { case_id: CASE.into() };
            assert_eq!(sent, if has_member { Vec::new() } else { vec![closing] });
        }
    });
}

#[test]
fn administrators_alone_may_have_a_user_forgotten() {
    let (removals, mut ann) = (FakeRemovals::default(), caller("ann"));
    let forget = |caller: &ports::scope::Caller, user: &str| {
        pollster::block_on(forget_user(&removals, caller, user))
    };
    assert!(matches!(forget(&ann, "lea"), Err(model::Error::Denied { .. })));
    assert_eq!(removals.take(), []);
    ann.groups.push(ann.admin_group.clone());
    assert!(matches!(forget(&ann, "me"), Err(model::Error::Invalid { .. })));
    assert_eq!(forget(&ann, "lea").unwrap().user, "lea");
    assert_eq!(removals.take(), [gone()]);
}
