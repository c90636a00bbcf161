use super::*;
use crate::AlertRoutes;
use crate::testing::vendors;

const BODY: &[u8] = br#"{"alerts": []}"#;

fn now() -> Timestamp {
    "2026-11-20T18:00:00Z".parse().unwrap()
}

fn route(vendor: &str, auth: &str) -> AlertRoute {
    let file = format!("vendor = {vendor:?}\nteam = \"ops\"\nauth = {auth:?}\nsecret = \"shop\"");
    let routes = AlertRoutes::parse(&[("shop.toml".into(), file)], &vendors()).unwrap();
    routes.get("shop").unwrap().clone()
}

fn secrets() -> Secrets {
    Secrets::from([("shop".to_owned(), "correct horse".to_owned())])
}

fn headers(all: &[(&str, &str)]) -> Headers {
    all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn checked(
    route: &AlertRoute,
    headers: &Headers,
    body: &[u8],
    now: Timestamp,
) -> Result<(), String> {
    let checked = check(route, &vendors(), &secrets(), headers, body, now);
    checked.map_err(|error| error.to_string())
}

#[test]
fn a_signature_holds_for_its_body_and_for_five_minutes() {
    for vendor in ["generic", "grafana"] {
        let route = route(vendor, "hmac");
        let signed = signed(&vendors(), vendor, "correct horse", "m1", BODY, now()).unwrap();
        assert_eq!(checked(&route, &signed, BODY, now()), Ok(()));
        let other = checked(&route, &signed, b"{}", now()).unwrap_err();
        assert!(other.contains("is no signature of this body"), "{other}");
        let late = checked(&route, &signed, BODY, now() + SignedDuration::from_secs(301));
        assert!(late.unwrap_err().contains("more than 5 minutes from now"));
        let mut moved = signed.clone();
        let timestamp = moved.keys().find(|name| name.ends_with("timestamp")).unwrap().clone();
        moved.insert(timestamp.clone(), (now().as_second() + 1).to_string());
        assert!(checked(&route, &moved, BODY, now()).is_err(), "the time is signed, too");
        moved.remove(&timestamp);
        assert!(checked(&route, &moved, BODY, now()).unwrap_err().contains("is missing"));
    }
}

#[test]
fn signatures_are_those_that_the_vendors_document() {
    // Of another key.
    let pagerduty = "6fa2c4a6cf9dc6ae20b8ee55e8d07d2bd8a4b3a2c1d6d1fd58dd63bcb0d5b1b5";
    let mac = hmac::Key::new(hmac::HMAC_SHA256, b"correct horse");
    let right = model::document::hexadecimal(hmac::sign(&mac, BODY).as_ref());
    let route = route("pagerduty", "hmac");
    for (given, is_right) in [
        (format!("v1={right}"), true),
        (format!("v1={pagerduty},v1={right}"), true),
        (format!("v1={}", right.to_uppercase()), true),
        (format!("v1={pagerduty}"), false),
        (format!("v0={right}"), false),
        (right.clone(), false),
        ("v1=".into(), false),
        (String::new(), false),
    ] {
        let headers = headers(&[("X-PagerDuty-Signature", &given)]);
        assert_eq!(checked(&route, &headers, BODY, now()).is_ok(), is_right, "{given}");
    }
    // The example of the specification of Standard Webhooks.
    let generic = super::tests::route("generic", "hmac");
    let secret =
        Secrets::from([("shop".to_owned(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into())]);
    let headers = headers(&[
        ("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
        ("webhook-timestamp", "1614265330"),
        ("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    ]);
    let at = Timestamp::from_second(1_614_265_330).unwrap();
    check(&generic, &vendors(), &secret, &headers, br#"{"test": 2432232314}"#, at).unwrap();
}

#[test]
fn a_bearer_has_the_key_of_the_route_and_no_other() {
    let route = route("alertmanager", "bearer");
    for (given, is_right) in [
        ("Bearer correct horse", true),
        ("bearer  correct horse ", true),
        ("Bearer correct hors", false),
        ("Basic correct horse", false),
        ("correct horse", false),
    ] {
        let headers = headers(&[("Authorization", given)]);
        assert_eq!(checked(&route, &headers, BODY, now()).is_ok(), is_right, "{given}");
    }
    assert!(checked(&route, &Headers::new(), BODY, now()).is_err());
}

#[test]
fn a_secret_that_is_not_set_lets_nobody_in() {
    let route = route("alertmanager", "bearer");
    let headers = headers(&[("authorization", "Bearer ")]);
    for secrets in [Secrets::new(), Secrets::from([("shop".to_owned(), String::new())])] {
        let refused = check(&route, &vendors(), &secrets, &headers, BODY, now());
        assert!(matches!(refused, Err(Error::Unproven { .. })));
        let signed = signed(&vendors(), "generic", "", "m1", BODY, now()).unwrap();
        let generic = super::tests::route("generic", "hmac");
        let refused = check(&generic, &vendors(), &secrets, &signed, BODY, now());
        assert!(matches!(refused, Err(Error::Unproven { .. })), "an empty key is none");
    }
}

#[test]
fn grafana_signs_the_time_and_the_body_with_a_colon_between() {
    let route = route("grafana", "hmac");
    let mac = hmac::Key::new(hmac::HMAC_SHA256, b"correct horse");
    let tag = hmac::sign(&mac, b"1795197600:{\"alerts\": []}");
    let tag = model::document::hexadecimal(tag.as_ref());
    let headers = headers(&[
        ("X-Grafana-Alerting-Signature", &tag),
        ("X-Grafana-Alerting-Timestamp", "1795197600"),
    ]);
    assert_eq!(checked(&route, &headers, BODY, now()), Ok(()));
}
