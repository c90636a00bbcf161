//! Requests to a program that no platform calls.

use model::Result;
use serde::Serialize;

use crate::call::Call;
use crate::gate::Gate;
use crate::http::{Answered, Outcome, answer_call};
use crate::plain::PlainReply;
use crate::problem::Refusal;
use crate::reply::{Reply, Response};

/// Answers a request that passes the gate with `handler`.
pub async fn reply<R: Serialize>(
    gate: &Gate<'_>,
    handler: impl AsyncFn(&Call) -> Result<Response<R>>,
    call: Call,
) -> PlainReply {
    let Answered { reply, is_degraded, .. } = answer_call(&handler, gate, call).await;
    let outcome = Outcome { is_degraded, is_unavailable: reply.status_code == 503 };
    reply.plain(outcome)
}

/// Returns the reply to a request that is refused before it is a call.
pub fn refusal(error: &model::Error, id: &str) -> PlainReply {
    Reply::refusal(error, id).plain(Outcome::default())
}

/// Returns the reply to a caller whose token is not known.
pub fn unknown_caller(id: &str) -> PlainReply {
    Reply::problem(Refusal::unknown_caller(id)).plain(Outcome::default())
}
