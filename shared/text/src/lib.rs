//! What texts are made of, without knowing what they are texts of.
//!
//! Their one form ([`composed`]), their structure ([`block`], [`sentence`]), their words ([`language`], [`stop`], [`term`],
//! [`words`]), the phrases by which they are read ([`lexicon`]), what they name ([`name`], [`option`], [`subject`]), what they are
//! about ([`topic`], [`excerpt`]), and what no text may show ([`secret`]).

pub mod block;
pub mod composed;
pub mod excerpt;
pub mod language;
pub mod lexicon;
pub mod name;
pub mod option;
pub mod secret;
pub mod sentence;
pub mod stop;
pub mod subject;
pub mod term;
pub mod topic;
pub mod words;
