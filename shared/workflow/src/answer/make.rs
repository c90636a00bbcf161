//! A new answer: understood, read off the records or searched, said, checked.

use std::collections::BTreeSet;

use futures_util::future::try_join;
use wire::records::{RecordsRequest, Select};

use super::candidates::candidates;
use super::exact::exactly;
use super::intent::Intent;
use super::knowledge::Style;
use super::lines::named_lines;
use super::mention::{self, Mentioned};
use super::record::keep_named;
use super::say::said;
use super::show::shown;
use super::wire::{Effort, Reason};
use super::{Asking, Given, Services, find, keep, write};
use crate::Result;
use crate::document::Chunk;
use crate::filter::{Condition, Field, Filters};
use crate::ports::{Look, Record};
use crate::records::{self, Loaded};
use crate::scope::Grant;
use crate::strategy::{self, Degraded, Desk, Evidence};

/// A case with no more passages than this is read whole, so that nothing in it is missed: about two megabytes.
const SMALL: usize = 2_000;

/// The question as it was understood.
pub(super) struct Understood {
    /// The question as asked, and as it stands alone.
    pub texts: Vec<String>,
    pub intent: Intent,
    /// What it names of the documents, where records are gone through.
    pub mentioned: Mentioned,
}

/// What language models cost that read the question, and which of them failed.
#[derive(Default)]
pub(super) struct Spent {
    tokens: (u32, u32),
    pub degraded: Vec<Degraded>,
}

impl Spent {
    /// Adds the tokens that were read and written.
    pub(super) fn add(&mut self, tokens: (u32, u32)) {
        self.tokens.0 += tokens.0;
        self.tokens.1 += tokens.1;
    }
}

impl Understood {
    /// The form that stands alone.
    pub(super) fn question(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }
}

/// Makes an answer, and keeps it.
pub(super) async fn make(
    services: &Services<'_>,
    desk: &Desk<'_>,
    (asking, grant): (&Asking<'_>, &Grant),
    mut look: Look,
) -> Result<Given> {
    let mut loaded = match asking.base.style {
        Style::Forensic => records::load(&services.of_records(desk), grant).await?,
        Style::Procedural | Style::Educational => Loaded::default(),
    };
    keep_named(&mut loaded, &asking.filters);
    let spent = &mut Spent::default();
    let understood = understand(services, asking, &loaded.listed, spent).await;
    let found = &Found::new(asking, &understood, grant, &loaded);
    let exact = match asking.base.style {
        Style::Forensic => exactly(services, found, spent).await?,
        Style::Procedural | Style::Educational => None,
    };
    let lines = match exact {
        None => named_lines(services, found).await?,
        exact => exact,
    };
    let (mut given, vectors) = match lines {
        Some(given) => (given, Vec::new()),
        None => nearest(services, found, &mut look).await?,
    };
    given.kept.tokens.0 += spent.tokens.0;
    given.kept.tokens.1 += spent.tokens.1;
    given.kept.corpus = look.corpus;
    given.degraded.append(&mut spent.degraded);
    keep(services, desk, asking, &mut given, (look.corpus, vectors)).await;
    Ok(given)
}

/// Has a model say the question so that it stands alone, where that is asked for; else the rules do.
async fn understand(
    services: &Services<'_>,
    asking: &Asking<'_>,
    records: &[Record],
    spent: &mut Spent,
) -> Understood {
    let mut texts = asking.texts();
    if texts.len() > 1
        && asking.effort == Effort::Standard
        && let Some((model, _)) = services.model
    {
        match write::rewrite(model, &asking.conversation, asking.question.as_str()).await {
            Ok((text, own)) => {
                spent.add(own);
                texts[1] = text;
                texts.dedup();
            }
            Err(error) => {
                spent.degraded.push(Degraded { part: "rewriting by the language model", error });
            }
        }
    }
    let question = texts.last().map_or("", String::as_str);
    let is_forensic = asking.base.style == Style::Forensic;
    let mentioned = Mentioned::of(records, question);
    let has_lines =
        records.len() == 1 || !mentioned.unknown.is_empty() || !mentioned.named.is_empty();
    // A date in a file's name says which file, and not when.
    let bare = mentioned.without_files(question);
    let mut intent = Intent::read(&bare, is_forensic, is_forensic && has_lines);
    intent.is_rewritten = texts.len() > 1;
    Understood { texts, intent, mentioned }
}

/// A question on its way to its answer.
pub(super) struct Found<'a> {
    pub asking: &'a Asking<'a>,
    pub understood: &'a Understood,
    /// The scope's records, where these are gone through.
    pub loaded: &'a Loaded,
    /// What is searched: by the caller's filters, and in the files that the question names.
    pub request: strategy::Request,
}

impl<'a> Found<'a> {
    fn new(
        asking: &'a Asking<'a>,
        understood: &'a Understood,
        grant: &Grant,
        loaded: &'a Loaded,
    ) -> Found<'a> {
        let mut filters: Filters = asking.filters.clone();
        let files = &understood.mentioned.files;
        if !files.is_empty() {
            filters.0.push(Condition::AnyOf(Field::Name, files.clone()));
        }
        let request = strategy::Request {
            question: asking.question.clone(),
            top_k: asking.top_k,
            filters,
            grant: grant.clone(),
            project: None,
        };
        Found { asking, understood, loaded, request }
    }

    pub(super) fn intent(&self) -> &Intent {
        &self.understood.intent
    }
}

/// Answers from the passages nearest to the question.
async fn nearest(
    services: &Services<'_>,
    found: &Found<'_>,
    look: &mut Look,
) -> Result<(Given, Vec<(String, Vec<f32>)>)> {
    let Found { asking, understood, request, .. } = found;
    let base = asking.base;
    let (vectors, new) = find::embed(services, &understood.texts, look).await?;
    let searched = find::passages(services, base, &understood.texts, vectors, request);
    let (mut evidence, more) = try_join(searched, more(services, base.style, request)).await?;
    let named = match found.loaded.listed.as_slice() {
        [] => mention::named(&names(&evidence), understood.question()),
        _ => understood.mentioned.named.clone(),
    };
    find::weigh(&mut evidence, &named);
    find::rank(&mut evidence, &found.intent().words());
    let (whole, held) = match base.style {
        Style::Forensic => candidates(found, &evidence, more, services.may_go_on)?,
        _ => (find::whole(services, request, (base.style, &evidence)).await?, None),
    };
    let mut said = said(services, found, (&evidence, &whole, &named), held.as_ref()).await;
    if said.reason.is_some() && said.reason != Some(Reason::Conflicting) {
        said.drafts.clear();
        said.reason = Some(unless_unread(services, asking, (said.reason, found.loaded)).await?);
    }
    let mut given = shown(found, said, &evidence, &whole);
    let conditions = held.filter(|_| !given.report.claims.is_empty());
    given.report.read_as = conditions.map(|conditions| RecordsRequest {
        conditions,
        select: Select::List,
        ..RecordsRequest::default()
    });
    Ok((given, new))
}

/// The names of the documents that were found, each once.
fn names(evidence: &[Evidence]) -> Vec<&str> {
    let names: BTreeSet<&str> = evidence.iter().map(|own| own.chunk.name.as_str()).collect();
    names.into_iter().collect()
}

/// All passages of a small case; `None` where there are more, or where they are not read line by line.
async fn more(
    services: &Services<'_>,
    style: Style,
    request: &strategy::Request,
) -> Result<Option<Vec<Chunk>>> {
    if style != Style::Forensic {
        return Ok(None);
    }
    let (chunks, is_all) = find::scan(services, request, SMALL).await?;
    Ok(is_all.then_some(chunks))
}

/// Nothing was found: perhaps because not everything was read.
pub(super) fn absent(records: &[Record]) -> Reason {
    match find::unread(records) {
        (true, _) => Reason::NotIndexedYet,
        (_, true) => Reason::IndexingFailed,
        _ => Reason::NoEvidence,
    }
}

async fn unless_unread(
    services: &Services<'_>,
    asking: &Asking<'_>,
    (reason, loaded): (Option<Reason>, &Loaded),
) -> Result<Reason> {
    let listed;
    let records = if loaded.listed.is_empty() {
        listed = find::documents(services, &asking.scope).await?;
        &listed
    } else {
        &loaded.listed
    };
    let unread = absent(records);
    Ok(if unread == Reason::NoEvidence { reason.unwrap_or(Reason::NoEvidence) } else { unread })
}
