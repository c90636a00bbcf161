//! The files of vendors: where a payload has which field of an alert.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use serde::Deserialize;
use wire::alerts::AlertState;

use crate::Trouble;

/// All vendors by name.
#[derive(Debug, Default)]
pub struct Vendors(BTreeMap<String, Vendor>);

/// The file of a vendor. Places are JSON Pointers (RFC 6901); the first that leads to a value
/// counts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vendor {
    /// The place of a text that is JSON and the payload itself.
    pub text: Option<String>,
    /// The place of the list of alerts; the payload is one alert where absent.
    pub list: Option<String>,
    /// The places of the key of the group, in the alert or else in the payload.
    pub group: Vec<String>,
    pub alert: Places,
    pub states: States,
    pub signature: Option<Signature>,
}

/// The places of an alert's fields in it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Places {
    pub name: Vec<String>,
    pub state: Vec<String>,
    pub fingerprint: Vec<String>,
    pub starts_at: Vec<String>,
    pub ends_at: Vec<String>,
    pub told_at: Vec<String>,
    pub severity: Vec<String>,
    pub service: Vec<String>,
    pub summary: Vec<String>,
    pub description: Vec<String>,
    pub runbook_url: Vec<String>,
    pub link: Vec<String>,
}

/// The vendor's words for states; an empty one stands for an alert that names none. What is neither
/// is no alert, such as a note on one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct States {
    firing: Vec<String>,
    resolved: Vec<String>,
}

/// The signature of a vendor: HMAC (RFC 2104) with SHA-256 over these headers and the body, joined
/// by the separator.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Signature {
    /// The header with the signatures.
    pub header: String,
    pub encoding: Encoding,
    /// The text before each signature that counts.
    #[serde(default)]
    pub prefix: String,
    #[serde(default)]
    pub headers: Vec<String>,
    #[serde(default)]
    pub separator: String,
    /// The one of `headers` that has the time of the signature, in seconds since 1970.
    pub timestamp: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Encoding {
    Hex,
    Base64,
}

impl Encoding {
    /// Decodes a signature; `None` if it is none.
    pub(crate) fn decode(self, text: &str) -> Option<Vec<u8>> {
        match self {
            Encoding::Base64 => BASE64_STANDARD.decode(text).ok(),
            Encoding::Hex => {
                let digit = |byte: &u8| {
                    char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
                };
                let (pairs, rest) = text.as_bytes().as_chunks::<2>();
                let byte = |[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
                pairs.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|_| rest.is_empty())
            }
        }
    }

    /// Encodes a signature.
    pub(crate) fn encode(self, bytes: &[u8]) -> String {
        match self {
            Encoding::Base64 => BASE64_STANDARD.encode(bytes),
            Encoding::Hex => model::document::hexadecimal(bytes),
        }
    }
}

impl States {
    /// Returns what a vendor's word means; `None` if it is none of an alert.
    pub(crate) fn of(&self, word: &str) -> Option<AlertState> {
        let has = |words: &[String]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        if has(&self.firing) {
            return Some(AlertState::Firing);
        }
        has(&self.resolved).then_some(AlertState::Resolved)
    }
}

/// The files of this repository's vendors, each with its name.
macro_rules! carried {
    ($($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../infra/alerts/", $name)))),+]
    };
}

const CARRIED: &[(&str, &str)] = carried!(
    "alertmanager.toml",
    "cloudwatch.toml",
    "eventbridge.toml",
    "generic.toml",
    "grafana.toml",
    "opsgenie.toml",
    "pagerduty.toml"
);

impl Vendors {
    /// Returns the files of this repository's vendors, each its name and its text.
    pub fn carried() -> Vec<(String, String)> {
        CARRIED.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect()
    }

    /// Parses the files of vendors from their names and texts.
    ///
    /// # Errors
    /// [`Trouble`] with the file and the reason.
    pub fn parse(files: &[(String, String)]) -> Result<Vendors, Trouble> {
        let vendor = |(file, text): &(String, String)| {
            let vendor: Vendor = toml::from_str(text).map_err(|e| Trouble::of(file, &e))?;
            Ok((file.trim_end_matches(".toml").to_owned(), vendor))
        };
        files.iter().map(vendor).collect::<Result<_, _>>().map(Vendors)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Vendor> {
        self.0.get(name)
    }

    /// Returns the names of all vendors.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Returns the bytes of a secret. One that begins with `whsec_` is base64 behind it, as Standard
/// Webhooks writes secrets.
pub(crate) fn secret(text: &str) -> Vec<u8> {
    let encoded = text.strip_prefix("whsec_");
    let decoded = encoded
        .and_then(|encoded| BASE64_STANDARD_NO_PAD.decode(encoded.trim_end_matches('=')).ok());
    decoded.unwrap_or_else(|| text.as_bytes().to_vec())
}
