//! `POST /v1/search` and `GET /v1/conflicts`.

use adapters::Table;
use adapters::services::{Configuration, Services as Home};
use lambda::{Call, Gate, Response, Stopwatch};
use model::Result;
use serde::Serialize;
use wire::common::Answer;
use wire::route::{Route, SearchRoute};
use wire::search::{ConflictReport, SearchReport};
use workflows::search::{Services, Sources};
use workflows::{conflicts, search};

use crate::form;
use crate::{Clients, Handler, no_such_route};

/// The sources, and the services that they are searched with.
pub struct SourceSearch {
    sources: Sources,
    clients: Clients,
    clock: Stopwatch,
}

/// The replies of its routes.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// To a question.
    Answer(Box<Answer<SearchReport>>),
    /// To a question for conflicts.
    Conflicts(Box<ConflictReport>),
}

impl Handler for SourceSearch {
    type Reply = Reply;

    fn of(services: &impl Home) -> Result<Self, lambda::Error> {
        let files = services.configuration(Configuration::Sources)?;
        let sources = Sources::parse(&files).map_err(|trouble| trouble.to_string())?;
        Ok(SourceSearch { sources, clients: Clients::of(services)?, clock: Stopwatch::default() })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        self.clients.gate()
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let table: &Table = self.clients.table();
        match call.route {
            Route::Search(SearchRoute::Search) => {}
            Route::Search(SearchRoute::ListConflicts) => {
                let knowledge = call.query("knowledge").unwrap_or("global");
                let index = call.meta.index(self.clients.index());
                let report =
                    conflicts::read(&call.caller, knowledge, table, table, &index, table).await?;
                return Ok(Response::Fitted(Reply::Conflicts(Box::new(report))));
            }
            _ => return Err(no_such_route(call)),
        }
        let request = call.json()?;
        let answer = self
            .clients
            .with_ask(call, async |ask| {
                let (sources, clock) = (&self.sources, &self.clock);
                let services = Services { ask, sources, clock, cache: table };
                let (answer, cache) = search::run(&services, request).await?;
                call.meta.cache(cache);
                Ok(answer)
            })
            .await?;
        count(call, &answer);
        form::answer(call, answer, &search::VIEW, |answer| Reply::Answer(Box::new(answer)))
    }
}

/// Counts sources and conflicts, for the dashboard.
#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn count(call: &Call, answer: &Answer<SearchReport>) {
    let SearchReport { totals, conflicts, routing, .. } = &answer.report;
    let latest = routing.sources.iter().filter_map(|source| source.ms).max().unwrap_or_default();
    let is_hit = call.meta.is_cached();
    call.meta.figures(&[
        ("SourcesAsked", "Count", totals.sources_asked as f64),
        ("SourcesUsed", "Count", totals.sources_used as f64),
        ("SharedResults", "None", totals.shared),
        ("Conflicts", "Count", conflicts.len() as f64),
        ("SlowestSource", "Milliseconds", latest as f64),
        ("CacheHits", "Count", if is_hit { 1.0 } else { 0.0 }),
    ]);
}
