//! All that Plumbline knows, without any I/O.
//!
//! Reading order: the words ([`question`], [`scope`], [`document`], [`object`], [`filter`], [`evidence`], [`project`],
//! [`decision`], [`case`], [`trail`], [`cursor`]), how texts are read ([`block`], [`sentence`], [`term`], [`topic`],
//! [`quantity`]), the outside world as the workflows need it ([`ports`]), the pipeline ([`strategy`], [`retrieve`],
//! [`fuse`], [`facet`]) with what a project adds to it ([`related`], [`succession`], [`watch`]), the arithmetic of
//! decisions ([`matrix`]), and the workflows themselves ([`rcca`], [`trade`], [`explore`], [`plan`], [`custom`],
//! [`projects`], [`digest`], [`cases`], [`ingest`], [`upload`], [`removal`]).
//! Nothing here reads a clock, a file, a socket or the environment: the time and the ids of a request come with it.

pub mod answer;
pub mod block;
pub mod case;
pub mod cases;
pub mod chunk;
pub mod cursor;
pub mod custom;
pub mod decision;
pub mod digest;
pub mod document;
pub mod erase;
pub mod error;
pub mod evidence;
pub mod explore;
pub mod facet;
pub mod filter;
pub mod fuse;
pub mod ingest;
pub mod matrix;
pub mod object;
pub mod once;
pub mod plan;
pub mod ports;
pub mod project;
pub mod projects;
pub mod quantity;
pub mod question;
pub mod rcca;
pub mod related;
pub mod removal;
pub mod retrieve;
pub mod scope;
pub mod sentence;
pub mod strategy;
pub mod succession;
pub mod term;
#[cfg(feature = "testing")]
pub mod testing;
pub mod topic;
pub mod trade;
pub mod trail;
pub mod upload;
pub mod watch;

pub use error::{Error, Result};
