//! The stages of a question: what is asked, what is searched, what is found, how it ranks, and whether anything fits.

pub mod abstain;
pub mod claim;
pub mod embed;
pub mod evidence;
pub mod facet;
pub mod fuse;
pub mod grade;
pub mod kept_reply;
pub mod literal;
pub mod marked;
pub mod related;
pub mod rerank;
pub mod retrieve;
pub mod settled;
pub mod strategy;
pub mod succession;
