//! Who asks, as their token says.

use model::{Error, Result};
use wire::keys::KeyScope;

/// The claim of a token that contains its groups, and the group with more rights than a team; both
/// have the issuer's names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupSettings {
    /// The claim with the names.
    pub claim: String,
    /// The group whose members may put documents into the global knowledge base.
    pub admins: String,
    /// The beginning of scopes that name a group, such as `plumbline/group-`: a program has scopes
    /// and no groups. `None` if no scope names one.
    pub scope_prefix: Option<String>,
}

/// The scopes (OAuth 2.0) that a token must have; `None` if none is needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequiredScopes {
    /// For every request.
    pub read: Option<String>,
    /// For a request that changes something.
    pub write: Option<String>,
    /// For a request that shows secrets.
    pub reveal: Option<String>,
}

/// The caller, as the gateway's authorizer identified them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The token's subject.
    pub sub: String,
    /// The token's groups.
    pub groups: Vec<String>,
    /// The token's scopes; of an API key the names of what it allows.
    pub scopes: Vec<String>,
    /// True if an API key let the caller in and no issuer's token.
    pub has_key: bool,
    /// The group that is needed to fill the global knowledge base, whether the caller has it or
    /// not: [`GroupSettings::admins`].
    pub admin_group: String,
}

impl RequiredScopes {
    /// Returns the scopes that an API key must have, whatever is asked of tokens.
    pub fn of_keys() -> RequiredScopes {
        let name = |scope: KeyScope| Some(scope.name().to_owned());
        RequiredScopes {
            read: name(KeyScope::Read),
            write: name(KeyScope::Write),
            reveal: name(KeyScope::Reveal),
        }
    }
}

impl Caller {
    /// Checks that the caller belongs to a group.
    ///
    /// # Errors
    /// [`Error::Denied`] with the group.
    pub fn require(&self, group: &str) -> Result<()> {
        if self.groups.iter().any(|g| g == group) {
            return Ok(());
        }
        Err(Error::Denied { group: group.into() })
    }

    /// Checks that the token has a scope, if one is needed.
    ///
    /// # Errors
    /// [`Error::Unscoped`] with the scope.
    pub fn require_scope(&self, scope: Option<&String>) -> Result<()> {
        match scope {
            Some(scope) if !self.scopes.contains(scope) => {
                Err(Error::Unscoped { scope: scope.clone() })
            }
            _ => Ok(()),
        }
    }
}
