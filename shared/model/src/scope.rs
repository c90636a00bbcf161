//! Scopes: the owners of documents.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The owner of a document. Shown and stored as `global`, `user:<sub>`, `case:<id>`, `team:<id>`,
/// `project:<id>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Scope {
    /// Everyone.
    Global,
    /// One user.
    User(String),
    /// One case, with its evidence.
    Case(String),
    /// A team.
    Team(String),
    /// A project, with its decisions.
    Project(String),
}

impl Scope {
    /// Parses a stored scope; `None` if it is not one. A parsed scope gives no right to read it.
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
    /// Returns the name in requests and replies, in which `user` always means the caller: `global`,
    /// `user`, `case:ID`, `team:ID`.
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
