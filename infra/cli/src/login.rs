//! `plumbline login` and `logout`: a token through the browser, kept for the commands that follow.
//!
//! The authorization code flow with PKCE of a public client, whose code comes back to this machine
//! (RFC 8252).

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use oauth2::{AuthorizationCode, CsrfToken, PkceCodeChallenge, Scope, url::Url};
use tiny_http::{Header, Response, Server};

use crate::api;
use crate::session::{self, Provider, Session};

/// Gets a token through the browser and keeps it: later commands need neither `PLUMBLINE_URL` nor
/// `PLUMBLINE_TOKEN`.
#[derive(Debug, Args)]
pub(crate) struct Login {
    /// Who issues tokens: the template's `JwtIssuer`.
    #[arg(long, env = "PLUMBLINE_ISSUER")]
    issuer: String,
    /// The public client that is registered there for this command.
    #[arg(long, env = "PLUMBLINE_CLIENT_ID")]
    client_id: String,
    /// What is asked for, by blanks; Entra needs `offline_access` and a scope of the API, too.
    #[arg(long, default_value = "openid")]
    scope: String,
    /// The port of the redirect that is registered: http://127.0.0.1:PORT/callback.
    #[arg(long, default_value_t = 8976)]
    port: u16,
    /// Prints the address for the browser and opens none.
    #[arg(long)]
    no_browser: bool,
}

/// The time that the sign-in may take.
const PATIENCE: Duration = Duration::from_mins(5);

/// Signs in for the API at `url`.
pub(crate) fn run(url: &str, login: &Login) -> Result<()> {
    if url.is_empty() {
        bail!("say which API the token is for: --url or PLUMBLINE_URL");
    }
    api::refuse_open_address(url)?;
    let issuer = Provider::discover(&login.issuer)?;
    let redirect = format!("http://127.0.0.1:{}/callback", login.port);
    let client = issuer.client(&login.client_id)?.set_redirect_uri(
        oauth2::RedirectUrl::new(redirect).context("the redirect is no address")?,
    );
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let scopes = login.scope.split_whitespace().map(|word| Scope::new(word.into()));
    let request = client.authorize_url(CsrfToken::new_random).add_scopes(scopes);
    let (address, state) = request.set_pkce_challenge(challenge).url();
    // Before the browser is sent there, or its answer could find nobody.
    let server = listen(login.port)?;
    show(&address, login.no_browser)?;
    let code = wait_for_code(&server, &state)?;
    let exchange = client.exchange_code(AuthorizationCode::new(code)).set_pkce_verifier(verifier);
    let token = exchange.request(&session::send).map_err(session::refused)?;
    let session = Session::new(url, &login.issuer, &login.client_id, &token)?;
    let path = session.save()?;
    let line = format!("Signed in to {url}; the token is in {}.", path.display());
    console::Term::stdout().write_line(&line)?;
    Ok(())
}

/// Deletes the token.
pub(crate) fn logout() -> Result<()> {
    let line = if session::remove()? { "Signed out." } else { "Nobody was signed in." };
    console::Term::stdout().write_line(line)?;
    Ok(())
}

fn listen(port: u16) -> Result<Server> {
    let address = ("127.0.0.1", port);
    Server::http(address).map_err(|error| {
        anyhow::anyhow!(
            "port {port} of this machine cannot be used ({error}): name another with --port, which must be registered as well"
        )
    })
}

fn show(address: &Url, no_browser: bool) -> Result<()> {
    let terminal = console::Term::stderr();
    terminal.write_line(&format!("Sign in here: {address}"))?;
    if !no_browser && webbrowser::open(address.as_str()).is_err() {
        terminal.write_line("No browser could be opened: open the address yourself.")?;
    }
    Ok(())
}

/// The code that the browser brings back to our own request; what else asks on this port is told
/// that there is nothing.
fn wait_for_code(server: &Server, state: &CsrfToken) -> Result<String> {
    let end = Instant::now() + PATIENCE;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let Some(request) = server.recv_timeout(left).context("no redirect can be received")?
        else {
            bail!("nobody signed in within {} minutes", PATIENCE.as_secs() / 60);
        };
        let Some(answer) = Answer::read(request.url()).filter(|read| read.is_to(state)) else {
            tell(request, 404, "There is nothing here.");
            continue;
        };
        let code = answer.code();
        let message = match &code {
            Ok(_) => "You are signed in. You may close this page.",
            Err(_) => "You are not signed in: the command line says why. You may close this page.",
        };
        tell(request, 200, message);
        return code;
    }
}

/// Answers a browser; whether it still listens is no matter.
fn tell(request: tiny_http::Request, status: u16, text: &str) {
    let response = Response::from_string(text).with_status_code(status);
    let plain = Header::from_bytes("content-type", "text/plain; charset=utf-8");
    let response = plain.into_iter().fold(response, Response::with_header);
    request.respond(response).ok();
}

/// The parameters of a redirect.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

impl Answer {
    /// Reads the path and the query of a request; `None` where it is no redirect.
    fn read(path: &str) -> Option<Answer> {
        let url = Url::parse("http://localhost").ok()?.join(path).ok()?;
        if url.path() != "/callback" {
            return None;
        }
        let mut answer = Answer::default();
        for (name, value) in url.query_pairs() {
            let field = match &*name {
                "code" => &mut answer.code,
                "state" => &mut answer.state,
                "error" | "error_description" => &mut answer.error,
                _ => continue,
            };
            *field = Some(value.into_owned());
        }
        Some(answer)
    }

    /// Returns true if it answers our own request: any page may send a browser here.
    fn is_to(&self, state: &CsrfToken) -> bool {
        self.state.as_ref() == Some(state.secret())
    }

    fn code(self) -> Result<String> {
        match self {
            Answer { error: Some(error), .. } => bail!("the issuer refused: {error}"),
            Answer { code: Some(code), .. } => Ok(code),
            Answer { .. } => bail!("the issuer's answer has no code"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str) -> Option<Answer> {
        Answer::read(path).filter(|read| read.is_to(&CsrfToken::new("s1".into())))
    }

    #[test]
    fn a_code_is_taken_from_an_answer_to_our_own_request_only() {
        assert_eq!(read("/callback?code=a%2Bb&state=s1").unwrap().code().unwrap(), "a+b");
        for other in ["/callback?code=ab&state=s2", "/callback?code=ab", "/favicon.ico?state=s1"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn what_the_issuer_refuses_is_told() {
        let refused = read("/callback?error=access_denied&error_description=No+one&state=s1");
        let refused = refused.unwrap().code().unwrap_err();
        assert_eq!(refused.to_string(), "the issuer refused: No one");
    }
}
