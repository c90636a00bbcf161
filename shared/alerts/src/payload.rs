//! Reads alerts from a payload, as the vendor's file says where they are.

use jiff::Timestamp;
use jiff::fmt::strtime;
use model::document::hexadecimal;
use model::{Error, Result};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use text::secret::{self, mask};
use wire::alerts::{Alert, AlertState};

use crate::Vendors;
use crate::vendor::Vendor;

/// The alerts of one group.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The sender's key of the group.
    pub key: String,
    /// The alerts, each once.
    pub alerts: Vec<Alert>,
}

/// The text in the place of a field whose name tells that it is a secret.
const MASKED: &str = "***";

/// Upper bounds for the alerts and the groups of a payload, for the characters of a name or key and
/// of a text, and for the bytes of all that the sender says of an alert.
const MOST: usize = 1_000;
const MOST_GROUPS: usize = 100;
const NAME: usize = 500;
const TEXT: usize = 4_000;
const FIELDS: usize = 16 << 10;

/// Reads the alerts of a payload by the groups in which they come, in the payload's order. What is
/// no alert to the vendor's file, such as a note on one, is left out.
///
/// # Errors
/// [`Error::Malformed`] for a payload that is none of this vendor, and [`Error::TooLarge`] for more
/// than 1,000 alerts or 100 groups.
pub fn groups(vendors: &Vendors, vendor: &str, payload: Value) -> Result<Vec<Group>> {
    let known = vendors.get(vendor).ok_or_else(|| malformed("vendor", "is unknown"))?;
    let payload = known.unwrapped(payload)?;
    let alerts: &[Value] = match &known.list {
        None => std::slice::from_ref(&payload),
        Some(place) => {
            let list = payload.pointer(place).and_then(Value::as_array);
            list.ok_or_else(|| malformed(place, &format!("must be the list of {vendor}'s alerts")))?
        }
    };
    if alerts.len() > MOST {
        return Err(Error::TooLarge { field: "alerts", limit: MOST as u64, unit: "alerts" });
    }
    let mut groups: Vec<Group> = Vec::new();
    for sent in alerts {
        let Some(alert) = known.alert(sent)? else { continue };
        let key = known
            .group
            .iter()
            .find_map(|place| text_at(sent, place).or_else(|| text_at(&payload, place)));
        let key = key.unwrap_or_else(|| alert.fingerprint.clone());
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => group.add(alert),
            None => groups.push(Group { key, alerts: vec![alert] }),
        }
    }
    if groups.len() > MOST_GROUPS {
        return Err(Error::TooLarge { field: "groups", limit: MOST_GROUPS as u64, unit: "groups" });
    }
    Ok(groups)
}

impl Group {
    /// Adds an alert, in the place of the same one that came before it.
    fn add(&mut self, alert: Alert) {
        let is_same = |known: &&mut Alert| {
            (&known.fingerprint, known.starts_at) == (&alert.fingerprint, alert.starts_at)
        };
        match self.alerts.iter_mut().find(is_same) {
            Some(known) => *known = alert,
            None => self.alerts.push(alert),
        }
    }
}

impl Vendor {
    /// Returns the payload itself, which some vendors send as a text within another.
    fn unwrapped(&self, payload: Value) -> Result<Value> {
        let Some(place) = &self.text else { return Ok(payload) };
        let text = payload.pointer(place).and_then(Value::as_str);
        let text = text.ok_or_else(|| malformed(place, "must be a text"))?;
        let inner: Value = serde_json::from_str(text)
            .map_err(|error| malformed(place, &format!("must be JSON: {error}")))?;
        Ok(text::composed::value(inner))
    }

    /// Reads one alert; `None` for what is none.
    fn alert(&self, sent: &Value) -> Result<Option<Alert>> {
        let places = &self.alert;
        let first = |places: &[String]| places.iter().find_map(|place| text_at(sent, place));
        let Some(state) = self.states.of(&first(&places.state).unwrap_or_default()) else {
            return Ok(None);
        };
        let name = first(&places.name).or_else(|| first(&places.summary)).ok_or_else(|| {
            malformed(places.name.first().map_or("name", String::as_str), "is missing")
        })?;
        let name = shortened(&name, NAME);
        let text = |places: &[String]| first(places).map(|text| shortened(&text, TEXT));
        let time = |places: &[String]| {
            places.iter().find_map(|place| sent.pointer(place)).and_then(instant)
        };
        let fingerprint = first(&places.fingerprint).map(|text| shortened(&text, NAME));
        let ends_at = time(&places.ends_at).filter(|_| state == AlertState::Resolved);
        Ok(Some(Alert {
            fingerprint: fingerprint.unwrap_or_else(|| made_fingerprint(&name, sent)),
            starts_at: time(&places.starts_at),
            ends_at,
            told_at: time(&places.told_at),
            severity: text(&places.severity),
            service: text(&places.service),
            summary: text(&places.summary),
            description: text(&places.description),
            runbook_url: text(&places.runbook_url),
            link: text(&places.link),
            fields: fields(sent),
            name,
            state,
        }))
    }
}

/// Returns the text, number or truth at a place; `None` where there is nothing or an empty text.
fn text_at(sent: &Value, place: &str) -> Option<String> {
    let text = match sent.pointer(place)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(is) => is.to_string(),
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

/// Returns a text of at most this many characters, without control characters and secrets.
fn shortened(text: &str, most: usize) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    mask(text).chars().map(shown).take(most).collect()
}

/// Reads a time: RFC 3339, also with an offset such as `+0000`, or seconds or milliseconds since
/// 1970. `None` for one before that, which vendors write for none.
fn instant(value: &Value) -> Option<Timestamp> {
    let time = match value {
        Value::String(text) => text.parse().ok().or_else(|| {
            let parsed = strtime::parse("%Y-%m-%dT%H:%M:%S%.f%z", text).ok()?;
            parsed.to_timestamp().ok()
        })?,
        Value::Number(number) => match number.as_i64()? {
            seconds @ 0..100_000_000_000 => Timestamp::from_second(seconds).ok()?,
            milliseconds => Timestamp::from_millisecond(milliseconds).ok()?,
        },
        _ => return None,
    };
    Some(time).filter(|time| *time > Timestamp::UNIX_EPOCH)
}

/// Returns what an alert without a fingerprint is known by: its name and its labels.
fn made_fingerprint(name: &str, sent: &Value) -> String {
    let labels = sent.pointer("/labels").map(Value::to_string).unwrap_or_default();
    hexadecimal(&Sha256::digest(format!("{name}\n{labels}")))[..16].into()
}

/// Returns all that the sender says, with secrets masked; nothing where it is too much.
fn fields(sent: &Value) -> Map<String, Value> {
    let Value::Object(fields) = masked(sent) else { return Map::new() };
    let bytes = serde_json::to_string(&fields).map_or(usize::MAX, |text| text.len());
    if bytes > FIELDS { Map::new() } else { fields }
}

/// Returns the value with the secrets in its texts masked; a field's name may tell that it is one.
fn masked(value: &Value) -> Value {
    match value {
        Value::String(text) => mask(text).into(),
        Value::Array(values) => values.iter().map(masked).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let value = match value {
                    Value::String(text) => masked_field(name, text).into(),
                    value => masked(value),
                };
                (name.clone(), value)
            };
            Value::Object(fields.iter().map(field).collect())
        }
        value => value.clone(),
    }
}

fn masked_field(name: &str, text: &str) -> String {
    if secret::is_value(name, text) { MASKED.into() } else { mask(text).into_owned() }
}

fn malformed(field: &str, reason: &str) -> Error {
    Error::Malformed { field: field.to_owned().into(), reason: reason.into() }
}

#[cfg(test)]
mod foreign;
#[cfg(test)]
mod tests;
