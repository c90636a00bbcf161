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
use crate::page::{MARKED, MARKS, PAGES, Pages, is_choice};
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
                // Another program of this machine is another origin, and of the same site.
                let site = parts.headers.get("sec-fetch-site");
                if site.is_some_and(|site| site != "same-origin") {
                    return Ok(session::unknown());
                }
                let mark = Mark::of_form(&whole(body, BODY).await?);
                if mark.question.is_empty() || !is_choice(&mark.workflow) {
                    let reason = "is not of a form of this page".into();
                    return Err(Error::Malformed { field: "body".into(), reason });
                }
                self.marks.keep(&mark)?;
                Ok(session::moved(MARKS))
            }
            (&Method::GET, _) => Ok(self.page(path, &query).await),
            _ => Err(Error::Missing { kind: "route", name: format!("{method} {path}") }),
        }
    }

    async fn page(&self, path: &str, query: &HashMap<String, String>) -> PlainReply {
        let call =
            |asking| Call::new(asking, self.owner(), lambda::stamp(), SystemTime::now() + LONGEST);
        let (handlers, marks) = (self.mcp.handlers(), &self.marks);
        let address = format!("http://{}", self.reach.address);
        let pages = Pages { handlers, address: &address, marks, teams: &self.teams, call };
        session::page(200, pages.at(path, query).await)
    }
}
