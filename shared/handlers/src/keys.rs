//! API keys of programs.

use adapters::services::Services;
use adapters::{Table, env};
use jiff::Timestamp;
use lambda::{Call, Gate, Response};
use model::Result;
use ports::scope::RequiredScopes;
use serde::Serialize;
use wire::keys::{Key, KeyList, KeyScope, MadeKey, NewKey};
use wire::route::{KeyRoute, Route};

use crate::{Handler, no_such_route};

/// The store of keys.
pub struct Keys {
    scopes: RequiredScopes,
    table: Table,
}

/// What the routes answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum KeyReply {
    /// A key that was just made.
    Made(MadeKey),
    /// All keys.
    Listed(KeyList),
    /// A key that is revoked.
    Revoked(Key),
}

impl Handler for Keys {
    type Reply = KeyReply;

    fn of(services: &impl Services) -> Result<Self, lambda::Error> {
        Ok(Keys { scopes: env::scopes(), table: services.table()? })
    }

    fn gate(&self) -> Result<Gate<'_>, lambda::Error> {
        Ok(Gate::new(env::groups()?, self.scopes.clone(), env::rate()?, &self.table))
    }

    async fn handle(&self, call: &Call) -> Result<Response<KeyReply>> {
        let Keys { scopes, table } = self;
        let Call { caller, stamp, .. } = call;
        let reply = match call.route {
            Route::Keys(KeyRoute::MakeKey) => {
                let new: NewKey = call.json()?;
                // A key shows no more than its maker may see.
                let reveal = scopes.reveal.as_ref();
                let reveals = new.scopes.contains(&KeyScope::Reveal);
                caller.require_scope(reveal.filter(|_| reveals))?;
                KeyReply::Made(::keys::make(table, caller, stamp, new).await?)
            }
            Route::Keys(KeyRoute::ListKeys) => KeyReply::Listed(::keys::list(table, caller).await?),
            Route::Keys(KeyRoute::RevokeKey) => {
                let id = call.parameter("key_id");
                KeyReply::Revoked(::keys::revoke(table, caller, id, stamp.time).await?)
            }
            _ => return Err(no_such_route(call)),
        };
        Ok(Response::Json(reply))
    }
}

impl Keys {
    pub(crate) async fn find(&self, token: &str, now: Timestamp) -> Result<Option<Key>> {
        ::keys::find(&self.table, token, now).await
    }
}
