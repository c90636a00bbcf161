//! An answer as the caller sees it.

use std::collections::HashSet;

use super::compose::{compose, sources_line};
use super::make::Found;
use super::say::Said;
use super::wire::{Abstention, Cache, Citation, Kept, PassageRead, Reason, Report, Support};
use super::{Given, abstain};
use crate::document::Chunk;
use crate::strategy::Evidence;

/// The answer as the caller sees it.
pub(super) fn shown(
    found: &Found<'_>,
    said: Said<'_>,
    evidence: &[Evidence],
    chunks: &[Chunk],
) -> Given {
    let Found { asking, understood, .. } = found;
    let composed = compose(&said.drafts, asking.base);
    let scores: Vec<_> =
        evidence.iter().map(|own| (own.chunk.document_id, own.parts.total)).collect();
    let all: Vec<&Chunk> = evidence.iter().map(|own| &own.chunk).chain(chunks).collect();
    let supported = said.drafts.len();
    let suggested = |reason: Reason| abstain::suggestion(reason, evidence);
    let abstention = |reason: Reason| Abstention { reason, suggested_question: suggested(reason) };
    let report = Report {
        result_type: "answer".into(),
        knowledge: asking.scope.to_string(),
        sources_line: sources_line(&composed.citations, &scores, asking.base, &all),
        answer: composed.answer,
        claims: composed.claims,
        read_as: None,
        also_read_as: None,
        unread: Vec::new(),
        records: None,
        rewritten_question: understood.texts.get(1).cloned(),
        abstained: said.reason.map(abstention),
        support: Support {
            claims: supported + said.dropped,
            supported,
            dropped: said.dropped,
            removed: said.removed,
        },
        passages: passages_read(evidence, &composed.citations, asking.top_k.value()),
        citations: composed.citations,
    };
    let kept = Kept {
        answer_id: None,
        effort: asking.effort.name().into(),
        corpus: 0,
        cache: Cache::Miss,
        tokens: said.tokens,
    };
    Given { report, kept, degraded: said.degraded.into_iter().collect() }
}

/// The best passages; where all records were gone through, those that are cited.
fn passages_read(evidence: &[Evidence], citations: &[Citation], most: usize) -> Vec<PassageRead> {
    let found = evidence.iter().map(|own| PassageRead {
        chunk_id: own.chunk.id,
        document_id: own.chunk.document_id,
        name: own.chunk.name.clone(),
        score: own.parts.total,
        lines: own.chunk.lines,
    });
    let cited = citations.iter().map(|own| PassageRead {
        chunk_id: own.chunk_id,
        document_id: own.document_id,
        name: own.name.clone(),
        score: 1.0,
        lines: own.lines,
    });
    if !evidence.is_empty() {
        return found.take(most).collect();
    }
    let mut seen = HashSet::new();
    cited.filter(|own| seen.insert(own.chunk_id)).take(most).collect()
}
