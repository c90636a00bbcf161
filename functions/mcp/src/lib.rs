//! `POST /mcp`: the Model Context Protocol, and what anybody may read: the metadata that says where
//! tokens come from, and the OpenAPI document. The gateway checks no token for this function: it
//! does so itself, since clients need more of a refusal than the gateway says.

use std::sync::{Arc, LazyLock};

use handlers::All;
use lambda::{Outcome, PlainReply, PlainRequest};
use ports::scope::Caller;

mod arguments;
mod backend;
mod challenge;
#[cfg(test)]
mod foreign;
mod keys;
mod page;
mod protocol;
mod resources;
mod server;
mod settings;
mod several;
mod text;
mod token;
mod tools;

use challenge::{metadata, refused};
use keys::Keys;
pub use settings::Settings;
use wire::route::{McpRoute, Route};

/// The document, as `make openapi` wrote it.
const DOCUMENT: &str = include_str!("../../../infra/openapi.json");

/// The same as a page, made once: anybody may ask for it.
static PAGE: LazyLock<String> = LazyLock::new(|| page::page(DOCUMENT));

/// A server of the protocol.
pub struct Mcp {
    settings: Settings,
    keys: Arc<Keys>,
    handlers: All,
}

impl Mcp {
    /// Makes a server whose tools call these handlers.
    pub fn new(settings: Settings, handlers: All) -> Mcp {
        token::install();
        Mcp { keys: Arc::new(Keys::of(&settings.issuer)), settings, handlers }
    }

    /// Returns the handlers.
    pub fn handlers(&self) -> &All {
        &self.handlers
    }

    /// Answers a request of whoever has the token in it.
    pub async fn answer(&self, request: PlainRequest) -> PlainReply {
        let Mcp { settings, handlers, .. } = self;
        let resource = settings.resource(&request.base);
        match request.route {
            Some(Route::Mcp(McpRoute::ReadMetadata | McpRoute::ReadMcpMetadata)) => {
                public("application/json", metadata(settings, &resource))
            }
            Some(Route::Mcp(McpRoute::ReadOpenapi)) => document(),
            Some(Route::Mcp(McpRoute::ReadDocs)) => page(),
            _ => match self.caller(&request).await {
                Ok(caller) => protocol::answer(settings, handlers, caller, request).await,
                Err(refused) => refused,
            },
        }
    }

    /// Identifies the caller by the token in a request.
    ///
    /// # Errors
    /// The reply that turns the caller away.
    pub async fn caller(&self, request: &PlainRequest) -> Result<Caller, PlainReply> {
        let resource = self.settings.resource(&request.base);
        let caller = token::caller(request, &self.settings, &self.keys, &resource).await;
        caller.map_err(|refusal| refused(&refusal, &resource, &request.stamp.id))
    }

    /// Answers a request of a caller who was identified already.
    pub async fn answer_caller(&self, caller: Caller, request: PlainRequest) -> PlainReply {
        protocol::answer(&self.settings, &self.handlers, caller, request).await
    }
}

/// Returns the OpenAPI document, which anybody may read.
pub fn document() -> PlainReply {
    public("application/json", DOCUMENT.to_owned())
}

/// Returns the same as a page.
pub fn page() -> PlainReply {
    public("text/html; charset=utf-8", PAGE.clone())
}

/// A reply that anybody may read, and keep for a while.
fn public(content_type: &str, body: String) -> PlainReply {
    let headers = [
        ("content-type", content_type),
        ("cache-control", "public, max-age=300"),
        ("x-content-type-options", "nosniff"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    PlainReply { status_code: 200, headers, body, outcome: Outcome::default() }
}
