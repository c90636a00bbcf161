//! Requests and replies of the HTTP API.
//!
//! Both sides of the wire use these types: functions answer with them, the command line reads them.

pub mod health;
pub mod meta;
pub mod passages;
pub mod problem;
pub mod records;
