//! Brings what alerts added to a case to where it is told: its records and messages.

use std::collections::HashMap;

use adapters::services::{Configuration, Services};
use adapters::{Table, Web, env};
use alerts::{AlertRoute, AlertRoutes, Form, Message, Vendors, Writing};
use answers::KnowledgeBases;
use ask::Ask;
use ask::written::Writer;
use corpus::upload;
use jiff::SignedDuration;
use model::document::hexadecimal;
use model::object::Upload;
use model::{Error, Result};
use ports::chat::Chat;
use ports::context::RequestContext;
use ports::once::Once;
use ports::scope::{RequiredScopes, Scope};
use ports::{
    Alerts as _, Budgeted, Cases as _, Claim, Embedder, Files, Index, Indexing, MessageOf,
    StorageQuota, TokenBudget, Trail as _,
};
use sha2::{Digest, Sha256};
use wire::alerts::{AlertCase, Brief, CaseAlert};
use wire::cases::CaseStatus;
use wire::common::AnswerMode;
use wire::documents::Announcement;
use wire::trial::ModelPart;

use crate::work::Tested;

/// The time after which whoever took the right to send a message is taken for dead.
const DEAD: SignedDuration = SignedDuration::from_mins(1);

/// The vendor that signs as this project does.
const OURSELVES: &str = "generic";

/// The place of a case's id in the address of pages.
const CASE: &str = "{case_id}";

/// The routes, and what is needed to tell of their cases.
pub(crate) struct Telling {
    vendors: Vendors,
    routes: AlertRoutes,
    secrets: HashMap<String, String>,
    /// The address of a case's page, with [`CASE`] in it.
    page: String,
    web: Web,
    quota: StorageQuota,
    bases: KnowledgeBases,
    /// Whether a model writes, where there is one.
    mode: AnswerMode,
    tokens: TokenBudget,
}

/// The stores that it needs of a message's work.
pub(crate) struct Stores<'a> {
    pub(crate) table: &'a Table,
    pub(crate) files: &'a dyn Files,
    pub(crate) indexing: &'a Indexing,
    pub(crate) index: &'a dyn Index,
    pub(crate) embedder: &'a dyn Embedder,
    pub(crate) model: Option<&'a Tested>,
}

impl Telling {
    pub(crate) fn of(services: &impl Services) -> Result<Telling, lambda::Error> {
        let vendors = Vendors::parse(&services.configuration(Configuration::Alerts)?)?;
        let routes = services.configuration(Configuration::AlertRoutes)?;
        let bases = services.configuration(Configuration::Knowledge)?;
        Ok(Telling {
            routes: AlertRoutes::parse(&routes, &vendors)?,
            vendors,
            secrets: env::alert_secrets()?,
            page: env::required("CASE_PAGE")?,
            web: Web::default(),
            quota: env::quota()?,
            bases: KnowledgeBases::parse(&bases).map_err(|trouble| trouble.to_string())?,
            mode: env::mode()?,
            tokens: env::tokens()?,
        })
    }

    /// Sends the messages about a digest of a project that are due.
    ///
    /// # Errors
    /// As [`Telling::tell`].
    pub(crate) async fn tell_digest(
        &self,
        table: &Table,
        project: &str,
        period: &str,
    ) -> Result<()> {
        let mut failed = None;
        for route in self.routes.all().filter(|route| route.project.as_deref() == Some(project)) {
            if alerts::joined(table, route).await?.is_none() {
                lambda::log(&format!("alerts: the route {} is not invited to it", route.name));
                continue;
            }
            let Some(digest) = table.digest(project, period).await? else { continue };
            for message in alerts::digest_messages(route, &digest) {
                let of = MessageOf::Project(project);
                failed = self.send(table, of, &message).await.err().or(failed);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Writes the alerts of a case as records, has a model write a paragraph where it has none, and
    /// sends the messages that are due.
    ///
    /// # Errors
    /// Those of the services; the message of the queue is then tried again. What was sent is not
    /// sent again.
    pub(crate) async fn tell(&self, stores: &Stores<'_>, route: &str, case: &str) -> Result<()> {
        let missing = || Error::Missing { kind: "route of alerts", name: route.into() };
        let route = self.routes.get(route).ok_or_else(missing)?;
        let profile = stores.table.case_profile(case).await?;
        let Some(profile) = profile.filter(|profile| profile.status == CaseStatus::Open) else {
            return Ok(());
        };
        let alerts = stores.table.alerts(case).await?;
        let recorded = self.record(stores, route, case, &alerts).await;
        let brief = stores.table.brief(case).await?;
        let page = self.page.replace(CASE, case);
        let mut case = AlertCase { case: profile, alerts, brief };
        if let Err(error) = self.write(stores, route, &mut case).await {
            // What was found is told without it, and the next alert has it tried again.
            lambda::log(&format!("alerts: no paragraph was written: {error}"));
        }
        let mut failed = None;
        for message in alerts::messages(route, &case, &page) {
            let of = MessageOf::Case(&case.case.case_id);
            failed = self.send(stores.table, of, &message).await.err().or(failed);
        }
        recorded?;
        if let Some(error) = failed {
            return Err(error);
        }
        let key = alerts::progress(&case.alerts);
        // Another task of the case may have written an earlier state of its alerts after this one.
        if alerts::progress(&stores.table.alerts(&case.case.case_id).await?) != key {
            return Err(Error::unavailable("the case", "it changes: its alerts are written again"));
        }
        stores.table.settle_message(MessageOf::Case(&case.case.case_id), &key, true).await
    }

    /// Has a model judge the past failures and write a paragraph on what was found, if a model does
    /// that.
    async fn write(
        &self,
        stores: &Stores<'_>,
        route: &AlertRoute,
        case: &mut AlertCase,
    ) -> Result<()> {
        let is_done = case.brief.as_ref().is_none_or(|brief| brief.answer.is_some());
        let model = stores.model.filter(|_| self.mode == AnswerMode::Generative && !is_done);
        let Some(Tested { answers: model, .. }) = model else { return Ok(()) };
        let Stores { table, index, embedder, .. } = *stores;
        let parts = if env::is_trial_waived().unwrap_or_default() {
            ModelPart::ALL.into()
        } else {
            trial::parts(table, model.name()).await?
        };
        let (caller, stamp) = (alerts::machine(route, RequiredScopes::default()), lambda::stamp());
        let (counter, of, now) = (table, Some(caller.sub.as_str()), lambda::now);
        let budgeted = Budgeted { model, counter, budget: self.tokens, caller: of, now };
        let chat = Chat { model: &budgeted, name: model.name(), parts: &parts };
        let context = RequestContext {
            caller: &caller,
            stamp: &stamp,
            members: table,
            profiles: table,
            notes: table,
        };
        let writer = Writer { chat: Some(chat), kept: table, mode: self.mode };
        let ask = Ask { writer: Some(writer), ..Ask::new(context, embedder, index) };
        if let Some(brief) = &case.brief {
            let judged = alerts::judge(&ask, table, route, &case.alerts, brief).await?;
            keep(table, case, judged).await?;
        }
        let writing = Writing { chat, bases: &self.bases, answers: table, ask };
        let written = alerts::write(&writing, route, case).await?;
        keep(table, case, written).await
    }

    /// Announces the document of the records and writes it; its ingest follows.
    async fn record(
        &self,
        stores: &Stores<'_>,
        route: &AlertRoute,
        case: &str,
        alerts: &[CaseAlert],
    ) -> Result<()> {
        let bytes = alerts::lines(alerts)?;
        let announcement = Announcement {
            name: alerts::RECORDS.into(),
            content_type: "application/jsonl".into(),
            bytes: bytes.len() as u64,
            sha256: Some(hexadecimal(&Sha256::digest(&bytes))),
            title: Some("Alerts".into()),
            ..Announcement::default()
        };
        let services = upload::Services {
            documents: stores.table,
            files: stores.files,
            members: stores.table,
            requests: stores.table,
            indexing: stores.indexing,
            quota: self.quota,
        };
        let (scope, once) = (Scope::Case(case.into()), Once { route: "", key: None, body: &[] });
        let machine = alerts::machine(route, RequiredScopes::default());
        let stamp = lambda::stamp();
        let announced =
            upload::announce(&services, &machine, scope.clone(), announcement, &once, &stamp)
                .await?;
        if announced.upload.is_none() {
            return Ok(());
        }
        let (document_id, version) = (announced.document_id, announced.version);
        stores.files.write(&Upload { scope, document_id, version }.key(), bytes).await
    }

    async fn send(&self, table: &Table, of: MessageOf<'_>, message: &Message<'_>) -> Result<()> {
        let (key, now) = (&message.key, lambda::now());
        match table.claim_message(of, key, now, now - DEAD).await? {
            Claim::Over => return Ok(()),
            Claim::Held => return Err(Error::unavailable("the message", "another task sends it")),
            Claim::Taken => {}
        }
        let (MessageOf::Case(id) | MessageOf::Project(id)) = of;
        let sent = self.post(id, message).await;
        table.settle_message(of, key, sent.is_ok()).await?;
        sent
    }

    async fn post(&self, of: &str, Message { key, to, body }: &Message<'_>) -> Result<()> {
        let secret = |name: &str| {
            let missing = || Error::unavailable("a secret", format!("no secret is called {name}"));
            self.secrets.get(name).ok_or_else(missing)
        };
        let (address, body) = (secret(&to.address)?, body.to_string());
        let headers = match (to.to, &to.key) {
            (Form::Webhook, Some(name)) => {
                let id = format!("{of}.{key}");
                let (vendors, key, now) = (&self.vendors, secret(name)?, lambda::now());
                alerts::signed(vendors, OURSELVES, key, &id, body.as_bytes(), now)?
            }
            _ => HashMap::new(),
        };
        self.web.post(address, &headers, body).await
    }
}

/// Keeps a brief that a model wrote something of.
async fn keep(table: &Table, case: &mut AlertCase, brief: Option<Brief>) -> Result<()> {
    if let Some(brief) = &brief {
        table.keep_brief(&case.case.case_id, brief).await?;
    }
    case.brief = brief.or(case.brief.take());
    Ok(())
}
