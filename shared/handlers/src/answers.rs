//! Answers, records and passages of one knowledge base, and the state of the service.

use std::sync::Arc;
use std::time::Instant;

use adapters::services::{Configuration, EmbeddingModel, SearchIndex, Services as Home};
use adapters::{ChatModel, ChatUse, Table, env};
use answers as answer;
use answers::{KnowledgeBases, Library, Services};
use ask::Ask;
use ask::kept_reply;
use ask::written::Writer;
use corpus::passage;
use lambda::{Call, Gate, Response};
use model::{Error, Result};
use ports::chat::Chat;
use ports::scope::Scope;
use ports::{Hiding, Purpose, Tasks, TokenBudget};
use serde::Serialize;
use trial::health;
use wire::answer::AnswerReport;
use wire::common::AnswerMode;
use wire::health::Health;
use wire::passages::PassageReply;
use wire::records::{ColumnsReply, RecordsReply, RecordsRequest};
use wire::route::{AnswerRoute, Route};
use wire::trial::TrialReply;

use crate::form::Text;
use crate::tried::Tried;
use crate::{Handler, no_such_route};

/// What each kind of route answers.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Reply {
    /// To a question.
    Answer(Box<AnswerReport>),
    /// To a request for a workflow's reply that was kept.
    Kept(serde_json::Value),
    /// To a query over records.
    Records(Box<RecordsReply>),
    /// To a question for the columns of records.
    Columns(ColumnsReply),
    /// To a question for a passage.
    Passage(PassageReply),
    /// To a question for the service's health.
    Health(Box<Health>),
    /// To a request for a trial.
    Trial(TrialReply),
}

/// The knowledge bases, and the services that answer from them.
pub struct Answers {
    bases: KnowledgeBases,
    mode: AnswerMode,
    embedding: Arc<dyn EmbeddingModel>,
    index: Arc<dyn SearchIndex>,
    table: Table,
    chat: Option<ChatModel>,
    /// The same model, for which nobody waits as long.
    queries: Option<ChatModel>,
    tried: Tried,
    files: Arc<dyn Hiding>,
    tasks: Arc<dyn Tasks>,
    tokens: TokenBudget,
}

impl Handler for Answers {
    type Reply = Reply;

    fn of(services: &impl Home) -> Result<Self, lambda::Error> {
        let files = services.configuration(Configuration::Knowledge)?;
        Ok(Answers {
            bases: KnowledgeBases::parse(&files).map_err(|trouble| trouble.to_string())?,
            mode: env::mode()?,
            embedding: services.embedding(Purpose::Question)?,
            index: services.index(Purpose::Question)?,
            table: services.table()?,
            chat: ChatModel::from_env(ChatUse::Answers)?,
            queries: ChatModel::from_env(ChatUse::Questions)?,
            tried: Tried::from_env()?,
            files: services.files()?,
            tasks: services.tasks()?,
            tokens: env::tokens()?,
        })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::scopes(), env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let Route::Answer(route) = call.route else {
            return Err(no_such_route(call));
        };
        Ok(match route {
            AnswerRoute::AnswerFrom(base) => {
                let report = slim(self.answer(call, call.scope(base)).await?, call)?;
                match Text::accepted(call) {
                    Some(text) => {
                        let meta = call.meta.finish(&call.stamp.id, Instant::now());
                        text.draw(call, &views::answer::view(&report, &meta))?
                    }
                    None => Response::Fitted(Reply::Answer(Box::new(report))),
                }
            }
            AnswerRoute::QueryRecordsOf(base) => {
                let reply = self.records(call, &call.scope(base)).await?;
                Response::Fitted(Reply::Records(Box::new(reply)))
            }
            AnswerRoute::ListColumnsOf(base) => {
                Response::Fitted(Reply::Columns(self.columns(call, &call.scope(base)).await?))
            }
            AnswerRoute::ReadPassageOf(base) => {
                Response::Json(Reply::Passage(self.passage(call, &call.scope(base)).await?))
            }
            AnswerRoute::ReadAnswer => Response::Fitted(self.kept(call).await?),
            AnswerRoute::ReadHealth => {
                Response::Json(Reply::Health(Box::new(self.health(call).await)))
            }
            AnswerRoute::TryModel => Response::Accepted(Reply::Trial(self.trial(call).await?)),
        })
    }
}

/// An answer with each text once, unless all of it is wanted.
fn slim(mut report: AnswerReport, call: &Call) -> Result<AnswerReport> {
    if !call.form()?.explain {
        report.say_once();
    }
    Ok(report)
}

impl Answers {
    fn record_services<'a>(
        &'a self,
        chat: Option<Chat<'a>>,
        may_go_on: &'a (dyn Fn() -> bool + Sync),
    ) -> records::Services<'a> {
        let Answers { table, files, .. } = self;
        records::Services { documents: table, files: &**files, members: table, chat, may_go_on }
    }

    async fn columns(&self, call: &Call, scope: &Scope) -> Result<ColumnsReply> {
        let may_go_on = || call.has_time();
        let services = self.record_services(None, &may_go_on);
        let asked = records::asked(call.query("pattern"), call.query("limit"))?;
        records::columns(&services, &call.caller, scope, &asked).await
    }

    async fn records(&self, call: &Call, scope: &Scope) -> Result<RecordsReply> {
        let request: RecordsRequest = call.json()?;
        let is_for_a_model = request.question.is_some() && self.mode == AnswerMode::Generative;
        let model = self.queries.as_ref().filter(|_| is_for_a_model);
        let parts = self.tried.parts(model.map(ChatModel::name), &self.table).await;
        let model = model.map(|chat| (call.budgeted(chat, &self.table, self.tokens), chat.name()));
        let model = model.as_ref().map(|(chat, name)| (call.meta.model(chat, name), *name));
        let chat = model.as_ref().map(|(model, name)| Chat { model, name, parts: &parts });
        let may_go_on = || call.has_time();
        let services = self.record_services(chat, &may_go_on);
        records::run(&services, &call.caller, scope, request).await
    }

    async fn health(&self, call: &Call) -> Health {
        let meta = &call.meta;
        let services = health::Services {
            embedder: &meta.embedder(&*self.embedding, self.embedding.model()),
            index: &*self.index,
            table: &self.table,
            chat_model: self.chat.as_ref().map(ChatModel::name),
            trials: &self.table,
            is_trial_waived: self.tried.is_waived(),
            work: &self.table,
            is_alarmed: env::optional("ALARM_TOPIC").is_some(),
        };
        health::check(&services, &call.caller, call.stamp.time).await
    }

    async fn trial(&self, call: &Call) -> Result<TrialReply> {
        let services = trial::Services {
            trials: &self.table,
            tasks: &*self.tasks,
            model: self.chat.as_ref().map(ChatModel::name),
        };
        trial::begin(&services, &call.caller, call.stamp.time).await
    }

    async fn passage(&self, call: &Call, scope: &Scope) -> Result<PassageReply> {
        let services = passage::Services {
            index: &call.meta.index(&*self.index),
            originals: &*self.index,
            documents: &self.table,
            members: &self.table,
        };
        let wanted = passage::Wanted {
            passage_id: call.query("passage_id"),
            file: call.query("file"),
            line: call.query("line"),
            page: call.query("page"),
            reveal: call.query("reveal"),
        };
        let reply = passage::show(&services, &call.caller, scope, wanted).await?;
        if wanted.reveal == Some("true") {
            lambda::audit::shown("a passage was shown with its secrets", call, &reply.passage_id);
        }
        Ok(reply)
    }

    /// An answer, or else a workflow's reply, that was kept under this id.
    async fn kept(&self, call: &Call) -> Result<Reply> {
        match self.stored(call).await {
            Err(Error::Missing { .. }) => {
                let (table, id) = (&self.table, call.parameter("answer_id"));
                let kept = kept_reply::read(table, table, &call.caller, id, &call.stamp);
                kept.await.map(Reply::Kept)
            }
            stored => Ok(Reply::Answer(Box::new(slim(stored?, call)?))),
        }
    }

    async fn stored(&self, call: &Call) -> Result<AnswerReport> {
        let meta = &call.meta;
        let (answers, store) = (meta.answers(&self.table), meta.store(&self.table));
        let context = call.context(&self.table, &store);
        let library = Library { index: &meta.index(&*self.index), documents: &self.table };
        let id = call.parameter("answer_id");
        let given = answer::stored(&answers, &library, &context, id).await?;
        Ok(meta.given(given))
    }

    async fn answer(&self, call: &Call, scope: Scope) -> Result<AnswerReport> {
        let Answers { bases, mode, embedding, table, chat, queries, files, .. } = self;
        let meta = &call.meta;
        let (answers, store) = (meta.answers(table), meta.store(table));
        let context = call.context(table, &store);
        let embedder = meta.embedder(&**embedding, embedding.model());
        let index = meta.index(&*self.index);
        let [chat, queries] = [chat, queries].map(|chat| {
            let chat = chat.as_ref()?;
            Some((call.budgeted(chat, table, self.tokens), chat.name()))
        });
        let model = chat.as_ref().map(|(chat, name)| (meta.model(chat, name), *name));
        let queries = queries.as_ref().map(|(chat, name)| (meta.model(chat, name), *name));
        let parts = self.tried.parts(self.chat.as_ref().map(ChatModel::name), table).await;
        let space = embedding.space();
        let writer = Writer {
            chat: queries.as_ref().map(|(model, name)| Chat { model, name, parts: &parts }),
            kept: table,
            mode: *mode,
        };
        let services = Services {
            bases,
            ask: Ask { writer: Some(writer), ..Ask::new(context, &embedder, &index) },
            embed_model: &space,
            documents: table,
            answers: &answers,
            chat: model.as_ref().map(|(model, name)| Chat { model, name, parts: &parts }),
            files: &**files,
            may_go_on: &|| call.has_time(),
        };
        let given = answer::run(&services, scope, call.json()?).await?;
        Ok(meta.given(given))
    }
}

#[cfg(test)]
mod tests;
