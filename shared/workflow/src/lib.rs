//! All that Plumbline knows, without any I/O.
//!
//! Reading order: the words ([`question`], [`scope`], [`document`], [`object`], [`filter`], [`evidence`], [`cursor`];
//! requests, replies, projects and decisions are in [`wire`]), how texts are read ([`block`], [`sentence`], [`term`],
//! [`topic`], [`quantity`]), the outside world as the workflows need it ([`ports`]), the pipeline ([`strategy`],
//! [`retrieve`], [`fuse`], [`rerank`], [`facet`], [`abstain`], [`claim`], [`degraded`]) with the decisions that settle a question
//! ([`settled`]) and what a project adds to it ([`related`], [`succession`], [`watch`]), the arithmetic of decisions
//! ([`matrix`]), and the workflows themselves ([`rcca`], [`trade`], [`explore`], [`plan`], [`custom`], [`projects`],
//! [`digest`], [`cases`], [`ingest`], [`upload`], [`reindex`], [`removal`], [`passage`], [`health`]).
//! Nothing here reads a clock, a file, a socket or the environment: the time and the ids of a request come with it.

pub use model::{Error, Result, error};
pub use model::{block, composed, document, facts, language, object, option, sentence, term};

pub mod abstain;
pub mod answer;
pub mod beside;
pub mod cases;
pub mod catalog;
pub mod chat;
pub mod claim;
mod conflict;
pub mod conflicts;
pub mod cursor;
pub mod custom;
pub mod degraded;
pub mod digest;
mod embed;
pub mod evidence;
pub mod excerpt;
pub mod explore;
pub mod facet;
pub mod file_deletion;
pub mod filter;
#[cfg(test)]
mod foreign;
pub mod fuse;
mod grade;
pub mod health;
pub mod ingest;
pub mod kept_reply;
mod literal;
mod marked;
mod name;
pub mod once;
pub mod passage;
pub mod plan;
pub mod ports;
pub mod projects;
pub mod question;
pub mod rcca;
pub mod records;
pub mod reindex;
pub mod related;
pub mod removal;
pub mod rerank;
pub mod retrieve;
pub mod scope;
pub mod search;
pub mod settled;
pub mod strategy;
mod subject;
pub mod succession;
#[cfg(feature = "testing")]
pub mod testing;
pub mod topic;
pub mod trade;
pub mod trail;
pub mod trial;
pub mod upload;
mod user;
pub mod usual;
pub mod watch;
mod words;
