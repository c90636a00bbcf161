//! Keeps answers, which are given again from the cache or read again by their id.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use uuid::Uuid;
use wire::answer::{AbstentionReason, AnswerReport};

use super::cache::{Cache, Kept};
use super::freshness::{self, Library, scope_of};
use super::{Asking, Given, Services};
use model::{Error, Result};
use ports::context::RequestContext;
use ports::degraded::Degraded;
use ports::question::Stamp;
use ports::scope::Scope;
use ports::{Answers, Cached, Keeping, KeptAnswer, scope};

/// The time for which an answer can be read by its id.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 90);

/// The time for which an embedding is kept. Its key is the text and the model that made it.
const EMBEDDED: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Returns a cached answer; `None` if it can no longer be parsed.
pub(super) fn again(cached: &Cached, asking: &Asking<'_>, now: jiff::Timestamp) -> Option<Given> {
    let report = serde_json::from_str(&cached.body).ok()?;
    let age = now.duration_since(cached.made_at).as_secs();
    let left = cached.expires_at.duration_since(now).as_secs();
    let kept = Kept {
        answer_id: Some(cached.answer_id.clone()),
        mode: asking.mode.name().into(),
        corpus: cached.corpus,
        cache: Cache::Hit { age: age.max(0), left },
    };
    Some(Given { report, kept, degraded: Vec::new() })
}

/// Keeps an answer. If it cannot be kept, the answer is still returned.
pub(super) async fn keep(
    services: &Services<'_>,
    asking: &Asking<'_>,
    given: &mut Given,
    vectors: Vec<(String, Vec<f32>)>,
) {
    let stamp = services.ask.context.stamp;
    let now = stamp.time;
    // An incomplete answer is not cached. A document that arrives, waits or fails may change an
    // abstention.
    let abstained = given.report.abstained.as_ref().map(|g| g.reason);
    let is_whole = given.degraded.is_empty()
        && abstained.is_none_or(|abstained| abstained == AbstentionReason::Conflicting);
    let is_cached = is_whole && asking.base.cache > SignedDuration::ZERO;
    let cache = is_cached.then(|| (asking.key.clone(), now + asking.base.cache));
    let keeping = keeping(given, &asking.scope, stamp);
    let keeping = keeping.map(|keeping| Keeping { cache, vectors, ..keeping });
    put(services.answers, keeping, given).await;
}

/// Keeps an answer that is read by its id alone, never given again to a question.
pub(super) async fn keep_once(
    store: &dyn Answers,
    scope: &Scope,
    stamp: &Stamp,
    given: &mut Given,
) {
    put(store, keeping(given, scope, stamp), given).await;
}

/// Returns what is stored of an answer, without what serves the next question.
fn keeping(given: &Given, scope: &Scope, stamp: &Stamp) -> Result<Keeping> {
    let now = stamp.time;
    let body = serde_json::to_string(&given.report);
    let answer = KeptAnswer {
        answer_id: stamp.id.clone(),
        scope: scope.clone(),
        mode: given.kept.mode.clone(),
        corpus: given.kept.corpus,
        body: body.map_err(|error| Error::unavailable("the answer", error))?,
        expires_at: now + KEPT,
    };
    let mut documents: BTreeMap<Scope, BTreeSet<Uuid>> = BTreeMap::new();
    for citation in &given.report.citations {
        let of_scope = documents.entry(scope_of(citation, scope)).or_default();
        of_scope.insert(citation.passage.document_id);
    }
    Ok(Keeping {
        answer,
        documents,
        cache: None,
        made_at: now,
        vectors: Vec::new(),
        vectors_until: now + EMBEDDED,
    })
}

async fn put(store: &dyn Answers, keeping: Result<Keeping>, given: &mut Given) {
    let kept = async {
        let keeping = keeping?;
        store.keep(&keeping).await?;
        Ok(keeping.answer.answer_id)
    };
    match kept.await {
        Ok(answer_id) => given.kept.answer_id = Some(answer_id),
        Err(error) => given.degraded.push(Degraded { part: "kept answer".into(), error }),
    }
}

/// Returns a kept answer to a caller who may still read its sources, with the current state of its
/// citations.
///
/// # Errors
/// [`Error::Missing`] for an id that is unknown, expired or another caller's, all with the same
/// message.
pub async fn stored(
    answers: &dyn Answers,
    library: &Library<'_>,
    context: &RequestContext<'_>,
    answer_id: &str,
) -> Result<Given> {
    let missing = || Error::Missing { kind: "answer", name: answer_id.into() };
    ulid::Ulid::from_string(answer_id).map_err(|_| missing())?;
    let answer = answers.answer(answer_id, context.stamp.time).await?.ok_or_else(missing)?;
    let hidden = |error: Error| match error {
        Error::Unavailable { .. } | Error::Conflict { .. } => error,
        _ => missing(),
    };
    let RequestContext { caller, members, .. } = context;
    let grant = scope::grant_one(caller, &answer.scope, *members).await.map_err(hidden)?;
    let kept = Kept {
        answer_id: Some(answer.answer_id),
        mode: answer.mode,
        corpus: answer.corpus,
        cache: Cache::Off,
    };
    let mut report: AnswerReport = serde_json::from_str(&answer.body)
        .map_err(|error| Error::unavailable("the table", error))?;
    // What alerts brought to a case may cite everyone's documents and a team's.
    let cited = report.citations.iter().map(|citation| scope_of(citation, &answer.scope));
    let cited: BTreeSet<Scope> = cited.collect();
    let mut grant = grant;
    for scope in cited.iter().filter(|scope| **scope != answer.scope) {
        grant = grant.and(scope::grant_one(caller, scope, *members).await.map_err(hidden)?);
    }
    let checked = freshness::tell(library, &answer.scope, &grant, &mut report).await;
    let degraded = checked.err().map(|error| Degraded { part: "freshness".into(), error });
    Ok(Given { report, kept, degraded: degraded.into_iter().collect() })
}
