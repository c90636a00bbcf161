//! Whose documents: the scopes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Whose documents a document stands among. Shown and stored as `global`, `user:<sub>`, `case:<id>`, `team:<id>`,
/// `project:<id>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Scope {
    /// Everyone's.
    Global,
    /// One user's own.
    User(String),
    /// The evidence of one case.
    Case(String),
    /// A team's.
    Team(String),
    /// A project's decisions.
    Project(String),
}

impl Scope {
    /// Reads a scope as it is stored; `None` where it is not one. To name a scope is not yet to may read it.
    pub fn parse(stored: &str) -> Option<Scope> {
        if stored == "global" {
            return Some(Scope::Global);
        }
        let (kind, id) = stored.split_once(':')?;
        let id = Some(id).filter(|id| !id.is_empty())?.to_owned();
        match kind {
            "user" => Some(Scope::User(id)),
            "case" => Some(Scope::Case(id)),
            "team" => Some(Scope::Team(id)),
            "project" => Some(Scope::Project(id)),
            _ => None,
        }
    }
}

impl Scope {
    /// Its name in requests and replies, where nobody else's user is ever meant: `global`, `user`, `case:ID`, `team:ID`.
    pub fn knowledge(&self) -> String {
        match self {
            Scope::User(_) => "user".into(),
            scope => scope.to_string(),
        }
    }
}

impl TryFrom<String> for Scope {
    type Error = String;

    fn try_from(stored: String) -> Result<Scope, String> {
        Scope::parse(&stored).ok_or_else(|| format!("`{stored}` is no scope"))
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> String {
        scope.to_string()
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Global => write!(formatter, "global"),
            Scope::User(id) => write!(formatter, "user:{id}"),
            Scope::Case(id) => write!(formatter, "case:{id}"),
            Scope::Team(id) => write!(formatter, "team:{id}"),
            Scope::Project(id) => write!(formatter, "project:{id}"),
        }
    }
}
