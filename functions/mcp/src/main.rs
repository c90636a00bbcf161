//! `POST /mcp`: the Model Context Protocol, and what anybody may read: the metadata that says where
//! tokens come from, and the OpenAPI document. The gateway checks no token for this function: it
//! does so itself, since clients need more of a refusal than the gateway says.

use std::sync::LazyLock;

use lambda::{Outcome, PlainReply, PlainRequest};

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

use backend::Backend;
use challenge::{metadata, refused};
use keys::Keys;
use settings::Settings;
use wire::route::{McpRoute, Route};

/// The document, as `make openapi` wrote it.
const DOCUMENT: &str = include_str!("../../../infra/openapi.json");

/// The same as a page, made once: anybody may ask for it.
static PAGE: LazyLock<String> = LazyLock::new(|| page::page(DOCUMENT));

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let settings = Settings::from_env()?;
    let (keys, backend) = (Keys::of(&settings.issuer), Backend::from_env()?);
    token::install();
    lambda::serve_plain(async |request: PlainRequest| {
        answer(&settings, &keys, &backend, request).await
    })
    .await
}

async fn answer(
    settings: &Settings,
    keys: &Keys,
    backend: &Backend,
    request: PlainRequest,
) -> PlainReply {
    let resource = settings.resource(&request.base);
    match request.route {
        Some(Route::Mcp(McpRoute::ReadOpenapi)) => public("application/json", DOCUMENT.to_owned()),
        Some(Route::Mcp(McpRoute::ReadDocs)) => public("text/html; charset=utf-8", PAGE.clone()),
        Some(Route::Mcp(McpRoute::ReadMetadata | McpRoute::ReadMcpMetadata)) => {
            public("application/json", metadata(settings, &resource))
        }
        _ => match token::caller(&request, settings, keys, &resource) {
            Ok(caller) => protocol::answer(settings, backend, caller, request).await,
            Err(refusal) => refused(&refusal, &resource, &request.stamp.id),
        },
    }
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
