//! `POST /v1/alerts/{route}`: alerts of monitoring systems. The route itself says who may send.

use std::collections::HashMap;
use std::sync::Arc;

use adapters::services::{Configuration, Services};
use adapters::{Table, Web, env};
use alerts::{AlertRoute, AlertRoutes, Auth, Envelope, Notice, Received, Vendors};
use jiff::Timestamp;
use lambda::{Asking, Call, Gate, PlainReply, PlainRequest, Response};
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::scope::RequiredScopes;
use ports::{Alerts as _, Claim, Hiding, MessageOf, Rate, Task, Tasks};
use serde_json::Value;
use wire::alerts::{Brief, CaseAlert, ReceivedAlerts, ReceivedGroup};

use crate::Clients;

/// The vendors and routes, and the services that look for what helps.
pub struct Alerts {
    clients: Clients,
    vendors: Vendors,
    routes: AlertRoutes,
    secrets: HashMap<String, String>,
    scopes: RequiredScopes,
    rate: Option<Rate>,
    table: Table,
    files: Arc<dyn Hiding>,
    tasks: Arc<dyn Tasks>,
    web: Web,
}

impl Alerts {
    /// Takes its clients and files from these services.
    ///
    /// # Errors
    /// Names the setting that is missing, or the file that cannot be used.
    pub fn of(services: &impl Services) -> std::result::Result<Alerts, lambda::Error> {
        let vendors = Vendors::parse(&services.configuration(Configuration::Alerts)?)?;
        let routes = services.configuration(Configuration::AlertRoutes)?;
        Ok(Alerts {
            clients: Clients::of(services)?,
            routes: AlertRoutes::parse(&routes, &vendors)?,
            vendors,
            secrets: env::alert_secrets()?,
            scopes: env::scopes(),
            rate: env::rate()?,
            table: services.table()?,
            files: services.files()?,
            tasks: services.tasks()?,
            web: Web::default(),
        })
    }

    /// Answers a request, `route` being the name in its path.
    pub async fn answer(&self, route: &str, request: PlainRequest) -> PlainReply {
        let id = request.stamp.id.clone();
        match Box::pin(self.checked(route, request)).await {
            Ok(reply) => reply,
            Err(error) => lambda::refusal(&error, &id),
        }
    }

    /// Checks who sends before anything else is done.
    async fn checked(&self, name: &str, request: PlainRequest) -> Result<PlainReply> {
        let missing = || Error::Missing { kind: "route of alerts", name: name.into() };
        let route = self.routes.get(name).ok_or_else(missing)?;
        let PlainRequest { headers, body, stamp, deadline, route: operation, .. } = request;
        let operation = operation.ok_or_else(missing)?;
        let body = body?;
        let is_alarm = match route.auth {
            Auth::Sns => self.notice(route, &body, stamp.time).await? == Notice::Alarm,
            Auth::Bearer | Auth::Hmac => {
                let Alerts { vendors, secrets, .. } = self;
                alerts::check(route, vendors, secrets, &headers, &body, stamp.time)?;
                true
            }
        };
        let parameters = HashMap::from([("route".to_owned(), name.to_owned())]);
        let asking = Asking { parameters, body, ..Asking::of(operation) };
        let caller = alerts::machine(route, self.scopes.clone());
        let call = Call::new(asking, caller, stamp, deadline);
        let gate = self.gate().map_err(|error| Error::unavailable("a setting", error))?;
        let handle = async |call: &Call| {
            let cases = if is_alarm { self.received(route, call).await } else { Ok(Vec::new()) };
            let status = cases.as_ref().map_or_else(lambda::status_of, |_| 200);
            lambda::audit::change(call, status, || Value::Null);
            cases.map(|cases| Response::Json(ReceivedAlerts { cases }))
        };
        Ok(Box::pin(lambda::reply(&gate, handle, call)).await)
    }

    /// Checks that SNS signed a message, and confirms the subscription where it asks for that.
    async fn notice(&self, route: &AlertRoute, body: &[u8], now: Timestamp) -> Result<Notice> {
        let unproven = |reason: &str| Error::Unproven { reason: reason.into() };
        // The texts are signed as they came.
        let envelope: Envelope = serde_json::from_slice(body).map_err(|error| {
            Error::Malformed { field: "body".into(), reason: error.to_string() }
        })?;
        let certificate = self.web.get(envelope.certificate_url(route, now)?).await?;
        let certificate = certificate.ok_or_else(|| unproven("there is no such certificate"))?;
        let notice = envelope.notice(&certificate)?;
        if let Notice::Confirm(url) = &notice {
            let confirmed = self.web.get(url).await?;
            confirmed.ok_or_else(|| unproven("SNS does not take the confirmation"))?;
        }
        Ok(notice)
    }

    fn gate(&self) -> std::result::Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, self.scopes.clone(), self.rate, &self.table))
    }

    /// Notes the alerts of all groups, then looks for what helps while there is time, and then has
    /// people told. A request that breaks off is sent again, and goes on where this one ended.
    async fn received(&self, route: &AlertRoute, call: &Call) -> Result<Vec<ReceivedGroup>> {
        let payload: Value = call.json()?;
        let groups = alerts::groups(&self.vendors, &route.vendor, payload)?;
        let mut noted = Vec::new();
        for (number, group) in (0..).zip(&groups) {
            noted.extend(alerts::receive(&self.table, route, group, number, &call.stamp).await?);
        }
        let mut cases = Vec::new();
        for Received { case, alerts, group } in noted {
            self.look(route, &case.case_id, &alerts, call).await?;
            self.hand_on(route, &case.case_id, &alerts, call).await?;
            cases.push(group);
        }
        Ok(cases)
    }

    /// Looks for what helps with the alerts of a case, where that was not done for what is asked.
    async fn look(
        &self,
        route: &AlertRoute,
        case: &str,
        alerts: &[CaseAlert],
        call: &Call,
    ) -> Result<()> {
        let known = self.table.brief(case).await?;
        if !alerts::is_due(known.as_ref(), alerts) || !call.has_time() {
            return Ok(());
        }
        match self.found(route, alerts, call).await {
            Ok(brief) => self.table.keep_brief(case, &brief).await.map(drop),
            Err(error) => {
                call.meta.degraded(&Degraded { part: "brief".into(), error });
                Ok(())
            }
        }
    }

    /// Has the alerts brought to where they are told, until that is done for them as they stand. To
    /// send a task twice does no harm.
    async fn hand_on(
        &self,
        route: &AlertRoute,
        case: &str,
        alerts: &[CaseAlert],
        call: &Call,
    ) -> Result<()> {
        let (key, now) = (alerts::progress(alerts), call.stamp.time);
        if self.table.claim_message(MessageOf::Case(case), &key, now, now).await? == Claim::Over {
            return Ok(());
        }
        let task = Task::Alerts { route: route.name.clone(), case_id: case.into() };
        self.tasks.send(&[task]).await
    }

    async fn found(&self, route: &AlertRoute, alerts: &[CaseAlert], call: &Call) -> Result<Brief> {
        let may_go_on = || call.has_time();
        self.clients
            .asking(call, async |ask| {
                let records = records::Services {
                    documents: &self.table,
                    files: &*self.files,
                    members: &self.table,
                    chat: None,
                    may_go_on: &may_go_on,
                };
                let projects = &self.table;
                alerts::find(&alerts::Services { ask: *ask, records, projects }, route, alerts)
                    .await
            })
            .await
    }
}
