//! `POST /v1/custom/{name}` and `GET /v1/custom`: workflows that are files.

use adapters::services::{Configuration, Services};
use lambda::{Call, Gate, Response};
use model::Result;
use serde::Serialize;
use wire::common::Answer;
use wire::custom::{CustomReport, CustomWorkflowList};
use wire::route::{CustomRoute, Route};
use workflows::custom;
use workflows::custom::Strategies;

use crate::form;
use crate::{Clients, Handler, no_such_route};

/// The custom workflows, and the services that they search with.
pub struct Custom {
    strategies: Strategies,
    clients: Clients,
}

/// What its routes answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// To a question for all of them.
    List(CustomWorkflowList),
    /// To a question for one of them.
    Answer(Box<Answer<CustomReport>>),
}

impl Handler for Custom {
    type Reply = Reply;

    fn of(services: &impl Services) -> Result<Self, lambda::Error> {
        let files = services.configuration(Configuration::Strategies)?;
        let strategies = Strategies::parse(&files).map_err(|trouble| trouble.to_string())?;
        Ok(Custom { strategies, clients: Clients::of(services)? })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        self.clients.gate()
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        match call.route {
            Route::Custom(CustomRoute::RunCustomWorkflow) => {}
            Route::Custom(CustomRoute::ListCustomWorkflows) => {
                return Ok(Response::Json(Reply::List(custom::list(&self.strategies))));
            }
            _ => return Err(no_such_route(call)),
        }
        let (name, request) = (call.parameter("name"), call.json()?);
        let answer = self
            .clients
            .with_ask(call, async |ask| custom::run(ask, &self.strategies, name, request).await)
            .await?;
        form::answer(call, answer, &custom::VIEW, |answer| Reply::Answer(Box::new(answer)))
    }
}

impl Custom {
    /// The names and descriptions of the custom workflows.
    pub fn strategies(&self) -> Vec<(String, String)> {
        let all = custom::list(&self.strategies).strategies;
        all.into_iter().map(|workflow| (workflow.name, workflow.description)).collect()
    }
}
