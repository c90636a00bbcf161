//! The fourth stage: what does not stand in the passages that it cites is not said.

use wire::answer::AbstentionReason;

use super::claim::{self, Source};
use super::compose::{Draft, Wording};
use super::extract::Extracted;
use super::knowledge::KnowledgeBase;
use crate::degraded::Degraded;
use crate::document::DocumentType;

/// What is to be said.
pub(super) struct Verified<'c> {
    pub drafts: Vec<Draft<'c>>,
    /// The claims that their passages do not bear.
    pub dropped: usize,
    /// Citations of no passage.
    pub removed: usize,
    /// The reason why nothing is said, or why several sides are told.
    pub reason: Option<AbstentionReason>,
    pub degraded: Option<Degraded>,
}

/// Drops what does not stand in the passages that it cites.
pub(super) fn verified<'c>(extracted: Extracted<'c>, base: &KnowledgeBase) -> Verified<'c> {
    let Extracted { mut drafts, mut reason, removed, degraded } = extracted;
    let all = drafts.len();
    drafts.retain(|draft| holds(draft, base));
    let dropped = all - drafts.len();
    if dropped > 0 && drafts.is_empty() {
        reason = Some(AbstentionReason::BelowThreshold);
    }
    Verified { drafts, dropped, removed, reason, degraded }
}

fn holds(draft: &Draft<'_>, base: &KnowledgeBase) -> bool {
    let chunks = draft.quotes.iter().map(|quote| quote.chunk);
    let headers: Vec<String> = chunks.clone().map(|chunk| base.header(chunk)).collect();
    let cited = chunks.zip(&headers);
    let cited =
        cited.map(|(cited, header)| (header.as_str(), cited.text.as_str(), cited.document_type));
    match &draft.wording {
        Wording::Documents => {
            let sections = draft.quotes.iter().map(|quote| quote.chunk.section.as_str());
            let texts = draft.quotes.iter().map(|quote| quote.chunk.text.as_str());
            claim::is_made_of(&draft.text, texts.chain(sections))
        }
        Wording::Service(computed) => {
            let figures = [("", computed.as_str(), DocumentType::Log)];
            claim::has_figures(&draft.text, &Source::of(cited.chain(figures)))
        }
        Wording::Model => {
            draft.quotes.iter().len() > 0 && claim::flaw(&draft.text, &Source::of(cited)).is_none()
        }
    }
}
