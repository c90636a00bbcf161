//! The workflows that answer from passages: each a question's searches and the report of what they find.

pub mod conflict;
pub mod conflicts;
pub mod custom;
pub mod explore;
pub mod plan;
#[cfg(test)]
mod plans;
pub mod rcca;
pub mod search;
pub mod trade;
