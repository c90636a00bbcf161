//! The services of the workflows that search: made when a function starts, and lent to each request
//! with its `meta`.

use std::marker::PhantomData;
use std::sync::Arc;

use adapters::services::{EmbeddingModel, Reranking, SearchIndex, Services};
use adapters::{ChatModel, ChatUse, Table, env};
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

    fn of(services: &impl Services) -> Result<Self, lambda::Error> {
        Ok(Searching { clients: Clients::of(services)?, workflow: PhantomData })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        self.clients.gate()
    }

    async fn handle(&self, call: &Call) -> Result<Response<Self::Reply>> {
        self.clients.respond::<W>(call).await
    }
}

/// The clients of a workflow that searches.
pub struct Clients {
    embedding: Arc<dyn EmbeddingModel>,
    index: Arc<dyn SearchIndex>,
    table: Table,
    reranking: Option<Reranking>,
    chat: Option<ChatModel>,
    tried: Tried,
    mode: AnswerMode,
    tokens: TokenBudget,
}

impl Clients {
    /// Takes the clients from these services.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn of(services: &impl Services) -> Result<Clients, lambda::Error> {
        Ok(Clients {
            embedding: services.embedding(Purpose::Question)?,
            index: services.index(Purpose::Question)?,
            table: services.table()?,
            reranking: services.reranking()?,
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
    pub(crate) fn index(&self) -> &dyn SearchIndex {
        &*self.index
    }

    /// The table, which keeps answers and conflicts.
    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// Answers a request to a workflow, in the form that the caller accepts.
    ///
    /// # Errors
    /// All that the workflow refuses.
    pub(crate) async fn respond<W: Workflow>(
        &self,
        call: &Call,
    ) -> Result<Response<Answer<W::Report>>> {
        let request = call.json()?;
        let answer = self.with_ask(call, async |ask| W::run(ask, &self.table, request).await);
        form::answer(call, answer.await?, &W::VIEW, |answer| answer)
    }

    /// Runs a workflow for a call. What it lacks and what it took is noted on the call's `meta`.
    pub async fn with_ask<R>(
        &self,
        call: &Call,
        workflow: impl AsyncFnOnce(&Ask<'_>) -> Result<Partial<Answer<R>>>,
    ) -> Result<Answer<R>> {
        Ok(call.meta.noting(self.asking(call, workflow).await?))
    }

    /// Lends the services to a call. What they took is noted on its `meta`.
    pub(crate) async fn asking<T>(
        &self,
        call: &Call,
        run: impl AsyncFnOnce(&Ask<'_>) -> Result<T>,
    ) -> Result<T> {
        let meta = &call.meta;
        let embedder = meta.embedder(&*self.embedding, self.embedding.model());
        let index = meta.index(&*self.index);
        let store = meta.store(&self.table);
        let reranker = self.reranking.as_ref().map(|r| meta.reranker(&*r.by, &r.model));
        let limits = self.reranking.as_ref().map(|r| r.limits);
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
        run(&ask).await
    }
}
