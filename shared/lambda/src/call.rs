//! A request in the form in which the workflows receive it.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use model::{Error, Result};
use ports::context::RequestContext;
use ports::once::Once;
use ports::question::Stamp;
use ports::scope::{Caller, GroupSettings, Scope};
use ports::{Budgeted, Members, Notes, Profiles, TokenBudget, TokenCounter};
use serde::de::DeserializeOwned;
use serde_json::Value;
use text::composed;
use wire::route::{Base, Route};

use crate::event::{self, Event};
use crate::identity;
use crate::response_meta::ResponseMeta;

mod form;

/// Upper bound for the bytes of a body: 1 MiB.
const BODY: usize = 1024 * 1024;

/// A request of an identified caller.
#[derive(Debug)]
pub struct Call {
    /// The route.
    pub route: Route,
    /// The caller.
    pub caller: Caller,
    /// The id and the time of the request.
    pub stamp: Stamp,
    /// The costs of the request.
    pub meta: ResponseMeta,
    parameters: HashMap<String, String>,
    query: HashMap<String, String>,
    headers: HashMap<String, String>,
    body: Vec<u8>,
    /// The time at which the platform ends the call.
    deadline: SystemTime,
}

/// Lower bound for the time that further work needs. With less time left, no work begins or
/// continues.
const FOR_MORE_WORK: Duration = Duration::from_secs(2);

/// The content of a request, whoever sends it.
#[derive(Debug)]
pub struct Asking {
    /// The route.
    pub route: Route,
    /// The parameters in the path, by name.
    pub parameters: HashMap<String, String>,
    /// The parameters in the query string, by name.
    pub query: HashMap<String, String>,
    /// The headers, by name in lower case.
    pub headers: HashMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Asking {
    /// A request without parameters, headers and body.
    pub fn of(route: Route) -> Asking {
        let (parameters, query, headers) = Default::default();
        Asking { route, parameters, query, headers, body: Vec::new() }
    }
}

impl Call {
    /// Returns a request of an identified caller. The platform ends it at `deadline`.
    pub fn new(asking: Asking, caller: Caller, stamp: Stamp, deadline: SystemTime) -> Call {
        let Asking { route, parameters, query, headers, body } = asking;
        let meta = ResponseMeta::default();
        Call { route, caller, stamp, meta, parameters, query, headers, body, deadline }
    }

    /// Builds a call from an event. `None` if the event has no caller.
    pub(crate) fn of(
        event: Event,
        stamp: Stamp,
        groups: &GroupSettings,
        deadline: SystemTime,
    ) -> Option<Result<Call>> {
        let caller = identity::caller(&event, groups)?;
        let Some(route) = Route::parse(&event.route_key) else {
            return Some(Err(Error::Missing { kind: "route", name: event.route_key }));
        };
        let body = event::body(event.body, event.is_base64_encoded);
        Some(body.map(|body| {
            let asking = Asking {
                route,
                parameters: event.path_parameters.unwrap_or_default(),
                query: event.query_string_parameters.unwrap_or_default(),
                headers: event.headers.unwrap_or_default(),
                body,
            };
            Call::new(asking, caller, stamp, deadline)
        }))
    }

    /// Returns the time at which the platform ends the call.
    pub(crate) fn deadline(&self) -> SystemTime {
        self.deadline
    }

    /// Returns true if there is time for more than the reply.
    pub fn has_time(&self) -> bool {
        SystemTime::now() + FOR_MORE_WORK < self.deadline
    }

    /// Returns the caller, the time, and the stores that know the caller.
    pub fn context<'a, T: Profiles + Notes>(
        &'a self,
        members: &'a dyn Members,
        store: &'a T,
    ) -> RequestContext<'a> {
        let Call { caller, stamp, .. } = self;
        RequestContext { caller, stamp, members, profiles: store, notes: store }
    }

    /// Parses the body as JSON, with its texts in composed Unicode form: questions, conditions and
    /// names then have the same form as the texts of documents.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above 1 MiB; [`Error::Malformed`] with the field if the body is not JSON
    /// of this form.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        read(&self.body)
    }

    /// Returns a path parameter; empty if the route has none with that name.
    pub fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    /// Returns the path parameters with their names.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the names of the query parameters that are `true`.
    pub(crate) fn flags(&self) -> impl Iterator<Item = &str> {
        let flags = self.query.iter().filter(|(_, value)| *value == "true");
        flags.map(|(name, _)| name.as_str())
    }

    /// Returns the scope that a route of this kind of knowledge base means.
    pub fn scope(&self, base: Base) -> Scope {
        match base {
            Base::Global => Scope::Global,
            Base::User => Scope::User(self.caller.sub.clone()),
            Base::Case => Scope::Case(self.parameter("case_id").into()),
            Base::Team => Scope::Team(self.parameter("team_id").into()),
        }
    }

    /// Returns the request as one that is carried out once; `route` says with its parameters where.
    pub fn once<'a>(&'a self, route: &'a str) -> Once<'a> {
        Once { route, key: self.header("idempotency-key"), body: &self.body }
    }

    /// Returns the body as received.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns a header; `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        // The gateway sends names in lower case; other senders may not.
        let mut headers = self.headers.iter();
        headers
            .find(|(header, _)| header.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Returns the first of `media` that the caller accepts by name; `None` if the caller names
    /// none of them.
    pub fn accepts<'m>(&self, media: &[&'m str]) -> Option<&'m str> {
        let accept = self.header("accept")?;
        let wanted = accept.split(',').map(|one| one.split(';').next().unwrap_or_default().trim());
        let mut wanted =
            wanted.filter_map(|one| media.iter().find(|m| one.eq_ignore_ascii_case(m)).copied());
        wanted.next()
    }

    /// Returns a parameter of the query string.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// Returns a model that works for the caller while tokens of the day are left.
    pub fn budgeted<'a, M>(
        &'a self,
        model: &'a M,
        counter: &'a dyn TokenCounter,
        budget: TokenBudget,
    ) -> Budgeted<'a, M> {
        Budgeted { model, counter, budget, caller: Some(&self.caller.sub), now: crate::now }
    }

    /// Returns true if the query parameter is `true`; false if it is `false` or absent.
    ///
    /// # Errors
    /// [`Error::Malformed`] with its name if it is anything else.
    pub fn flag(&self, name: &'static str) -> Result<bool> {
        match self.query(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => {
                let reason = "must be `true` or `false`".into();
                Err(Error::Malformed { field: name.into(), reason })
            }
        }
    }
}

/// Parses a body as JSON of this form.
///
/// # Errors
/// [`Error::TooLarge`] above 1 MiB; [`Error::Malformed`] with the field if the body is not JSON of
/// this form.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    if body.len() > BODY {
        return Err(Error::TooLarge { field: "body", limit: BODY as u64, unit: "bytes" });
    }
    let text = std::str::from_utf8(body).map_err(|error| {
        malformed("body", &format!("is not UTF-8: byte {} is wrong", error.valid_up_to()))
    })?;
    if text.trim().is_empty() {
        return Err(malformed("body", "must be a JSON object"));
    }
    // The JSON is parsed first, so that the error for a broken body names no field.
    let json: Value =
        serde_json::from_str(text).map_err(|error| malformed("body", &error.to_string()))?;
    if !json.is_object() {
        return Err(malformed("body", "must be a JSON object"));
    }
    serde_path_to_error::deserialize(composed::value(json)).map_err(|error| refused(&error))
}

pub(crate) fn malformed(field: &str, reason: &str) -> Error {
    Error::Malformed { field: field.to_owned().into(), reason: reason.into() }
}

fn refused(error: &serde_path_to_error::Error<serde_json::Error>) -> Error {
    let path = error.path().to_string();
    let reason = error.inner().to_string();
    let field = match path.as_str() {
        "." => unknown_field(&reason).unwrap_or("body"),
        path => path,
    };
    malformed(field, &reason)
}

/// Returns the unknown field that serde's message names.
fn unknown_field(reason: &str) -> Option<&str> {
    reason.strip_prefix("unknown field `")?.split('`').next()
}

#[cfg(test)]
mod tests;
