//! Projects with their decisions, and the digests of what changed in them.

pub mod digest;
pub mod projects;
