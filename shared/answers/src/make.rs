//! Makes a new answer in five stages: understand, retrieve, extract, verify, render.

use wire::answer::AbstentionReason;
use wire::trial::ModelPart;

use super::extract::extracted;
use super::knowledge::Style;
use super::record::keep_named;
use super::render::rendered;
use super::retrieve::{Retrieved, retrieved};
use super::understand::{Understood, understood};
use super::verify::{Verified, verified};
use super::{Asking, Given, Services, keep, search};
use model::Result;
use ports::CacheRead;
use ports::scope::Grant;
use records::Loaded;

/// Makes an answer and keeps it.
pub(super) async fn make(
    services: &Services<'_>,
    asking: &Asking<'_>,
    grant: &Grant,
    mut read: CacheRead,
) -> Result<Given> {
    let mut loaded = match asking.base.style {
        Style::Forensic => records::load(&services.of_records(), grant).await?,
        Style::Procedural | Style::Educational => Loaded::default(),
    };
    keep_named(&mut loaded, &asking.filters);
    let mut degraded = Vec::new();
    let understood = understood(services, asking, grant, &loaded, &mut degraded).await;
    let retrieved = retrieved(services, &understood, &mut read, &mut degraded).await?;
    let extracted = extracted(services, &understood, &retrieved).await;
    let model = services
        .ask
        .writer
        .and_then(|writer| writer.chat)
        .and_then(|chat| chat.doing(ModelPart::Check));
    let verified = verified(extracted, asking.base, model).await;
    let verified = or_abstained(services, &understood, verified).await?;
    let mut given = rendered(&understood, &retrieved, verified);
    given.kept.corpus = read.corpus;
    given.degraded.append(&mut degraded);
    let vectors = match retrieved {
        Retrieved::Passages(passages) => passages.vectors,
        Retrieved::Nothing | Retrieved::Records(..) | Retrieved::Lines(..) => Vec::new(),
    };
    keep(services, asking, &mut given, vectors).await;
    Ok(given)
}

/// Removes all drafts if nothing is reliable. The reason may be that some documents are not
/// indexed.
async fn or_abstained<'c>(
    services: &Services<'_>,
    understood: &Understood<'_>,
    verified: Verified<'c>,
) -> Result<Verified<'c>> {
    let has_answer = !verified.drafts.is_empty()
        && verified.reason.is_none_or(|reason| reason == AbstentionReason::Conflicting);
    if has_answer {
        return Ok(verified);
    }
    let listed;
    let documents = if understood.loaded.listed.is_empty() {
        listed = search::documents(services, &understood.asking.scope).await?;
        &listed
    } else {
        &understood.loaded.listed
    };
    let reason = match search::unread(documents) {
        (true, _) => AbstentionReason::NotIndexedYet,
        (_, true) => AbstentionReason::IndexingFailed,
        _ => verified.reason.unwrap_or(AbstentionReason::NoEvidence),
    };
    Ok(Verified { drafts: Vec::new(), reason: Some(reason), ..verified })
}
