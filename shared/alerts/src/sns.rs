//! Messages of Amazon SNS, which sends alarms of `CloudWatch` over HTTP.
//!
//! Form and signature: "Verifying the signatures of Amazon SNS messages" in the Amazon SNS
//! Developer Guide. Only version 2 is taken, which signs with SHA-256: the topic's attribute
//! `SignatureVersion` chooses it.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use jiff::{SignedDuration, Timestamp};
use model::{Error, Result};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use serde::Deserialize;
use webpki::EndEntityCert;
use webpki::ring::RSA_PKCS1_2048_8192_SHA256;

use crate::route::AlertRoute;

/// The oldest message that is taken: SNS tries again for an hour at most.
const OLDEST: SignedDuration = SignedDuration::from_hours(1);

/// A message as SNS sends it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Envelope {
    #[serde(rename = "Type")]
    kind: String,
    message_id: String,
    topic_arn: String,
    message: String,
    subject: Option<String>,
    timestamp: String,
    token: Option<String>,
    #[serde(rename = "SubscribeURL")]
    subscribe_url: Option<String>,
    signature: String,
    signature_version: String,
    /// The address of the certificate with the key of the signature.
    #[serde(rename = "SigningCertURL")]
    signing_cert_url: String,
}

/// The purpose of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// The topic wants the subscription to be confirmed at this address.
    Confirm(String),
    /// It has an alarm.
    Alarm,
    /// The subscription is over.
    Ended,
}

impl Envelope {
    /// Returns the address of the certificate, after checking what can be checked without it: the
    /// topic is the route's, the message is not old, and the certificate is one of SNS.
    ///
    /// # Errors
    /// [`Error::Unproven`] with the reason.
    pub fn certificate_url(&self, route: &AlertRoute, now: Timestamp) -> Result<&str> {
        if route.topic.as_deref() != Some(&self.topic_arn) {
            return Err(unproven("its topic is not this route's"));
        }
        if self.signature_version != "2" {
            return Err(unproven("set the topic's attribute `SignatureVersion` to 2"));
        }
        let at: Option<Timestamp> = self.timestamp.parse().ok();
        if at.is_none_or(|at| at.duration_since(now).abs() > OLDEST) {
            return Err(unproven("it is more than an hour old"));
        }
        let is_certificate = is_of_sns(&self.signing_cert_url) && is_named(&self.signing_cert_url);
        is_certificate
            .then_some(self.signing_cert_url.as_str())
            .ok_or_else(|| unproven("`SigningCertURL` is not an address of SNS"))
    }

    /// Checks the signature with the certificate (PEM), and says what the message is for.
    ///
    /// # Errors
    /// [`Error::Unproven`] if it is not signed with the certificate's key.
    pub fn notice(&self, certificate: &[u8]) -> Result<Notice> {
        let not_signed = || unproven("`Signature` is not of this message");
        let certificate = CertificateDer::from_pem_slice(certificate).map_err(|_| not_signed())?;
        let certificate = EndEntityCert::try_from(&certificate).map_err(|_| not_signed())?;
        let signature = BASE64_STANDARD.decode(&self.signature).map_err(|_| not_signed())?;
        let content = self.content();
        certificate
            .verify_signature(RSA_PKCS1_2048_8192_SHA256, content.as_bytes(), &signature)
            .map_err(|_| not_signed())?;
        match (self.kind.as_str(), &self.subscribe_url) {
            ("SubscriptionConfirmation", Some(url)) if is_of_sns(url) => {
                Ok(Notice::Confirm(url.clone()))
            }
            ("SubscriptionConfirmation", _) => {
                Err(unproven("`SubscribeURL` is not an address of SNS"))
            }
            ("Notification", _) => Ok(Notice::Alarm),
            _ => Ok(Notice::Ended),
        }
    }

    /// Returns the text that is signed: each field's name and value on a line, by name.
    fn content(&self) -> String {
        let is_notification = self.kind == "Notification";
        let fields = [
            ("Message", Some(&self.message)),
            ("MessageId", Some(&self.message_id)),
            ("Subject", self.subject.as_ref().filter(|_| is_notification)),
            ("SubscribeURL", self.subscribe_url.as_ref().filter(|_| !is_notification)),
            ("Timestamp", Some(&self.timestamp)),
            ("Token", self.token.as_ref().filter(|_| !is_notification)),
            ("TopicArn", Some(&self.topic_arn)),
            ("Type", Some(&self.kind)),
        ];
        let lines =
            fields.iter().filter_map(|(name, value)| Some([name, value.as_ref()?.as_str()]));
        lines.flatten().flat_map(|line| [line, "\n"]).collect()
    }
}

/// Returns true for the address of a certificate of SNS by its name alone. Other addresses of its
/// hosts may answer with what somebody else wrote.
fn is_named(url: &str) -> bool {
    let path = url.splitn(4, '/').nth(3);
    let name = path.and_then(|path| path.strip_prefix("SimpleNotificationService-"));
    let name = name.and_then(|name| name.strip_suffix(".pem"));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Returns true for an address of SNS itself: `https://sns.REGION.amazonaws.com/...`.
fn is_of_sns(url: &str) -> bool {
    let host = url.strip_prefix("https://").and_then(|rest| rest.split('/').next());
    let region = host.and_then(|host| host.strip_prefix("sns."));
    let region = region.and_then(|host| {
        host.strip_suffix(".amazonaws.com").or_else(|| host.strip_suffix(".amazonaws.com.cn"))
    });
    let is_region = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    region.is_some_and(|region| !region.is_empty() && region.chars().all(is_region))
}

fn unproven(reason: &str) -> Error {
    Error::Unproven { reason: reason.into() }
}

#[cfg(test)]
mod tests;
