//! What the passages say, in their own words or in a model's, and whether it is to be relied on.

use std::collections::HashSet;

use super::abstain::{self, Signals};
use super::compose::Draft;
use super::extract::{self, Pick, Prior};
use super::knowledge::Style;
use super::make::Found;
use super::wire::{Effort, Reason};
use super::{Asking, Services, conflict, minimal, verify, write};
use crate::Result;
use crate::document::Chunk;
use crate::filter::Condition;
use crate::records::question::Conditions;
use crate::strategy::{Degraded, Evidence};

/// The most passages whose words tell what is known of a question's subject.
const TELLING: usize = 8;

/// The bytes of a passage, and the most records that are read in the place of one.
const PASSAGE: usize = 1_000;
const RECORDS: usize = 6;

/// Conditions that say much for what satisfies them.
const FILTERS: [&str; 3] = ["level", "code", "line"];

/// What is to be said, before it is shown.
#[derive(Default)]
pub(super) struct Said<'c> {
    pub drafts: Vec<Draft<'c>>,
    pub dropped: usize,
    pub removed: usize,
    pub reason: Option<Reason>,
    pub tokens: (u32, u32),
    pub degraded: Option<Degraded>,
}

/// What the passages say: in their own words, or in those of a model that hold.
pub(super) async fn said<'c>(
    services: &Services<'_>,
    found: &Found<'_>,
    (evidence, whole, named): (&'c [Evidence], &'c [Chunk], &[String]),
    held: Option<&Conditions>,
) -> Said<'c> {
    let mut said = Said::default();
    let (asking, question) = (found.asking, found.understood.question());
    let style = asking.base.style;
    let picks = picks(found, (evidence, whole, named));
    said.reason = doubt(found, &picks, evidence, held);
    if said.reason.is_some() {
        return said;
    }
    if asking.effort == Effort::Standard {
        let read = read(&picks, evidence, asking);
        match written(services, asking, question, &read).await {
            Ok(written) => {
                said.reason = written.drafts.is_empty().then_some(Reason::BelowThreshold);
                (said.drafts, said.tokens) = (written.drafts, written.tokens);
                (said.dropped, said.removed) = (written.dropped, written.removed);
                return said;
            }
            Err(error) => said.degraded = Some(Degraded { part: "language model", error }),
        }
    }
    let whole: Vec<&Chunk> = whole.iter().collect();
    if let Some(drafts) = conflict::conflict(&picks).filter(|sides| sides.iter().all(holds)) {
        said.drafts = drafts;
        said.reason = Some(Reason::Conflicting);
        return said;
    }
    said.drafts = minimal::drafts(&picks, &whole, (question, style));
    let all = said.drafts.len();
    said.drafts.retain(holds);
    said.dropped = all - said.drafts.len();
    said
}

/// The parts that may answer, best first: of a case its records and lines, else the paragraphs that were found.
fn picks<'c>(
    found: &Found<'_>,
    (evidence, whole, named): (&'c [Evidence], &'c [Chunk], &[String]),
) -> Vec<Pick<'c>> {
    let (intent, style) = (found.intent(), found.asking.base.style);
    let chunks: Vec<&Chunk> = match style {
        Style::Forensic => whole.iter().collect(),
        _ => evidence.iter().map(|own| &own.chunk).collect(),
    };
    // A summary is in no place that could be cited: it is for finding.
    let chunks: Vec<&Chunk> = chunks.into_iter().filter(|own| !own.is_summary()).collect();
    let mut units = extract::units(&chunks, style);
    for filter in &found.asking.filters.0 {
        if let Condition::Lines(ranges) = filter {
            let has = |(first, last): (u32, u32)| {
                ranges.iter().any(|(from, to)| *from <= last && first <= *to)
            };
            units.retain(|unit| unit.lines.is_some_and(has));
        }
    }
    let prior = Prior::of_evidence(evidence, named);
    extract::picks(units, (found.understood.question(), style), intent, &prior)
}

/// What a model reads: the best passages, and in a case the best records, as many as fit into that.
fn read<'c>(picks: &[Pick<'c>], evidence: &'c [Evidence], asking: &Asking<'_>) -> Vec<&'c Chunk> {
    let (found, best) =
        (evidence.iter().map(|own| &own.chunk), picks.iter().map(|own| own.unit.chunk));
    let mut chunks: Vec<&Chunk> = match asking.base.style {
        Style::Forensic => best.collect(),
        Style::Procedural | Style::Educational => found.collect(),
    };
    let mut seen = HashSet::new();
    chunks.retain(|chunk| !chunk.is_summary() && seen.insert(chunk.id));
    let mut left = asking.top_k.value() * PASSAGE;
    let fits = |chunk: &&&Chunk| {
        let had = left;
        left = left.saturating_sub(chunk.text.len().max(PASSAGE / RECORDS));
        had > 0
    };
    let count = chunks.iter().take_while(fits).count();
    chunks.truncate(if asking.base.style == Style::Forensic {
        count
    } else {
        asking.top_k.value()
    });
    chunks
}

async fn written<'c>(
    services: &Services<'_>,
    asking: &Asking<'_>,
    question: &str,
    read: &[&'c Chunk],
) -> Result<write::Written<'c>> {
    let none = || crate::Error::unavailable("the language model", "none is set up");
    let (model, _) = services.model.ok_or_else(none)?;
    write::write(model, asking.base, question, read).await
}

/// Whether a draft stands in the passages that it quotes.
fn holds(draft: &Draft<'_>) -> bool {
    let texts: Vec<String> = draft.quotes.iter().map(|quote| quote.chunk.text.clone()).collect();
    verify::is_supported(&draft.text, &texts)
}

/// Why the evidence is not to be relied on, if it is not.
fn doubt(
    found: &Found<'_>,
    picks: &[Pick<'_>],
    evidence: &[Evidence],
    held: Option<&Conditions>,
) -> Option<Reason> {
    let Some(best) = picks.first() else { return Some(Reason::NoEvidence) };
    let texts = |count: usize| {
        evidence.iter().take(count).map(|own| &own.chunk).flat_map(|chunk| {
            [chunk.text.as_str(), chunk.title.as_str(), chunk.section.as_str(), chunk.name.as_str()]
        })
    };
    let own = [best.unit.chunk.text.as_str()];
    let rest = &found.intent().rest;
    let coverage = extract::coverage(rest, texts(TELLING).chain(own));
    let signals = Signals {
        nearest: abstain::nearest(evidence),
        coverage,
        share: best.share,
        best: evidence.first().map_or(0.0, |own| own.parts.total),
        unknown_names: abstain::unknown_names(rest, texts(evidence.len()).chain(own)),
        is_filtered: held.is_some_and(|held| FILTERS.iter().any(|own| held.contains_key(*own))),
    };
    (signals.verdict(found.asking.base.style) < 0.0).then_some(Reason::BelowThreshold)
}
