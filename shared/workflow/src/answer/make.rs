//! A new answer: understood, searched or counted, said, checked.

use futures_util::future::try_join;

use super::intent::{Intent, Kind};
use super::knowledge::Style;
use super::say::{Said, said};
use super::show::shown;
use super::wire::{Effort, Reason};
use super::words::Words;
use super::{
    Asking, Given, Services, abstain, citation, counted, find, keep, read_filters, tally, write,
};
use crate::Result;
use crate::document::Chunk;
use crate::filter::Filters;
use crate::ports::{Look, Record};
use crate::scope::Grant;
use crate::strategy::{self, Degraded, Desk};

/// The most passages that are gone through to count: a log of 25 MiB has about as many.
const SCANNED: usize = 30_000;

/// A case with no more passages than this is read whole, so that nothing in it is missed: about two megabytes.
const SMALL: usize = 2_000;

/// The question as it was understood.
pub(super) struct Understood {
    /// The question as asked, and as it stands alone.
    pub texts: Vec<String>,
    pub intent: Intent,
    pub tokens: (u32, u32),
    pub degraded: Vec<Degraded>,
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
    (asking, grant, project): (&Asking<'_>, &Grant, Option<String>),
    mut look: Look,
) -> Result<Given> {
    let records = match asking.base.style {
        Style::Forensic => find::documents(services, &asking.scope).await?,
        Style::Procedural | Style::Educational => Vec::new(),
    };
    let understood = understand(services, asking, &records).await;
    let found = &Found::new(asking, &understood, grant, &records);
    let exact = if found.is_exact() { exactly(services, found).await? } else { None };
    let (mut given, vectors) = match exact {
        Some(given) => (given, Vec::new()),
        None => nearest(services, found, &mut look).await?,
    };
    given.kept.tokens.0 += understood.tokens.0;
    given.kept.tokens.1 += understood.tokens.1;
    given.kept.corpus = look.corpus;
    given.degraded.extend(understood.degraded);
    keep(services, desk, (asking, project), &mut given, (look.corpus, vectors)).await;
    Ok(given)
}

/// Has a model say the question so that it stands alone, where that is asked for; else the rules do.
async fn understand(
    services: &Services<'_>,
    asking: &Asking<'_>,
    records: &[Record],
) -> Understood {
    let mut texts = asking.texts();
    let (mut tokens, mut degraded) = ((0, 0), Vec::new());
    if texts.len() > 1
        && asking.effort == Effort::Standard
        && let Some((model, _)) = services.model
    {
        match write::rewrite(model, &asking.conversation, asking.question.as_str()).await {
            Ok((text, own)) => {
                texts[1] = text;
                tokens = own;
            }
            Err(error) => {
                degraded.push(Degraded { part: "rewriting by the language model", error });
            }
        }
    }
    let counts = asking.base.style == Style::Forensic;
    let question = texts.last().map_or("", String::as_str);
    // A date in a file's name says which file, and not when.
    let bare = find::without_files(records, question);
    let intent = Intent::read(&bare, counts);
    Understood { texts, intent, tokens, degraded }
}

/// A question on its way to its answer.
pub(super) struct Found<'a> {
    pub asking: &'a Asking<'a>,
    pub understood: &'a Understood,
    /// The scope's documents, where records are gone through.
    pub records: &'a [Record],
    pub request: strategy::Request,
    /// The documents that the question names.
    pub named: Vec<String>,
    /// The words that need not stand in a record: those of the documents' names.
    pub known: Words,
}

impl<'a> Found<'a> {
    fn new(
        asking: &'a Asking<'a>,
        understood: &'a Understood,
        grant: &Grant,
        records: &'a [Record],
    ) -> Found<'a> {
        let question = understood.question();
        let mut filters = asking.filters.clone();
        let whole = find::files_named(records, question);
        filters.0.extend(read_filters::of_passages(&understood.intent, whole));
        let request = strategy::Request {
            question: asking.question.clone(),
            top_k: asking.top_k,
            filters,
            grant: grant.clone(),
            project: None,
        };
        let all: Vec<&str> = records.iter().map(|own| own.name.as_str()).collect();
        let named = find::named(&all, question);
        let files: Vec<&str> = all.into_iter().map(citation::file).collect();
        Found { asking, understood, records, request, named, known: Words::of(&files.join(" ")) }
    }

    pub(super) fn intent(&self) -> &Intent {
        &self.understood.intent
    }

    /// Whether all records are to be gone through, and not the best few sought.
    fn is_exact(&self) -> bool {
        let intent = self.intent();
        let is_filtered = !intent.conditions.is_empty() || intent.moment.is_some();
        let is_bare = || tally::sought(intent, &self.known, !self.named.is_empty()).is_empty();
        intent.kind != Kind::Plain || (is_filtered && is_bare())
    }
}

/// Answers from all records that fit; `None` where a single fact is asked for and no record speaks of it.
async fn exactly(services: &Services<'_>, found: &Found<'_>) -> Result<Option<Given>> {
    let Found { request, records, .. } = found;
    let (chunks, complete) = services.index.scan(&request.grant, &request.filters, SCANNED).await?;
    let intent = found.intent();
    let tally =
        tally::tally(&chunks, intent, (found.understood.question(), &found.known, &found.named));
    let mut said = Said { counted: counted::counted(&tally, intent, complete), ..Said::default() };
    said.drafts = match intent.kind {
        Kind::Lines => counted::named(&chunks, intent),
        _ => counted::drafts(&tally, intent),
    };
    let has_unknown = intent.kind != Kind::Lines && has_unknown_name(found, &chunks);
    if said.drafts.is_empty() || has_unknown || tally.is_empty_for(intent) {
        if intent.may_be_searched() {
            return Ok(None);
        }
        said.drafts.clear();
        said.reason = Some(absent(records));
    }
    said.held = Some(tally.by_words);
    Ok(Some(shown(found, said, &[], &chunks)))
}

/// Whether the question names something that stands nowhere.
fn has_unknown_name(found: &Found<'_>, chunks: &[Chunk]) -> bool {
    let texts = || chunks.iter().flat_map(|own| [own.text.as_str(), own.name.as_str()]);
    abstain::unknown_names(&found.intent().rest, texts) > 0
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
    let request = &strategy::Request {
        filters: Filters(read_filters::certain(&request.filters, &asking.filters)),
        ..request.clone()
    };
    let searched = find::passages(services, base, &understood.texts, vectors, request);
    let (mut evidence, more) = try_join(searched, more(services, base.style, request)).await?;
    let all: Vec<&str> = evidence.iter().map(|own| own.chunk.name.as_str()).collect();
    let named = find::named(&all, understood.question());
    find::weigh(&mut evidence, if found.records.is_empty() { &named } else { &found.named });
    find::rank(&mut evidence, &found.intent().rest);
    let whole = match more {
        Some(chunks) => chunks,
        None => find::whole(services, &request.grant, (base.style, &evidence)).await?,
    };
    let mut said = said(services, found, (&evidence, &whole)).await;
    if said.reason.is_some() && said.reason != Some(Reason::Conflicting) {
        said.drafts.clear();
        said.reason = Some(unless_unread(services, asking, (said.reason, found.records)).await?);
    }
    let given = shown(found, said, &evidence, &whole);
    Ok((given, new))
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
    let (chunks, is_all) = services.index.scan(&request.grant, &request.filters, SMALL).await?;
    Ok(is_all.then_some(chunks))
}

/// Nothing was found: perhaps because not everything was read.
fn absent(records: &[Record]) -> Reason {
    match find::unread(records) {
        (true, _) => Reason::NotIndexedYet,
        (_, true) => Reason::IndexingFailed,
        _ => Reason::NoEvidence,
    }
}

async fn unless_unread(
    services: &Services<'_>,
    asking: &Asking<'_>,
    (reason, records): (Option<Reason>, &[Record]),
) -> Result<Reason> {
    let listed;
    let records = if records.is_empty() {
        listed = find::documents(services, &asking.scope).await?;
        &listed
    } else {
        records
    };
    let unread = absent(records);
    Ok(if unread == Reason::NoEvidence { reason.unwrap_or(Reason::NoEvidence) } else { unread })
}
