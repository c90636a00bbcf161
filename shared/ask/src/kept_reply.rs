//! Keeps the whole reply of a workflow for its caller if the reply had no room for all results, so
//! that the rest can be read without a second question.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::{Caller, Scope};
use ports::{KeptSearch, Members, SearchCache, scope};

/// The time for which a reply is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(1);

/// The kept data.
#[derive(Debug, Serialize, Deserialize)]
struct Body {
    /// The knowledge bases that were searched, by their names in requests.
    knowledge: Vec<String>,
    /// The whole report.
    report: Value,
}

/// Keeps a report for the caller alone, under the id of its request.
///
/// # Errors
/// [`Error::Unavailable`] if the table does not answer, or if the report is too large for it.
pub async fn keep(
    replies: &dyn SearchCache,
    caller: &Caller,
    stamp: &Stamp,
    knowledge: Vec<String>,
    report: Value,
) -> Result<()> {
    let scopes = scopes(caller, &knowledge)?;
    let (owner, key) = (Scope::User(caller.sub.clone()), key(&stamp.id));
    let (corpus, _) = replies.search(&scopes, &owner, &key).await?;
    let body = serde_json::to_string(&Body { knowledge, report })
        .map_err(|error| Error::unavailable("the answer", error))?;
    replies
        .keep_search(&owner, &key, &KeptSearch { body, corpus, expires_at: stamp.time + KEPT })
        .await
}

/// Returns a kept report to the caller for whom it was made.
///
/// # Errors
/// [`Error::Missing`] for an id that is unknown, expired or another caller's; the errors of
/// [`scope::grant_one`] for a knowledge base that the caller may no longer read;
/// [`Error::Conflict`] if its documents have changed since.
pub async fn read(
    replies: &dyn SearchCache,
    members: &dyn Members,
    caller: &Caller,
    id: &str,
    stamp: &Stamp,
) -> Result<Value> {
    let missing = || Error::Missing { kind: "answer", name: id.into() };
    ulid::Ulid::from_string(id).map_err(|_| missing())?;
    let (owner, key) = (Scope::User(caller.sub.clone()), key(id));
    let (_, kept) = replies.search(&[], &owner, &key).await?;
    let kept = kept.filter(|kept| kept.expires_at > stamp.time).ok_or_else(missing)?;
    let body: Body =
        serde_json::from_str(&kept.body).map_err(|error| Error::unavailable("the table", error))?;
    let scopes = scopes(caller, &body.knowledge)?;
    for scope in &scopes {
        scope::grant_one(caller, scope, members).await?;
    }
    let (corpus, _) = replies.search(&scopes, &owner, &key).await?;
    if corpus != kept.corpus {
        return Err(Error::conflict("answer_id", "the documents changed since: ask again"));
    }
    Ok(body.report)
}

fn scopes(caller: &Caller, knowledge: &[String]) -> Result<Vec<Scope>> {
    knowledge.iter().map(|name| scope::named(caller, name)).collect()
}

fn key(id: &str) -> String {
    format!("reply#{id}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use testing::{FakeAnswers, FakeMembers, caller, stamp};

    fn kept(sub: &str, knowledge: &[&str]) -> (FakeAnswers, Stamp) {
        let (replies, made) = (FakeAnswers::default(), stamp("2026-11-20T18:00:00Z"));
        let knowledge = knowledge.iter().map(|name| (*name).to_owned()).collect();
        let report = json!({"results": [1, 2, 3]});
        pollster::block_on(keep(&replies, &caller(sub), &made, knowledge, report)).unwrap();
        (replies, made)
    }

    fn given(replies: &FakeAnswers, sub: &str, id: &str, time: &str) -> Result<Value> {
        let members = FakeMembers::default();
        pollster::block_on(read(replies, &members, &caller(sub), id, &stamp(time)))
    }

    #[test]
    fn the_caller_reads_the_whole_for_an_hour_and_nobody_else_does() {
        let (replies, made) = kept("ann", &["global", "user"]);
        let report = given(&replies, "ann", &made.id, "2026-11-20T18:59:00Z").unwrap();
        assert_eq!(report, json!({"results": [1, 2, 3]}));
        for (sub, id, time) in [
            ("bob", made.id.as_str(), "2026-11-20T18:01:00Z"),
            ("ann", made.id.as_str(), "2026-11-20T19:01:00Z"),
            ("ann", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "2026-11-20T18:01:00Z"),
            ("ann", "no id", "2026-11-20T18:01:00Z"),
        ] {
            let missing = given(&replies, sub, id, time).unwrap_err();
            assert!(matches!(missing, Error::Missing { kind: "answer", .. }), "{missing:?}");
        }
    }

    #[test]
    fn a_reply_whose_documents_changed_is_not_given() {
        let (replies, made) = kept("ann", &["global"]);
        replies.change(&Scope::Global);
        let conflict = given(&replies, "ann", &made.id, "2026-11-20T18:01:00Z").unwrap_err();
        assert!(matches!(conflict, Error::Conflict { .. }), "{conflict:?}");
    }
}
