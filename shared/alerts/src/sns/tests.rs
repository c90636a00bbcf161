use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};

use super::*;
use crate::testing::vendors;
use crate::{AlertRoute, AlertRoutes};

const CERTIFICATE: &[u8] = include_bytes!("sns.pem");
const TOPIC: &str = "arn:aws:sns:eu-west-1:123456789012:alarms";

fn now() -> Timestamp {
    "2026-11-20T18:00:13Z".parse().unwrap()
}

fn route() -> AlertRoute {
    let file =
        format!("vendor = \"cloudwatch\"\nteam = \"ops\"\nauth = \"sns\"\ntopic = {TOPIC:?}");
    let routes = AlertRoutes::parse(&[("aws.toml".into(), file)], &vendors()).unwrap();
    routes.get("aws").unwrap().clone()
}

fn message(kind: &str, more: &Value) -> Value {
    let mut message = json!({
        "Type": kind, "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324", "TopicArn": TOPIC,
        "Message": "{\"AlarmName\": \"checkout-5xx\"}", "Timestamp": "2026-11-20T18:00:12.700Z",
        "SignatureVersion": "2", "Signature": "",
        "SigningCertURL": "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem",
    });
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    message
}

/// Returns a message that is signed with the certificate's key.
fn signed(kind: &str, more: &Value) -> Envelope {
    let mut envelope: Envelope = serde_json::from_value(message(kind, more)).unwrap();
    let key = RsaKeyPair::from_der(include_bytes!("sns.der")).unwrap();
    let mut signature = vec![0; key.public().modulus_len()];
    let content = envelope.content();
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), content.as_bytes(), &mut signature).unwrap();
    envelope.signature = BASE64_STANDARD.encode(signature);
    envelope
}

#[test]
fn an_alarm_is_taken_with_the_signature_of_its_topic() {
    let alarm = signed("Notification", &json!({"Subject": "ALARM: checkout-5xx"}));
    let url = alarm.certificate_url(&route(), now()).unwrap();
    assert_eq!(url, "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem");
    assert_eq!(alarm.notice(CERTIFICATE).unwrap(), Notice::Alarm);
    let other = Envelope { message: "{}".into(), ..alarm.clone() };
    assert!(other.notice(CERTIFICATE).is_err());
    let other = Envelope { subject: None, ..alarm.clone() };
    assert!(other.notice(CERTIFICATE).is_err(), "the subject is signed, too");
    assert!(alarm.notice(b"-----BEGIN CERTIFICATE-----").is_err());
    assert!(Envelope { signature: "?".into(), ..alarm }.notice(CERTIFICATE).is_err());
}

#[test]
fn a_subscription_is_confirmed_at_an_address_of_sns_and_nowhere_else() {
    let confirm =
        |url: &str| signed("SubscriptionConfirmation", &json!({"Token": "t", "SubscribeURL": url}));
    let url = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";
    assert_eq!(confirm(url).notice(CERTIFICATE).unwrap(), Notice::Confirm(url.into()));
    for url in [
        "https://example.com/",
        "http://sns.eu-west-1.amazonaws.com/",
        "https://sns.a.b.amazonaws.com/",
        "https://sns.eu-west-1.amazonaws.com.example.com/",
        "https://sns..amazonaws.com/",
        "https://x@sns.eu-west-1.amazonaws.com/",
    ] {
        assert!(confirm(url).notice(CERTIFICATE).is_err(), "{url}");
    }
    let ended = signed("UnsubscribeConfirmation", &json!({"Token": "t", "SubscribeURL": url}));
    assert_eq!(ended.notice(CERTIFICATE).unwrap(), Notice::Ended);
}

#[test]
fn another_topic_version_time_or_certificate_is_refused_before_anything_is_fetched() {
    let alarm = signed("Notification", &json!({}));
    let refused =
        |envelope: Envelope, now| envelope.certificate_url(&route(), now).unwrap_err().to_string();
    let other = Envelope { topic_arn: format!("{TOPIC}2"), ..alarm.clone() };
    assert!(refused(other, now()).contains("topic"));
    let old = Envelope { signature_version: "1".into(), ..alarm.clone() };
    assert!(refused(old, now()).contains("`SignatureVersion` to 2"));
    let late = now() + SignedDuration::from_hours(2);
    assert!(refused(alarm.clone(), late).contains("an hour old"));
    let sns = "https://sns.eu-west-1.amazonaws.com";
    let named = "SimpleNotificationService-0.pem";
    for url in [
        format!("https://example.com/{named}"),
        format!("{sns}/a.pem"),
        format!("{sns}/?Action=GetEndpointAttributes&x=/{named}"),
        format!("{sns}/{named}?x=.pem"),
        format!("{sns}/SimpleNotificationService-0.txt"),
        format!("{sns}/a/{named}"),
    ] {
        let other = Envelope { signing_cert_url: url.clone(), ..alarm.clone() };
        assert!(refused(other, now()).contains("`SigningCertURL`"));
    }
}

#[test]
fn the_text_that_is_signed_is_the_one_of_the_guide() {
    let subject = json!({"Subject": "ALARM"});
    let alarm: Envelope = serde_json::from_value(message("Notification", &subject)).unwrap();
    let text = format!(
        "Message\n{{\"AlarmName\": \"checkout-5xx\"}}\nMessageId\n22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324\nSubject\nALARM\n\
         Timestamp\n2026-11-20T18:00:12.700Z\nTopicArn\n{TOPIC}\nType\nNotification\n"
    );
    assert_eq!(alarm.content(), text);
    let more = json!({"Token": "t", "SubscribeURL": "https://a"});
    let confirm = serde_json::from_value(message("SubscriptionConfirmation", &more));
    let confirm: Envelope = confirm.unwrap();
    let text = format!(
        "Message\n{{\"AlarmName\": \"checkout-5xx\"}}\nMessageId\n22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324\nSubscribeURL\nhttps://a\n\
         Timestamp\n2026-11-20T18:00:12.700Z\nToken\nt\nTopicArn\n{TOPIC}\nType\nSubscriptionConfirmation\n"
    );
    assert_eq!(confirm.content(), text);
}
