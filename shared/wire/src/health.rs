//! `GET /v1/health`: whether what answers depend on is there, and how the caller is seen.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::trial::ChatModelHealth;

/// How the caller is seen, and how the services stand that answers depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Who the token says that the caller is.
    pub caller: CallerIdentity,
    /// The embedding model, which was asked to embed a word.
    pub embedding: ServiceHealth,
    /// The collection of the index.
    pub index: ServiceHealth,
    /// The table.
    pub table: ServiceHealth,
    /// The language model that answers are written by, as its trial says; it is not asked.
    pub chat_model: Option<ChatModelHealth>,
    /// The upkeep of the deployment; for members of the admin group only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upkeep: Option<Upkeep>,
}

/// The upkeep of a deployment: its alarms, and the work that does not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Upkeep {
    /// Whether there are alarms, and a topic that hears them (`AlarmTopic`).
    pub is_alarmed: bool,
    /// What has not come to its end after six hours, of the oldest hundred; absent while the table
    /// fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overdue: Option<OverdueWork>,
}

/// Work that was begun more than six hours ago and has not come to its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OverdueWork {
    /// Uploads that were announced and have not come to the ingest: many never come.
    pub waiting: u32,
    /// Documents that are read or deleted, cases that are closed, and decisions that are indexed.
    pub begun: u32,
    /// Those of both that are ten days old: the daily sweep ends or repeats them before.
    pub missed_by_the_sweep: u32,
}

/// A caller as the service sees them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CallerIdentity {
    /// The token's subject.
    pub sub: String,
    /// The groups in the token.
    pub groups: Vec<String>,
    /// The group that fills everyone's knowledge base.
    pub admin_group: String,
}

/// A service and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ServiceHealth {
    /// The model and its dimensions, or the collection.
    pub name: String,
    /// How it stands.
    pub state: ServiceState,
    /// Why it fails, as the service says it; for members of the admin group only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many points the collection has: passages, and what stands for documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u64>,
    /// In which settings the collection differs from one that would be made now, each with both
    /// values; it is used as it is, and `plumbline reindex all` changes it. Of the table, what a
    /// restore did not bring along: recovery, expiry, protection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<String>,
    /// The time until which the key is good that opens the index, where the key tells; for members
    /// of the admin group only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_ends_at: Option<Timestamp>,
    /// The time of the newest snapshot of the collection, where there is one; for members of the
    /// admin group only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot_at: Option<Timestamp>,
}

/// How a service stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServiceState {
    /// It answers.
    Ok,
    /// It answers, and has nothing yet: the first document creates the collection.
    Empty,
    /// It does not answer, or refuses.
    Failing,
}
