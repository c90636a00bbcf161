//! Answers questions from one knowledge base: it retrieves passages, quotes and cites them, checks
//! the claims, and may abstain.
//!
//! No knowledge base is known by name: they differ in a file only (`knowledge`). `make` runs five
//! stages, each with a type of its own: `understand` (with `conversation`), `retrieve` (with
//! `exact`, `search`, `candidates`, `record`), `extract` (with `pick`, `excerpt`, `extractive`,
//! `conflict`, `from_records`, `describe`, `write`), `verify` (with `check`), and `render` (with
//! `compose`, `citation`). An answer that is read again passes `kept` and `freshness`. `paragraph`
//! writes from passages that a workflow found, by the last three stages.

mod beside;
mod cache;
mod candidates;
mod check;
mod citation;
mod compose;
mod conflict;
mod conversation;
mod describe;
mod exact;
mod excerpt;
mod extract;
mod extractive;
mod freshness;
mod from_records;
mod kept;
mod key;
mod knowledge;
mod make;
mod paragraph;
mod pick;
mod record;
mod render;
mod retrieve;
mod search;
pub mod tried;
mod understand;
mod verify;
mod write;

use async_trait::async_trait;
use futures_util::future::try_join;

pub use cache::{Cache, Kept};
pub use knowledge::{KnowledgeBase, KnowledgeBases, Trouble};

use ports::chat::Chat;
use ports::degraded::Degraded;
use ports::filter::Filters;
use ports::question::{Question, TopK};
use ports::{Answers, CacheRead, Cached, Documents, Files, Members};

use ask::examples::Examples;
use ask::{Ask, queries};
use model::{Error, Result};
use ports::scope;
use ports::scope::{Caller, Grant, Membership, Scope};

pub use freshness::Library;
pub use kept::stored;
pub use paragraph::Paragraph;

use conversation::{Conversation, Rewritten};
use kept::{again, keep};
use wire::answer::{AnswerReport, AnswerRequest, Turn};
use wire::cases::CaseStatus;
use wire::common::AnswerMode;
use wire::trail::Answered;

/// The number of passages that are read for a caller who states none.
const PASSAGES: u32 = 5;

/// The services that answers need.
pub struct Services<'a> {
    /// The knowledge bases.
    pub bases: &'a KnowledgeBases,
    /// The stages of a question, with its caller. Its queries are written in the same mode as
    /// answers.
    pub ask: Ask<'a>,
    /// The name of the embedding model.
    pub embed_model: &'a str,
    /// The list of documents with their status.
    pub documents: &'a dyn Documents,
    /// The store of answers.
    pub answers: &'a dyn Answers,
    /// The model that writes answers, if there is one.
    pub chat: Option<Chat<'a>>,
    /// The store of the record files.
    pub files: &'a dyn Files,
    /// The check for remaining time: true while time is left. It is called before each block of
    /// records.
    pub may_go_on: &'a (dyn Fn() -> bool + Sync),
}

impl Services<'_> {
    /// Returns the mode for callers who state none.
    fn mode(&self) -> AnswerMode {
        self.ask.writer.map_or(AnswerMode::Extractive, |writer| writer.mode)
    }

    fn of_records(&self) -> records::Services<'_> {
        records::Services {
            documents: self.documents,
            files: self.files,
            members: self.ask.context.members,
            chat: None,
            may_go_on: self.may_go_on,
        }
    }
}

/// An answer and the data beside it.
#[derive(Debug)]
pub struct Given {
    /// The answer.
    pub report: AnswerReport,
    /// The data beside it.
    pub kept: Kept,
    /// The missing parts.
    pub degraded: Vec<Degraded>,
}

/// A checked request.
struct Asking<'a> {
    base: &'a KnowledgeBase,
    scope: Scope,
    question: Question,
    queries: Vec<Question>,
    examples: Examples,
    top_k: TopK,
    filters: Filters,
    mode: AnswerMode,
    conversation: Conversation,
    /// The question as rewritten by rules, if it does not stand alone.
    rewritten: Option<Rewritten>,
    key: String,
}

/// Answers a question from the documents of `scope`.
///
/// # Errors
/// [`Error::Missing`] for a scope that is foreign, unknown or without a knowledge base; see also
/// [`ports::scope::grant_one`]. [`Error::Invalid`] for a field that the caller can correct.
pub async fn run(services: &Services<'_>, scope: Scope, request: AnswerRequest) -> Result<Given> {
    let context = &services.ask.context;
    let asking = parse(services, scope, &request)?;
    let project = request.project_id.as_deref();
    let (read, grant, membership) = enter(services, &asking, project).await?;
    let now = context.stamp.time;
    let fresh = |cached: &&Cached| cached.corpus == read.corpus && cached.expires_at > now;
    let cached = read.cached.as_ref().filter(fresh);
    let given = match cached.and_then(|cached| again(cached, &asking, now)) {
        Some(given) => given,
        None => make::make(services, &asking, &grant, read).await?,
    };
    let is_noted = request.note.unwrap_or(true);
    let Some(membership) = membership.filter(|_| is_noted) else { return Ok(given) };
    note(services, &membership, &asking, given).await
}

fn parse<'a>(services: &Services<'a>, scope: Scope, request: &AnswerRequest) -> Result<Asking<'a>> {
    let missing = || Error::Missing { kind: "knowledge base", name: scope.to_string() };
    let base = services.bases.base_of(&scope).ok_or_else(missing)?;
    let question = Question::parse(&request.question)?;
    let queries = queries::parse(&question, &request.queries)?;
    let examples = Examples::parse(&request.like, &request.unlike)?;
    let top_k = TopK::parse(Some(request.top_k.unwrap_or(PASSAGES)))?;
    let conversation = Conversation::parse(&request.conversation, question.as_str())?;
    let mode = request.mode.unwrap_or(services.mode());
    let chat = services.chat.map_or_else(String::new, |chat| chat.key());
    let models = [services.embed_model, &chat];
    let key = key::answer(base, request, conversation.turns(), top_k.value(), mode, models);
    let filters = Filters::parse(&request.filters)?;
    let rewritten = conversation.rewritten(question.as_str());
    Ok(Asking {
        base,
        scope,
        question,
        queries,
        examples,
        top_k,
        filters,
        mode,
        conversation,
        rewritten,
        key,
    })
}

/// Checks that the caller may read the scope, and reads the cache. This takes one read, besides
/// that of the project.
async fn enter(
    services: &Services<'_>,
    asking: &Asking<'_>,
    project: Option<&str>,
) -> Result<(CacheRead, Grant, Option<Membership>)> {
    let context = &services.ask.context;
    let scope = &asking.scope;
    let early = match scope {
        // An invalid id is not a key, so nothing is read for it.
        Scope::Case(case) if ulid::Ulid::from_string(case).is_err() => {
            return Err(Error::Missing { kind: "case", name: case.clone() });
        }
        Scope::Case(_) => None,
        _ => Some(scope::grant_one(context.caller, scope, context.members).await?),
    };
    let texts = asking.texts();
    let vectors: Vec<String> =
        texts.iter().map(|text| key::embedding(services.embed_model, text)).collect();
    let read = services.answers.read_cache(scope, context.caller, &asking.key, &vectors);
    let (read, membership) = try_join(read, services.ask.membership(project)).await?;
    let grant = match early {
        Some(grant) => grant,
        None => scope::grant_one(context.caller, scope, &ReadBefore(read.case)).await?,
    };
    Ok((read, grant, membership))
}

impl Asking<'_> {
    /// Returns the texts to search for: the question, its form as rewritten by rules, and the
    /// queries.
    fn texts(&self) -> Vec<String> {
        let rewritten = self.rewritten.iter().map(|r| r.text.clone());
        let queries = self.queries.iter().map(|query| query.as_str().to_owned());
        let question = std::iter::once(self.question.as_str().to_owned());
        let mut texts: Vec<String> = Vec::new();
        for text in question.chain(rewritten).chain(queries) {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }
}

/// The status of a case, read together with the cache.
struct ReadBefore(Option<CaseStatus>);

#[async_trait]
impl Members for ReadBefore {
    async fn case(&self, _case: &str, _caller: &Caller) -> Result<Option<CaseStatus>> {
        Ok(self.0)
    }
}

/// Records the question in the project's trail. If that fails, the answer is still returned.
async fn note(
    services: &Services<'_>,
    membership: &Membership,
    asking: &Asking<'_>,
    mut given: Given,
) -> Result<Given> {
    let read = given.report.read.iter().filter(|_| given.report.abstained.is_none());
    let results = Answered::best(read.map(|read| (read.passage.passage_id, read.score)));
    let noted = services.ask.note(membership, &asking.question, "answer", results).await;
    let failed = noted.err().map(|error| Degraded { part: "trail".into(), error });
    given.degraded.extend(failed);
    Ok(given)
}

/// Returns the question as rewritten by rules to stand alone after `turns`; `None` if it stands
/// alone already.
///
/// # Errors
/// [`Error::Invalid`] for too many turns or empty ones.
pub fn standalone(turns: &[Turn], question: &str) -> Result<Option<String>> {
    Ok(Conversation::parse(turns, question)?.rewritten(question).map(|rewritten| rewritten.text))
}

#[cfg(test)]
mod tests;
