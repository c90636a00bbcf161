//! Alerts of monitoring systems.
//!
//! Files say how: one for each vendor ([`vendor`]) and one for each route ([`route`]). A request
//! passes these steps: [`proof`] checks who sends, [`payload`] reads alerts from what they sent,
//! [`receive`] notes them in the case of their group, and [`find`] looks for what helps: the
//! runbook, past failures, decisions, the owner. Behind the request a model may judge the past
//! failures ([`past`]) and write of it all ([`paragraph`]), [`tell`] writes messages, and
//! [`record`] the alerts of a case as records. [`digest`] writes messages about digests of a
//! project that a route names.

mod digest;
mod find;
mod owner;
mod paragraph;
mod past;
mod payload;
mod proof;
mod question;
mod receive;
mod record;
mod route;
mod runbook;
mod show;
mod sns;
mod tell;
#[cfg(test)]
mod testing;
mod vendor;

pub use digest::{digest_messages, joined};
pub use find::{Services, find, is_due};
pub use paragraph::{Writing, write};
pub use past::judge;
pub use payload::{Group, groups};
pub use proof::{Headers, Secrets, check, signed};
pub use receive::{Received, machine, receive};
pub use record::{NAME as RECORDS, lines};
pub use route::{AlertRoute, AlertRoutes, Auth, Event, Form, MessageTo};
pub use show::view;
pub use sns::{Envelope, Notice};
pub use tell::{Message, messages, progress};
pub use vendor::Vendors;

/// A file of a vendor or a route that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct Trouble {
    file: String,
    reason: String,
}

impl Trouble {
    pub(crate) fn new(file: &str, reason: &str) -> Trouble {
        Trouble { file: file.into(), reason: reason.into() }
    }

    pub(crate) fn of(file: &str, error: &toml::de::Error) -> Trouble {
        Trouble::new(file, error.to_string().trim())
    }
}
