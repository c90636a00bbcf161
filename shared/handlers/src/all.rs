//! All handlers in one process.

use adapters::services::Services;
use jiff::Timestamp;
use lambda::{Call, Error, Gate, Response};
use model::Result;
use serde::Serialize;
use serde_json::Value;
use wire::for_workflow;
use wire::keys::Key;
use wire::route::Route;

use crate::{
    Answers, Clients, Custom, Documents, Handler, Keys, Projects, SourceSearch, no_such_route,
};

/// All handlers of the HTTP API.
pub struct All {
    clients: Clients,
    custom: Custom,
    sources: SourceSearch,
    answers: Answers,
    projects: Projects,
    documents: Documents,
    keys: Keys,
}

impl Handler for All {
    type Reply = Value;

    fn of(services: &impl Services) -> std::result::Result<All, Error> {
        Ok(All {
            clients: Clients::of(services)?,
            custom: Custom::of(services)?,
            sources: SourceSearch::of(services)?,
            answers: Answers::of(services)?,
            projects: Projects::of(services)?,
            documents: Documents::of(services)?,
            keys: Keys::of(services)?,
        })
    }

    fn gate(&self) -> std::result::Result<Gate<'_>, Error> {
        self.clients.gate()
    }

    async fn handle(&self, call: &Call) -> Result<Response<Value>> {
        match call.route {
            Route::Workflow(route) => {
                for_workflow!(route.name(), W => as_json(self.clients.respond::<W>(call).await?))
                    .unwrap_or_else(|| Err(no_such_route(call)))
            }
            Route::Search(_) => as_json(self.sources.handle(call).await?),
            Route::Custom(_) => as_json(self.custom.handle(call).await?),
            Route::Answer(_) => as_json(self.answers.handle(call).await?),
            Route::Projects(_) | Route::Decisions(_) => as_json(self.projects.handle(call).await?),
            Route::Documents(_) | Route::Cases(_) => as_json(self.documents.handle(call).await?),
            Route::Keys(_) => as_json(self.keys.handle(call).await?),
            // Who sends alerts is no caller of the API.
            Route::Alerts(_) | Route::Mcp(_) => Err(no_such_route(call)),
        }
    }
}

impl All {
    /// Returns the API key of a token, if it is good.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] if the table does not answer.
    pub async fn key(&self, token: &str, now: Timestamp) -> Result<Option<Key>> {
        self.keys.find(token, now).await
    }

    /// The names and descriptions of the custom workflows.
    pub fn strategies(&self) -> Vec<(String, String)> {
        self.custom.strategies()
    }
}

fn as_json<R: Serialize>(response: Response<R>) -> Result<Response<Value>> {
    let value = |report: R| {
        serde_json::to_value(report).map_err(|error| model::Error::unavailable("the answer", error))
    };
    Ok(match response {
        Response::Json(report) => Response::Json(value(report)?),
        Response::Fitted(report) => Response::Fitted(value(report)?),
        Response::Accepted(report) => Response::Accepted(value(report)?),
        Response::Text(content_type, text) => Response::Text(content_type, text),
    })
}
