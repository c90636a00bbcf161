//! What callers send to the HTTP API and get from it, and the records of projects, decisions and cases in it.

pub mod answer;
pub mod cases;
pub mod common;
pub mod custom;
pub mod decisions;
pub mod documents;
pub mod explore;
pub mod fit;
pub mod health;
pub mod knowledge;
pub mod meta;
pub mod passages;
pub mod plan;
pub mod problem;
pub mod projects;
pub mod rcca;
pub mod records;
pub mod request;
pub mod route;
pub mod search;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trade;
pub mod trail;
pub mod trial;
