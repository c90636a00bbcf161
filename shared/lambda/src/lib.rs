//! The hinge between AWS Lambda and the workflows: an event becomes a [`Call`], what a workflow gives becomes a
//! reply, and an error becomes problem details (RFC 9457). Every request gets its time and its ULID here.

mod call;
mod event;
mod http;
mod identity;
mod problem;
mod queue;
mod receipt;
mod retry;
mod work;

pub use call::Call;
pub use http::{Shown, serve, serve_shown};
pub use lambda_runtime::Error;
pub use queue::{Message, serve_queue};
pub use receipt::{Receipt, Timed};
pub use retry::Failed;
pub use tokio;
pub use work::{Work, serve_work};

/// Logs a line that needs no action.
pub fn log(line: &str) {
    tracing::info!("{line}");
}

/// Logs a line that somebody should act on.
pub fn log_error(line: &str) {
    tracing::error!("{line}");
}

/// Sends logs to stdout as JSON lines, one per event: Lambda puts them where they belong.
fn log_as_json() {
    let lines = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_target(false);
    // The one global: a second subscriber, as in tests, is refused and the first stays.
    let _ = lines.with_max_level(tracing::Level::INFO).try_init();
}
