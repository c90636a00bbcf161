//! Connects AWS Lambda and the workflows: an event becomes a [`Call`], the result of a workflow
//! becomes a reply, and an error becomes problem details (RFC 9457). Every request gets its time
//! and its ULID here.

pub mod audit;
mod authorizer;
mod call;
mod deadline;
mod direct;
mod event;
mod flagged;
#[cfg(test)]
mod foreign;
mod gate;
mod hold;
mod http;
mod identity;
mod metric;
mod plain;
mod problem;
mod queue;
mod reply;
mod response_meta;
mod retry;
mod stopwatch;
mod work;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub use authorizer::{Keyed, bearer, serve_authorizer};
pub use call::{Asking, Call, read as read_body};
pub use deadline::FOR_THE_REPLY;
pub use direct::{refusal, reply, unknown_caller};
pub use flagged::{flagged, orders};
pub use gate::Gate;
pub use http::{Outcome, serve_http, stamp};
pub use identity::caller_of;
pub use lambda_runtime::Error;
pub use plain::{PlainReply, PlainRequest, serve_plain};
pub use problem::{problem_of, status_of};
pub use queue::{Message, Try, serve_queue};
pub use reply::{Response, fits};
pub use response_meta::{ResponseMeta, Timed};
pub use retry::{Delivery, LAST_RECEIVE};
pub use stopwatch::Stopwatch;
pub use tokio;
pub use work::{Work, serve_work};

/// Returns the current time. A request has its own time, see [`stamp`].
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// Logs a line that needs no action.
pub fn log(line: &str) {
    tracing::info!("{line}");
}

/// Logs a line that somebody should act on.
pub fn log_error(line: &str) {
    tracing::error!("{line}");
}

/// The variable with the log level that the template sets (`LoggingConfig.ApplicationLogLevel`).
/// The platform passes it to functions without a managed runtime and does not filter by it itself.
const LOG_LEVEL: &str = "AWS_LAMBDA_LOG_LEVEL";

/// Sends logs to stdout as JSON lines, one for each event; Lambda stores them. Each line has the
/// ids of the request or the message that it is about.
pub fn log_as_json() {
    let lines = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(true)
        .with_span_list(false)
        .with_target(false);
    #[expect(clippy::disallowed_methods, reason = "it is the platform's, and no setting of ours")]
    let level = std::env::var(LOG_LEVEL).ok().and_then(|name| level(&name));
    let level = level.unwrap_or(tracing::Level::INFO);
    // The subscriber is the only global. A second one, as in tests, is refused, and the first
    // stays.
    let _ = lines.with_max_level(level).finish().with(targets(level)).try_init();
}

/// Returns the lines that are written at a level. At finer levels, rmcp writes the arguments and
/// results of tools, which contain text of documents, and the runtime writes events, which contain
/// tokens and keys.
fn targets(level: tracing::Level) -> Targets {
    Targets::new()
        .with_default(level)
        .with_target("rmcp", tracing::Level::ERROR)
        .with_target("lambda_runtime", level.min(tracing::Level::INFO))
}

/// Sends lines that somebody should act on to stderr, for a program that no platform calls.
pub fn log_errors() {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    let lines = lines.with_max_level(tracing::Level::ERROR).finish();
    // The client of a service says in words of its own what its caller says in ours.
    let told = Targets::new().with_default(tracing::Level::ERROR);
    let _ = lines.with(told.with_target("aws_smithy_runtime", LevelFilter::OFF)).try_init();
}

/// Returns the level for a name that Lambda uses.
fn level(name: &str) -> Option<tracing::Level> {
    match name {
        "FATAL" => Some(tracing::Level::ERROR),
        _ => name.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_no_level_the_runtime_writes_events() {
        for level in [tracing::Level::ERROR, tracing::Level::TRACE] {
            let runtime = "lambda_runtime::layers::api_response";
            assert!(!targets(level).would_enable(runtime, &tracing::Level::DEBUG));
            assert!(targets(level).would_enable(runtime, &tracing::Level::ERROR));
        }
        assert!(targets(tracing::Level::TRACE).would_enable("ask", &tracing::Level::TRACE));
    }

    #[test]
    fn all_levels_that_lambda_has_are_known() {
        for name in ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"] {
            assert!(level(name).is_some(), "{name}");
        }
    }
}
