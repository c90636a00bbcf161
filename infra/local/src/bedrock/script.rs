//! The script, set by tests: what the next calls do instead of answering.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Bedrock;

/// The script, shared by all calls.
#[derive(Default)]
pub(super) struct ScriptHolder(Mutex<Script>);

/// The actions that are left, and the counts of the calls.
#[derive(Default)]
pub(super) struct Script {
    /// The actions for calls of `invoke`.
    pub(super) invoke: Queue,
    /// The actions for calls of `converse`.
    pub(super) converse: Queue,
}

/// The actions that are left for one operation, in order.
#[derive(Default)]
pub(super) struct Queue {
    actions: VecDeque<Action>,
    calls: u64,
}

/// The action of one call. All parts except the delay exclude each other; an empty action gives the
/// real answer.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Action {
    /// The HTTP status of a failure, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    /// ... with this error type, such as `ThrottlingException`, ...
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// ... and this message.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The wait before everything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    delay_ms: Option<u64>,
    /// The body of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Value>,
    /// True to answer with incomplete JSON.
    #[serde(default)]
    malformed: bool,
    /// The number of calls with this action, before the next action's turn.
    #[serde(default = "once")]
    times: u32,
}

fn once() -> u32 {
    1
}

/// The outcome of an action, after its delay.
pub(super) enum Outcome {
    /// An error.
    Refuse { status: StatusCode, kind: String, message: String },
    /// Incomplete JSON.
    Malformed,
    /// A ready answer.
    Body(Value),
    /// The real answer, as without a script.
    Proceed,
}

impl Action {
    /// Returns the wait before everything else.
    pub(super) fn delay(&self) -> Option<Duration> {
        self.delay_ms.map(Duration::from_millis)
    }

    /// Returns the outcome after the delay.
    pub(super) fn outcome(self) -> Outcome {
        match (self.status, self.body) {
            (Some(status), _) => Outcome::Refuse {
                status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
                kind: self.kind.unwrap_or_else(|| "InternalServerException".to_owned()),
                message: self.message.unwrap_or_else(|| "Told to fail".to_owned()),
            },
            (None, Some(body)) => Outcome::Body(body),
            (None, None) if self.malformed => Outcome::Malformed,
            (None, None) => Outcome::Proceed,
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let parts = [self.status.is_some(), self.body.is_some(), self.malformed];
        if parts.into_iter().filter(|is_given| *is_given).count() > 1 {
            return Err("`status`, `body` and `malformed` exclude each other");
        }
        if self.status.is_none() && (self.kind.is_some() || self.message.is_some()) {
            return Err("`type` and `message` need a `status`");
        }
        if self.status.is_some_and(|status| !(400..600).contains(&status)) {
            return Err("`status` must be from 400 to 599");
        }
        if self.times == 0 { Err("`times` must be at least 1") } else { Ok(()) }
    }
}

impl ScriptHolder {
    /// Counts a call and returns the action whose turn it is.
    pub(super) fn next(&self, queue: fn(&mut Script) -> &mut Queue) -> Option<Action> {
        let mut script = self.lock();
        let queue = queue(&mut script);
        queue.calls += 1;
        let first = queue.actions.front_mut()?;
        first.times -= 1;
        if first.times == 0 { queue.actions.pop_front() } else { Some(first.clone()) }
    }

    fn lock(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A script as received. An operation that it does not name keeps its actions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewScript {
    invoke: Option<VecDeque<Action>>,
    converse: Option<VecDeque<Action>>,
}

/// Sets the actions of the next calls, and replaces those that were left.
pub(super) async fn set(State(shared): State<Bedrock>, body: Bytes) -> (StatusCode, Json<Value>) {
    let refuse = |reason: String| (StatusCode::BAD_REQUEST, Json(json!({ "message": reason })));
    let new: NewScript = match serde_json::from_slice(&body) {
        Ok(new) => new,
        Err(err) => return refuse(format!("not a script: {err}")),
    };
    if let Some(reason) =
        new.invoke.iter().chain(&new.converse).flatten().find_map(|action| action.check().err())
    {
        return refuse(format!("not a script: {reason}"));
    }
    let mut script = shared.script.lock();
    if let Some(actions) = new.invoke {
        script.invoke.actions = actions;
    }
    if let Some(actions) = new.converse {
        script.converse.actions = actions;
    }
    (StatusCode::OK, Json(state_json(&script)))
}

/// Returns the actions that are left, and the counts of the calls.
pub(super) async fn show(State(shared): State<Bedrock>) -> Json<Value> {
    Json(state_json(&shared.script.lock()))
}

/// Removes the script and the counts.
pub(super) async fn clear(State(shared): State<Bedrock>) -> Json<Value> {
    let mut script = shared.script.lock();
    *script = Script::default();
    Json(state_json(&script))
}

fn state_json(script: &Script) -> Value {
    json!({
        "invoke": script.invoke.actions,
        "converse": script.converse.actions,
        "calls": {"invoke": script.invoke.calls, "converse": script.converse.calls},
    })
}
