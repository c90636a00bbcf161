//! Routes to workflows: what a function opens when it starts, and what it does with each request. A
//! function of the HTTP API is one [`Handler`]; the MCP server has several and hands each tool's
//! call to the one that has its route.

#![expect(async_fn_in_trait, reason = "nothing here needs futures that are Send")]

use adapters::services::Services;
use lambda::{Call, Error, Gate, Response};
use serde::Serialize;

mod alerts;
mod all;
mod answers;
mod custom;
mod documents;
mod form;
mod keys;
mod projects;
mod search;
mod sources;
mod tried;

pub use alerts::Alerts;
pub use all::All;
pub use answers::Answers;
pub use custom::Custom;
pub use documents::Documents;
pub use keys::{KeyReply, Keys};
pub use projects::Projects;
pub use search::{Clients, Searching};
pub use sources::SourceSearch;

/// What a function of the HTTP API does.
pub trait Handler: Sized {
    /// What its routes answer.
    type Reply: Serialize;

    /// Takes its clients from these services.
    ///
    /// # Errors
    /// Names the setting that is missing, or the file that cannot be read.
    fn of(services: &impl Services) -> Result<Self, Error>;

    /// The checks that a request passes before it is handled.
    ///
    /// # Errors
    /// Names the setting that is missing or cannot be read.
    fn gate(&self) -> Result<Gate<'_>, Error>;

    /// Answers a request.
    ///
    /// # Errors
    /// [`model::Error::Missing`] for a route that is not its own, and all that the
    /// workflow refuses.
    async fn handle(&self, call: &Call) -> model::Result<Response<Self::Reply>>;
}

/// Answers requests until the environment ends.
///
/// # Errors
/// See [`Handler::of`].
pub async fn serve<H: Handler>(services: &impl Services) -> Result<(), Error> {
    let handler = H::of(services)?;
    lambda::serve_http(handler.gate()?, async |call: &Call| handler.handle(call).await).await
}

/// The refusal of a route that is not a handler's.
fn no_such_route(call: &Call) -> model::Error {
    model::Error::Missing { kind: "route", name: call.route.to_string() }
}
