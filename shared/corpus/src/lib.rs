//! The documents of knowledge bases: how they are announced, indexed, listed, indexed again, and
//! deleted.

pub mod beside;
pub mod cases;
pub mod catalog;
pub mod deletion;
pub mod file_deletion;
pub mod ingest;
pub mod passage;
pub mod reindex;
pub mod removal;
pub mod upload;
pub mod watch;
