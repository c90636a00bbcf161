//! The place of the API and its caller, as options of a command line.

use anyhow::Result;
use clap::Args;

use crate::api::Api;

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
    /// The API at that address.
    pub fn api(&self) -> Result<Api> {
        Api::new(&self.url, &self.token)
    }
}
