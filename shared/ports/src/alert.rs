//! The store of alerts, and of what was found and told of them.

use async_trait::async_trait;
use jiff::Timestamp;
use model::Result;
use wire::alerts::{Brief, CaseAlert};
use wire::cases::Case;

use crate::case::Cases;

/// The group in which a sender has alerts. One of its cases is open at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertGroup<'a> {
    /// The route.
    pub route: &'a str,
    /// The sender's key of the group.
    pub key: &'a str,
}

/// The subject of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageOf<'a> {
    /// A case; nobody is told of one that is not open.
    Case(&'a str),
    /// A project.
    Project(&'a str),
}

/// The right to send a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// It was taken.
    Taken,
    /// Somebody else has it, and may send the message or die before.
    Held,
    /// There is nothing to send: the message was sent, or the case is not open.
    Over,
}

/// Stores alerts below the cases that they belong to. All that is stored goes with its case.
#[async_trait]
pub trait Alerts: Cases {
    /// Returns the id of the last case of a group.
    async fn case_of_group(&self, group: AlertGroup<'_>) -> Result<Option<String>>;

    /// Writes a new case for a group in the place of its last one, `last`. Returns false if the
    /// group has another one meanwhile.
    async fn open_alert_case(
        &self,
        group: AlertGroup<'_>,
        case: &Case,
        last: Option<&str>,
    ) -> Result<bool>;

    /// Lists the alerts of a case in the order in which they came.
    async fn alerts(&self, case: &str) -> Result<Vec<CaseAlert>>;

    /// Writes alerts, each in the place of itself as it came once less; one that came once must be
    /// new. Returns false if the case is not open, or other requests wrote some of these alerts
    /// meanwhile; then some may have been written.
    async fn note_alerts(&self, case: &str, alerts: &[CaseAlert]) -> Result<bool>;

    /// Returns what was found for a case.
    async fn brief(&self, case: &str) -> Result<Option<Brief>>;

    /// Keeps what was found for a case, unless more alerts were looked at already, or the case is
    /// not open. Returns true if it is kept.
    async fn keep_brief(&self, case: &str, brief: &Brief) -> Result<bool>;

    /// Takes the right to send a message, which is sent once. Somebody else has it if they took it
    /// after `since`.
    async fn claim_message(
        &self,
        of: MessageOf<'_>,
        message: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<Claim>;

    /// Notes that a message was sent, or, if not, gives the right back.
    async fn settle_message(&self, of: MessageOf<'_>, message: &str, is_sent: bool) -> Result<()>;
}
