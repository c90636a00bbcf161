//! What a browser asks for: pages, and marks that are kept.

use std::collections::HashMap;
use std::time::SystemTime;

use hyper::Method;
use hyper::body::Incoming;
use hyper::http::request::Parts;
use lambda::{Call, PlainReply};
use model::Error;

use super::{BODY, LONGEST, Server, query_of, whole};
use crate::marks::Mark;
use crate::page::{MARKED, MARKS, PAGES, Pages};
use crate::session;

/// Returns true for the paths that a browser asks for.
pub(super) fn has(path: &str) -> bool {
    PAGES.contains(&path) || path == MARKED
}

impl Server {
    /// Answers the person whose browser has the session. The file of what was marked is for who has
    /// the token, too.
    pub(super) async fn in_a_browser(
        &self,
        parts: &Parts,
        body: Incoming,
    ) -> model::Result<PlainReply> {
        let (method, path, query) = (&parts.method, parts.uri.path(), query_of(parts));
        if let Some(key) = query.get("key").filter(|_| method == Method::GET) {
            return Ok(self.session.opened(key));
        }
        let header = parts.headers.get("authorization").and_then(|it| it.to_str().ok());
        let has_token = || path == MARKED && self.has_token(header);
        if !self.session.is_in(&parts.headers) && !has_token() {
            return Ok(session::unknown());
        }
        match (method, path) {
            (&Method::GET, MARKED) => {
                Ok(session::file(self.marks.lines()?, "application/x-ndjson"))
            }
            (&Method::POST, MARKS) => {
                self.marks.keep(&Mark::of_form(&whole(body, BODY).await?))?;
                Ok(session::moved(MARKS))
            }
            (&Method::GET, _) => Ok(self.page(path, &query).await),
            _ => Err(Error::Missing { kind: "route", name: format!("{method} {path}") }),
        }
    }

    async fn page(&self, path: &str, query: &HashMap<String, String>) -> PlainReply {
        let call = |asking| {
            Call::new(asking, Server::owner(), lambda::stamp(), SystemTime::now() + LONGEST)
        };
        let (handlers, marks) = (self.mcp.handlers(), &self.marks);
        let pages = Pages { handlers, address: &self.reach.url, marks, call };
        session::page(200, pages.at(path, query).await)
    }
}
