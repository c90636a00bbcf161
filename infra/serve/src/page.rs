//! The pages for a person: a form to ask, answers, passages, and the state of the documents. They
//! are made here and work without scripts.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use handlers::{All, Handler};
use lambda::{Asking, Call, PlainReply};
use model::document::{DocumentType, Origin};
use model::evidence::Place;
use model::{Error, Result};
use plumbline::ask::needs_project;
use plumbline::ask::pick::pick;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;
use views::html::{Desk, desk};
use views::{Block, Card, Item, ReportView, View};
use wire::answer::AnswerReport;
use wire::common::Answer;
use wire::meta::Reply;
use wire::passages::PassageReply;
use wire::request::Workflow as _;
use wire::route::{AnswerRoute, Base, DocumentRoute, Route, SearchRoute, WorkflowRoute};
use wire::{WORKFLOWS, fit, for_workflow};
use workflows::{Workflow, search};

/// The path of the first page, that of questions, and that of passages.
const FIRST: &str = "/";
const ASK: &str = "/ask";
const PASSAGE: &str = "/passage";

/// The paths of all pages.
pub(crate) const PAGES: [&str; 3] = [FIRST, ASK, PASSAGE];

/// The workflows that may be chosen, each with what it does: none, those that need no project, the
/// search of sources, and the answer from everyone's documents.
static CHOICES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let named = WORKFLOWS.iter().filter(|name| !needs_project(name));
    let named = named.filter_map(|name| Some((*name, for_workflow!(name, W => W::SUMMARY)?)));
    let others =
        [("search", "Search code, books and docs."), ("global", "Answer from the documents.")];
    [("", "Choose for me")].into_iter().chain(named).chain(others).collect()
});

/// The documents that the first page counts.
const COUNTED: usize = 2_000;

/// Makes pages of what the handlers reply; `call` makes a call of whoever asks.
pub(crate) struct Pages<'a, C> {
    pub(crate) handlers: &'a All,
    /// The address of this program.
    pub(crate) address: &'a str,
    pub(crate) call: C,
}

impl<C: Fn(Asking) -> Call> Pages<'_, C> {
    /// Returns the page at one of [`PAGES`].
    pub(crate) async fn at(&self, path: &str, query: &HashMap<String, String>) -> String {
        let text = |name: &str| query.get(name).map_or("", |value| value.trim());
        let made = match path {
            ASK if !text("question").is_empty() => {
                self.answer(text("question"), text("workflow")).await
            }
            PASSAGE => self.passage(text("id")).await,
            _ => self.first().await,
        };
        made.unwrap_or_else(|error| {
            let notice = Block::Notice("Not answered".into(), error.to_string().into());
            let view = View { kind: "Plumbline".into(), blocks: vec![notice] };
            drawn(text("question"), text("workflow"), &view)
        })
    }

    /// The state of the documents.
    async fn first(&self) -> Result<String> {
        let (mut states, mut refused) = (BTreeMap::<String, usize>::new(), Vec::new());
        let mut cursor: Option<String> = None;
        loop {
            let mut asking =
                Asking::of(Route::Documents(DocumentRoute::ListDocumentsOf(Base::Global)));
            asking.query.insert("limit".into(), "100".into());
            asking.query.extend(cursor.take().map(|cursor| ("cursor".into(), cursor)));
            let page = self.reply(asking).await?;
            for one in page["documents"].as_array().into_iter().flatten() {
                let text = |field: &str| one[field].as_str().unwrap_or_default();
                *states.entry(text("status").to_owned()).or_default() += 1;
                if !text("reason").is_empty() {
                    refused.push(format!("{}: {}", text("name"), text("reason")));
                }
            }
            cursor = page["cursor"].as_str().map(str::to_owned);
            if cursor.is_none() || states.values().sum::<usize>() >= COUNTED {
                break;
            }
        }
        let states = states.iter().map(|(state, count)| Item::plain(format!("{count} {state}")));
        let documents = vec![Block::Items(states.collect())];
        let refused = vec![Block::Items(refused.into_iter().map(Item::plain).collect())];
        let sections =
            [Block::section("Documents", "", documents), Block::section("Not read", "", refused)];
        let blocks = sections.into_iter().flatten().collect();
        Ok(drawn("", "", &View { kind: "Your documents".into(), blocks }))
    }

    async fn answer(&self, question: &str, workflow: &str) -> Result<String> {
        let name = if workflow.is_empty() { pick(question).name } else { workflow };
        let route = match name {
            "global" => Route::Answer(AnswerRoute::AnswerFrom(Base::Global)),
            "search" => Route::Search(SearchRoute::Search),
            name => {
                let missing = || Error::Missing { kind: "workflow", name: name.into() };
                Route::Workflow(WorkflowRoute::of(name).ok_or_else(missing)?)
            }
        };
        let body = json!({ "question": question }).to_string().into_bytes();
        let mut reply = fit::restored(self.reply(Asking { body, ..Asking::of(route) }).await?);
        self.link(&mut reply);
        let asked = (question, workflow);
        match name {
            "global" => {
                let Reply { report, meta, .. } = read::<Reply<AnswerReport>>(reply)?;
                Ok(drawn(question, workflow, &views::answer::view(&report, &meta)))
            }
            "search" => page_of(&search::VIEW, asked, reply),
            name => for_workflow!(name, W => page_of(&<W as Workflow>::VIEW, asked, reply))
                .unwrap_or_else(|| Err(Error::Missing { kind: "workflow", name: name.into() })),
        }
    }

    async fn passage(&self, id: &str) -> Result<String> {
        let mut asking = Asking::of(Route::Answer(AnswerRoute::ReadPassageOf(Base::Global)));
        asking.query.insert("passage_id".into(), id.into());
        let passage: PassageReply = read(self.reply(asking).await?)?;
        let lines = passage.lines.map(|(first, last)| format!(", lines {first} to {last}"));
        let above = format!("{}{}", passage.file, lines.unwrap_or_default());
        let place = place(&passage);
        let title = if passage.section.is_empty() { "Text" } else { &passage.section };
        let card = Card { text: Some(&passage.text), title: title.into(), ..Card::place(&place) };
        let found = Block::section(above, "", vec![Block::Cards(vec![card])]);
        let view = View { kind: "Passage".into(), blocks: found.into_iter().collect() };
        let (heading, question, workflow) = (passage.title.as_str(), "", "");
        let passage = Desk { heading, question, workflow, workflows: &CHOICES, action: ASK };
        Ok(desk(&passage, &view))
    }

    /// Has each place lead to its passage here, at its lines.
    fn link(&self, reply: &mut Value) {
        match reply {
            Value::Object(fields) => {
                let id = fields.get("passage_id").and_then(Value::as_str).map(str::to_owned);
                if let Some(id) = id.filter(|_| fields.contains_key("file")) {
                    let address = format!("{}{PASSAGE}?id={id}", self.address);
                    fields.insert("uri".into(), address.into());
                }
                fields.values_mut().for_each(|value| self.link(value));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.link(item)),
            _ => {}
        }
    }

    /// Returns what a handler replies, as JSON.
    async fn reply(&self, asking: Asking) -> Result<Value> {
        let gate = self.handlers.gate();
        let gate = gate.map_err(|error| Error::unavailable("a setting", error))?;
        let handle = async |call: &Call| self.handlers.handle(call).await;
        let reply = Box::pin(lambda::reply(&gate, handle, (self.call)(asking))).await;
        let PlainReply { status_code, body, .. } = reply;
        let json: Value =
            serde_json::from_str(&body).map_err(|error| Error::unavailable("the answer", error))?;
        if status_code < 300 {
            return Ok(json);
        }
        let reason = json["detail"].as_str().unwrap_or_default().to_owned();
        Err(Error::Malformed { field: "question".into(), reason })
    }
}

fn page_of<R: DeserializeOwned>(
    view: &ReportView<R>,
    (question, workflow): (&str, &str),
    reply: Value,
) -> Result<String> {
    let Reply { report, meta, .. } = read::<Reply<Answer<R>>>(reply)?;
    let view = view.view(&report, &meta.degraded).flagging(&meta.flagged);
    Ok(drawn(question, workflow, &view))
}

/// The place of a passage, of which a page shows file and lines.
fn place(passage: &PassageReply) -> Place {
    Place {
        passage_id: passage.passage_id.parse().unwrap_or_default(),
        knowledge: None,
        document_id: Uuid::nil(),
        file: passage.file.clone(),
        title: passage.title.clone(),
        section: None,
        document_type: DocumentType::Other,
        source: Origin::Docs,
        uri: None,
        lines: passage.lines,
        time: None,
    }
}

fn read<T: DeserializeOwned>(reply: Value) -> Result<T> {
    serde_json::from_value(reply).map_err(|error| Error::unavailable("the answer", error))
}

/// Draws what was found for a question.
fn drawn(question: &str, workflow: &str, view: &View<'_>) -> String {
    let heading = if question.is_empty() { "Ask your documents" } else { question };
    desk(&Desk { heading, question, workflow, workflows: &CHOICES, action: ASK }, view)
}
