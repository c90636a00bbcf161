use serde_json::json;

use super::*;
use crate::testing::{sample, vendors};

fn of(vendor: &str) -> Vec<Group> {
    groups(&vendors(), vendor, sample(vendor)).unwrap()
}

/// Returns the only alert of a vendor's sample.
fn only(vendor: &str) -> (String, Alert) {
    let [Group { key, alerts }] = of(vendor).try_into().unwrap();
    let [alert] = alerts.try_into().unwrap();
    (key, alert)
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn alertmanager_sends_alerts_of_one_group() {
    let [Group { key, alerts }] = of("alertmanager").try_into().unwrap();
    assert_eq!(key, r#"{}:{alertname="CheckoutPoolExhausted"}"#);
    let [first, second] = alerts.try_into().unwrap();
    assert_eq!((first.name.as_str(), first.state), ("CheckoutPoolExhausted", AlertState::Firing));
    assert_eq!(first.starts_at, Some(time("2026-11-20T18:00:12.5Z")));
    assert_eq!(first.ends_at, None, "the year 1 stands for none");
    assert_eq!(first.service.as_deref(), Some("checkout-api"));
    let runbook = "https://runbooks.example/ops/connection-pool-exhausted";
    assert_eq!(first.runbook_url.as_deref(), Some(runbook));
    assert_eq!(first.fields["labels"]["pod"], "checkout-api-7d9f");
    assert_ne!(first.fingerprint, second.fingerprint);
}

#[test]
fn what_is_on_has_no_end_and_the_year_1_is_no_time() {
    let mut payload = sample("alertmanager");
    payload["alerts"][0]["startsAt"] = json!("0001-01-01T00:00:00Z");
    payload["alerts"][0]["endsAt"] = json!("2026-11-20T19:00:00Z");
    let [group] = groups(&vendors(), "alertmanager", payload).unwrap().try_into().unwrap();
    assert_eq!((group.alerts[0].starts_at, group.alerts[0].ends_at), (None, None));
}

#[test]
fn each_vendor_says_the_same_in_its_own_words() {
    let (_, grafana) = only("grafana");
    assert_eq!(
        (grafana.state, grafana.ends_at),
        (AlertState::Resolved, Some(time("2026-11-20T18:20:00Z")))
    );
    assert_eq!(grafana.link.as_deref(), Some("https://grafana.example/d/disks"));
    let (key, pagerduty) = only("pagerduty");
    assert_eq!((key.as_str(), pagerduty.severity.as_deref()), ("PGR0VU2", Some("P1")));
    assert_eq!(pagerduty.service.as_deref(), Some("checkout-api"));
    assert_eq!(
        pagerduty.told_at,
        Some(time("2026-11-20T18:00:13Z")),
        "reopened is later than over"
    );
    let (key, opsgenie) = only("opsgenie");
    assert_eq!(
        (key.as_str(), opsgenie.starts_at),
        ("broker-lag", Some(time("2026-11-20T18:00:12Z")))
    );
    let (key, cloudwatch) = only("cloudwatch");
    assert_eq!(key, "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:checkout-5xx");
    assert_eq!(cloudwatch.starts_at, Some(time("2026-11-20T18:00:12.236Z")));
    let (_, eventbridge) = only("eventbridge");
    assert_eq!((eventbridge.name.as_str(), eventbridge.state), ("queue-old", AlertState::Firing));
    let (key, generic) = only("generic");
    assert_eq!((key.as_str(), generic.fields["attempt"].as_i64()), ("nightly-backup", Some(3)));
    assert_eq!(generic.fingerprint.len(), 16, "it is made of name and labels");
}

#[test]
fn what_is_no_alert_is_left_out_and_what_lacks_a_name_is_refused() {
    let mut note = sample("opsgenie");
    note["action"] = json!("AddNote");
    assert_eq!(groups(&vendors(), "opsgenie", note).unwrap(), []);
    let mut unnamed = sample("alertmanager");
    unnamed["alerts"][0]["labels"] = json!({"severity": "critical"});
    let named = groups(&vendors(), "alertmanager", unnamed.clone()).unwrap();
    let wanted = "Requests of checkout-api wait for a database connection";
    assert_eq!(named[0].alerts[0].name, wanted, "its summary names it");
    unnamed["alerts"][0]["annotations"] = json!({});
    let refused = groups(&vendors(), "alertmanager", unnamed).unwrap_err().to_string();
    assert_eq!(refused, "malformed `/labels/alertname`: is missing");
    let refused = groups(&vendors(), "alertmanager", json!({"alerts": "none"})).unwrap_err();
    assert!(refused.to_string().contains("must be the list of alertmanager's alerts"));
    let not_json = json!({"Message": "ALARM"});
    let refused = groups(&vendors(), "cloudwatch", not_json).unwrap_err().to_string();
    assert!(refused.starts_with("malformed `/Message`: must be JSON"), "{refused}");
}

#[test]
fn alerts_of_several_groups_are_told_apart_and_each_comes_once() {
    let alert = |group: &str, name: &str| json!({"group": group, "name": name});
    let alerts = [alert("a", "x"), alert("b", "x"), alert("a", "y"), alert("a", "x")];
    let groups = groups(&vendors(), "generic", json!({ "alerts": alerts })).unwrap();
    let names = |group: &Group| group.alerts.iter().map(|alert| alert.name.clone()).collect();
    let told: Vec<(&str, Vec<String>)> =
        groups.iter().map(|group| (group.key.as_str(), names(group))).collect();
    let wanted = [("a", vec!["x".to_owned(), "y".into()]), ("b", vec!["x".into()])];
    assert_eq!(told, wanted);
    let many: Vec<Value> = (0..=MOST).map(|_| alert("a", "x")).collect();
    let refused = super::groups(&vendors(), "generic", json!({ "alerts": many })).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { limit: 1_000, .. }));
    let many: Vec<Value> = (0..=MOST_GROUPS).map(|group| alert(&group.to_string(), "x")).collect();
    let refused = super::groups(&vendors(), "generic", json!({ "alerts": many })).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { limit: 100, .. }));
}

#[test]
fn secrets_are_masked_in_texts_and_in_all_that_the_sender_says() {
    let key = "AKIAIOSFODNN7EXAMPLF";
    let alert = json!({
        "name": "LoginFailed", "summary": format!("the key {key} was refused"),
        "labels": {"db_password": "hunter2-Xk9"}, "note": [key],
    });
    let [group] =
        groups(&vendors(), "generic", json!({ "alerts": [alert] })).unwrap().try_into().unwrap();
    let alert = &group.alerts[0];
    let told = serde_json::to_string(alert).unwrap();
    assert!(!told.contains(key) && !told.contains("hunter2"), "{told}");
    assert!(alert.summary.as_ref().unwrap().starts_with("the key *"));
}

#[test]
fn what_is_too_long_is_cut_and_fields_that_are_too_many_are_left_out() {
    let alert =
        json!({"name": "n".repeat(900), "summary": "s".repeat(9_000), "more": "m".repeat(20_000)});
    let [group] =
        groups(&vendors(), "generic", json!({ "alerts": [alert] })).unwrap().try_into().unwrap();
    let alert = &group.alerts[0];
    assert_eq!((alert.name.len(), alert.summary.as_ref().unwrap().len()), (NAME, TEXT));
    assert!(alert.fields.is_empty());
}
