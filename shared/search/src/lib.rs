//! The services of the workflows that search: made when a function starts, and lent to each request with its receipt.

use adapters::{Bedrock, BedrockReranker, Converse, Qdrant, Table, env};
use lambda::{Call, Gate};
use workflow::mode::AnswerMode;
use workflow::ports::{Model, Purpose};
use workflow::rerank::Rerank;
use workflow::retrieve::Retriever;
use workflow::strategy::{Answer, Desk, Writer};

/// The services of a workflow that searches.
pub struct Search {
    bedrock: Bedrock,
    qdrant: Qdrant,
    /// The table.
    pub table: Table,
    reranker: Option<BedrockReranker>,
    chat: Option<Converse>,
    mode: AnswerMode,
}

impl Search {
    /// Makes the clients, each of which connects when it is first used.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn from_env() -> Result<Search, lambda::Error> {
        Ok(Search {
            bedrock: Bedrock::from_env(Purpose::Question)?,
            qdrant: Qdrant::from_env(Purpose::Question)?,
            table: Table::from_env()?,
            reranker: BedrockReranker::from_env()?,
            chat: Converse::of_queries_from_env()?,
            mode: env::mode()?,
        })
    }

    /// What requests pass before they are handled.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    pub fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::rate()?, &self.table))
    }

    /// Runs a workflow for a call. What it lacks and what it took is noted on the call's receipt.
    pub async fn run<R>(
        &self,
        call: &Call,
        workflow: impl AsyncFnOnce(&Retriever<'_>, &Desk<'_>) -> workflow::Result<Answer<R>>,
    ) -> workflow::Result<Answer<R>> {
        let receipt = &call.receipt;
        let embedder = receipt.embedder(&self.bedrock, self.bedrock.model());
        let index = receipt.index(&self.qdrant);
        let store = receipt.store(&self.table);
        let reranker = self.reranker.as_ref().map(|own| receipt.reranker(own, own.model()));
        let limits = self.reranker.as_ref().map(|own| own.limits);
        let chat = self.chat.as_ref().map(|own| (receipt.model(own, own.model()), own.model()));
        let writer = Writer {
            model: chat.as_ref().map(|(model, name)| (model as &dyn Model, *name)),
            kept: &self.table,
            mode: self.mode,
        };
        let retriever = Retriever {
            embedder: &embedder,
            index: &index,
            rerank: reranker.as_ref().zip(limits).map(|(by, limits)| Rerank { by, limits }),
            writer: Some(writer),
        };
        let answer = workflow(&retriever, &call.desk(&self.table, &store)).await?;
        Ok(receipt.noting(answer))
    }
}
