//! `plumbline token`: a token for a program, by client credentials (RFC 6749, 4.4).

use anyhow::{Result, bail};
use clap::Args;
use oauth2::{ClientSecret, Scope, TokenResponse};

use crate::session::{self, Provider};

/// Which program asks for a token, and where.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Who issues tokens: the template's `JwtIssuer`.
    #[arg(long, env = "PLUMBLINE_ISSUER")]
    issuer: String,
    /// The client that is registered there for the program.
    #[arg(long, env = "PLUMBLINE_CLIENT_ID")]
    client_id: String,
    /// What is asked for, by blanks; all that the client may have if empty.
    #[arg(long, default_value = "")]
    scope: String,
    /// The client's secret. Set the variable: options stand in the list of processes.
    #[arg(long, env = "PLUMBLINE_CLIENT_SECRET", hide_env_values = true, default_value = "")]
    client_secret: String,
}

/// Prints a token of the program.
pub(crate) fn run(wanted: &Wanted) -> Result<()> {
    if wanted.client_secret.is_empty() {
        bail!("PLUMBLINE_CLIENT_SECRET is not set: it has the client's secret");
    }
    let client = Provider::discover(&wanted.issuer)?.client(&wanted.client_id)?;
    let client = client.set_client_secret(ClientSecret::new(wanted.client_secret.clone()));
    let scopes = wanted.scope.split_whitespace().map(|word| Scope::new(word.into()));
    let request = client.exchange_client_credentials().add_scopes(scopes);
    let token = request.request(&session::send).map_err(session::refused)?;
    console::Term::stdout().write_line(token.access_token().secret())?;
    Ok(())
}
