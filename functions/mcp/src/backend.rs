//! The handlers of the HTTP API, which answer the tools' calls in this function.

use std::time::Instant;

use handlers::{Answers, Clients, Custom, Documents, Handler, Projects, SourceSearch};
use lambda::{Call, Gate, Response};
use model::{Error, Result};
use serde::Serialize;
use serde_json::{Value, json};
use wire::fit::{self, Form};
use wire::for_workflow;
use wire::meta::Reply;
use wire::route::Route;
use workflows::Workflow;

/// The handlers of the HTTP API.
pub(crate) struct Backend {
    clients: Clients,
    custom: Custom,
    sources: SourceSearch,
    answers: Answers,
    projects: Projects,
    documents: Documents,
}

impl Backend {
    /// Makes the clients, each of which connects when it is first used.
    pub(crate) fn from_env() -> std::result::Result<Backend, lambda::Error> {
        Ok(Backend {
            clients: Clients::from_env()?,
            custom: Custom::from_env()?,
            sources: SourceSearch::from_env()?,
            answers: Answers::from_env()?,
            projects: Projects::from_env()?,
            documents: Documents::from_env()?,
        })
    }

    /// The checks that every request passes.
    pub(crate) fn gate(&self) -> std::result::Result<Gate<'_>, lambda::Error> {
        self.clients.gate()
    }

    /// The names and descriptions of the custom workflows.
    pub(crate) fn strategies(&self) -> Vec<(String, String)> {
        self.custom.strategies()
    }

    /// What the HTTP API would reply to a call, whole: its budget is for each form of it.
    ///
    /// # Errors
    /// What it would refuse.
    pub(crate) async fn answer(&self, call: &Call) -> Result<Value> {
        let begun = Instant::now();
        match call.route {
            Route::Workflow(route) => {
                for_workflow!(route.name(), W => self.workflow::<W>(call, begun).await)
                    .unwrap_or_else(|| Err(no_such_route(call)))
            }
            Route::Search(_) => reply(self.sources.handle(call).await?, call, begun),
            Route::Custom(_) => reply(self.custom.handle(call).await?, call, begun),
            Route::Answer(_) => reply(self.answers.handle(call).await?, call, begun),
            Route::Projects(_) | Route::Decisions(_) => {
                reply(self.projects.handle(call).await?, call, begun)
            }
            Route::Documents(_) | Route::Cases(_) => {
                reply(self.documents.handle(call).await?, call, begun)
            }
            Route::Mcp(_) => Err(no_such_route(call)),
        }
    }

    async fn workflow<W: Workflow>(&self, call: &Call, begun: Instant) -> Result<Value> {
        whole(as_json(self.clients.answer::<W>(call).await?)?, call, begun)
    }
}

fn no_such_route(call: &Call) -> Error {
    Error::Missing { kind: "route", name: call.route.to_string() }
}

/// The reply of the HTTP API, with its `meta`.
fn reply<R: Serialize>(response: Response<R>, call: &Call, begun: Instant) -> Result<Value> {
    match response {
        Response::Fitted(report) | Response::Json(report) | Response::Accepted(report) => {
            whole(as_json(report)?, call, begun)
        }
        Response::Text(_, text) => whole(json!({ "text": text }), call, begun),
    }
}

fn whole(report: Value, call: &Call, begun: Instant) -> Result<Value> {
    let explain = call.form()?.explain;
    let meta = call.meta.finish(&call.stamp.id, begun);
    let reply = lambda::flagged(as_json(Reply { report, left_out: None, meta })?);
    Ok(fit::fitted(reply, Form { explain, max_bytes: fit::MOST }))
}

fn as_json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::unavailable("the answer", error))
}
