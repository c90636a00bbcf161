//! `POST /v1/{global|users/me|cases/{case_id}|teams/{team_id}}/{answer|records}`, `GET` of the latter and of
//! `passages` there, `GET /v1/answers/{answer_id}`, `GET /v1/health` and `POST /v1/health/trial`.

use adapters::{Bedrock, Bucket, ChatModel, ChatUse, Qdrant, Queue, Table, env};
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
use ports::{Embedder, Purpose};
use serde::Serialize;
use trial::health;
use wire::answer::AnswerReport;
use wire::common::AnswerMode;
use wire::health::Health;
use wire::passages::PassageReply;
use wire::records::{ColumnsReply, RecordsReply, RecordsRequest};
use wire::trial::TrialReply;

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
    bedrock: Bedrock,
    qdrant: Qdrant,
    table: Table,
    chat: Option<ChatModel>,
    /// The same model, for which nobody waits as long.
    queries: Option<ChatModel>,
    tried: Tried,
    bucket: Bucket,
    tasks: Queue,
}

impl Handler for Answers {
    type Reply = Reply;

    fn from_env() -> Result<Self, lambda::Error> {
        let files = adapters::knowledge_files()?;
        Ok(Answers {
            bases: KnowledgeBases::parse(&files).map_err(|trouble| trouble.to_string())?,
            mode: env::mode()?,
            bedrock: Bedrock::from_env(Purpose::Question)?,
            qdrant: Qdrant::from_env(Purpose::Question)?,
            table: Table::from_env()?,
            chat: ChatModel::from_env(ChatUse::Answers)?,
            queries: ChatModel::from_env(ChatUse::Questions)?,
            tried: Tried::from_env()?,
            bucket: Bucket::from_env()?,
            tasks: Queue::of_ingest()?,
        })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<Reply>> {
        let reply = if call.route == "GET /v1/health" {
            Reply::Health(Box::new(self.health(call).await))
        } else if call.route == "POST /v1/health/trial" {
            return Ok(Response::Accepted(Reply::Trial(self.trial(call).await?)));
        } else if call.route.ends_with("/passages") {
            Reply::Passage(self.passage(call).await?)
        } else if call.route.ends_with("/records") {
            self.records(call).await?
        } else if call.route.starts_with("GET ") {
            self.kept(call).await?
        } else {
            Reply::Answer(Box::new(slim(self.answer(call).await?, call)?))
        };
        Ok(match reply {
            Reply::Answer(_) | Reply::Kept(_) | Reply::Records(_) | Reply::Columns(_) => {
                Response::Fitted(reply)
            }
            Reply::Passage(_) | Reply::Health(_) | Reply::Trial(_) => Response::Json(reply),
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

/// Whose documents a route means that ends in `ending`.
fn scope(call: &Call, ending: &str) -> Result<Scope> {
    let path = call.route.split_once(' ').and_then(|(_, path)| path.strip_suffix(ending));
    path.and_then(|path| call.scope(path)).ok_or_else(|| no_such_route(call))
}

impl Answers {
    async fn records(&self, call: &Call) -> Result<Reply> {
        let scope = scope(call, "/records")?;
        let may_go_on = || call.has_time();
        let services = |chat| records::Services {
            documents: &self.table,
            files: &self.bucket,
            members: &self.table,
            chat,
            may_go_on: &may_go_on,
        };
        if call.route.starts_with("GET ") {
            let asked = records::asked(call.query("pattern"), call.query("limit"))?;
            let reply = records::columns(&services(None), &call.caller, &scope, &asked).await?;
            return Ok(Reply::Columns(reply));
        }
        let request: RecordsRequest = call.json()?;
        let is_for_a_model = request.question.is_some() && self.mode == AnswerMode::Generative;
        let model = self.queries.as_ref().filter(|_| is_for_a_model);
        let parts = self.tried.parts(model.map(ChatModel::name), &self.table).await;
        let model = model.map(|chat| (call.meta.model(chat, chat.name()), chat.name()));
        let chat = model.as_ref().map(|(model, name)| Chat { model, name, parts: &parts });
        let reply = records::run(&services(chat), &call.caller, &scope, request).await?;
        Ok(Reply::Records(Box::new(reply)))
    }

    async fn health(&self, call: &Call) -> Health {
        let meta = &call.meta;
        let services = health::Services {
            embedder: &meta.embedder(&self.bedrock, self.bedrock.model()),
            index: &self.qdrant,
            table: &self.table,
            chat_model: self.chat.as_ref().map(ChatModel::name),
            trials: &self.table,
            is_trial_waived: self.tried.is_waived(),
        };
        health::look(&services, &call.caller).await
    }

    async fn trial(&self, call: &Call) -> Result<TrialReply> {
        let services = trial::Services {
            trials: &self.table,
            tasks: &self.tasks,
            model: self.chat.as_ref().map(ChatModel::name),
        };
        trial::begin(&services, &call.caller, call.stamp.time).await
    }

    async fn passage(&self, call: &Call) -> Result<PassageReply> {
        let services = passage::Services {
            index: &call.meta.index(&self.qdrant),
            originals: &self.qdrant,
            documents: &self.table,
            members: &self.table,
        };
        let wanted = passage::Wanted {
            passage_id: call.query("passage_id"),
            file: call.query("file"),
            line: call.query("line"),
            reveal: call.query("reveal"),
        };
        let scope = scope(call, "/passages")?;
        let reply = passage::show(&services, &call.caller, &scope, wanted).await?;
        if wanted.reveal == Some("true") {
            lambda::audit("a passage was shown with its secrets", call, &reply.passage_id);
        }
        Ok(reply)
    }

    /// An answer, or else a workflow's reply, that was kept under this id.
    async fn kept(&self, call: &Call) -> Result<Reply> {
        match self.stored(call).await {
            Err(Error::Missing { .. }) => {
                let (table, kept) = (&self.table, (call.parameter("answer_id"), &call.stamp));
                kept_reply::read(table, table, &call.caller, kept).await.map(Reply::Kept)
            }
            stored => Ok(Reply::Answer(Box::new(slim(stored?, call)?))),
        }
    }

    async fn stored(&self, call: &Call) -> Result<AnswerReport> {
        let meta = &call.meta;
        let (answers, store) = (meta.answers(&self.table), meta.store(&self.table));
        let context = call.context(&self.table, &store);
        let library = Library { index: &meta.index(&self.qdrant), documents: &self.table };
        let id = call.parameter("answer_id");
        let given = answer::stored(&answers, &library, &context, id).await?;
        Ok(meta.given(given))
    }

    async fn answer(&self, call: &Call) -> Result<AnswerReport> {
        let Answers { bases, mode, bedrock, qdrant, table, chat, queries, bucket, .. } = self;
        let meta = &call.meta;
        let (answers, store) = (meta.answers(table), meta.store(table));
        let context = call.context(table, &store);
        let (embedder, index) = (meta.embedder(bedrock, bedrock.model()), meta.index(qdrant));
        let model = chat.as_ref().map(|chat| (meta.model(chat, chat.name()), chat.name()));
        let queries = queries.as_ref().map(|chat| (meta.model(chat, chat.name()), chat.name()));
        let parts = self.tried.parts(self.chat.as_ref().map(ChatModel::name), table).await;
        let space = bedrock.space();
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
            files: bucket,
            may_go_on: &|| call.has_time(),
        };
        let given = answer::run(&services, scope(call, "/answer")?, call.json()?).await?;
        Ok(meta.given(given))
    }
}

#[cfg(test)]
mod tests;
