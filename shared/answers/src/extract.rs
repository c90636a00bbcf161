//! The third stage extracts the drafts of an answer from the evidence, in its own words or a
//! model's, and decides whether they are reliable.

use std::collections::HashSet;

use wire::answer::AbstentionReason;
use wire::common::AnswerMode;
use wire::trial::ModelPart;

use super::beside::beside;
use super::compose::{Draft, Quote};
use super::excerpt::{self, Excerpt};
use super::extractive::Wanted;
use super::knowledge::Style;
use super::pick::{self, Prior, RankedExcerpt};
use super::retrieve::{NearestPassages, Retrieved};
use super::understand::Understood;
use super::{Asking, Services, conflict, extractive, from_records, write};
use ask::evidence::Evidence;
use ask::fit::signals::{self, Signals};
use model::document::Passage;
use model::{Error, Result};
use ports::degraded::Degraded;
use ports::filter::Condition;

/// Upper bound for the passages whose words count as known about a question's subject.
const TELLING: usize = 8;

/// The assumed bytes of a passage, and the number of records that may take its place.
const PASSAGE: usize = 1_000;
const RECORDS: usize = 6;

/// Upper bound for the named lines that an answer quotes.
const QUOTED: usize = 50;

/// Conditions that strongly suggest an answer in the records that satisfy them.
const FILTERS: [&str; 3] = ["level", "code", "line"];

/// The drafts from the evidence, not verified yet.
#[derive(Default)]
pub(super) struct Extracted<'c> {
    pub drafts: Vec<Draft<'c>>,
    /// The reason why nothing is reliable, or why several sides are shown.
    pub reason: Option<AbstentionReason>,
    /// The number of further lines with as many words of the question.
    pub further: usize,
    /// The number of citations that refer to no passage.
    pub removed: usize,
    pub degraded: Option<Degraded>,
}

/// Extracts the drafts from the evidence.
pub(super) async fn extracted<'c>(
    services: &Services<'_>,
    understood: &Understood<'_>,
    retrieved: &'c Retrieved,
) -> Extracted<'c> {
    let computed = |drafts| Extracted { drafts, ..Extracted::default() };
    match retrieved {
        Retrieved::Nothing => Extracted::default(),
        Retrieved::Records(reply, rows) => computed(from_records::drafts(reply, rows)),
        Retrieved::Lines(passages, ranges) => computed(lines(passages, ranges)),
        Retrieved::Passages(passages) => of_passages(services, understood, passages).await,
    }
}

/// Quotes the lines within `ranges`.
fn lines<'c>(passages: &'c [Passage], ranges: &[(u32, u32)]) -> Vec<Draft<'c>> {
    let excerpts = passages.iter().flat_map(excerpt::numbered).filter(|f| is_within(f, ranges));
    excerpts.take(QUOTED).map(|excerpt| Draft::verbatim(Quote::of(&excerpt))).collect()
}

fn is_within(excerpt: &Excerpt<'_>, ranges: &[(u32, u32)]) -> bool {
    let overlaps =
        |(first, last): (u32, u32)| ranges.iter().any(|(from, to)| *from <= last && first <= *to);
    excerpt.lines.is_some_and(overlaps)
}

async fn of_passages<'c>(
    services: &Services<'_>,
    understood: &Understood<'_>,
    passages: &'c NearestPassages,
) -> Extracted<'c> {
    let asking = understood.asking;
    let picks = picks(understood, passages);
    if let Some(reason) = doubt(understood, &picks, passages) {
        return Extracted { reason: Some(reason), ..Extracted::default() };
    }
    let mut degraded = None;
    let is_written = services.chat.is_none_or(|chat| chat.doing(ModelPart::Write).is_some());
    if asking.mode == AnswerMode::Generative && is_written {
        let read = read(&picks, &passages.evidence, asking);
        match written(services, understood, &read).await {
            Ok(written) => return written,
            Err(error) => degraded = Some(Degraded { part: "language model".into(), error }),
        }
    }
    let quoted = Extracted { degraded, ..Extracted::default() };
    if let Some(drafts) = conflict::conflict(&picks) {
        let reason = Some(AbstentionReason::Conflicting);
        return Extracted { drafts, reason, ..quoted };
    }
    let whole: Vec<&Passage> = passages.whole.iter().collect();
    let is_why = pick::asks_why(understood.question());
    let beside = |chosen: &[&Excerpt<'c>]| {
        let found = || match passages.held {
            // Other records do not satisfy what the question states.
            Some(_) => Vec::new(),
            None => beside(understood, chosen, is_why),
        };
        passages.beside.get_or_init(found).as_slice()
    };
    let wanted = Wanted { most: asking.top_k.value(), is_why };
    match understood.style() {
        Style::Forensic => {
            let (drafts, further) = extractive::records(&picks, &wanted, &passages.alike, &beside);
            Extracted { drafts, further, ..quoted }
        }
        Style::Procedural => Extracted { drafts: extractive::sections(&picks, &whole), ..quoted },
        Style::Educational => Extracted { drafts: extractive::explanations(&picks), ..quoted },
    }
}

/// Returns the parts that may answer, best first: the records and lines of a case, or else the
/// paragraphs that were found.
fn picks<'c>(understood: &Understood<'_>, passages: &'c NearestPassages) -> Vec<RankedExcerpt<'c>> {
    let NearestPassages { evidence, whole, named, .. } = passages;
    let style = understood.style();
    let passages: Vec<&Passage> = match style {
        Style::Forensic => whole.iter().collect(),
        _ => evidence.iter().map(|e| &e.passage).collect(),
    };
    // A summary only serves to find a document. It has no place that could be cited.
    let passages: Vec<&Passage> =
        passages.into_iter().filter(|passage| !passage.is_summary()).collect();
    let mut excerpts = pick::excerpts(&passages, style);
    for filter in &understood.asking.filters.0 {
        if let Condition::Lines(ranges) = filter {
            excerpts.retain(|excerpt| is_within(excerpt, ranges));
        }
    }
    let prior = Prior::of_evidence(evidence, named);
    pick::picks(excerpts, style, &understood.words, &prior)
}

/// Returns the passages for a model to read: the best passages or, in a case, the best records, as
/// many as fit.
fn read<'c>(
    picks: &[RankedExcerpt<'c>],
    evidence: &'c [Evidence],
    asking: &Asking<'_>,
) -> Vec<&'c Passage> {
    let (found, best) =
        (evidence.iter().map(|e| &e.passage), picks.iter().map(|pick| pick.excerpt.passage));
    let mut passages: Vec<&Passage> = match asking.base.style {
        Style::Forensic => best.collect(),
        Style::Procedural | Style::Educational => found.collect(),
    };
    let mut seen = HashSet::new();
    passages.retain(|passage| !passage.is_summary() && seen.insert(passage.id));
    let mut left = asking.top_k.value() * PASSAGE;
    let fits = |passage: &&&Passage| {
        let had = left;
        left = left.saturating_sub(passage.text.len().max(PASSAGE / RECORDS));
        had > 0
    };
    let count = passages.iter().take_while(fits).count();
    passages.truncate(if asking.base.style == Style::Forensic {
        count
    } else {
        asking.top_k.value()
    });
    passages
}

async fn written<'c>(
    services: &Services<'_>,
    understood: &Understood<'_>,
    read: &[&'c Passage],
) -> Result<Extracted<'c>> {
    let none = || Error::unavailable("the language model", "none is set up");
    let model = services.chat.ok_or_else(none)?.model;
    let (base, question) = (understood.asking.base, understood.question());
    let write::Written { drafts, removed } = write::write(model, base, question, read).await?;
    let reason = drafts.is_empty().then_some(AbstentionReason::BelowThreshold);
    Ok(Extracted { drafts, reason, removed, ..Extracted::default() })
}

/// Returns the reason why the evidence is not reliable, if there is one.
fn doubt(
    understood: &Understood<'_>,
    picks: &[RankedExcerpt<'_>],
    passages: &NearestPassages,
) -> Option<AbstentionReason> {
    let NearestPassages { evidence, held, .. } = passages;
    let Some(best) = picks.first() else { return Some(AbstentionReason::NoEvidence) };
    let texts = |count: usize| {
        evidence.iter().take(count).map(|e| &e.passage).flat_map(|passage| {
            [
                passage.text.as_str(),
                passage.title.as_str(),
                passage.section.as_str(),
                passage.name.as_str(),
            ]
        })
    };
    let passage = [best.excerpt.passage.text.as_str()];
    let rest = &understood.stated.rest;
    let signals = Signals {
        z_score: signals::z_score(evidence),
        coverage: pick::coverage(&understood.words, texts(TELLING).chain(passage)),
        share: best.share,
        words: passages.words,
        unknown_names: signals::unknown_names(rest, texts(evidence.len()).chain(passage)),
        is_foreign: passages.is_foreign,
        is_filtered: held
            .as_ref()
            .is_some_and(|held| FILTERS.iter().any(|filter| held.contains_key(*filter))),
    };
    let answers = match understood.style() {
        Style::Forensic => signals.lines_answer(),
        Style::Procedural | Style::Educational => signals.passages_answer(),
    };
    (!answers).then_some(AbstentionReason::BelowThreshold)
}
