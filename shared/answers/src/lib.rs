//! Questions answered from one knowledge base: retrieved, quoted, cited, checked, or not answered at all.
//!
//! It knows no knowledge base by name: what differs between them is a file (`knowledge`). `make` runs five stages, each with
//! a type of its own: `understand` (with `conversation`, `mention`), `retrieve` (with `exact`, `search`,
//! `candidates`, `record`), `extract` (with `pick`, `unit`, `extractive`, `conflict`, `from_records`, `describe`,
//! `write`, `abstain`), `verify` (with `claim`), and `render` (with `compose`, `citation`, `flag`). An answer that is read
//! again passes `kept` and `freshness`.

mod cache;
mod candidates;
mod check;
mod citation;
mod compose;
mod conflict;
mod conversation;
mod describe;
mod exact;
mod extract;
mod extractive;
mod flag;
mod freshness;
mod from_records;
mod kept;
mod key;
mod knowledge;
mod make;
mod pick;
mod record;
mod render;
mod retrieve;
mod search;
pub mod tried;
mod understand;
mod unit;
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
use ports::scope::{Grant, Membership, Scope};

pub use freshness::Library;
pub use kept::stored;

use conversation::{Conversation, Rewritten};
use kept::{again, keep};
use wire::answer::{AnswerReport, AnswerRequest, Turn};
use wire::cases::CaseStatus;
use wire::common::AnswerMode;
use wire::trail::Answered;

/// How many passages are read for a caller who does not say.
const PASSAGES: u32 = 5;

/// The services that answers need.
pub struct Services<'a> {
    /// The knowledge bases.
    pub bases: &'a KnowledgeBases,
    /// Who asks; embeds, searches and writes queries, at the same mode as answers.
    pub ask: Ask<'a>,
    /// The model that embeds.
    pub embed_model: &'a str,
    /// Knows which documents there are, and how far they have come.
    pub documents: &'a dyn Documents,
    /// Keeps answers.
    pub answers: &'a dyn Answers,
    /// Writes answers, where there is a model.
    pub chat: Option<Chat<'a>>,
    /// Has the records of documents.
    pub files: &'a dyn Files,
    /// Whether there is time left; asked before each block of records.
    pub may_go_on: &'a (dyn Fn() -> bool + Sync),
}

impl Services<'_> {
    /// The mode for callers who do not say.
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

/// An answer and what stands beside it.
#[derive(Debug)]
pub struct Given {
    /// The answer.
    pub report: AnswerReport,
    /// What stands beside it.
    pub kept: Kept,
    /// What is missing.
    pub degraded: Vec<Degraded>,
}

/// What is asked, checked.
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
    /// The question as it stands alone by rules, where it does not already.
    rewritten: Option<Rewritten>,
    key: String,
}

/// Answers a question from the documents of `scope`.
///
/// # Errors
/// [`Error::Missing`] for a scope that is foreign, unknown or without a knowledge base; see also
/// [`ports::scope::grant_one`]. [`Error::Invalid`] names what the caller can repair.
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
        None => make::make(services, (&asking, &grant), read).await?,
    };
    let is_noted = request.note.unwrap_or(true);
    let Some(membership) = membership.filter(|_| is_noted) else { return Ok(given) };
    note(services, &membership, &asking, given).await
}

fn parse<'a>(services: &Services<'a>, scope: Scope, request: &AnswerRequest) -> Result<Asking<'a>> {
    let missing = || Error::Missing { kind: "knowledge base", name: scope.to_string() };
    let base = services.bases.of(&scope).ok_or_else(missing)?;
    let question = Question::parse(&request.question)?;
    let queries = queries::parse(&question, &request.queries)?;
    let examples = Examples::parse(&request.like, &request.unlike)?;
    let top_k = TopK::parse(Some(request.top_k.unwrap_or(PASSAGES)))?;
    let conversation = Conversation::parse(&request.conversation, question.as_str())?;
    let mode = request.mode.unwrap_or(services.mode());
    let chat = services.chat.map_or_else(String::new, |chat| chat.key());
    let models = [services.embed_model, &chat];
    let of = (top_k.value(), mode, models);
    let key = key::answer(base, request, conversation.turns(), of);
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

/// Checks that the caller may read what they ask of, and reads what is known beforehand: one read, besides that of
/// the project.
async fn enter(
    services: &Services<'_>,
    asking: &Asking<'_>,
    project: Option<&str>,
) -> Result<(CacheRead, Grant, Option<Membership>)> {
    let context = &services.ask.context;
    let scope = &asking.scope;
    let early = match scope {
        // What is no id is no key either: nothing is asked for it.
        Scope::Case(case) if ulid::Ulid::from_string(case).is_err() => {
            return Err(Error::Missing { kind: "case", name: case.clone() });
        }
        Scope::Case(_) => None,
        _ => Some(scope::grant_one(context.caller, scope, context.members).await?),
    };
    let texts = asking.texts();
    let vectors: Vec<String> =
        texts.iter().map(|text| key::embedding(services.embed_model, text)).collect();
    let read = services.answers.read_cache(scope, &context.caller.sub, &asking.key, &vectors);
    let (read, membership) = try_join(read, services.ask.membership(project)).await?;
    let grant = match early {
        Some(grant) => grant,
        None => scope::grant_one(context.caller, scope, &ReadBefore(read.case)).await?,
    };
    Ok((read, grant, membership))
}

impl Asking<'_> {
    /// The texts that are searched: the question, as it stands alone by the rules, and the queries.
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

/// A case's status that was read already, with everything else.
struct ReadBefore(Option<CaseStatus>);

#[async_trait]
impl Members for ReadBefore {
    async fn case(&self, _case: &str, _user: &str) -> Result<Option<CaseStatus>> {
        Ok(self.0)
    }
}

/// Notes the question in the project's trail; that it cannot be noted does not take the answer away.
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

/// The question as it stands alone after `turns`, by rules; `None` where it does already.
///
/// # Errors
/// [`Error::Invalid`] for turns that are too many or empty.
pub fn standalone(turns: &[Turn], question: &str) -> Result<Option<String>> {
    Ok(Conversation::parse(turns, question)?.rewritten(question).map(|rewritten| rewritten.text))
}

#[cfg(test)]
mod tests;
