//! A new answer: understood, searched or counted, said, checked.

use std::collections::{BTreeSet, HashSet};

use futures_util::future::try_join;

use super::intent::{Intent, Kind};
use super::knowledge::Style;
use super::mention::{self, Mentioned};
use super::say::{Said, said};
use super::show::shown;
use super::wire::{Effort, Reason};
use super::words::stems;
use super::{
    Asking, Given, Services, abstain, citation, counted, find, keep, read_filters, tally, write,
};
use crate::Result;
use crate::document::Chunk;
use crate::filter::Filters;
use crate::ports::{Look, Record};
use crate::scope::Grant;
use crate::strategy::{self, Degraded, Desk, Evidence};

/// The most passages that are gone through to count: a log of 25 MiB has about as many.
const SCANNED: usize = 30_000;

/// A case with no more passages than this is read whole, so that nothing in it is missed: about two megabytes.
const SMALL: usize = 2_000;

/// The question as it was understood.
pub(super) struct Understood {
    /// The question as asked, and as it stands alone.
    pub texts: Vec<String>,
    pub intent: Intent,
    /// What it names of the documents, where records are gone through.
    pub mentioned: Mentioned,
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
    (asking, grant): (&Asking<'_>, &Grant),
    mut look: Look,
) -> Result<Given> {
    let records = match asking.base.style {
        Style::Forensic => find::documents(services, &asking.scope).await?,
        Style::Procedural | Style::Educational => Vec::new(),
    };
    let understood = understand(services, asking, &records).await;
    let found = &Found::new(asking, &understood, grant, &records);
    let (mut given, vectors) = match exactly(services, found).await? {
        Some(given) => (given, Vec::new()),
        None => nearest(services, found, &mut look).await?,
    };
    given.kept.tokens.0 += understood.tokens.0;
    given.kept.tokens.1 += understood.tokens.1;
    given.kept.corpus = look.corpus;
    given.degraded.extend(understood.degraded);
    keep(services, desk, asking, &mut given, (look.corpus, vectors)).await;
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
                tokens = own;
                texts[1] = text;
                texts.dedup();
            }
            Err(error) => {
                degraded.push(Degraded { part: "rewriting by the language model", error });
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
    intent.own.clone_from(&asking.filters.0);
    intent.is_rewritten = texts.len() > 1;
    Understood { texts, intent, mentioned, tokens, degraded }
}

/// A question on its way to its answer.
pub(super) struct Found<'a> {
    pub asking: &'a Asking<'a>,
    pub understood: &'a Understood,
    /// The scope's documents, where records are gone through.
    pub records: &'a [Record],
    pub request: strategy::Request,
    /// The stems of words that need not stand in a record: those of the documents' names.
    pub known: HashSet<String>,
}

impl<'a> Found<'a> {
    fn new(
        asking: &'a Asking<'a>,
        understood: &'a Understood,
        grant: &Grant,
        records: &'a [Record],
    ) -> Found<'a> {
        let mut filters = asking.filters.clone();
        let files = understood.mentioned.files.clone();
        filters.0.extend(read_filters::of_passages(&understood.intent, files));
        let request = strategy::Request {
            question: asking.question.clone(),
            top_k: asking.top_k,
            filters,
            grant: grant.clone(),
            project: None,
        };
        let known = records.iter().flat_map(|own| stems(citation::file(&own.name))).collect();
        Found { asking, understood, records, request, known }
    }

    pub(super) fn intent(&self) -> &Intent {
        &self.understood.intent
    }

    /// Whether all records are to be gone through, and not the best few sought.
    fn is_exact(&self) -> bool {
        if self.asking.base.style != Style::Forensic {
            return false;
        }
        let intent = self.intent();
        let is_filtered = !intent.conditions.is_empty() || intent.moment.is_some();
        let is_bare = || {
            tally::sought(intent, &self.known, !self.understood.mentioned.named.is_empty())
                .is_empty()
        };
        intent.kind != Kind::Plain || (is_filtered && is_bare())
    }
}

/// Answers from all records that fit; `None` where that is not asked for, or where no record speaks of what is asked.
async fn exactly(services: &Services<'_>, found: &Found<'_>) -> Result<Option<Given>> {
    if !found.is_exact() {
        return Ok(None);
    }
    let Found { request, records, .. } = found;
    let (chunks, complete) = find::scan(services, request, SCANNED).await?;
    let intent = found.intent();
    let Understood { mentioned, .. } = found.understood;
    let question = found.understood.question();
    let tally = tally::tally(&chunks, intent, (question, &found.known, mentioned));
    let is_of_nothing = tally.is_empty_for(intent)
        || names_missing_file(mentioned, &chunks)
        || (intent.kind != Kind::Lines && has_unknown_name(found, &chunks));
    let mut said = Said::default();
    if is_of_nothing {
        if intent.may_be_searched() {
            return Ok(None);
        }
        said.reason = Some(absent(records));
    } else {
        said.drafts = counted::drafts(&tally, intent, complete);
        said.counted = Some(counted::counted(&tally, intent, complete));
    }
    said.held = Some(tally.by_words);
    Ok(Some(shown(found, said, &[], &chunks)))
}

/// Whether the question names a file that is none of the documents, nor told of by them.
fn names_missing_file(mentioned: &Mentioned, chunks: &[Chunk]) -> bool {
    let is_told = |name: &String| chunks.iter().any(|own| own.text.contains(name.as_str()));
    !mentioned.unknown.is_empty() && !mentioned.unknown.iter().any(is_told)
}

/// Whether the question names something that stands nowhere.
fn has_unknown_name(found: &Found<'_>, chunks: &[Chunk]) -> bool {
    let texts = chunks.iter().flat_map(|own| [own.text.as_str(), own.name.as_str()]);
    let Intent { rest, counted, .. } = found.intent();
    // By what it is grouped is not said in the records: "IP".
    let is_grouped = |word: &&str| {
        let noun = counted.as_deref().unwrap_or_default();
        noun.split_whitespace().any(|own| own == word.to_lowercase())
    };
    let sought: Vec<&str> = rest.split_whitespace().filter(|word| !is_grouped(word)).collect();
    abstain::unknown_names(&sought.join(" "), texts) > 0
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
    let named = match found.records {
        [] => mention::named(&names(&evidence), understood.question()),
        _ => understood.mentioned.named.clone(),
    };
    find::weigh(&mut evidence, &named);
    find::rank(&mut evidence, &found.intent().words());
    let whole = match more {
        Some(chunks) => chunks,
        None => find::whole(services, request, (base.style, &evidence)).await?,
    };
    let mut said = said(services, found, (&evidence, &whole, &named)).await;
    if said.reason.is_some() && said.reason != Some(Reason::Conflicting) {
        said.drafts.clear();
        said.reason = Some(unless_unread(services, asking, (said.reason, found.records)).await?);
    }
    let given = shown(found, said, &evidence, &whole);
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
