//! The services of the workflows that search: made when a function starts, and lent to each request
//! with its `meta`.

use std::marker::PhantomData;

use adapters::{Bedrock, BedrockReranker, ChatModel, ChatUse, Qdrant, Table, env};
use ask::Ask;
use ask::rerank::{self, Rerank};
use ask::written::Writer;
use lambda::{Call, Gate, Response};
use model::Result;
use ports::chat::Chat;
use ports::degraded::Partial;
use ports::{Purpose, TokenBudget};
use wire::common::{Answer, AnswerMode};
use workflows::Workflow;

use crate::Handler;
use crate::form;
use crate::tried::Tried;

/// The handler of a workflow that searches.
pub struct Searching<W> {
    clients: Clients,
    workflow: PhantomData<W>,
}

impl<W: Workflow> Handler for Searching<W> {
    type Reply = Answer<W::Report>;

    fn from_env() -> Result<Self, lambda::Error> {
        Ok(Searching { clients: Clients::from_env()?, workflow: PhantomData })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        self.clients.gate()
    }

    async fn handle(&self, call: &Call) -> Result<Response<Self::Reply>> {
        let answer = self.clients.answer::<W>(call).await?;
        form::answer(call, answer, &W::VIEW, |answer| answer)
    }
}

/// The clients of a workflow that searches.
pub struct Clients {
    bedrock: Bedrock,
    qdrant: Qdrant,
    table: Table,
    reranker: Option<BedrockReranker>,
    chat: Option<ChatModel>,
    tried: Tried,
    mode: AnswerMode,
    tokens: TokenBudget,
}

impl Clients {
    /// Makes the clients, each of which connects when it is first used.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn from_env() -> Result<Clients, lambda::Error> {
        Ok(Clients {
            bedrock: Bedrock::from_env(Purpose::Question)?,
            qdrant: Qdrant::from_env(Purpose::Question)?,
            table: Table::from_env()?,
            reranker: BedrockReranker::from_env()?,
            chat: ChatModel::from_env(ChatUse::Questions)?,
            tried: Tried::from_env()?,
            mode: env::mode()?,
            tokens: env::tokens()?,
        })
    }

    /// The checks that a request passes before it is handled.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::scopes(), env::rate()?, &self.table).keeping(&self.table))
    }

    /// The index.
    pub(crate) fn qdrant(&self) -> &Qdrant {
        &self.qdrant
    }

    /// The table, which keeps answers and conflicts.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Answers a request to a workflow.
    ///
    /// # Errors
    /// All that the workflow refuses.
    pub async fn answer<W: Workflow>(&self, call: &Call) -> Result<Answer<W::Report>> {
        let request = call.json()?;
        self.with_ask(call, async |ask| W::run(ask, &self.table, request).await).await
    }

    /// Runs a workflow for a call. What it lacks and what it took is noted on the call's `meta`.
    pub async fn with_ask<R>(
        &self,
        call: &Call,
        workflow: impl AsyncFnOnce(&Ask<'_>) -> Result<Partial<Answer<R>>>,
    ) -> Result<Answer<R>> {
        let meta = &call.meta;
        let embedder = meta.embedder(&self.bedrock, self.bedrock.model());
        let index = meta.index(&self.qdrant);
        let store = meta.store(&self.table);
        let reranker = self.reranker.as_ref().map(|r| meta.reranker(r, r.model()));
        let limits = self.reranker.as_ref().map(|r| r.limits);
        let name = self.chat.as_ref().map(ChatModel::name);
        let parts = self.tried.parts(name, &self.table).await;
        let chat = self.chat.as_ref();
        let chat = chat.map(|c| (call.budgeted(c, &self.table, self.tokens), c.name()));
        let chat = chat.as_ref().map(|(model, name)| (meta.model(model, name), *name));
        let writer = Writer {
            chat: chat.as_ref().map(|(model, name)| Chat { model, name, parts: &parts }),
            kept: &self.table,
            mode: self.mode,
        };
        let ask = Ask {
            context: call.context(&self.table, &store),
            embedder: &embedder,
            index: &index,
            rerank: reranker.as_ref().zip(limits).map(|(by, limits)| Rerank {
                by,
                limits,
                most: rerank::MOST,
            }),
            writer: Some(writer),
        };
        let answer = workflow(&ask).await?;
        Ok(meta.noting(answer))
    }
}
