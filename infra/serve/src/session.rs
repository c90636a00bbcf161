//! The session of a browser: an address with a key that is good once gives it a cookie.

use std::cell::RefCell;

use anyhow::{Result, anyhow};
use hyper::HeaderMap;
use lambda::{Outcome, PlainReply};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

/// A session. It holds for as long as the token does.
pub(crate) struct Session {
    /// The key of the address; none, once it was used.
    key: RefCell<Option<String>>,
    /// The name of the cookie and its value.
    cookie: String,
}

impl Session {
    /// Returns the session of who has the token of the program at this port.
    ///
    /// # Errors
    /// Says that the machine gives no random numbers.
    pub(crate) fn new(token: &str, port: u16) -> Result<Session> {
        let mut key = [0; 16];
        let filled = SystemRandom::new().fill(&mut key);
        filled.map_err(|_| anyhow!("this machine gives no random numbers"))?;
        let signed = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, token.as_bytes()), b"pages");
        let value = model::document::hexadecimal(signed.as_ref());
        // Cookies are the same for all ports of a machine: the name tells them apart.
        let cookie = format!("plumbline-{port}={value}");
        Ok(Session { key: RefCell::new(Some(model::document::hexadecimal(&key))), cookie })
    }

    /// Returns the query of the address that opens a session, while it was not used.
    pub(crate) fn query(&self) -> Option<String> {
        self.key.borrow().as_ref().map(|key| format!("?key={key}"))
    }

    /// Opens a session for who has the key, which is good once.
    pub(crate) fn opened(&self, key: &str) -> PlainReply {
        if self.key.borrow().as_deref() != Some(key) {
            return unknown();
        }
        self.key.replace(None);
        let mut reply = moved("/");
        let cookie =
            format!("{}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000", self.cookie);
        reply.headers.insert("set-cookie".into(), cookie);
        reply
    }

    /// Returns true if a request has the cookie.
    pub(crate) fn is_in(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all("cookie").iter().filter_map(|it| it.to_str().ok());
        cookies.flat_map(|it| it.split(';')).any(|one| one.trim() == self.cookie)
    }
}

/// The reply to a browser without a session.
pub(crate) fn unknown() -> PlainReply {
    const ADVICE: &str = "This page needs the address that `plumbline serve` printed when it started: it is good once. Start it again for another one.";
    PlainReply { status_code: 401, ..file(ADVICE.into(), "text/plain; charset=utf-8") }
}

/// A text of another type than a page.
pub(crate) fn file(body: String, content_type: &str) -> PlainReply {
    let mut reply = page(200, body);
    reply.headers.insert("content-type".into(), content_type.into());
    reply
}

/// The reply that leads a browser to another page.
pub(crate) fn moved(path: &str) -> PlainReply {
    let mut reply = page(303, String::new());
    reply.headers.insert("location".into(), path.into());
    reply
}

/// A page that nothing else may keep or frame.
pub(crate) fn page(status_code: u16, body: String) -> PlainReply {
    let headers = [
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    PlainReply { status_code, headers, body, outcome: Outcome::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(hyper::header::COOKIE, cookie.parse().unwrap())])
    }

    #[test]
    fn a_key_opens_one_session_which_holds_as_long_as_the_token() {
        let session = Session::new("token", 7600).unwrap();
        let key = session.query().unwrap().replace("?key=", "");
        assert_eq!(session.opened("another").status_code, 401);
        let opened = session.opened(&key);
        assert_eq!((opened.status_code, opened.headers["location"].as_str()), (303, "/"));
        assert_eq!((session.opened(&key).status_code, session.query()), (401, None));
        let cookie = opened.headers["set-cookie"].split(';').next().unwrap();
        let both = headers(&format!("other=1; {cookie}"));
        assert!(session.is_in(&both) && !session.is_in(&headers("plumbline-7600=1")));
        assert!(Session::new("token", 7600).unwrap().is_in(&both));
        assert!(!Session::new("new", 7600).unwrap().is_in(&both));
        assert!(!Session::new("token", 7601).unwrap().is_in(&both));
    }
}
