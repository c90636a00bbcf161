//! The knowledge base that a command means, and the paths that it has.

use std::fmt;
use std::str::FromStr;

use crate::address::part;

/// A knowledge base, by whose documents it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Knowledge {
    /// Everyone's.
    Global,
    /// The caller's own.
    User,
    /// Those of a case, by its id.
    Case(String),
    /// Those of a team, by its id.
    Team(String),
}

impl FromStr for Knowledge {
    type Err = String;

    fn from_str(text: &str) -> Result<Knowledge, String> {
        match text.split_once(':') {
            None if text == "global" => Ok(Knowledge::Global),
            None if text == "user" => Ok(Knowledge::User),
            Some(("case", id)) if !id.is_empty() => Ok(Knowledge::Case(id.into())),
            Some(("team", id)) if !id.is_empty() => Ok(Knowledge::Team(id.into())),
            _ => Err("must be global, user, case:ID or team:ID".into()),
        }
    }
}

impl fmt::Display for Knowledge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Knowledge::Global => out.write_str("global"),
            Knowledge::User => out.write_str("user"),
            Knowledge::Case(id) => write!(out, "case:{id}"),
            Knowledge::Team(id) => write!(out, "team:{id}"),
        }
    }
}

impl Knowledge {
    /// The path of its documents.
    pub(crate) fn documents(&self) -> String {
        format!("{}/documents", self.path())
    }

    /// The path that questions to it take.
    pub fn answer(&self) -> String {
        format!("{}/answer", self.path())
    }

    /// The path that queries of its records take.
    pub(crate) fn records(&self) -> String {
        format!("{}/records", self.path())
    }

    /// The path of its passages.
    pub(crate) fn passages(&self) -> String {
        format!("{}/passages", self.path())
    }

    fn path(&self) -> String {
        match self {
            Knowledge::Global => "/v1/global".into(),
            Knowledge::User => "/v1/users/me".into(),
            Knowledge::Case(id) => format!("/v1/cases/{}", part(id)),
            Knowledge::Team(id) => format!("/v1/teams/{}", part(id)),
        }
    }
}
