//! What the passages say, in their own words or in a model's, and whether it is to be relied on.

use std::collections::HashSet;

use super::abstain::{self, Signals};
use super::compose::Draft;
use super::extract::{self, Pick, Prior};
use super::intent::Intent;
use super::knowledge::Style;
use super::make::Found;
use super::wire::{Counted, Effort, Reason};
use super::{Asking, Services, conflict, minimal, tally, verify, write};
use crate::Result;
use crate::document::Chunk;
use crate::strategy::{Degraded, Evidence};

/// The most passages whose words tell what is known of a question's subject.
const TELLING: usize = 8;

/// What is to be said, before it is shown.
#[derive(Default)]
pub(super) struct Said<'c> {
    pub drafts: Vec<Draft<'c>>,
    pub dropped: usize,
    pub removed: usize,
    pub reason: Option<Reason>,
    pub counted: Option<Counted>,
    /// What the question's words stood for that held.
    pub held: Option<Intent>,
    pub tokens: (u32, u32),
    pub degraded: Option<Degraded>,
}

/// What the passages say: in their own words, or in those of a model that hold.
pub(super) async fn said<'c>(
    services: &Services<'_>,
    found: &Found<'_>,
    (evidence, whole, named): (&'c [Evidence], &'c [Chunk], &[String]),
) -> Said<'c> {
    let mut said = Said::default();
    let (asking, question) = (found.asking, found.understood.question());
    let style = asking.base.style;
    let (picks, held) = picks(found, (evidence, whole, named));
    said.held = held;
    said.reason = doubt(found, &picks, evidence, said.held.as_ref());
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

/// The parts that may answer, best first; of a small case any line that the question's filters allow, and these
/// filters, where some line satisfies them.
fn picks<'c>(
    found: &Found<'_>,
    (evidence, whole, named): (&'c [Evidence], &'c [Chunk], &[String]),
) -> (Vec<Pick<'c>>, Option<Intent>) {
    let (intent, style) = (found.intent(), found.asking.base.style);
    let read_whole = style == Style::Forensic && !whole.is_empty();
    let chunks: Vec<&Chunk> = if read_whole {
        whole.iter().collect()
    } else {
        evidence.iter().map(|own| &own.chunk).collect()
    };
    // A summary is in no place that could be cited: it is for finding.
    let chunks: Vec<&Chunk> = chunks.into_iter().filter(|own| !own.is_summary()).collect();
    let mut units = extract::units(&chunks, style);
    units.retain(|unit| intent.own.iter().all(|own| tally::satisfies(unit, own)));
    let mut held = None;
    if units.iter().any(|unit| tally::fits(unit, intent)) && read_whole {
        units.retain(|unit| tally::fits(unit, intent));
        held = Some(intent.clone());
    }
    let prior = Prior::of_evidence(evidence, named);
    (extract::picks(units, (found.understood.question(), style), intent, &prior), held)
}

/// What a model reads: the best passages, which in a case that is read whole are those of the best parts.
fn read<'c>(picks: &[Pick<'c>], evidence: &'c [Evidence], asking: &Asking<'_>) -> Vec<&'c Chunk> {
    let found = evidence.iter().map(|own| &own.chunk);
    let best = picks.iter().map(|own| own.unit.chunk);
    let mut chunks: Vec<&Chunk> = match asking.base.style {
        Style::Forensic => best.collect(),
        Style::Procedural | Style::Educational => found.collect(),
    };
    let mut seen = HashSet::new();
    chunks.retain(|chunk| !chunk.is_summary() && seen.insert(chunk.id));
    chunks.truncate(asking.top_k.value());
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
    held: Option<&Intent>,
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
        is_filtered: held.is_some_and(|held| !held.conditions.is_empty()),
    };
    (signals.verdict(found.asking.base.style) < 0.0).then_some(Reason::BelowThreshold)
}
