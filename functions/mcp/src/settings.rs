//! What the deployment says of tokens.

use adapters::env;
use ports::scope::GroupSettings;

/// What the deployment says of tokens.
pub struct Settings {
    /// Who issues them: their `iss`, and where the keys are found.
    pub(crate) issuer: String,
    /// What they are issued for, besides the address of this server.
    pub(crate) audiences: Vec<String>,
    /// The scopes that clients are told to ask for.
    pub(crate) scopes: Vec<String>,
    /// The scope that a token must have for every request; `None` if none is needed.
    pub(crate) read_scope: Option<String>,
    /// How the caller's groups are read.
    pub(crate) groups: GroupSettings,
    /// The origins whose pages may call.
    pub(crate) origins: Vec<String>,
    /// The address of the API, where it is not the one that the gateway knows.
    pub(crate) public_url: String,
}

impl Settings {
    /// Settings: `JWT_ISSUER`, `JWT_AUDIENCE`, `MCP_SCOPES`, `READ_SCOPE`, `MCP_ORIGINS`,
    /// `PUBLIC_URL`.
    ///
    /// # Errors
    /// Names the setting that is missing.
    pub fn from_env() -> Result<Settings, lambda::Error> {
        let words = |name| -> Vec<String> {
            let text = env::optional(name).unwrap_or_default();
            text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        Ok(Settings {
            issuer: env::required("JWT_ISSUER")?,
            audiences: listed(&env::required("JWT_AUDIENCE")?),
            scopes: words("MCP_SCOPES"),
            read_scope: env::scopes().read,
            groups: env::groups()?,
            origins: words("MCP_ORIGINS"),
            public_url: env::optional("PUBLIC_URL").unwrap_or_default(),
        })
    }

    /// Returns the same settings for tokens of this issuer for these audiences, several by commas,
    /// and for this public address.
    #[must_use]
    pub fn of_issuer(self, issuer: &str, audience: &str, public_url: &str) -> Settings {
        let (issuer, audiences) = (issuer.to_owned(), listed(audience));
        Settings { issuer, audiences, public_url: public_url.into(), ..self }
    }

    #[cfg(test)]
    pub(crate) fn of_tests(issuer: &str, audience: &str, groups: GroupSettings) -> Settings {
        Settings {
            issuer: issuer.into(),
            audiences: listed(audience),
            scopes: Vec::new(),
            read_scope: None,
            groups,
            origins: Vec::new(),
            public_url: String::new(),
        }
    }

    /// The address of this server, byte for byte as clients know it; `base` is the API's, as the
    /// gateway knows it.
    pub(crate) fn resource(&self, base: &str) -> String {
        let base = if self.public_url.is_empty() { base } else { &self.public_url };
        format!("{}/mcp", base.trim_end_matches('/'))
    }
}

/// Returns the names in a list with commas.
fn listed(names: &str) -> Vec<String> {
    names.split(',').map(|name| name.trim().to_owned()).collect()
}
