//! The workflows that answer from passages. Each has the searches for a question and the report of
//! the findings.

pub mod conflict;
pub mod conflicts;
pub mod custom;
pub mod explore;
pub mod plan;
#[cfg(test)]
mod plans;
pub mod rcca;
pub mod search;
#[cfg(test)]
mod shown_tests;
pub mod trade;
