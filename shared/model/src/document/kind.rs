//! The kinds of documents and of their origins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of text that a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    /// A norm with requirements.
    Standard,
    /// A handbook.
    Handbook,
    /// A textbook.
    Textbook,
    /// Reference documentation.
    Reference,
    /// A guide.
    Guide,
    /// A report on a past failure.
    Postmortem,
    /// A decision record.
    Decision,
    /// A proposal or RFC.
    Proposal,
    /// A procedure.
    Runbook,
    /// A log.
    Log,
    /// A configuration file.
    Config,
    /// Source code.
    Code,
    /// Anything else.
    Other,
}

impl DocumentType {
    /// All kinds, with their names in the API.
    pub const ALL: [(DocumentType, &str); 13] = [
        (DocumentType::Standard, "standard"),
        (DocumentType::Handbook, "handbook"),
        (DocumentType::Textbook, "textbook"),
        (DocumentType::Reference, "reference"),
        (DocumentType::Guide, "guide"),
        (DocumentType::Postmortem, "postmortem"),
        (DocumentType::Decision, "decision"),
        (DocumentType::Proposal, "proposal"),
        (DocumentType::Runbook, "runbook"),
        (DocumentType::Log, "log"),
        (DocumentType::Config, "config"),
        (DocumentType::Code, "code"),
        (DocumentType::Other, "other"),
    ];

    /// Parses the name in the API.
    pub fn parse(name: &str) -> Option<DocumentType> {
        DocumentType::ALL.iter().find(|(_, x)| *x == name).map(|(kind, _)| *kind)
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        DocumentType::ALL.iter().find(|(kind, _)| *kind == self).map_or("other", |(_, name)| name)
    }
}

/// The kind of origin a document comes from; it has an authority and an age of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Source code.
    Code,
    /// Textbooks.
    Textbook,
    /// Documentation.
    Docs,
    /// Guides.
    Guide,
    /// Exported forum threads.
    Forum,
    /// Uploaded logs and settings.
    Runtime,
}

impl Origin {
    /// All kinds, with their names in the API.
    pub const ALL: [(Origin, &str); 6] = [
        (Origin::Code, "code"),
        (Origin::Textbook, "textbook"),
        (Origin::Docs, "docs"),
        (Origin::Guide, "guide"),
        (Origin::Forum, "forum"),
        (Origin::Runtime, "runtime"),
    ];

    /// Parses the name in the API.
    pub fn parse(name: &str) -> Option<Origin> {
        Origin::ALL.iter().find(|(_, x)| *x == name).map(|(origin, _)| *origin)
    }

    /// Returns the name in the API.
    pub fn name(self) -> &'static str {
        Origin::ALL.iter().find(|(origin, _)| *origin == self).map_or("docs", |(_, name)| name)
    }
}
