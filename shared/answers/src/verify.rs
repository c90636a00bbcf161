//! The fourth stage drops claims that their passages do not support.

use wire::answer::AbstentionReason;

use super::check;
use super::compose::{Draft, Wording, cited};
use super::extract::Extracted;
use super::knowledge::KnowledgeBase;
use ask::claim;
use ports::Model;
use ports::degraded::Degraded;

/// The verified drafts.
pub(super) struct Verified<'c> {
    pub drafts: Vec<Draft<'c>>,
    /// The number of claims that their passages do not support.
    pub dropped: usize,
    /// The number of further lines with as many words of the question.
    pub further: usize,
    /// The number of citations that refer to no passage.
    pub removed: usize,
    /// The reason why nothing is answered, or why several sides are shown.
    pub reason: Option<AbstentionReason>,
    pub degraded: Option<Degraded>,
}

/// Drops the drafts that their cited passages do not support. `model` checks the claims that a
/// model wrote; if it fails, the rules decide alone.
pub(super) async fn verified<'c>(
    extracted: Extracted<'c>,
    base: &KnowledgeBase,
    model: Option<&dyn Model>,
) -> Verified<'c> {
    let Extracted { drafts, mut reason, further, removed, mut degraded } = extracted;
    let written: Vec<&Draft<'_>> = drafts.iter().filter(|draft| is_checkable(draft)).collect();
    let checked = match model.filter(|_| !written.is_empty()) {
        Some(model) => check::checked(model, base, &written).await.map(Some),
        None => Ok(None),
    };
    let mut stands = checked
        .unwrap_or_else(|error| {
            degraded = Some(Degraded { part: "check of the claims".into(), error });
            None
        })
        .map(Vec::into_iter);
    let all = drafts.len();
    let mut holds = |draft: &Draft<'c>| match stands.as_mut().filter(|_| is_checkable(draft)) {
        Some(stands) => stands.next() == Some(true),
        None => holds(draft, base),
    };
    let drafts: Vec<Draft<'c>> = drafts.into_iter().filter(|draft| holds(draft)).collect();
    let dropped = all - drafts.len();
    if dropped > 0 && drafts.is_empty() {
        reason = Some(AbstentionReason::BelowThreshold);
    }
    Verified { drafts, dropped, further, removed, reason, degraded }
}

/// Returns true for a model's claim with citations.
fn is_checkable(draft: &Draft<'_>) -> bool {
    draft.wording == Wording::Model && !draft.quotes.is_empty()
}

fn holds(draft: &Draft<'_>, base: &KnowledgeBase) -> bool {
    match &draft.wording {
        Wording::Documents => {
            let sections = draft.quotes.iter().map(|quote| quote.passage.section.as_str());
            let texts = draft.quotes.iter().map(|quote| quote.passage.text.as_str());
            claim::is_made_of(&draft.text, texts.chain(sections))
        }
        Wording::Service(computed) => {
            claim::has_figures(&draft.text, &cited(draft, base, Some(computed)))
        }
        Wording::Model => {
            is_checkable(draft) && claim::stands(&draft.text, &cited(draft, base, None))
        }
    }
}
