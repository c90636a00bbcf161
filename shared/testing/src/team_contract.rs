//! The contract of every store of cases, for those that belong to a team and for their alerts.

use jiff::{SignedDuration, Timestamp};
use ports::scope::Caller;
use ports::{AlertGroup, Alerts, Cases, Claim, MessageOf, Written};
use wire::alerts::{Alert, Brief, CaseAlert};
use wire::cases::Case;
use wire::common::Answer;
use wire::projects::Role;
use wire::rcca::RccaReport;

use super::context::caller;
use super::life_contract::{case, cases_contract, invitation};

/// Checks all that a store of cases keeps.
pub async fn all_cases_contracts(store: &impl Alerts) {
    cases_contract(store).await;
    team_cases_contract(store).await;
    alerts_contract(store).await;
}

/// Checks that a case of a team is its own: everyone in the team may do what an owner may, and
/// whoever created it is none of its members.
async fn team_cases_contract(cases: &impl Cases) {
    let of_team = |id: &str| Case { team: Some("ops".into()), ..case(id) };
    let ids = ["01JCASE0000000000000000004", "01JCASE0000000000000000005"];
    for id in ids {
        assert_eq!(cases.create_case(&of_team(id), None).await.unwrap(), Written::Done);
    }
    let of = |groups: &[&str]| {
        let groups = groups.iter().map(|group| (*group).to_owned()).collect();
        Caller { groups, ..caller("bob") }
    };
    let found = cases.case_of(ids[0], &of(&["sales", "ops"])).await.unwrap();
    assert_eq!(found, Some((of_team(ids[0]), Role::Owner)));
    assert_eq!(cases.case(ids[0], &of(&["op", "ops2"])).await.unwrap(), None);
    assert_eq!(cases.case(ids[0], &caller("ann")).await.unwrap(), None, "she only created it");
    assert_eq!(cases.case_members(ids[0]).await.unwrap(), []);
    let page = cases.team_cases("ops", 1, None).await.unwrap();
    assert_eq!(page.items, [of_team(ids[0])]);
    let rest = cases.team_cases("ops", 9, page.next.as_deref()).await.unwrap();
    assert_eq!((rest.items, rest.next), (vec![of_team(ids[1])], None));
    assert_eq!(cases.team_cases("sales", 9, None).await.unwrap().items, []);
    let invitation = invitation(ids[0], "2026-11-20T18:00:00Z".parse().unwrap());
    assert!(cases.invite_to_case("eve", &invitation).await.unwrap());
    assert!(cases.join_case(ids[0], "eve").await.unwrap());
    let role = cases.case_of(ids[0], &caller("eve")).await.unwrap().map(|(_, role)| role);
    assert_eq!(role, Some(Role::Member), "others than the team's may be invited");
}

fn alert(fingerprint: &str, count: u32, at: Timestamp) -> CaseAlert {
    let alert = Alert {
        name: "PoolExhausted".into(),
        fingerprint: fingerprint.into(),
        starts_at: Some("2026-11-20T17:59:00Z".parse().unwrap()),
        ..Alert::default()
    };
    CaseAlert { alert, count, first_at: at, last_at: at, resolved_at: None }
}

/// Checks that a group has one open case, that each alert is written once for each time it came,
/// and that nothing of it is left once the case is closed.
async fn alerts_contract(store: &impl Alerts) {
    let now: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let ids = ["01JCASE0000000000000000006", "01JCASE0000000000000000007"];
    let [first, second] = ids.map(|id| Case { team: Some("shop".into()), ..case(id) });
    let group = AlertGroup { route: "shop", key: "{}:{alertname=\"PoolExhausted\"}" };
    assert_eq!(store.case_of_group(group).await.unwrap(), None);
    assert!(store.open_alert_case(group, &first, None).await.unwrap());
    assert!(!store.open_alert_case(group, &second, None).await.unwrap(), "it has one");
    assert_eq!(store.case_profile(ids[1]).await.unwrap(), None, "and no other is written");
    assert_eq!(store.case_of_group(group).await.unwrap().as_deref(), Some(ids[0]));
    let other = AlertGroup { route: "warehouse", ..group };
    assert_eq!(store.case_of_group(other).await.unwrap(), None, "another route's are others");

    let many: Vec<CaseAlert> =
        (0..120).map(|number| alert(&format!("{number:03}"), 1, now)).collect();
    assert!(store.note_alerts(ids[0], &many).await.unwrap());
    assert_eq!(store.alerts(ids[0]).await.unwrap(), many);
    assert!(!store.note_alerts(ids[0], &many[..1]).await.unwrap(), "it came once already");
    let twice = alert("000", 2, now);
    assert!(store.note_alerts(ids[0], std::slice::from_ref(&twice)).await.unwrap());
    assert!(!store.note_alerts(ids[0], &[alert("000", 2, now)]).await.unwrap(), "so it did twice");
    assert_eq!(store.alerts(ids[0]).await.unwrap()[0], twice);

    let brief = |alerts| Brief {
        made_at: now,
        alerts,
        question: "PoolExhausted".into(),
        runbooks: Vec::new(),
        past: Answer {
            report: RccaReport::empty(),
            queries_written: Vec::new(),
            decisions: None,
            abstained: None,
        },
        decided: Vec::new(),
        owner: None,
        missing: Vec::new(),
        is_judged: false,
        answer: None,
        answer_id: None,
    };
    assert_eq!(store.brief(ids[0]).await.unwrap(), None);
    assert!(store.keep_brief(ids[0], &brief(3)).await.unwrap());
    assert!(!store.keep_brief(ids[0], &brief(2)).await.unwrap(), "that of more alerts stays");
    assert_eq!(store.brief(ids[0]).await.unwrap(), Some(brief(3)));

    let claim = async |now: Timestamp| {
        let since = now - SignedDuration::from_mins(1);
        store.claim_message(MessageOf::Case(ids[0]), "opened.0", now, since).await.unwrap()
    };
    assert_eq!(claim(now).await, Claim::Taken);
    assert_eq!(claim(now).await, Claim::Held);
    store.settle_message(MessageOf::Case(ids[0]), "opened.0", false).await.unwrap();
    assert_eq!(claim(now).await, Claim::Taken, "it was given back");
    let later = claim(now + SignedDuration::from_mins(2)).await;
    assert_eq!(later, Claim::Taken, "whoever had it is gone");
    store.settle_message(MessageOf::Case(ids[0]), "opened.0", true).await.unwrap();
    assert_eq!(claim(now + SignedDuration::from_hours(9)).await, Claim::Over, "it was sent");

    let project = MessageOf::Project("01JPROJECT000000000000001");
    let claim = async || store.claim_message(project, "digest.0", now, now).await.unwrap();
    assert_eq!((claim().await, claim().await), (Claim::Taken, Claim::Held));
    store.settle_message(project, "digest.0", false).await.unwrap();
    assert_eq!(claim().await, Claim::Taken, "it was given back");
    store.settle_message(project, "digest.0", true).await.unwrap();
    assert_eq!(claim().await, Claim::Over, "it was sent");

    assert!(store.begin_closing(ids[0], "ann", now).await.unwrap());
    assert!(!store.note_alerts(ids[0], &[alert("new", 1, now)]).await.unwrap());
    assert!(!store.keep_brief(ids[0], &brief(9)).await.unwrap());
    let claimed =
        store.claim_message(MessageOf::Case(ids[0]), "resolved.0", now, now).await.unwrap();
    assert_eq!(claimed, Claim::Over, "nobody is told of a closed case");
    store.forget_alerts(ids[0]).await.unwrap();
    assert_eq!(store.alerts(ids[0]).await.unwrap(), []);
    assert_eq!(store.brief(ids[0]).await.unwrap(), None);
    assert_eq!(
        store.team_cases("shop", 9, None).await.unwrap().items,
        [],
        "its team lists it no more"
    );
    assert_eq!(store.case_of_group(group).await.unwrap(), None, "and its group has none");
    assert!(store.open_alert_case(group, &second, None).await.unwrap());
    let third = Case { case_id: "01JCASE0000000000000000008".into(), ..second.clone() };
    assert!(store.open_alert_case(group, &third, Some(ids[1])).await.unwrap());
    assert!(!store.open_alert_case(group, &first, Some(ids[1])).await.unwrap(), "it has another");
    store.forget_alerts(ids[1]).await.unwrap();
    let last = store.case_of_group(group).await.unwrap();
    assert_eq!(last.as_deref(), Some(third.case_id.as_str()), "that of another case stays");
}
