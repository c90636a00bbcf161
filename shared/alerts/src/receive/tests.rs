use jiff::{SignedDuration, Timestamp};
use pollster::block_on;
use ports::Cases;
use testing::FakeCases;

use super::*;
use crate::AlertRoutes;
use crate::testing::vendors;

pub(crate) fn alert(name: &str, fingerprint: &str) -> Alert {
    Alert {
        name: name.into(),
        fingerprint: fingerprint.into(),
        starts_at: Some("2026-11-20T17:59:00Z".parse().unwrap()),
        ..Alert::default()
    }
}

pub(crate) fn route(more: &str) -> AlertRoute {
    let file = format!(
        "vendor = \"alertmanager\"\nteam = \"ops\"\nauth = \"bearer\"\nsecret = \"s\"\n{more}"
    );
    let routes = AlertRoutes::parse(&[("shop.toml".into(), file)], &vendors()).unwrap();
    routes.get("shop").unwrap().clone()
}

/// Returns the id and the time of the request with this number, a second after the one before.
pub(crate) fn stamp(number: i64) -> Stamp {
    let start: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let time = start + SignedDuration::from_secs(number);
    let millisecond = u64::try_from(time.as_millisecond()).unwrap();
    Stamp { id: Ulid::from_parts(millisecond, 7).to_string(), time }
}

struct Site(FakeCases);

impl Site {
    fn receive(&self, number: i64, alerts: &[Alert]) -> Option<Received> {
        let group = Group { key: "pool".into(), alerts: alerts.to_vec() };
        block_on(receive(&self.0, &route(""), &group, 0, &stamp(number))).unwrap()
    }

    /// Returns the case, whether it is new, and the numbers of what was added, repeated, resolved.
    fn counts(&self, number: i64, alerts: &[Alert]) -> (String, bool, [usize; 3]) {
        let group = self.receive(number, alerts).unwrap().group;
        (group.case_id, group.is_new, [group.added, group.repeated, group.resolved])
    }
}

fn over(alert: &Alert) -> Alert {
    Alert { state: AlertState::Resolved, ..alert.clone() }
}

#[test]
fn the_alerts_of_a_group_are_one_case_of_the_routes_team() {
    let site = Site(FakeCases::default());
    let [first, second] = ["a", "b"].map(|fingerprint| alert("PoolExhausted", fingerprint));
    let summary = Some("Requests wait\nfor a connection".to_owned());
    let first = Alert { summary, ..first };
    let received = site.receive(1, &[first.clone(), second.clone()]).unwrap();
    let Case { case_id, title, team, created_by, .. } = received.case;
    assert_eq!(title, "PoolExhausted: Requests wait for a connection");
    assert_eq!((team.as_deref(), created_by.as_str()), (Some("ops"), "alerts/shop"));
    assert_eq!(site.counts(2, std::slice::from_ref(&first)), (case_id.clone(), false, [0, 1, 0]));
    let third = alert("PoolExhausted", "c");
    assert_eq!(site.counts(3, &[first.clone(), third]), (case_id.clone(), false, [1, 1, 0]));
    let alerts = site.receive(4, &[over(&first)]).unwrap().alerts;
    assert_eq!((alerts.len(), alerts[0].count, alerts[1].count), (3, 4, 1));
    assert_eq!(alerts[0].resolved_at, Some(stamp(4).time));
    assert_eq!((alerts[0].first_at, alerts[0].last_at), (stamp(1).time, stamp(4).time));
    let late = site.receive(0, &[first]).unwrap().alerts;
    assert_eq!(late[0].alert.state, AlertState::Resolved, "a late repeat starts nothing again");
    assert_eq!(late[0].last_at, stamp(4).time, "it came before the last one");
}

#[test]
fn what_is_over_closes_nothing_and_opens_nothing() {
    let site = Site(FakeCases::default());
    let first = alert("PoolExhausted", "a");
    assert_eq!(site.receive(1, &[over(&first)]), None);
    let (case_id, ..) = site.counts(2, std::slice::from_ref(&first));
    let elsewhen = Alert { starts_at: Some(stamp(3).time), ..over(&first) };
    assert_eq!(
        site.counts(3, &[elsewhen]),
        (case_id.clone(), false, [0, 0, 1]),
        "by its fingerprint"
    );
    let earlier = "2026-11-20T17:00:00Z".parse().unwrap();
    assert_eq!(site.counts(4, &[over(&alert("Other", "b"))]), (case_id.clone(), false, [0, 0, 0]));
    let profile = block_on(site.0.case_profile(&case_id)).unwrap().unwrap();
    assert_eq!(profile.status, CaseStatus::Open);
    let again = Alert { starts_at: Some(stamp(5).time), ..first };
    let anew = site.counts(6, std::slice::from_ref(&again));
    assert_eq!(anew, (case_id.clone(), false, [1, 0, 0]), "it fires anew");
    let late = Alert { starts_at: Some(earlier), ..over(&again) };
    assert_eq!(
        site.counts(7, &[late]),
        (case_id, false, [0, 0, 0]),
        "an end of before ends nothing"
    );
}

#[test]
fn alerts_that_come_after_the_case_was_closed_open_another() {
    let site = Site(FakeCases::default());
    let first = alert("PoolExhausted", "a");
    let (closed, ..) = site.counts(1, std::slice::from_ref(&first));
    assert!(block_on(site.0.begin_closing(&closed, "ann", stamp(2).time)).unwrap());
    assert_eq!(site.receive(3, &[over(&first)]), None);
    let (next, is_new, counts) = site.counts(4, &[first]);
    assert!(is_new && next != closed);
    assert_eq!(counts, [1, 0, 0]);
}

#[test]
fn a_fingerprint_in_two_groups_is_an_alert_of_both() {
    let site = Site(FakeCases::default());
    let first = alert("PoolExhausted", "a");
    let (pool, ..) = site.counts(1, std::slice::from_ref(&first));
    let group = Group { key: "shop".into(), alerts: vec![first] };
    let other = block_on(receive(&site.0, &route(""), &group, 1, &stamp(1))).unwrap().unwrap();
    assert!(other.group.is_new && other.case.case_id != pool);
}

#[test]
fn what_tells_no_start_fires_again_after_its_end() {
    let site = Site(FakeCases::default());
    let first = Alert { starts_at: None, ..alert("BackupFailed", "a") };
    site.receive(1, std::slice::from_ref(&first)).unwrap();
    site.receive(2, &[over(&first)]).unwrap();
    let alerts = site.receive(3, &[first]).unwrap().alerts;
    assert_eq!((alerts[0].alert.state, alerts[0].resolved_at), (AlertState::Firing, None));
}

#[test]
fn what_tells_when_it_happened_changes_states_in_that_order() {
    let site = Site(FakeCases::default());
    let told = |second, state| {
        let told_at = Some(stamp(second).time);
        Alert { state, told_at, ..alert("PoolExhausted", "a") }
    };
    let [triggered, reopened] = [1, 5].map(|second| told(second, AlertState::Firing));
    let resolved = told(3, AlertState::Resolved);
    let state = |number, alert: &Alert| {
        let alerts = site.receive(number, std::slice::from_ref(alert)).unwrap().alerts;
        (alerts[0].alert.state, alerts[0].resolved_at)
    };
    state(1, &triggered);
    let over = (AlertState::Resolved, Some(stamp(3).time));
    assert_eq!(state(3, &resolved), over);
    assert_eq!(state(4, &triggered), over, "it is sent again");
    let on = (AlertState::Firing, None);
    assert_eq!(state(6, &reopened), on);
    assert_eq!(state(7, &resolved), on, "it is late");
}

#[test]
fn a_case_of_another_team_takes_no_alerts_of_the_route() {
    let site = Site(FakeCases::default());
    let first = alert("PoolExhausted", "a");
    let (case_id, ..) = site.counts(1, std::slice::from_ref(&first));
    let group = Group { key: "pool".into(), alerts: vec![first] };
    let moved = AlertRoute { team: "sales".into(), ..route("") };
    let received = block_on(receive(&site.0, &moved, &group, 0, &stamp(2))).unwrap().unwrap();
    assert!(received.group.is_new && received.case.case_id != case_id);
    assert_eq!(received.case.team.as_deref(), Some("sales"));
}

#[test]
fn a_case_has_a_thousand_alerts_at_most_and_the_rest_is_told() {
    let site = Site(FakeCases::default());
    let alerts: Vec<Alert> =
        (0..MOST + 3).map(|number| alert("PoolExhausted", &number.to_string())).collect();
    let received = site.receive(1, &alerts).unwrap();
    assert_eq!((received.alerts.len(), received.group.left_out), (MOST, 3));
}
