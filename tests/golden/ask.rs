//! A request of the golden tests, and its reply.

use ports::degraded::{Degraded, Partial};
use ports::{Embedder, Index};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use wire::common::AnswerMode;

use ask::Ask;
use ask::written::Writer;
use model::Result;
use ports::context::RequestContext;
use ports::scope::Scope;
use testing::{FakeEmbedder, FakeModel, caller};
use workflows::{custom, explore, plan, rcca, search, trade};

use crate::broken::Broken;
use crate::site::{CASE, Site, Stopped};

/// A line of `requests.jsonl`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The name of the request in a failure message.
    pub(crate) name: String,
    /// The workflow.
    ask: String,
    /// Its body.
    body: Value,
    /// True if the request belongs to the project.
    #[serde(default)]
    in_project: bool,
    /// The knowledge base of `answer` and `records`: `global`, `user`, `team:ID`, `case`,
    /// `case:ID`.
    #[serde(default)]
    of: Option<String>,
    /// The caller; `ann` if absent.
    #[serde(default)]
    by: Option<String>,
    /// The services that do not answer: `embedder`, `index`, `model`.
    #[serde(default)]
    without: Vec<String>,
    /// The forms that a language model fills in, by tool.
    #[serde(default)]
    forms: Map<String, Value>,
    /// The custom workflow.
    #[serde(default)]
    named: String,
}

impl Asked {
    fn lacks(&self, service: &str) -> bool {
        self.without.iter().any(|own| own == service)
    }

    /// Returns the body as the function parses it. A text represents bytes that are not a JSON
    /// object.
    fn request<T: DeserializeOwned>(&self, site: &Site) -> Result<T> {
        if let Value::String(text) = &self.body {
            return lambda::read_body(text.as_bytes());
        }
        let mut body = self.body.clone();
        if self.in_project {
            body["project_id"] = json!(site.project);
        }
        lambda::read_body(body.to_string().as_bytes())
    }

    fn scope(&self) -> Scope {
        match self.of.as_deref().unwrap_or("global") {
            "global" => Scope::Global,
            "user" => Scope::User(self.by.clone().unwrap_or_else(|| "ann".into())),
            "case" => Scope::Case(CASE.into()),
            other => match other.split_once(':').unwrap() {
                ("team", id) => Scope::Team(id.into()),
                (_, id) => Scope::Case(id.into()),
            },
        }
    }
}

/// Returns the body of the reply or of a refusal as one line of JSON, together with the missing
/// parts.
pub(crate) async fn reply(site: &Site, asked: &Asked) -> String {
    let value = match given(site, asked).await {
        Ok((reply, missing)) => json!({"reply": reply, "missing": missing}),
        Err(error) => json!({"status": lambda::problem_of(&error, "golden")}),
    };
    value.to_string()
}

async fn given(site: &Site, asked: &Asked) -> Result<(Value, Vec<String>)> {
    let own = asked.by.as_deref().map(caller);
    let context = site.context.context();
    let context =
        RequestContext { caller: own.as_ref().unwrap_or(&site.context.caller), ..context };
    let model = model(asked);
    let chat =
        (!asked.forms.is_empty() || asked.lacks("model")).then(|| testing::chat(&model, "golden"));
    let mode = if chat.is_some() { AnswerMode::Generative } else { AnswerMode::Extractive };
    let writer = Writer { chat, kept: &site.corpus.answers, mode };
    let embedder: &dyn Embedder = if asked.lacks("embedder") { &Broken } else { &FakeEmbedder };
    let index: &dyn Index = if asked.lacks("index") { &Broken } else { &site.corpus.index };
    let ask = Ask { writer: Some(writer), ..Ask::new(context, embedder, index) };
    Ok(match asked.ask.as_str() {
        "rcca" => told(rcca::run(&ask, asked.request(site)?).await?),
        "trade" => told(trade::run(&ask, asked.request(site)?).await?),
        "explore" => told(explore::run(&ask, asked.request(site)?).await?),
        "plan" => told(plan::run(&ask, &site.context.projects, asked.request(site)?).await?),
        "custom" => {
            let request = asked.request(site)?;
            told(custom::run(&ask, &site.strategies, &asked.named, request).await?)
        }
        "search" => {
            let services = search::Services {
                ask: &ask,
                sources: &site.sources,
                clock: &Stopped,
                cache: &site.corpus.answers,
            };
            told(search::run(&services, asked.request(site)?).await?.0)
        }
        "answer" => answered(site, asked, ask).await?,
        "records" => {
            let services = records::Services {
                documents: &site.corpus.documents,
                files: &site.corpus.files,
                members: context.members,
                chat,
                may_go_on: &|| true,
            };
            let reply =
                records::run(&services, context.caller, &asked.scope(), asked.request(site)?)
                    .await?;
            (serde_json::to_value(reply).unwrap(), Vec::new())
        }
        other => panic!("no workflow is called {other}"),
    })
}

async fn answered(site: &Site, asked: &Asked, ask: Ask<'_>) -> Result<(Value, Vec<String>)> {
    let services = answers::Services {
        bases: &site.bases,
        ask,
        embed_model: "golden",
        documents: &site.corpus.documents,
        answers: &site.corpus.answers,
        chat: ask.writer.and_then(|writer| writer.chat),
        files: &site.corpus.files,
        may_go_on: &|| true,
    };
    let given = answers::run(&services, asked.scope(), asked.request(site)?).await?;
    Ok((serde_json::to_value(given.report).unwrap(), missing(&given.degraded)))
}

fn told<R: serde::Serialize>(partial: Partial<R>) -> (Value, Vec<String>) {
    (serde_json::to_value(partial.reply).unwrap(), missing(&partial.degraded))
}

fn missing(degraded: &[Degraded]) -> Vec<String> {
    degraded.iter().map(|missing| format!("{}: {}", missing.part, missing.error)).collect()
}

/// Returns a model that fills in these forms; a model without forms if it should not answer.
fn model(asked: &Asked) -> FakeModel {
    let forms = asked.forms.iter();
    forms.fold(FakeModel::default(), |model, (tool, form)| {
        model.with(Box::leak(tool.clone().into_boxed_str()), form.clone())
    })
}
