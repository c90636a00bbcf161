//! Who asks.

use adapters::env;
use hyper::HeaderMap;
use lambda::{PlainReply, PlainRequest};
use model::Error;
use ports::scope::{Caller, RequiredScopes};
use ring::digest::{SHA256, digest};
use wire::keys::{Key, PREFIX};
use wire::route::{McpRoute, Route};

use super::Server;
use crate::settings::ADMINS;

/// The name of the person whose program it is.
pub(super) const OWNER: &str = "me";

impl Server {
    /// Refuses names that are not this machine's: a page of another site could have its own name
    /// lead here, and then read what is answered.
    pub(super) fn check_host(&self, headers: &HeaderMap) -> model::Result<()> {
        let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
        let port = self.reach.address.port();
        let here = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let public = self.reach.url.rsplit('/').next().map(str::to_owned);
        if here.into_iter().chain(public).any(|known| host.eq_ignore_ascii_case(&known)) {
            return Ok(());
        }
        Err(Error::Malformed { field: "host".into(), reason: "is not this machine".into() })
    }

    /// Returns true for what anybody may read: descriptions, and where tokens come from.
    pub(super) fn is_open(&self, route: Route) -> bool {
        match route {
            Route::Mcp(McpRoute::ReadOpenapi | McpRoute::ReadDocs) => true,
            Route::Mcp(McpRoute::ReadMetadata | McpRoute::ReadMcpMetadata) => self.reach.has_issuer,
            _ => false,
        }
    }

    /// Returns who has the token in a request: the one of this program, one of an API key, or one
    /// of the issuer.
    ///
    /// # Errors
    /// The reply that turns the caller away.
    pub(super) async fn identified(&self, request: &PlainRequest) -> Result<Caller, PlainReply> {
        if self.has_token(request.header("authorization")) {
            return Ok(self.owner());
        }
        let unknown = || lambda::unknown_caller(&request.stamp.id);
        let token = request.header("authorization").and_then(lambda::bearer).unwrap_or_default();
        if token.starts_with(PREFIX) {
            let found = self.mcp.handlers().key(token, request.stamp.time).await;
            let found = found.map_err(|error| lambda::refusal(&error, &request.stamp.id))?;
            let admins = |key: &Key| {
                let of_issuer = env::groups().map_or_else(|_| ADMINS.to_owned(), |own| own.admins);
                if key.made_by == OWNER { ADMINS.to_owned() } else { of_issuer }
            };
            return found.map(|key| keys::caller(&key, &admins(&key))).ok_or_else(unknown);
        }
        if !self.reach.has_issuer {
            return Err(unknown());
        }
        let caller = self.mcp.caller(request).await?;
        // Nobody else has the owner's name.
        if caller.sub == OWNER { Err(unknown()) } else { Ok(caller) }
    }

    /// Returns true if a header has the token of this program.
    pub(super) fn has_token(&self, authorization: Option<&str>) -> bool {
        let token = authorization.and_then(lambda::bearer);
        // The time of the comparison says nothing of the token.
        let hash = |token: &str| digest(&SHA256, token.as_bytes());
        token.is_some_and(|token| hash(token).as_ref() == hash(&self.token).as_ref())
    }

    /// The person whose program it is.
    pub(super) fn owner(&self) -> Caller {
        let RequiredScopes { read, write, reveal } = env::scopes();
        Caller {
            sub: OWNER.into(),
            groups: [ADMINS.to_owned()].into_iter().chain(self.teams.iter().cloned()).collect(),
            scopes: [read, write, reveal].into_iter().flatten().collect(),
            has_key: false,
            admin_group: ADMINS.into(),
        }
    }
}
