//! Operations of API keys.

use serde_json::json;
use wire::keys::{Key, KeyList, MadeKey, NewKey};
use wire::route::KeyRoute;

use crate::operation::Operation;

pub(super) fn key(of: Operation, route: KeyRoute) -> Operation {
    match route {
        KeyRoute::MakeKey => of
            .takes::<NewKey, MadeKey>(
                "Make a key for a program.",
                json!({"name": "nightly ingest", "scopes": ["write"], "groups": ["knowledge-admins"], "days": 90}),
            )
            .about(
                "The program sends `token` as its bearer token to the address for keys. It is shown once. Needs the \
                 admin group.",
            ),
        KeyRoute::ListKeys => of
            .gives::<KeyList>("List the keys.")
            .about("Who made each, what it allows, when it ends and when it was used last. Needs the admin group."),
        KeyRoute::RevokeKey => of
            .gives::<Key>("Revoke a key.")
            .about("It opens nothing any more once the gateway asks again (`KeyCacheSeconds`, a minute). Needs the admin group."),
    }
}
