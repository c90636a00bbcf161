//! The token that a sign-in left, in the user's configuration folder: readable by its owner alone,
//! renewed when it ends.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use etcetera::BaseStrategy;
use jiff::{SignedDuration, Timestamp};
use oauth2::basic::{BasicClient, BasicRequestTokenError, BasicTokenResponse};
use oauth2::{
    AuthUrl, ClientId, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, RefreshToken,
    TokenResponse, TokenUrl,
};
use serde::{Deserialize, Serialize};

use crate::api;

/// A token is renewed this long before it ends.
const MARGIN: SignedDuration = SignedDuration::from_mins(1);

/// The time that a token is taken to hold where the issuer does not say.
const USUAL: Duration = Duration::from_mins(5);

/// A token, what it is for, and how another one is had.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Session {
    /// The API that it was got for; it is sent to no other.
    pub(crate) url: String,
    issuer: String,
    client_id: String,
    token: String,
    refresh_token: Option<String>,
    expires_at: Timestamp,
}

impl Session {
    /// A session with a token that was just issued.
    pub(crate) fn new(
        url: &str,
        issuer: &str,
        client_id: &str,
        token: &BasicTokenResponse,
    ) -> Result<Session> {
        let left = token.expires_in().unwrap_or(USUAL);
        Ok(Session {
            url: url.trim_end_matches('/').into(),
            issuer: issuer.into(),
            client_id: client_id.into(),
            token: token.access_token().secret().clone(),
            refresh_token: token
                .refresh_token()
                .map(|refresh_token| refresh_token.secret().clone()),
            expires_at: Timestamp::now() + SignedDuration::try_from(left)?,
        })
    }

    /// The session that was kept; `None` where nobody is signed in.
    pub(crate) fn kept() -> Result<Option<Session>> {
        let path = path()?;
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).context(format!("cannot read {}", path.display())),
        };
        let read = serde_json::from_str(&text);
        read.map(Some).with_context(|| format!("{} is broken: sign in again", path.display()))
    }

    /// The token, renewed where it has ended or is about to.
    pub(crate) fn token(&mut self) -> Result<String> {
        if Timestamp::now() + MARGIN < self.expires_at {
            return Ok(self.token.clone());
        }
        let Some(refresh_token) = self.refresh_token.clone() else {
            bail!("the session has ended: sign in again with plumbline login");
        };
        let refresh = RefreshToken::new(refresh_token.clone());
        let client = Provider::discover(&self.issuer)?.client(&self.client_id)?;
        let renewed = client.exchange_refresh_token(&refresh).request(&send);
        let renewed = renewed.map_err(|error| match &error {
            BasicRequestTokenError::ServerResponse(_) => {
                refused(error).context("the session cannot be renewed: sign in again")
            }
            _ => refused(error),
        })?;
        let mut session = Session::new(&self.url, &self.issuer, &self.client_id, &renewed)?;
        // An issuer that does not rotate them sends none.
        session.refresh_token.get_or_insert(refresh_token);
        session.save()?;
        *self = session;
        Ok(self.token.clone())
    }

    /// Returns the minutes that the token still holds, for people.
    pub(crate) fn minutes_left(&self) -> i64 {
        (self.expires_at - Timestamp::now()).total(jiff::Unit::Minute).map_or(0, whole)
    }

    /// Keeps it, in a file that its owner alone may read; gives the file's path.
    pub(crate) fn save(&self) -> Result<PathBuf> {
        let path = path()?;
        let folder = path.parent().context("the configuration folder has no name")?;
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        // It takes the old one's place as a whole; a temporary file is made with mode 0600.
        let mut file = tempfile::NamedTempFile::new_in(folder)
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        file.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
        file.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "minutes of a session")]
fn whole(minutes: f64) -> i64 {
    minutes as i64
}

/// Forgets the session; whether there was one.
pub(crate) fn remove() -> Result<bool> {
    match fs::remove_file(path()?) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).context("the token cannot be forgotten"),
    }
}

fn path() -> Result<PathBuf> {
    let folders = etcetera::choose_base_strategy().context("there is no home folder")?;
    Ok(folders.config_dir().join("plumbline").join("session.json"))
}

/// The addresses of an issuer (`OpenID` Connect Discovery 1.0).
#[derive(Debug, Deserialize)]
pub(crate) struct Provider {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
}

/// A client whose endpoints are both known.
type Client = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

impl Provider {
    /// Reads what the issuer tells of itself; refuses one that calls itself otherwise, and
    /// addresses that are not encrypted.
    pub(crate) fn discover(issuer: &str) -> Result<Provider> {
        let issuer = issuer.trim_end_matches('/');
        api::refuse_open_address(issuer)?;
        let address = format!("{issuer}/.well-known/openid-configuration");
        let response =
            agent().get(&address).call().with_context(|| format!("{address} does not answer"))?;
        let status = response.status();
        let provider: Result<Provider, _> = response.into_body().read_json();
        let provider = provider.with_context(|| {
            format!("{address} answered with status {status} and tells of no issuer")
        })?;
        if provider.issuer.trim_end_matches('/') != issuer {
            bail!("{address} tells of another issuer, {}", provider.issuer);
        }
        api::refuse_open_address(&provider.authorization_endpoint)?;
        api::refuse_open_address(&provider.token_endpoint)?;
        Ok(provider)
    }

    /// A public client of the issuer's.
    pub(crate) fn client(&self, id: &str) -> Result<Client> {
        let authorize = AuthUrl::new(self.authorization_endpoint.clone())
            .context("the issuer's authorization endpoint is no address")?;
        let token = TokenUrl::new(self.token_endpoint.clone())
            .context("the issuer's token endpoint is no address")?;
        let client = BasicClient::new(ClientId::new(id.into()));
        Ok(client.set_auth_uri(authorize).set_token_uri(token))
    }
}

/// Follows no redirect: what it sends is for the issuer alone.
fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    config.timeout_global(Some(Duration::from_secs(30))).build().into()
}

/// Sends a request of the sign-in.
pub(crate) fn send(request: HttpRequest) -> Result<HttpResponse, ureq::Error> {
    let (parts, mut body) = agent().run(request)?.into_parts();
    Ok(HttpResponse::from_parts(parts, body.read_to_vec()?))
}

/// Tells why no token was issued, without what was sent.
pub(crate) fn refused(error: BasicRequestTokenError<ureq::Error>) -> anyhow::Error {
    match error {
        BasicRequestTokenError::ServerResponse(response) => {
            anyhow::anyhow!("the issuer gives no token: {response}")
        }
        BasicRequestTokenError::Request(error) => {
            anyhow::Error::new(error).context("the issuer does not answer")
        }
        _ => anyhow::anyhow!("the issuer's answer has no token"),
    }
}
