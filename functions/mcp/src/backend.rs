//! The handlers of the HTTP API, which answer the tools' calls in this function.

use handlers::{
    Answers, Custom, Documents, Explore, Handler, Plan, Projects, Rcca, Search, SourceSearch, Trade,
};
use lambda::{Call, Gate, Response};
use serde::Serialize;
use serde_json::Value;
use wire::meta::Reply;
use workflow::{Error, Result};

/// The handlers of the HTTP API.
pub(crate) struct Backend {
    search: Search,
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
            search: Search::from_env()?,
            custom: Custom::from_env()?,
            sources: SourceSearch::from_env()?,
            answers: Answers::from_env()?,
            projects: Projects::from_env()?,
            documents: Documents::from_env()?,
        })
    }

    /// The checks that every request passes.
    pub(crate) fn gate(&self) -> std::result::Result<Gate<'_>, lambda::Error> {
        self.search.gate()
    }

    /// The names and descriptions of the custom workflows.
    pub(crate) fn strategies(&self) -> Vec<(String, String)> {
        self.custom.strategies()
    }

    /// What the HTTP API would reply to a call.
    ///
    /// # Errors
    /// What it would refuse.
    pub(crate) async fn answer(&self, call: &Call) -> Result<Value> {
        let begun = std::time::Instant::now();
        let json = match call.route.as_str() {
            "POST /v1/rcca" => json(self.search.answer::<Rcca>(call).await?)?,
            "POST /v1/trade" => json(self.search.answer::<Trade>(call).await?)?,
            "POST /v1/explore" => json(self.search.answer::<Explore>(call).await?)?,
            "POST /v1/plan" => json(self.search.answer::<Plan>(call).await?)?,
            "POST /v1/search" => to_value(self.sources.handle(call).await?)?,
            route if route.contains("/v1/custom") => to_value(self.custom.handle(call).await?)?,
            route if route.contains("/v1/projects") => to_value(self.projects.handle(call).await?)?,
            "GET /v1/cases" => to_value(self.documents.handle(call).await?)?,
            _ => to_value(self.answers.handle(call).await?)?,
        };
        json_with_meta(json, call, begun)
    }
}

fn json_with_meta(report: Value, call: &Call, begun: std::time::Instant) -> Result<Value> {
    json(Reply { report, meta: call.receipt.meta(&call.stamp.id, begun) })
}

fn to_value<R: Serialize>(response: Response<R>) -> Result<Value> {
    match response {
        Response::Json(report) | Response::Accepted(report) => json(report),
        Response::Text(_, text) => Ok(Value::String(text)),
    }
}

fn json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::unavailable("the answer", error))
}
