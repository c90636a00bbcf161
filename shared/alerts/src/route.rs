//! The files of routes: who sends alerts there, whose they are, and where is told of them.

use std::collections::BTreeMap;

use serde::Deserialize;
use ulid::Ulid;

use crate::Trouble;
use crate::vendor::Vendors;

/// All routes by name.
#[derive(Debug, Default)]
pub struct AlertRoutes(BTreeMap<String, AlertRoute>);

/// A route of alerts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlertRoute {
    /// The name of its file without the extension.
    #[serde(skip)]
    pub name: String,
    /// The vendor whose file reads the payloads.
    pub vendor: String,
    /// The team that the cases belong to. Only its documents and everyone's are read.
    pub team: String,
    /// The project whose decisions are read, too. Its owner invites the machine of the route.
    pub project: Option<String>,
    /// The proof that senders give of who they are.
    pub auth: Auth,
    /// The name of the secret with which they do; unused with [`Auth::Sns`].
    pub secret: Option<String>,
    /// The topic of SNS that sends, its ARN.
    pub topic: Option<String>,
    /// The name of a table of everyone's or the team's with a column `service` and a column
    /// `owner`.
    pub owners: Option<String>,
    /// The messages on its cases.
    #[serde(default)]
    pub messages: Vec<MessageTo>,
}

/// The proof that senders give of who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Auth {
    /// A key in the header `authorization`.
    Bearer,
    /// A signature, as the vendor's file says.
    Hmac,
    /// The signature of SNS.
    Sns,
}

/// A place where is told of cases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageTo {
    /// The form of messages.
    pub to: Form,
    /// The name of the secret that has the address.
    pub address: String,
    /// The name of the secret that signs messages of a webhook.
    pub key: Option<String>,
    /// The events of which is told.
    #[serde(default = "opened")]
    pub events: Vec<Event>,
    /// Only cases of these severities, in the vendor's words; all where empty.
    #[serde(default)]
    pub severities: Vec<String>,
}

/// The form of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// An incoming webhook of Slack.
    Slack,
    /// JSON, signed as Standard Webhooks says.
    Webhook,
}

/// An event that is told once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Alerts opened it.
    Opened,
    /// All of its alerts are over.
    Resolved,
    /// There is a digest of the project that the route names.
    Digest,
}

impl Event {
    /// Returns the name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Event::Opened => "opened",
            Event::Resolved => "resolved",
            Event::Digest => "digest",
        }
    }
}

fn opened() -> Vec<Event> {
    vec![Event::Opened]
}

impl AlertRoutes {
    /// Parses the files of routes from their names and texts.
    ///
    /// # Errors
    /// [`Trouble`] with the file and the reason.
    pub fn parse(files: &[(String, String)], vendors: &Vendors) -> Result<AlertRoutes, Trouble> {
        let route = |(file, text): &(String, String)| {
            let route: AlertRoute = toml::from_str(text).map_err(|e| Trouble::of(file, &e))?;
            let route = AlertRoute { name: file.trim_end_matches(".toml").to_owned(), ..route };
            route.check(vendors).map_err(|reason| Trouble::new(file, &reason))?;
            Ok((route.name.clone(), route))
        };
        files.iter().map(route).collect::<Result<_, _>>().map(AlertRoutes)
    }

    /// Returns the route with this name.
    pub fn get(&self, name: &str) -> Option<&AlertRoute> {
        self.0.get(name)
    }

    /// Returns the routes by name.
    pub fn all(&self) -> impl Iterator<Item = &AlertRoute> {
        self.0.values()
    }
}

impl AlertRoute {
    /// Returns the names of the knowledge bases that are read for its cases.
    pub(crate) fn knowledge(&self) -> [String; 2] {
        ["global".into(), format!("team:{}", self.team)]
    }

    fn check(&self, vendors: &Vendors) -> Result<(), String> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.name.is_empty() || !self.name.chars().all(is_name) {
            return Err("its name may have letters, digits, `-` and `_` only".into());
        }
        let Some(vendor) = vendors.get(&self.vendor) else {
            let known: Vec<&str> = vendors.names().collect();
            return Err(format!("`vendor` must be one of {}", known.join(", ")));
        };
        if self.team.trim().is_empty() {
            return Err("`team` must name a team: the cases belong to it".into());
        }
        if self.project.as_ref().is_some_and(|id| Ulid::from_string(id).is_err()) {
            return Err("`project` must be the id of a project".into());
        }
        let needed = match self.auth {
            Auth::Sns => self.topic.as_ref().map(|_| ()).ok_or("`topic`"),
            Auth::Bearer | Auth::Hmac => self.secret.as_ref().map(|_| ()).ok_or("`secret`"),
        };
        needed.map_err(|field| format!("{field} is missing, which `auth` needs"))?;
        if self.auth == Auth::Hmac && vendor.signature.is_none() {
            return Err(format!("{} does not sign: `auth` must be `bearer` or `sns`", self.vendor));
        }
        let tells_digests = |to: &MessageTo| to.events.contains(&Event::Digest);
        if self.project.is_none() && self.messages.iter().any(tells_digests) {
            return Err("`project` is missing, of whose digests `messages` tells".into());
        }
        let is_signed = |to: &MessageTo| to.to != Form::Webhook || to.key.is_some();
        if !self.messages.iter().all(is_signed) {
            return Err("`messages` to a webhook need a `key`, which signs them".into());
        }
        Ok(())
    }
}
