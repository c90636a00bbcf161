//! The place of the API and its caller, as options of a command line.

use anyhow::Result;
use clap::Args;

use crate::api::Api;
use crate::local;
use crate::session::Session;

/// The API's address and a token for it; what is not given is that of the sign-in.
#[derive(Debug, Args)]
pub struct Access {
    /// The API's address.
    #[arg(long, env = "PLUMBLINE_URL", global = true, default_value = "")]
    pub(crate) url: String,
    /// A bearer token for it.
    #[arg(
        long,
        env = "PLUMBLINE_TOKEN",
        hide_env_values = true,
        global = true,
        default_value = ""
    )]
    pub(crate) token: String,
}

impl Access {
    /// The same, but that of the program on this machine where neither an address nor a token is
    /// given, and nobody is signed in.
    pub(crate) fn or_local(self) -> Result<Access> {
        if !(self.url.is_empty() && self.token.is_empty()) || Session::kept()?.is_some() {
            return Ok(self);
        }
        Ok(match local::running() {
            Some((url, token)) => Access { url, token },
            None => self,
        })
    }

    /// The API at that address.
    pub fn api(&self) -> Result<Api> {
        Api::new(&self.url, &self.token)
    }
}
