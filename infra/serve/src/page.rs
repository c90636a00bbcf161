//! The pages for a person: a form to ask, answers, passages, and the state of the documents. They
//! are made here and work without scripts.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use handlers::{All, Handler};
use lambda::{Asking, Call, PlainReply};
use model::{Error, Result};
use plumbline::ask::needs_project;
use plumbline::ask::pick::pick;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use views::html::{self, AskPage, ask_page};
use views::wording;
use views::{Block, Card, Item, ReportView, View, places};
use wire::answer::AnswerReport;
use wire::common::Answer;
use wire::documents::DocumentStatus;
use wire::meta::{Meta, Reply};
use wire::passages::PassageReply;
use wire::request::Workflow as _;
use wire::route::{AnswerRoute, Base, DocumentRoute, Route, SearchRoute, WorkflowRoute};
use wire::{WORKFLOWS, fit, for_workflow};
use workflows::{Workflow, search};

use crate::marks::Marks;

mod cases;
mod place;

use place::place;

/// The path of the first page, that of questions, and that of passages.
const FIRST: &str = "/";
const ASK: &str = "/ask";
const PASSAGE: &str = "/passage";

/// The path of the page of a case, and the same with its id in it.
const CASE: &str = "/case";
pub(crate) const CASE_PAGE: &str = "/case?id={case_id}";

/// The path of what was marked, to which marks are posted, too.
pub(crate) const MARKS: &str = "/marks";

/// The path of the same as a file for `plumbline evaluate`.
pub(crate) const MARKED: &str = plumbline::evaluate::MARKED;

/// The paths of all pages.
pub(crate) const PAGES: [&str; 5] = [FIRST, ASK, PASSAGE, CASE, MARKS];

/// The workflows that may be chosen, each with what it does: none, those that need no project, the
/// search of sources, and the answer from everyone's documents.
static CHOICES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let named = WORKFLOWS.iter().filter(|name| !needs_project(name));
    let named = named.filter_map(|name| Some((*name, for_workflow!(name, W => W::SUMMARY)?)));
    let others =
        [("search", "Search code, books and docs."), ("global", "Answer from the documents.")];
    [("", "Choose for me")].into_iter().chain(named).chain(others).collect()
});

/// Returns true for the name of a workflow that may be chosen.
pub(crate) fn is_choice(workflow: &str) -> bool {
    CHOICES.iter().any(|(name, _)| *name == workflow)
}

/// The documents that the first page counts.
const COUNTED: usize = 2_000;

/// Makes pages of what the handlers reply; `call` makes a call of whoever asks.
pub(crate) struct Pages<'a, C> {
    pub(crate) handlers: &'a All,
    /// The address of this program.
    pub(crate) address: &'a str,
    pub(crate) marks: &'a Marks,
    /// The teams whose open cases the first page lists.
    pub(crate) teams: &'a [String],
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
            CASE => self.case(text("id")).await,
            MARKS => self.marked(),
            _ => self.first().await,
        };
        made.unwrap_or_else(|error| {
            let notice = Block::Notice("Not answered".into(), error.to_string().into());
            let view = View { kind: "Plumbline".into(), blocks: vec![notice] };
            Asked { question: text("question"), workflow: text("workflow") }.drawn(&view, None)
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
        let cases = vec![Block::Items(self.open_cases().await?)];
        let sections = [
            Block::section("Open cases of alerts", "", cases),
            Block::section("Documents", "", documents),
            Block::section("Not read", "", refused),
        ];
        let blocks = sections.into_iter().flatten().collect();
        Ok(Asked::NOTHING.drawn(&View { kind: "Your documents".into(), blocks }, None))
    }

    /// The questions whose answers were marked.
    fn marked(&self) -> Result<String> {
        let marks = self.marks.all()?;
        let listed = marks.iter().map(|mark| {
            let told = match mark.expected() {
                None => "not asked, as no passage is marked as right".into(),
                Some(places) if places.is_empty() => "nothing answers it".into(),
                Some(places) => places.join(", "),
            };
            Item {
                remark: format!("answer {}", mark.answer_id),
                ..Item::plain(format!("{}: {told}", mark.question))
            }
        });
        let advice = "`plumbline evaluate` asks them again, and counts the right passages";
        let blocks = vec![
            Block::Remark(advice.into()),
            Block::Items(listed.collect()),
            Block::Remark(format!("as a file: {}{MARKED}", self.address).into()),
        ];
        Ok(Asked::NOTHING.drawn(&View { kind: "Marked questions".into(), blocks }, None))
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
        let asked = Asked { question, workflow };
        match name {
            "global" => {
                let Reply { report, meta, .. } = read::<Reply<AnswerReport>>(reply)?;
                let view = views::answer::view(&report, &meta);
                Ok(asked.answered(&view, &meta, report.abstained.is_some()))
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
        let lines = passage.lines.map(|(first, last)| format!("Lines {first} to {last}"));
        let title = lines.unwrap_or_else(|| "Text".into());
        let place = place(&passage);
        let section = if passage.section.is_empty() { "Passage" } else { &passage.section };
        let card = Card { text: Some(&passage.text), title: title.into(), ..Card::place(&place) };
        let found = Block::section(section, "", vec![Block::Cards(vec![card])]);
        let read = self.read_as(&passage.document_id).await?.into_iter().map(Item::plain).collect();
        let read = Block::section("How the document was read", "", vec![Block::Items(read)]);
        let view = View { kind: "Passage".into(), blocks: found.into_iter().chain(read).collect() };
        let heading = passage.title.as_str();
        Ok(ask_page(&AskPage { heading, ..Asked::NOTHING.ask_page() }, &view))
    }

    /// Tells how a document was read.
    async fn read_as(&self, document: &str) -> Result<Vec<String>> {
        let mut asking = Asking::of(Route::Documents(DocumentRoute::ShowDocumentOf(Base::Global)));
        asking.parameters.insert("document_id".into(), document.into());
        let status: DocumentStatus = read(self.reply(asking).await?)?;
        Ok(status.read_as.iter().flat_map(wording::read_as).collect())
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
        let gate = gate.map_err(|error| Error::unavailable("a setting", error))?.unlimited();
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
    asked: Asked<'_>,
    reply: Value,
) -> Result<String> {
    let Reply { report, meta, .. } = read::<Reply<Answer<R>>>(reply)?;
    let view = view.view(&report, &meta.degraded).flagging(&meta.flagged);
    Ok(asked.answered(&view, &meta, report.abstained.is_some()))
}

fn read<T: DeserializeOwned>(reply: Value) -> Result<T> {
    serde_json::from_value(reply).map_err(|error| Error::unavailable("the answer", error))
}

/// What the form asked.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    question: &'a str,
    workflow: &'a str,
}

impl<'a> Asked<'a> {
    const NOTHING: Asked<'static> = Asked { question: "", workflow: "" };

    fn ask_page(self) -> AskPage<'a> {
        let Asked { question, workflow } = self;
        let heading = if question.is_empty() { "Ask your documents" } else { question };
        AskPage { heading, question, workflow, workflows: &CHOICES, action: ASK, marks: None }
    }

    /// Draws what was found.
    fn drawn(self, view: &View<'_>, marks: Option<html::Marks<'_>>) -> String {
        ask_page(&AskPage { marks, ..self.ask_page() }, view)
    }

    /// Draws an answer, which may be marked.
    fn answered(self, view: &View<'_>, meta: &Meta, abstains: bool) -> String {
        let kept = meta.answer.as_ref().and_then(|answer| answer.answer_id.as_deref());
        let hidden = vec![
            ("answer_id", kept.unwrap_or(&meta.request_id)),
            ("question", self.question),
            ("workflow", self.workflow),
            ("abstains", if abstains { "true" } else { "false" }),
        ];
        let marks = html::Marks { action: MARKS, hidden, places: places(view) };
        self.drawn(view, Some(marks))
    }
}
