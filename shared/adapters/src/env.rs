//! Settings, from environment variables and from nowhere else.

#![expect(clippy::disallowed_methods, reason = "this is where settings are read")]

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::OnceLock;

use hyper::Uri;
use model::facts::READER;
use ports::scope::{GroupSettings, RequiredScopes};
use ports::{Collection, HiddenFor, Indexing, Rate, StorageQuota, TokenBudget};
use text::secret::MASKER;
use wire::common::AnswerMode;

/// Settings that hold where the environment names none, see [`assume`].
static ASSUMED: OnceLock<BTreeMap<String, String>> = OnceLock::new();

/// Has these settings hold where the environment names none: for a program that is deployed by
/// nobody. Only the first call in a process counts.
pub fn assume(settings: BTreeMap<String, String>) {
    let _ = ASSUMED.set(settings);
}

/// A setting that is not there, or that cannot be read. It fails the cold start.
#[derive(Debug, thiserror::Error)]
#[error("the setting {name} {reason}")]
pub struct SettingError {
    name: &'static str,
    reason: &'static str,
}

impl SettingError {
    /// The setting `name` cannot be used for this reason.
    pub(crate) fn new(name: &'static str, reason: &'static str) -> SettingError {
        SettingError { name, reason }
    }
}

/// A setting that must be there.
pub fn required(name: &'static str) -> Result<String, SettingError> {
    optional(name).ok_or(SettingError { name, reason: "is missing" })
}

/// A setting that may be there; an empty one is not.
pub fn optional(name: &str) -> Option<String> {
    let set = std::env::var(name).ok().filter(|value| !value.is_empty());
    set.or_else(|| ASSUMED.get()?.get(name).cloned())
}

/// A setting that is a whole number.
pub fn number(name: &'static str) -> Result<u32, SettingError> {
    required(name)?.parse().map_err(|_| SettingError { name, reason: "must be a whole number" })
}

/// A setting that is a number; none where it is empty.
#[cfg(feature = "cloud")]
pub(crate) fn decimal(name: &'static str) -> Result<Option<f64>, SettingError> {
    let Some(value) = optional(name) else { return Ok(None) };
    let number = value.parse().ok().filter(|value: &f64| value.is_finite());
    number.map(Some).ok_or(SettingError { name, reason: "must be a number" })
}

/// The mode of answers for callers who do not say. Settings: `ANSWER_MODE`, which may be empty, and
/// `CHAT_MODEL`: in mode `auto` it decides.
pub fn mode() -> Result<AnswerMode, SettingError> {
    match optional("ANSWER_MODE").as_deref() {
        Some("generative") => Ok(AnswerMode::Generative),
        Some("extractive") => Ok(AnswerMode::Extractive),
        Some("auto") | None => Ok(match optional("CHAT_MODEL") {
            Some(_) => AnswerMode::Generative,
            None => AnswerMode::Extractive,
        }),
        Some(_) => Err(SettingError::new("ANSWER_MODE", "must be auto, extractive or generative")),
    }
}

/// Reads for how long messages of queues are hidden. Settings: `HOLD_SECONDS`, `RETRY_SECONDS`.
pub fn hidden_for() -> Result<HiddenFor, SettingError> {
    Ok(HiddenFor { hold: number("HOLD_SECONDS")?, retry: number("RETRY_SECONDS")? })
}

/// Returns true if the chat model does all parts without a trial. Setting: `MODEL_TRIAL`,
/// `required` or `waived`; required where it is empty.
pub fn is_trial_waived() -> Result<bool, SettingError> {
    match optional("MODEL_TRIAL").as_deref() {
        Some("waived") => Ok(true),
        Some("required") | None => Ok(false),
        Some(_) => Err(SettingError::new("MODEL_TRIAL", "must be required or waived")),
    }
}

/// Reads how callers' groups are named. Settings: `GROUPS_CLAIM`, `ADMIN_GROUP`, and `GROUP_SCOPE`;
/// no scope names a group where that is empty.
pub fn groups() -> Result<GroupSettings, SettingError> {
    Ok(GroupSettings {
        claim: required("GROUPS_CLAIM")?,
        admins: required("ADMIN_GROUP")?,
        scope_prefix: optional("GROUP_SCOPE"),
    })
}

/// Reads the scopes that tokens must have. Settings: `READ_SCOPE`, `WRITE_SCOPE`, `REVEAL_SCOPE`;
/// one that is empty asks for none.
pub fn scopes() -> RequiredScopes {
    let [read, write, reveal] = ["READ_SCOPE", "WRITE_SCOPE", "REVEAL_SCOPE"].map(optional);
    RequiredScopes { read, write, reveal }
}

/// Reads how many requests each caller may make; `None` where `CALLER_RATE` is 0. Settings:
/// `CALLER_RATE`, requests a minute, and `CALLER_BURST`, requests at once.
pub fn rate() -> Result<Option<Rate>, SettingError> {
    let rate = Rate { per_minute: number("CALLER_RATE")?, burst: number("CALLER_BURST")? };
    if rate.per_minute > 6_000 || rate.burst == 0 {
        return Err(SettingError::new(
            "CALLER_RATE",
            "must be at most 6000, and CALLER_BURST at least 1",
        ));
    }
    Ok(Some(rate).filter(|x| x.per_minute > 0))
}

/// Reads the secrets of routes of alerts, by the names that routes have for them. Setting:
/// `ALERT_SECRETS`, a JSON object of texts; none where it is empty.
pub fn alert_secrets() -> Result<HashMap<String, String>, SettingError> {
    let secrets = optional("ALERT_SECRETS").unwrap_or_else(|| "{}".into());
    // The text is not quoted: it has secrets.
    let reason = "must be a JSON object whose values are texts";
    serde_json::from_str(&secrets).map_err(|_| SettingError::new("ALERT_SECRETS", reason))
}

/// Reads how many tokens language models may read and write in a day; 0 sets no bound. Settings:
/// `CALLER_TOKENS` for one caller, and `STAGE_TOKENS` for all.
pub fn tokens() -> Result<TokenBudget, SettingError> {
    let bound = |name| {
        let tokens: u64 = required(name)?
            .parse()
            .map_err(|_| SettingError::new(name, "must be a whole number"))?;
        Ok(if tokens == 0 { u64::MAX } else { tokens })
    };
    Ok(TokenBudget { caller: bound("CALLER_TOKENS")?, all: bound("STAGE_TOKENS")? })
}

/// Reads how much each scope may hold; 0 sets no bound. Settings: `SCOPE_DOCUMENTS` and
/// `SCOPE_BYTES`.
pub fn quota() -> Result<StorageQuota, SettingError> {
    let bound = |number: u64| if number == 0 { StorageQuota::UNBOUNDED.bytes } else { number };
    let bytes = required("SCOPE_BYTES")?.parse();
    let bytes = bytes.map_err(|_| SettingError::new("SCOPE_BYTES", "must be a whole number"))?;
    Ok(StorageQuota { documents: bound(number("SCOPE_DOCUMENTS")?.into()), bytes: bound(bytes) })
}

/// Reads how documents are indexed: the collection in use, and the one that is filled beside it,
/// where `QDRANT_COLLECTION_BESIDE` names one. Settings: `QDRANT_COLLECTION`, `EMBED_MODEL`,
/// `EMBED_DIMENSIONS`, and the same three with `_BESIDE`; `READ_MODEL`.
pub fn indexing() -> Result<Indexing, SettingError> {
    let space_used = space(&required("EMBED_MODEL")?, number("EMBED_DIMENSIONS")?);
    let used = Collection { name: required("QDRANT_COLLECTION")?, space: space_used };
    let mut collections = vec![used];
    if let Some(name) = optional("QDRANT_COLLECTION_BESIDE") {
        let space = space(&required("EMBED_MODEL_BESIDE")?, number("EMBED_DIMENSIONS_BESIDE")?);
        collections.push(Collection { name, space });
    }
    let read_model = optional("READ_MODEL").unwrap_or_default();
    Ok(Indexing { reader: READER, masker: MASKER, read_model, collections })
}

/// The beginnings of the ids of inference profiles, before a model's id: where it may run.
const REGIONS: [&str; 4] = ["us.", "eu.", "apac.", "global."];

/// The id of the model itself: the same model gives the same vectors, wherever it runs.
pub(crate) fn base(model: &str) -> &str {
    REGIONS.iter().find_map(|region| model.strip_prefix(region)).unwrap_or(model)
}

/// Returns the name of what vectors must have in common to be compared.
pub(crate) fn space(model: &str, dimensions: u32) -> String {
    format!("{}/{dimensions}", base(model))
}

/// Returns true if the host of an address is this machine.
pub(crate) fn is_on_this_machine(address: &Uri) -> bool {
    let host = address.host().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The value of a setting that is sent as a header: without the line end of the file that it may
/// come from. `None` where nothing is left.
pub(crate) fn header(name: &'static str, value: &str) -> Result<Option<String>, SettingError> {
    let value = value.trim();
    if !value.bytes().all(|byte| byte.is_ascii_graphic()) {
        // The value is not quoted: it may be a secret.
        return Err(SettingError { name, reason: "must be visible ASCII characters only" });
    }
    Ok(Some(value.to_owned()).filter(|value| !value.is_empty()))
}
