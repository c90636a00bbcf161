//! The token of a caller, and where it comes from.

use std::sync::Mutex;

use anyhow::{Result, bail};

use crate::session::Session;

/// The token, and where it comes from.
pub(super) enum Token {
    /// The caller gives it, and renews it.
    Given(String),
    /// A sign-in gave it; it is renewed when it ends.
    Kept(Mutex<Session>),
}

/// The address and the token: those given, else those of the sign-in. A token goes to the API alone
/// that it was got for.
pub(super) fn known(url: &str, token: &str) -> Result<(String, Token)> {
    if !url.is_empty() && !token.is_empty() {
        return Ok((url.into(), Token::Given(token.into())));
    }
    let session = match Session::kept()? {
        Some(session) if token.is_empty() => session,
        _ => bail!(
            "nobody is signed in: run plumbline login, set PLUMBLINE_URL and PLUMBLINE_TOKEN, or start plumbline serve with a folder"
        ),
    };
    if !url.is_empty() && url.trim_end_matches('/') != session.url {
        bail!(
            "you are signed in to {}, not to {url}: run plumbline login --url {url}",
            session.url
        );
    }
    Ok((session.url.clone(), Token::Kept(Mutex::new(session))))
}

impl Token {
    pub(super) fn read(&self) -> Result<String> {
        match self {
            Token::Given(token) => Ok(token.clone()),
            Token::Kept(session) => match session.lock() {
                Ok(mut session) => session.token(),
                Err(_) => bail!("the token could not be renewed"),
            },
        }
    }
}
